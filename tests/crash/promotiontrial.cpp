// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/promotiontrial.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSet>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 mostRunAtOnce = 200; ///< tasks, so that the writer keeps its pace

const QByteArray countWaiting = "select count(*) from outbox";

QList<qint64> pausesOf(const PromotionReport &report, PrimaryFault fault)
{
    QList<qint64> pauses;
    for (const PromotionRound &round : report.rounds) {
        if (round.fault == fault)
            pauses += round.pauseMs;
    }
    return pauses;
}

/// From the promotion to the first run, at most.
qint64 wantedPauseMs(PrimaryFault fault)
{
    return fault == PrimaryFault::Killed ? 500 : 4000;
}

constexpr std::array allPrimaryFaults{PrimaryFault::Killed, PrimaryFault::Hung,
                                      PrimaryFault::CutOff};

} // namespace

QString word(PrimaryFault fault)
{
    switch (fault) {
    case PrimaryFault::Killed:
        return u"is killed"_s;
    case PrimaryFault::Hung:
        return u"stands still"_s;
    case PrimaryFault::CutOff:
        return u"is cut off"_s;
    }
    return {};
}

QString tableOf(const PromotionReport &report)
{
    QList<QStringList> lines;
    lines += QStringList{u"the primary"_s, u"promotions"_s, u"first run, median / worst"_s};
    QString verdicts;
    for (const PrimaryFault fault : allPrimaryFaults) {
        const QList<qint64> pauses = pausesOf(report, fault);
        if (pauses.isEmpty())
            continue;
        lines += QStringList{word(fault), QString::number(pauses.size()), secondsText(pauses)};
        verdicts += verdictText(u"the primary %1, promotion to first run"_s.arg(word(fault)),
                                pauses, wantedPauseMs(fault));
    }
    QString text = columnsText(lines) + u'\n';
    QList<QStringList> counts;
    counts += QStringList{u"standby"_s, u"acknowledged"_s,        u"sent again"_s, u"lost"_s,
                          u"doubled"_s, u"gone with a primary"_s, u"ghosts"_s};
    counts += QStringList{report.isSynchronous ? u"synchronous"_s : u"asynchronous"_s,
                          QString::number(report.acknowledged),
                          QString::number(report.retries),
                          QString::number(report.lost),
                          QString::number(report.doubled),
                          QString::number(report.gone),
                          QString::number(report.ghosts)};
    text += columnsText(counts);
    text += u"relays told %1 times of a loss, ended %2 times for another reason"_s
                .arg(report.endsWithLoss)
                .arg(report.otherEnds);
    text += lastWordsText(report.otherEnds, report.lastWords) + u'\n';
    return text + verdicts;
}

PromotionTrial::PromotionTrial(PromotionOrder order) : m_order(order), m_writer(order.rowsASecond)
{
    m_report.isSynchronous = order.isSynchronous;
}

Result<PromotionReport> PromotionTrial::run(const std::function<void(const PromotionRound &)> &tell)
{
    TRY(open());
    for (int number = 0; number < m_order.promotions; ++number) {
        m_report.rounds += TRY(tryOne(faultOf(number)));
        tell(m_report.rounds.last());
    }
    TRY(drain());
    m_report.otherEnds = m_relays->otherEnds();
    m_report.endsWithLoss = m_relays->endsWithLoss();
    m_report.lastWords = m_relays->lastWords();
    TRY(m_relays->stop());
    TRY(judge());
    return m_report;
}

Result<void> PromotionTrial::open()
{
    qputenv("XDG_STATE_HOME", QFile::encodeName(m_state.path()));
    TRY(m_redis.start());
    PrivateStandby &first = m_servers.front();
    TRY(first.start());
    PlainPostgres hand;
    TRY(hand.open(first));
    TRY(hand.run(trialTables(false)));
    TRY(makeStandby());
    const auto queue = TRY(RedisEndpoint::fromUrl(m_redis.url()));
    TRY(m_worker.open(queue));
    const QString both = TRY(makeUrl());
    m_relays.emplace(m_order.relays,
                     QStringList{u"--database"_s, both, u"--table"_s, u"outbox"_s, u"--redis"_s,
                                 m_redis.url(), u"--poll"_s, u"5ms"_s, u"--retention"_s, u"24h"_s});
    TRY(m_relays->start());
    m_writer.turnTo(first);
    return {};
}

Result<QString> PromotionTrial::makeUrl()
{
    const PrivateStandby &first = m_servers.front();
    const PrivateStandby &second = m_servers.back();
    if (!m_order.isCutOff) {
        return u"postgresql://%1@/postgres?host=%2,%3"_s.arg(first.user(), first.folder(),
                                                             second.folder());
    }
    for (std::size_t number = 0; number < m_lines.size(); ++number) {
        if (!m_lines.at(number).start({m_servers.at(number).folder() + u"/.s.PGSQL.5432"_s, 0}))
            return fail(Error::Kind::Unreachable, u"making a line"_s, u"no port is free"_s);
    }
    return u"postgresql://%1@/postgres?host=127.0.0.1,127.0.0.1&port=%2,%3"_s.arg(
        first.user(), QString::number(m_lines.front().port()),
        QString::number(m_lines.back().port()));
}

