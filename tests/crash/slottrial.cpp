// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/slottrial.h"

#include "connectors/redis/cluster/slots.h"
#include "models/shape/outboxshape.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QJsonDocument>

#include <algorithm>

#include <poll.h>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int primaries = 3;
constexpr int relaysBeside = 2;
constexpr qint64 rowsAtOnce = 10'000;
constexpr qint64 lookEveryMs = 100; ///< at least; a look takes a tenth of the time at most
constexpr int pauseMs = 2;
constexpr int nothingGoesMs = 60'000;
/// A relay that dies takes with it how many rows it had sent; by then it has told of a loss.
constexpr qint64 restBeforeRelayKillMs = 3000;

OutboxShape mapping()
{
    OutboxShape shape;
    shape.use = OutboxShape::Use::Relay;
    shape.table = TableName::fromText(u"outbox"_s);
    shape.keyColumn = u"id"_s;
    shape.keyForm = OutboxShape::KeyForm::Integer;
    shape.typeColumn = u"type"_s;
    shape.payloadColumn = u"payload"_s;
    shape.payloadForm = OutboxShape::PayloadForm::Bytes;
    shape.queueColumn = u"queue"_s;
    shape.order = QStringList{u"id"_s};
    shape.orderIs = OutboxShape::OrderIs::Sequence;
    shape.confirmed = u"by this trial"_s;
    return shape;
}

/// Of the rows 1 to `rows`, those of a queue.
qint64 rowsOf(int queue, qint64 rows, int queues)
{
    return queue == 0 ? rows / queues : (rows + queues - queue) / queues;
}

QString secondsText(qint64 milliseconds)
{
    return QString::number(double(milliseconds) / 1000.0, 'f', 1);
}

} // namespace

bool isAsPromised(const SlotOrder &order, const SlotReport &report)
{
    const SlotCount &count = report.count;
    if (count.left + count.doubled + count.altered + count.strays > 0)
        return false;
    return order.replicas > 0 ? count.lost == 0 && report.told.losses == 0 : report.untold() == 0;
}

QString tableOf(const SlotOrder &order, const SlotReport &report)
{
    QStringList ends;
    for (auto end = report.ends.begin(); end != report.ends.end(); ++end)
        ends += u"%1: %2"_s.arg(end.key()).arg(end.value());
    const auto line = [](const QString &name, const QString &value) -> QString {
        return name.leftJustified(34) + value + u'\n';
    };
    const auto number = [](qint64 value) { return QString::number(value); };
    const SlotCount &count = report.count;
    QString text = line(u"rows"_s, number(order.rows.rows))
        + line(u"replicas a batch waits for"_s, number(order.replicas))
        + line(u"seconds"_s, QString::number(report.seconds, 'f', 1))
        + line(u"primaries killed"_s, number(report.kills))
        + line(u"longest without an heir, s"_s, secondsText(report.longestKillMs))
        + line(u"relays ended, by exit code"_s, ends.join(u", "_s))
        + line(u"losses that relays told"_s, number(report.told.losses))
        + line(u"rows of which they told, at most"_s, number(report.told.rows))
        + line(u"lost"_s, number(count.lost)) + line(u"lost and untold"_s, number(report.untold()))
        + line(u"doubled"_s, number(count.doubled)) + line(u"altered"_s, number(count.altered))
        + line(u"tasks of no row"_s, number(count.strays))
        + line(u"left in the table"_s, number(count.left));
    for (int queue = 0; queue < order.rows.queues; ++queue) {
        text += line(
            SlotRows::queueName(queue),
            u"moved %1 times, rested %2 s at most, %3 s while all was well with its node"_s.arg(
                number(report.moves.value(queue)), secondsText(report.restsMs.value(queue)),
                secondsText(report.wellRestsMs.value(queue))));
    }
    return text;
}

RestMeter::RestMeter(int queues) : m_queues(queues)
{
    m_clock.start();
}

