// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/failovertrial.h"

#include "tests/support/redishand.h"

#include <QFile>
#include <QMap>

#include <algorithm>
#include <chrono>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int tellWithinMs = 15'000; ///< when tasks are lost, and rows wait
constexpr qsizetype tasksAtOnce = 2000; ///< of one question, so that Redis is not held up
constexpr qsizetype tasksKeptInList = 10'000;
constexpr int mostJudgings = 5; ///< of one round, where the master changes meanwhile
// What is wanted.
constexpr qint64 deliveryBehindSwitchMs = 100;
constexpr qint64 plannedPauseMs = 2000;
constexpr qint64 partitionLossMs = 1000; ///< of rows, without WAIT

const QByteArray pendingTasks = "asynq:{default}:pending";

QByteArray keyOfTask(const QByteArray &id)
{
    return "asynq:{default}:t:" + id;
}

/// Writes at a steady pace in transactions of its own, whatever the program does meanwhile.
const QByteArray writerProcedure
    = "create table stopped (at timestamptz);"
      "create procedure write_rows(per_second int) language plpgsql as $$"
      " declare begun timestamptz := clock_timestamp(); done bigint := 0; due bigint;"
      " begin"
      "  while not exists (select from stopped) loop"
      "   due := (extract(epoch from clock_timestamp() - begun) * per_second)::bigint - done;"
      "   with fresh as (insert into written select gen_random_uuid() from generate_series(1, due)"
      "    returning id) insert into outbox (id, type, payload)"
      "    select id, 'mail:deliver', '\\x00ff00' from fresh;"
      "   commit;"
      "   done := done + greatest(due, 0);"
      "   perform pg_sleep(0.02);"
      "  end loop;"
      " end $$";

struct SumOfRounds
{
    int rounds = 0;
    int notices = 0;
    int falseAlarms = 0; ///< rounds in which a loss was told and none was found
    qint64 delivered = 0;
    qint64 lost = 0;
    qint64 told = 0;
    qint64 untold = 0;
    QList<qint64> pauses;

    void add(const FailoverRound &round)
    {
        ++rounds;
        notices += round.told.notices;
        falseAlarms += round.told.notices > 0 && round.lost == 0 ? 1 : 0;
        delivered += round.delivered;
        lost += round.lost;
        told += round.told.rows;
        untold += round.told.untoldOf(round.lost);
        if (round.pauseMs >= 0)
            pauses += round.pauseMs;
    }
    [[nodiscard]] QStringList cells(const QString &name) const
    {
        return {name,
                QString::number(rounds),
                QString::number(delivered),
                QString::number(lost),
                QString::number(told),
                QString::number(untold),
                QString::number(notices),
                QString::number(falseAlarms),
                secondsText(pauses)};
    }
};

/// How long the writer takes for so many rows.
qint64 writingMs(qint64 rows, const FailoverReport &report)
{
    const qint64 rate = report.order.rowsASecond;
    return (rows * 1000 + rate - 1) / rate;
}

QString verdictsOf(const FailoverReport &report)
{
    QList<qint64> behindSwitch;
    QList<qint64> planned;
    QList<qint64> lost;
    QList<qint64> late;
    for (const FailoverRound &round : report.rounds) {
        if (round.pauseMs < 0)
            continue;
        switch (round.fault) {
        case MasterFault::Killed:
            behindSwitch += round.pauseMs - round.switchMs;
            break;
        case MasterFault::Planned:
            planned += round.pauseMs;
            break;
        case MasterFault::Parted:
            lost += writingMs(round.lost, report);
            late += writingMs(round.late, report);
            break;
        }
    }
    QString text;
    if (report.order.waits < report.order.replicas) {
        text += verdictText(word(MasterFault::Killed) + u", +switch-master to first delivery"_s,
                            behindSwitch, deliveryBehindSwitchMs);
        text += verdictText(word(MasterFault::Planned) + u", to first delivery"_s, planned,
                            plannedPauseMs);
    } else if (!behindSwitch.isEmpty()) {
        text += u"times are not judged: relays wait for all replicas, one of which the old master "
                "becomes\n"_s;
    }
    const QString parted = word(MasterFault::Parted);
    text += verdictText(parted + u", lost rows as time of the writer"_s, lost,
                        report.order.waits > 0 ? 0 : partitionLossMs);
    if (report.order.waits == 0) { // with WAIT tasks come there, and their rows stay
        text += verdictText(parted + u", rows to the old master behind +switch-master, the same"_s,
                            late, 0);
    }
    return text;
}

} // namespace

