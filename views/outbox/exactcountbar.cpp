// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outbox/exactcountbar.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/theme/theme.h"

#include <QLocale>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// "9,990,004 processed, 10,000 pending": the most frequent first.
QString statesText(const ExactCount &count)
{
    QList<std::pair<qint64, MessageState>> rows;
    for (auto state = count.rows.cbegin(); state != count.rows.cend(); ++state)
        rows += {state.value(), state.key()};
    std::sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    QStringList parts;
    for (const auto &[number, state] : std::as_const(rows))
        parts += u"%1 %2"_s.arg(countText(number), theme::appearance(state).word.toLower());
    return parts.isEmpty() ? ExactCountBar::tr("no rows") : parts.join(u", "_s);
}

QString spanOf(const ExactCount &count)
{
    return spanText(static_cast<double>(count.started.msecsTo(count.at)) / 1000);
}

} // namespace

ExactCountBar::ExactCountBar(QWidget *parent) : NoticeBar(u"outboxExactCount"_s, parent)
{
    connect(this, &NoticeBar::actionAsked, this, [this] {
        if (m_running)
            emit cancelAsked();
        else
            clear();
    });
}

void ExactCountBar::begin()
{
    if (m_running)
        return;
    m_running = true;
    say(Tone::Info, tr("Counting the rows one by one…"), tr("Cancel"));
    emit countAsked();
}

void ExactCountBar::setProgress(const ExactCount &count)
{
    m_running = true;
    // What was estimated may be too little.
    const QString whole = m_about > count.seen
        ? tr("%1 of about %2 rows").arg(countText(count.seen), countText(m_about))
        : tr("%1 rows").arg(countText(count.seen));
    say(Tone::Info,
        tr("Counting one by one: %1 in %2. So far %3.")
            .arg(whole, spanOf(count), statesText(count)),
        tr("Cancel"));
}

void ExactCountBar::setResult(const Result<ExactCount> &count)
{
    m_running = false;
    if (!count) {
        const bool isCancelled = count.error().kind == Error::Kind::Cancelled;
        return say(isCancelled ? Tone::Info : Tone::Problem, shownText(oneLine(count.error())),
                   tr("Close"));
    }
    m_result = *count;
    QString text
        = tr("Counted one by one: %1 at %2. It took %3, %4 of them in the database; the "
             "longest statement %5 ms.")
              .arg(statesText(*count), momentText(count->at, QDateTime::currentDateTimeUtc()),
                   spanOf(*count), spanText(count->tookMs / 1000),
                   QLocale().toString(count->longestMs, 'f', 0));
    if (!count->note.isEmpty())
        text += u' ' + shownText(count->note) + u'.';
    say(Tone::Info, text, tr("Close"));
}

void ExactCountBar::forget()
{
    m_running = false;
    m_about = 0;
    m_result.reset();
    clear();
}

} // namespace outbox