void RestMeter::note(int queue, qint64 gone, qint64 waiting, bool isWell)
{
    const qint64 now = m_clock.elapsed();
    Rest &rest = m_queues[queue];
    const bool goesOn = gone > rest.gone || waiting == 0;
    rest.longest = std::max(rest.longest, now - rest.since);
    if (isWell)
        rest.longestWell = std::max(rest.longestWell, now - rest.wellSince);
    if (goesOn)
        rest.since = now;
    if (goesOn || !isWell)
        rest.wellSince = now;
    rest.gone = gone;
}

QList<qint64> RestMeter::longestMs() const
{
    QList<qint64> longest;
    for (const Rest &rest : m_queues)
        longest += rest.longest;
    return longest;
}

QList<qint64> RestMeter::longestWellMs() const
{
    QList<qint64> longest;
    for (const Rest &rest : m_queues)
        longest += rest.longestWell;
    return longest;
}

SlotTrial::SlotTrial(SlotOrder order) : m_order(std::move(order)), m_rests(m_order.rows.queues)
{ }

Result<void> SlotTrial::start()
{
    if (auto started = m_postgres.start({u"autovacuum_naptime=1s"_s}); !started)
        return started;
    return m_world.start(primaries, 1);
}

QStringList SlotTrial::relayArguments() const
{
    return {u"relay"_s,
            u"--json"_s,
            u"--database"_s,
            m_postgres.url(),
            u"--shape"_s,
            m_folder.filePath(u"shape.json"_s),
            u"--redis"_s,
            m_world.url(),
            u"--queue"_s,
            SlotRows::queueName(0),
            u"--config-dir"_s,
            m_folder.filePath(u"config"_s),
            u"--state-dir"_s,
            m_folder.filePath(u"state"_s),
            u"--ids-never-return"_s,
            u"--poll"_s,
            u"20ms"_s,
            u"--batch"_s,
            QString::number(m_order.batch),
            u"--wait-replicas"_s,
            QString::number(m_order.replicas)};
}

Result<void> SlotTrial::open()
{
    QFile file(m_folder.filePath(u"shape.json"_s));
    const QByteArray json = QJsonDocument(mapping().toJson()).toJson();
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size())
        return fail(Error::Kind::Refused, u"writing the mapping"_s, file.errorString());
    file.close();
    if (auto opened = m_hand.open(m_postgres); !opened)
        return opened;
    const auto made = m_hand.run("CREATE TABLE outbox (id bigint PRIMARY KEY, type text NOT NULL,"
                                 " payload bytea NOT NULL, queue text NOT NULL)");
    if (!made)
        return passOn(made);
    const QByteArrayList keys = m_order.rows.pendingKeys();
    m_rests = RestMeter(m_order.rows.queues);
    m_mover.emplace(m_world, keys, SlotMover::Manner{m_order.movePauseMs, m_order.seed});
    m_killer.emplace(m_world, keys, m_order.kills);
    m_relays.emplace(relayArguments(), relaysBeside);
    m_clock.start();
    return m_relays->startAll();
}

Result<SlotReport> SlotTrial::run()
{
    auto done = open();
    while (done && !isOver())
        done = act();
    if (!done)
        return passOn(done);
    SlotReport report;
    report.seconds = double(m_clock.elapsed()) / 1000.0;
    m_relays->stopAll();
    const auto left = leftRows();
    if (!left)
        return passOn(left);
    const auto count = countSlots(m_world, m_order.rows, *left);
    if (!count)
        return passOn(count);
    report.count = *count;
    report.told = m_relays->told();
    report.ends = m_relays->ends();
    report.kills = m_killer->kills();
    report.longestKillMs = m_killer->longestMs();
    report.moves = m_mover->moves();
    report.restsMs = m_rests.longestMs();
    report.wellRestsMs = m_rests.longestWellMs();
    return report;
}

bool SlotTrial::standsStill() const
{
    return m_written == m_order.rows.rows
        && m_clock.elapsed() - m_lastGoneMs > patient(nothingGoesMs);
}

