// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/reconcile/scancontext.h"
#include "models/filter/pagerequest.h"

#include "models/phrases.h"

#include <poll.h>

#include <algorithm>
#include <tuple>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 stopTurnMs = 50; ///< how soon a stop is heard
constexpr qsizetype rowsAtOnce = 500;

/// False when `goesOn` ended it.
template <typename GoesOn> bool waitFor(qint64 milliseconds, GoesOn goesOn)
{
    QElapsedTimer clock;
    clock.start();
    while (goesOn()) {
        const qint64 left = milliseconds - clock.elapsed();
        if (left <= 0)
            return true;
        ::poll(nullptr, 0, static_cast<int>(std::min(left, stopTurnMs)));
    }
    return false;
}

QString nameOf(const Finding &finding)
{
    return QStringList{word(finding.kind), finding.queue.text, finding.task.text, finding.row.text,
                       finding.subject}
        .join(QChar(u'\0'));
}

} // namespace

ScanContext::ScanContext(OperatorSession &session, const ScanOptions &terms, Progressed progressed,
                         std::stop_token stop)
    : m_session(session), m_terms(terms), m_progressed(std::move(progressed)),
      m_stop(std::move(stop))
{
    m_clock.start();
    if (!terms.resume) {
        report.at = QDateTime::currentDateTimeUtc();
        return;
    }
    report = *terms.resume;
    report.position.reset();
    for (const Finding &finding : std::as_const(report.findings)) {
        m_said += nameOf(finding);
        ++m_perKind[finding.kind];
    }
}

bool ScanContext::mayGoOn() const
{
    return !m_stop.stop_requested()
        && (m_terms.budgetMs <= 0 || m_clock.elapsed() < m_terms.budgetMs);
}

bool ScanContext::rest(qint64 milliseconds) const
{
    return waitFor(milliseconds, [this] { return mayGoOn(); });
}

bool ScanContext::restBetweenReadings() const
{
    return waitFor(m_terms.secondLookMs, [this] { return !m_stop.stop_requested(); });
}

void ScanContext::tell(const QString &phase, qsizetype suspects) const
{
    if (m_progressed)
        m_progressed(phase, report.rows + report.tasks + report.keys, suspects);
}

void ScanContext::add(const Finding &finding)
{
    const QString name = nameOf(finding);
    if (m_said.contains(name))
        return;
    m_said += name;
    if (++m_perKind[finding.kind] <= m_terms.mostFindings)
        report.findings += finding;
}

void ScanContext::note(const QString &sentence)
{
    if (!report.notes.contains(sentence))
        report.notes += sentence;
}

void ScanContext::noteFailure(const QString &what, const Error &error)
{
    if (!report.unread)
        report.unread = error;
    note(u"%1 was not read: %2"_s.arg(what, oneLine(error)));
}

void ScanContext::finish()
{
    for (auto kind = m_perKind.cbegin(); kind != m_perKind.cend(); ++kind) {
        if (kind.value() > m_terms.mostFindings) {
            note(u"%1 more of %2 are not listed"_s.arg(
                countText(kind.value() - m_terms.mostFindings), word(kind.key())));
        }
    }
    const auto place = [](const Finding &finding) {
        return std::tie(finding.kind, finding.queue.text, finding.row.text, finding.task.text);
    };
    std::stable_sort(
        report.findings.begin(), report.findings.end(),
        [place](const Finding &one, const Finding &other) { return place(one) < place(other); });
    report.tookMs += static_cast<double>(m_clock.elapsed());
    report.complete = !report.position && !report.unread;
}

Result<QHash<MessageId, Message>> rowsByKey(OutboxStore &store, const QList<MessageId> &ids)
{
    QHash<MessageId, Message> rows;
    for (qsizetype from = 0; from < ids.size(); from += rowsAtOnce) {
        PageRequest request;
        request.ids = ids.mid(from, rowsAtOnce);
        request.limit = static_cast<int>(rowsAtOnce);
        request.payloadPrefixBytes = 0;
        request.withVersions = true;
        const auto page = TRY(store.page(request));
        for (const Message &row : page.rows)
            rows.insert(row.id, row);
    }
    return rows;
}

RowSnapshot seenOf(const Message &row)
{
    return {row.state,        row.version,  row.processed,
            row.payloadBytes, row.lockedBy, row.processedText};
}

QString rowText(const Message &row)
{
    const QString since = row.ageSeconds ? u", %1 old"_s.arg(spanText(*row.ageSeconds)) : QString();
    return u"the row is %1%2"_s.arg(label(row.state).toLower(), since);
}

bool isClaimed(const Message &row)
{
    return row.state == MessageState::Locked;
}

} // namespace outbox