QString word(MasterFault fault)
{
    switch (fault) {
    case MasterFault::Killed:
        return u"kill -9 of the master"_s;
    case MasterFault::Planned:
        return u"SENTINEL FAILOVER"_s;
    case MasterFault::Parted:
        return u"partition of the master"_s;
    }
    return {};
}

qint64 FailoverReport::untold() const
{
    qint64 sum = 0;
    for (const FailoverRound &round : rounds)
        sum += round.told.untoldOf(round.lost);
    return sum;
}

QString tableOf(const FailoverReport &report)
{
    QMap<MasterFault, SumOfRounds> kinds;
    SumOfRounds end;
    SumOfRounds all;
    for (const FailoverRound &round : report.rounds) {
        all.add(round);
        (round.pauseMs < 0 ? end : kinds[round.fault]).add(round);
    }
    QList<QStringList> lines;
    lines += QStringList{u"fault"_s,   u"rounds"_s,       u"rows out"_s,
                         u"lost"_s,    u"told"_s,         u"not told"_s,
                         u"notices"_s, u"false alarms"_s, u"first delivery, median / worst"_s};
    for (auto kind = kinds.cbegin(); kind != kinds.cend(); ++kind)
        lines += kind->cells(word(kind.key()));
    lines += end.cells(u"the end"_s);
    lines += all.cells(u"all"_s);
    QString text = columnsText(lines);
    text += u"%1 rows written; %2 failovers nobody asked for; relays ended %3 times for another "
            u"reason"_s.arg(report.written)
                .arg(report.unasked)
                .arg(report.otherEnds);
    text += lastWordsText(report.otherEnds, report.lastWords) + u'\n';
    return text + verdictsOf(report);
}

Result<FailoverReport> FailoverTrial::run(const std::function<void(const FailoverRound &)> &tell)
{
    TRY(open());
    for (int number = 0; number < m_order.failovers; ++number) {
        m_report.rounds += TRY(tryOne(faultOf(number)));
        tell(m_report.rounds.last());
    }
    m_report.rounds += TRY(drain());
    tell(m_report.rounds.last());
    m_report.otherEnds = m_relays->otherEnds();
    m_report.lastWords = m_relays->lastWords();
    TRY(m_relays->stop());
    return m_report;
}

Result<void> FailoverTrial::open()
{
    qputenv("XDG_STATE_HOME", QFile::encodeName(m_state.path()));
    TRY(m_postgres.start());
    if (m_order.isParted)
        TRY(m_world.startBehindLines(m_order.replicas));
    else
        TRY(m_world.start(m_order.replicas));
    TRY(openHands());
    TRY(m_hand.open(m_postgres));
    TRY(m_hand.run(trialTables(m_order.keepsRows)));
    TRY(m_hand.run(writerProcedure));
    m_relays.emplace(m_order.relays,
                     QStringList{u"--database"_s, m_postgres.url(), u"--table"_s, u"outbox"_s,
                                 u"--redis"_s, m_world.url(), u"--poll"_s, u"5ms"_s,
                                 u"--retention"_s, u"1h"_s, u"--wait-replicas"_s,
                                 QString::number(m_order.waits)});
    TRY(m_relays->start());
    return startWriter();
}

Result<void> FailoverTrial::openHands()
{
    for (std::size_t node = 0; node < m_world.nodes(); ++node) {
        m_hands.push_back(std::make_unique<RedisConnection>());
        TRY(openByHand(handOf(node), m_world.node(node)));
    }
    for (std::size_t number = 0; number < SentinelWorld::sentinels; ++number) {
        m_switches.push_back(std::make_unique<RedisConnection>());
        const auto endpoint = TRY(RedisEndpoint::fromUrl(m_world.sentinel(number).url()));
        TRY(m_switches.back()->open(endpoint, RedisConnection::Access::ReadOnly, u"hand"_s));
        TRY(m_switches.back()->subscribe({"+switch-master"}));
    }
    return {};
}

Result<void> FailoverTrial::startWriter()
{
    TRY(m_writer.open(m_postgres));
    return m_writer.send("call write_rows(" + QByteArray::number(m_order.rowsASecond) + ')');
}

MasterFault FailoverTrial::faultOf(int number) const
{
    if (m_order.isParted)
        return MasterFault::Parted;
    return number % 2 == 1 ? MasterFault::Planned : MasterFault::Killed;
}