Result<void> PromotionTrial::makeStandby()
{
    PrivateStandby &primary = m_servers.at(m_primary);
    PrivateStandby &other = m_servers.at(1 - m_primary);
    TRY(other.follow(primary));
    if (m_order.isSynchronous) {
        TRY(PrivateStandby::makeSynchronous(primary));
    }
    // What was acknowledged while there was no standby is on it, too, before the next fault.
    return other.catchUp(primary);
}

PrimaryFault PromotionTrial::faultOf(int number) const
{
    if (m_order.isCutOff)
        return PrimaryFault::CutOff;
    return number % 2 == 1 ? PrimaryFault::Hung : PrimaryFault::Killed;
}

void PromotionTrial::strike(PrimaryFault fault)
{
    switch (fault) {
    case PrimaryFault::Killed:
        m_servers.at(m_primary).kill();
        break;
    case PrimaryFault::Hung:
        m_servers.at(m_primary).freeze();
        break;
    case PrimaryFault::CutOff:
        FaultLine cut;
        cut.isHalfOpen = true;
        cut.isSilent = true;
        m_lines.at(m_primary).set(cut);
        break;
    }
}

Result<PromotionRound> PromotionTrial::tryOne(PrimaryFault fault)
{
    PromotionRound round;
    round.fault = fault;
    const std::size_t before = m_primary;
    PrivateStandby &old = m_servers.at(before);
    PrivateStandby &next = m_servers.at(1 - before);
    TRY(goOnUntilRun(m_order.rowsASecond));
    strike(fault);
    QElapsedTimer clock;
    clock.start();
    TRY(goOnUntil(u"the promotion"_s,
                  [this, &clock] { return clock.hasExpired(m_order.detectionMs); }));
    m_ran += TRY(m_worker.consume()); // whatever runs from now on came after this moment
    if (fault == PrimaryFault::CutOff) {
        PlainPostgres hand;
        TRY(hand.open(old));
        round.waiting = TRY(hand.number(countWaiting));
    }
    const qint64 ranBefore = m_ran;
    clock.start();
    TRY(next.promote());
    m_writer.turnTo(next);
    m_primary = 1 - before;
    TRY(goOnUntil(u"a first run"_s, [this, ranBefore] { return m_ran > ranBefore; }));
    round.pauseMs = clock.elapsed();
    if (fault == PrimaryFault::Hung)
        old.thaw(); // a primary on the earlier timeline, which nobody may use
    TRY(goOnUntilRun(m_order.rowsASecond));
    TRY(makeStandby());
    if (fault == PrimaryFault::CutOff)
        m_lines.at(before).set(FaultLine()); // it is a standby now
    return round;
}

Result<void> PromotionTrial::goOnUntil(const QString &what, const std::function<bool()> &isSo)
{
    TRY(m_relays->await(what, [this, &isSo] {
        goOn();
        return !m_working || isSo();
    }));
    return m_working;
}

Result<void> PromotionTrial::goOnUntilRun(qint64 more)
{
    return goOnUntil(u"more runs"_s, [this, enough = m_ran + more] { return m_ran >= enough; });
}

void PromotionTrial::goOn()
{
    m_writer.goOn();
    const auto ran = m_worker.consume(mostRunAtOnce);
    if (ran)
        m_ran += *ran;
    else
        m_working = passOn(ran);
}

Result<void> PromotionTrial::drain()
{
    m_writer.finish();
    TRY(goOnUntil(u"the writer's last rows"_s, [this] { return m_writer.hasFinished(); }));
    PlainPostgres hand;
    TRY(hand.open(m_servers.at(m_primary)));
    TRY(goOnUntil(u"an empty outbox"_s,
                  [&hand] { return hand.number(countWaiting).value_or(-1) == 0; }));
    m_ran += TRY(m_worker.consume());
    return {};
}

Result<void> PromotionTrial::judge()
{
    m_report.acknowledged = m_writer.acknowledged();
    m_report.retries = m_writer.retries();
    PlainPostgres hand;
    TRY(hand.open(m_servers.at(m_primary)));
    const auto rows = TRY(hand.run("select n from generate_series(1, "
                                   + QByteArray::number(m_report.acknowledged)
                                   + "::bigint) n where not exists (select from written w where"
                                     " w.id = "
                                   + RetryingWriter::keySql("n") + ')'));
    QSet<qint64> missing;
    for (int row = 0; row < PQntuples(rows.get()); ++row)
        missing += QByteArray(PQgetvalue(rows.get(), row, 0)).toLongLong();
    qsizetype known = 0;
    for (qint64 number = 1; number <= m_report.acknowledged; ++number) {
        const int runs = m_worker.runs().value(RetryingWriter::keyOf(number));
        const bool isMissing = missing.contains(number);
        if (runs == 0) {
            ++(isMissing ? m_report.gone : m_report.lost);
            continue;
        }
        ++known;
        m_report.ghosts += isMissing ? 1 : 0;
        m_report.doubled += runs - 1;
    }
    m_report.ghosts += m_worker.runs().size() - known; // under keys that nobody wrote
    return {};
}

} // namespace outbox::crash
