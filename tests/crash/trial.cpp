// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/trial.h"

#include "tests/support/patience.h"

#include <QTest>

#include <algorithm>
#include <csignal>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int longestAwaitMs = 120'000;

QString inSeconds(qint64 milliseconds)
{
    return QString::number(static_cast<double>(milliseconds) / 1000.0, 'f', 2);
}

} // namespace

ToldLoss &ToldLoss::operator+=(const ToldLoss &other)
{
    notices += other.notices;
    rows += other.rows;
    isAtLeast = isAtLeast || other.isAtLeast;
    return *this;
}

qint64 ToldLoss::untoldOf(qint64 lost) const
{
    return isAtLeast ? 0 : std::max<qint64>(0, lost - rows);
}

TrialRelays::TrialRelays(int count, QStringList arguments)
    : m_arguments(std::move(arguments)), m_relays(static_cast<size_t>(count)),
      m_loss(u"has lost what it was given.*of this run (more than )?([0-9]+) rows"_s)
{ }

Result<void> TrialRelays::startOne(std::unique_ptr<RelayProcess> &relay) const
{
    relay = std::make_unique<RelayProcess>();
    return relay->startCtl(m_arguments);
}

Result<void> TrialRelays::start()
{
    for (auto &relay : m_relays) {
        if (auto started = startOne(relay); !started)
            return started;
    }
    return {};
}

void TrialRelays::takeEnd(RelayProcess &relay)
{
    const int code = relay.end();
    const QByteArray said = relay.complaints();
    // It may say so more than once: each time of the same loss.
    QRegularExpressionMatch last;
    auto found = m_loss.globalMatch(QString::fromUtf8(said));
    while (found.hasNext())
        last = found.next();
    if (last.hasMatch()) {
        ++m_endsWithLoss;
        m_told += ToldLoss{1, last.captured(2).toLongLong(), !last.captured(1).isEmpty()};
        return;
    }
    ++m_otherEnds;
    m_lastWords = QByteArray::number(code) + ": " + said.right(400).trimmed();
}

Result<void> TrialRelays::tend()
{
    for (auto &relay : m_relays) {
        relay->listen();
        if (relay->isRunning())
            continue;
        takeEnd(*relay);
        if (auto started = startOne(relay); !started)
            return started;
    }
    return {};
}

Result<bool> TrialRelays::waitFor(int milliseconds, const std::function<bool()> &isSo)
{
    Result<void> tended;
    const bool came = QTest::qWaitFor(
        [this, &tended, &isSo] {
            tended = tend();
            return !tended || isSo();
        },
        patient(milliseconds));
    if (!tended)
        return passOn(tended);
    return came;
}

Result<void> TrialRelays::await(const QString &what, const std::function<bool()> &isSo)
{
    const auto came = waitFor(longestAwaitMs, isSo);
    if (!came)
        return passOn(came);
    if (*came)
        return {};
    return fail(Error::Kind::Timeout, u"waiting for "_s + what,
                u"it does not come; relays ended %1 times, at last with "_s.arg(m_otherEnds)
                    + QString::fromUtf8(m_lastWords));
}

void TrialRelays::kill(int relay)
{
    m_relays.at(static_cast<std::size_t>(relay))->tell(SIGKILL);
}

Result<void> TrialRelays::stop()
{
    for (auto &relay : m_relays) {
        relay->tell(SIGTERM);
        if (const int code = relay->end(); code != 0) {
            takeEnd(*relay);
            return fail(Error::Kind::Protocol, u"ending the relays"_s,
                        u"one ended with "_s + QString::number(code));
        }
    }
    return {};
}

QByteArray trialTables(bool keepsRows)
{
    QByteArray sql = "create table outbox (id uuid primary key default gen_random_uuid(), type text"
                     " not null, payload bytea not null, created_at timestamptz not null default"
                     " clock_timestamp()";
    if (keepsRows) {
        sql += ", completed_at timestamptz);"
               " create index on outbox (created_at, id) where completed_at is null;";
    } else {
        sql += ");";
    }
    return sql + " create table written (id uuid primary key)";
}

QByteArray waitingRow(bool keepsRows)
{
    return keepsRows ? "completed_at is null" : "true";
}

QString secondsText(QList<qint64> milliseconds)
{
    if (milliseconds.isEmpty())
        return u"-"_s;
    std::sort(milliseconds.begin(), milliseconds.end());
    return u"%1 / %2 s"_s.arg(inSeconds(milliseconds.at(milliseconds.size() / 2)),
                              inSeconds(milliseconds.last()));
}

QString verdictText(const QString &what, const QList<qint64> &milliseconds, qint64 wantedMs)
{
    if (milliseconds.isEmpty())
        return {};
    const bool isMet = std::all_of(milliseconds.cbegin(), milliseconds.cend(),
                                   [wantedMs](qint64 ms) { return ms <= wantedMs; });
    return u"%1: median / worst %2, wanted at most %3 s: %4\n"_s.arg(
        what, secondsText(milliseconds), inSeconds(wantedMs), isMet ? u"met"_s : u"missed"_s);
}

QString lastWordsText(int ends, const QByteArray &lastWords)
{
    return ends > 0 ? u", at last with "_s + QString::fromUtf8(lastWords) : QString();
}

QString columnsText(const QList<QStringList> &lines)
{
    QList<qsizetype> widths;
    for (const QStringList &line : lines) {
        for (qsizetype at = 0; at < line.size(); ++at) {
            if (at == widths.size())
                widths += 0;
            widths[at] = std::max(widths.at(at), line.at(at).size());
        }
    }
    QString text;
    for (const QStringList &line : lines) {
        for (qsizetype at = 0; at < line.size(); ++at) {
            if (at == 0)
                text += line.at(at).leftJustified(widths.at(at));
            else
                text += u"  "_s + line.at(at).rightJustified(widths.at(at));
        }
        text += u'\n';
    }
    return text;
}

} // namespace outbox::crash