Result<FailoverRound> FailoverTrial::tryOne(MasterFault fault)
{
    FailoverRound round;
    round.fault = fault;
    TRY(m_relays->await(u"a world that is whole"_s, [this] { return m_world.isWhole(); }));
    const auto named = m_world.master();
    if (!named)
        return fail(Error::Kind::Conflict, u"trying failovers"_s,
                    u"the sentinels do not agree on a master"_s);
    const std::size_t old = *named;
    TRY(awaitTasks(old, m_order.rowsASecond / 2));
    static_cast<void>(heardSwitch()); // that of the round before
    QElapsedTimer sinceFault;
    TRY(strike(fault, old, sinceFault));
    std::size_t now = old;
    TRY(m_relays->await(u"a new master"_s, [&] {
        noteSwitch(round, old, sinceFault);
        now = otherMaster(old);
        return now != old;
    }));
    TRY(awaitDelivery(round, old, now, sinceFault));
    TRY(m_relays->await(u"all nodes to follow"_s, [this] { return m_world.isWhole(); }));
    TRY(awaitTasks(now, m_order.rowsASecond)); // each relay has met the new master
    TRY(judge(round));
    return round;
}

Result<void> FailoverTrial::strike(MasterFault fault, std::size_t old, QElapsedTimer &sinceFault)
{
    sinceFault.start();
    switch (fault) {
    case MasterFault::Killed:
        m_world.node(old).kill();
        break;
    case MasterFault::Planned:
        return m_relays->await(u"a planned failover to begin"_s, [this, &sinceFault] {
            sinceFault.start();
            return m_world.failOver();
        });
    case MasterFault::Parted:
        m_world.part(old);
        break;
    }
    return {};
}

Result<void> FailoverTrial::awaitDelivery(FailoverRound &round, std::size_t old, std::size_t now,
                                          const QElapsedTimer &sinceFault)
{
    const qint64 before = std::max<qint64>(0, tasksAt(now));
    bool mustReturn = round.fault != MasterFault::Planned;
    Result<void> revived;
    TRY(m_relays->await(u"a first delivery"_s, [&] {
        noteSwitch(round, old, sinceFault);
        if (round.pauseMs < 0 && hasDelivered(now, before))
            round.pauseMs = sinceFault.elapsed();
        // With as many replicas to wait for as there are, nothing is delivered before it is back.
        if (mustReturn && round.fault == MasterFault::Killed && m_world.master() == now) {
            mustReturn = false;
            revived = m_world.revive(old, now);
        }
        if (mustReturn && round.fault == MasterFault::Parted && round.switchMs >= 0
            && sinceFault.hasExpired(m_order.partitionMs)) {
            mustReturn = false;
            round.late += tasksAt(old);
            m_world.join(old);
        }
        return !revived || (!mustReturn && round.pauseMs >= 0 && round.switchMs >= 0);
    }));
    return revived;
}

void FailoverTrial::noteSwitch(FailoverRound &round, std::size_t old,
                               const QElapsedTimer &sinceFault)
{
    if (round.switchMs >= 0 || !heardSwitch())
        return;
    round.switchMs = sinceFault.elapsed();
    if (round.fault == MasterFault::Parted)
        round.late = -tasksAt(old); // those that are not late
}

bool FailoverTrial::heardSwitch()
{
    bool isHeard = false;
    for (const auto &sentinel : m_switches) {
        const auto came = sentinel->messages(std::chrono::milliseconds(0));
        if (!came)
            continue;
        isHeard = std::any_of(came->cbegin(), came->cend(),
                              [](const RedisReply &reply) {
                                  return reply.elements.size() == 3
                                      && reply.elements.first().bytes == "message";
                              })
            || isHeard;
    }
    return isHeard;
}

Result<FailoverRound> FailoverTrial::drain()
{
    TRY(m_hand.run("insert into stopped values (now())"));
    TRY(m_writer.take());
    const QByteArray waiting = "select count(*) from outbox where " + waitingRow(m_order.keepsRows);
    TRY(m_relays->await(u"an empty outbox"_s,
                        [this, &waiting] { return m_hand.number(waiting).value_or(-1) == 0; }));
    FailoverRound round;
    TRY(judge(round));
    return round;
}

Result<void> FailoverTrial::judge(FailoverRound &round)
{
    // Each of these rows left the outbox before the master is asked for its task.
    const QByteArrayList gone = TRY(takeGone());
    round.delivered = gone.size();
    for (int tries = 0; tries < mostJudgings; ++tries) {
        std::optional<std::size_t> master;
        TRY(m_relays->await(u"a master"_s, [this, &master] {
            master = m_world.master();
            return master.has_value();
        }));
        round.lost = TRY(countLost(gone, *master));
        if (m_world.master() != master) {
            ++m_report.unasked;
            continue;
        }
        round.told += m_relays->takeTold();
        // A relay tells with its next batch, so there is nothing to wait for where none is lost.
        TRY(m_relays->waitFor(tellWithinMs, [this, &round] {
            round.told += m_relays->takeTold();
            return round.told.untoldOf(round.lost) == 0;
        }));
        return forget(gone, *master);
    }
    return fail(Error::Kind::Conflict, u"judging a round"_s, u"the master changes all the time"_s);
}