bool SlotTrial::isOver() const
{
    const bool isAtRest = m_mover->isAtRest() && m_killer->isAtRest();
    return isAtRest && (m_gone == m_order.rows.rows || standsStill());
}

Result<void> SlotTrial::act()
{
    if (auto written = write(); !written)
        return written;
    if (auto looked = look(); !looked)
        return looked;
    if (auto struck = m_killer->step(*m_mover, m_written < rowsUnderKills()); !struck)
        return struck;
    if (m_killer->nodesAnswer() || !m_mover->isSettling()) {
        const bool begins = m_gone < m_order.rows.rows && !standsStill();
        if (auto moved = m_mover->step(m_killer->away(), begins); !moved)
            return moved;
    }
    killARelay();
    if (m_mover->isAtRest() || m_mover->isSettling()) // what is measured needs the processor
        ::poll(nullptr, 0, pauseMs);
    return m_relays->tend();
}

Result<void> SlotTrial::write()
{
    const qint64 rows = m_hasKilledRelay ? m_order.rows.rows : rowsUnderKills();
    const qint64 due
        = m_order.ratePerSecond > 0 ? m_clock.elapsed() * m_order.ratePerSecond / 1000 : rows;
    const qint64 last = std::min({rows, due, m_written + rowsAtOnce});
    if (last <= m_written)
        return {};
    const QByteArray sql = "INSERT INTO outbox SELECT n, 'mail:deliver',"
                           " convert_to('row-' || n || '.', 'UTF8'), 'q' || (n % "
        + QByteArray::number(m_order.rows.queues) + ") FROM generate_series("
        + QByteArray::number(m_written + 1) + "::bigint, " + QByteArray::number(last)
        + "::bigint) AS n";
    if (const auto inserted = m_hand.run(sql); !inserted)
        return passOn(inserted);
    m_written = last;
    return {};
}

Result<void> SlotTrial::look()
{
    const qint64 begin = m_clock.elapsed();
    if (begin < m_lookAtMs)
        return {};
    const auto counted = m_hand.run("SELECT queue, count(*) FROM outbox GROUP BY queue");
    if (!counted)
        return passOn(counted);
    QMap<QByteArray, qint64> waiting;
    qint64 sum = 0;
    for (int row = 0; row < PQntuples(counted->get()); ++row) {
        const qint64 rows = QByteArray(PQgetvalue(counted->get(), row, 1)).toLongLong();
        waiting.insert(PQgetvalue(counted->get(), row, 0), rows);
        sum += rows;
    }
    const int queues = m_order.rows.queues;
    const QByteArrayList keys = m_order.rows.pendingKeys();
    for (int queue = 0; queue < queues; ++queue) {
        const qint64 rows = waiting.value(SlotRows::queueName(queue).toLatin1());
        const int owner = m_world.ownerOf(slotOf(keys.at(queue)));
        const bool isWell = m_mover->moving() != queue && !m_killer->concerns(owner);
        m_rests.note(queue, rowsOf(queue, m_written, queues) - rows, rows, isWell);
    }
    const qint64 end = m_clock.elapsed();
    if (sum == 0 || m_gone < m_written - sum)
        m_lastGoneMs = end;
    m_gone = m_written - sum;
    m_lookAtMs = end + std::max(lookEveryMs, 10 * (end - begin));
    return {};
}

void SlotTrial::killARelay()
{
    if (m_hasKilledRelay || m_written < m_order.rows.rows / 2
        || m_killer->restsSinceMs() < restBeforeRelayKillMs)
        return;
    m_hasKilledRelay = true;
    m_relays->kill(1);
}

Result<QSet<qint64>> SlotTrial::leftRows()
{
    const auto rows = m_hand.run("SELECT id FROM outbox");
    if (!rows)
        return passOn(rows);
    QSet<qint64> left;
    for (int row = 0; row < PQntuples(rows->get()); ++row)
        left += QByteArray(PQgetvalue(rows->get(), row, 0)).toLongLong();
    return left;
}

} // namespace outbox::crash