Result<QByteArrayList> FailoverTrial::takeGone()
{
    const QByteArray waits
        = "select from outbox o where o.id = w.id and " + waitingRow(m_order.keepsRows);
    TRY(m_hand.run("drop table if exists judged"));
    TRY(m_hand.run("create temporary table judged as select w.id from written w where not exists ("
                   + waits + ')'));
    const auto rows = TRY(m_hand.run("select id from judged"));
    QByteArrayList ids;
    const int count = PQntuples(rows.get());
    ids.reserve(count);
    for (int row = 0; row < count; ++row)
        ids += QByteArray(PQgetvalue(rows.get(), row, 0));
    m_report.written += count;
    TRY(m_hand.run("delete from written w using judged j where w.id = j.id"));
    if (m_order.keepsRows) { // as somebody does who clears the outbox
        TRY(m_hand.run("delete from outbox o using judged j where o.id = j.id"));
    }
    return ids;
}

Result<qint64> FailoverTrial::countLost(const QByteArrayList &gone, std::size_t master)
{
    // A node that was killed meanwhile took our connection with it.
    static_cast<void>(handOf(master).command({"PING"}, u"asking a node"_s));
    TRY(handOf(master).ensureOpen());
    qint64 lost = 0;
    for (qsizetype from = 0; from < gone.size(); from += tasksAtOnce) {
        QList<RedisCommand> questions;
        for (const QByteArray &id : gone.mid(from, tasksAtOnce))
            questions += RedisCommand{"EXISTS", keyOfTask(id)};
        const auto answers = TRY(handOf(master).pipeline(questions));
        for (const RedisReply &answer : answers) {
            if (answer.kind != RedisReply::Kind::Integer)
                return fail(Error::Kind::Protocol, u"asking for tasks"_s,
                            QString::fromUtf8(answer.bytes));
            lost += answer.integer == 1 ? 0 : 1;
        }
    }
    return lost;
}

Result<void> FailoverTrial::forget(const QByteArrayList &gone, std::size_t master)
{
    for (qsizetype from = 0; from < gone.size(); from += tasksAtOnce) {
        RedisCommand command{"UNLINK"};
        for (const QByteArray &id : gone.mid(from, tasksAtOnce))
            command += keyOfTask(id);
        TRY(handOf(master).command(command, u"forgetting tasks"_s));
    }
    TRY(handOf(master).command(
        {"LTRIM", pendingTasks, "0", QByteArray::number(tasksKeptInList - 1)},
        u"shortening the list"_s));
    return {};
}

Result<void> FailoverTrial::awaitTasks(std::size_t master, qint64 more)
{
    const qint64 enough = std::max<qint64>(0, tasksAt(master)) + more;
    return m_relays->await(u"more tasks"_s,
                           [this, master, enough] { return tasksAt(master) >= enough; });
}

std::size_t FailoverTrial::otherMaster(std::size_t old)
{
    for (std::size_t node = 0; node < m_world.nodes(); ++node) {
        if (node == old || !handOf(node).ensureOpen())
            continue;
        const auto info = handOf(node).command({"INFO", "replication"}, u"asking a node"_s);
        if (info && info->bytes.contains("role:master"))
            return node;
    }
    return old;
}

bool FailoverTrial::hasDelivered(std::size_t master, qint64 before)
{
    if (!handOf(master).ensureOpen())
        return false;
    // New tasks come in at the left, and nobody takes one at the right.
    const auto task = handOf(master).command(
        {"LINDEX", pendingTasks, QByteArray::number(-before - 1)}, u"asking for a task"_s);
    if (!task || task->kind != RedisReply::Kind::Bulk)
        return false;
    return m_hand
               .number("select count(*) from outbox where id = '" + task->bytes + "' and "
                       + waitingRow(m_order.keepsRows))
               .value_or(1)
        == 0;
}

qint64 FailoverTrial::tasksAt(std::size_t master)
{
    if (!handOf(master).ensureOpen())
        return -1;
    const auto length = handOf(master).command({"LLEN", pendingTasks}, u"counting tasks"_s);
    return length ? length->integer : -1;
}

} // namespace outbox::crash
