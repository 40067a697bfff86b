// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What becomes of the relay's speed while somebody holds an old snapshot, so that no dead row can
// be cleared away, and of rows that commit late or not at all meanwhile; run by hand, release
// build. Ends with 1 when a row was lost.
#include "tests/bench/contestants.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTextStream>
#include <QUuid>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

struct Order
{
    qint64 rows = 0;
    int seconds = 0;
    int batch = 0;
    KeyOrder keys = KeyOrder::ByTime;
    bool isHeld = true;
};

struct Outcome
{
    QList<qint64> perSecond; ///< while the snapshot was held
    double wholeSeconds = 0; ///< until the outbox was empty
    qint64 committed = 0; ///< of the writers
    qint64 rolledBack = 0;
    qint64 lost = 0; ///< committed, and no task
    qint64 ghosts = 0; ///< a task, and not committed
    qint64 doubled = 0;
    int failures = 0; ///< of the relay; it goes on after them, as its driver does
    QString lastFailure;

    [[nodiscard]] double ratio() const
    {
        return static_cast<double>(perSecond.last()) / static_cast<double>(perSecond.first());
    }
};

/// Transactions of twenty rows that stay open for up to `late` seconds and are rolled back one time
/// in three. Their keys lie anywhere among those that wait, most of them behind the relay's back
/// when they commit.
QByteArray writers(const Order &order)
{
    return "CREATE TABLE business (id uuid PRIMARY KEY);"
           "CREATE SEQUENCE written;"
           "CREATE PROCEDURE write_for(seconds float, late float) LANGUAGE plpgsql AS $$"
           " DECLARE until timestamptz := clock_timestamp() + seconds * interval '1 s';"
           "  n bigint; fresh uuid;"
           " BEGIN"
           "  WHILE clock_timestamp() < until LOOP"
           "   FOR i IN 1..20 LOOP"
           "    n := floor(random() * "
        + QByteArray::number(order.rows) + "); fresh := " + BenchDesk::keySql(order.keys)
        + ";"
          "    PERFORM nextval('written');"
          "    INSERT INTO business VALUES (fresh);"
          "    INSERT INTO outbox VALUES (fresh, 'mail:deliver', '\\x00ff');"
          "   END LOOP;"
          "   PERFORM pg_sleep(random() * late);"
          "   IF random() < 0.33 THEN ROLLBACK; ELSE COMMIT; END IF;"
          "  END LOOP;"
          " END $$";
}

class Run
{
public:
    [[nodiscard]] Result<Outcome> carryOut(const Order &order);

private:
    [[nodiscard]] Result<void> lay(const Order &order);
    [[nodiscard]] Result<void> beginWriting(const Order &order);
    /// Until `seconds` have passed.
    [[nodiscard]] Result<void> relayFor(const Order &order);
    [[nodiscard]] Result<void> drain(const Order &order);
    [[nodiscard]] Result<RelayBurst> burst(const Order &order, qint64 mostMs, bool draining);
    [[nodiscard]] Result<void> count();
    [[nodiscard]] Result<std::vector<QUuid>> expected();
    [[nodiscard]] Result<std::vector<QUuid>> tasks();

    BenchDesk m_desk;
    PlainPostgres m_hand;
    PlainPostgres m_old;
    std::array<PlainPostgres, 4> m_writers;
    RelaySession m_relay;
    QElapsedTimer m_clock;
    Outcome m_outcome;
};

Result<Outcome> Run::carryOut(const Order &order)
{
    auto done = lay(order);
    if (done && order.isHeld) {
        done = m_old.open(m_desk.postgres());
        for (const char *sql :
             {"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "SELECT count(*) FROM outbox"}) {
            if (const auto held = done ? m_old.run(sql) : passOn(done); !held)
                done = passOn(held);
        }
    }
    if (done)
        done = openOurs(m_relay, m_desk);
    if (done)
        done = beginWriting(order);
    if (done)
        done = relayFor(order);
    m_old.close();
    for (PlainPostgres &writer : m_writers) {
        if (done)
            done = writer.take();
    }
    if (done)
        done = drain(order);
    if (done)
        done = count();
    if (!done)
        return passOn(done);
    return m_outcome;
}

Result<void> Run::lay(const Order &order)
{
    if (auto started = m_desk.start(0); !started)
        return started;
    if (auto filled = m_desk.fill(order.keys, order.rows); !filled)
        return filled;
    if (auto opened = m_hand.open(m_desk.postgres()); !opened)
        return opened;
    for (const QByteArray &sql : {QByteArray("CREATE UNLOGGED TABLE laid AS SELECT id FROM outbox"),
                                  writers(order), QByteArray("CHECKPOINT")}) {
        if (const auto made = m_hand.run(sql); !made)
            return passOn(made);
    }
    return {};
}

Result<void> Run::beginWriting(const Order &order)
{
    constexpr std::array latest{0.05, 0.05, 3.0, 6.0};
    for (size_t i = 0; i < m_writers.size(); ++i) {
        if (auto opened = m_writers[i].open(m_desk.postgres()); !opened)
            return opened;
        const QByteArray call = "CALL write_for(" + QByteArray::number(order.seconds) + ", "
            + QByteArray::number(latest[i]) + ')';
        if (auto sent = m_writers[i].send(call); !sent)
            return sent;
    }
    return {};
}

Result<RelayBurst> Run::burst(const Order &order, qint64 mostMs, bool draining)
{
    constexpr qint64 burstMs = 250; // as the driver has it
    constexpr int pollMs = 10;
    constexpr int mostFailures = 20;
    RelayBurst burst = m_relay.work(order.batch, std::numeric_limits<qint64>::max(),
                                    static_cast<int>(std::clamp<qint64>(mostMs, 1, burstMs)),
                                    pollMs, draining ? RelayAim::Drained : RelayAim::Always, {});
    if (burst.end != RelayBurst::End::Failed)
        return burst;
    for (const RelayStep &step : std::as_const(burst.steps)) {
        if (step.error && ++m_outcome.failures > mostFailures)
            return tl::unexpected(*step.error);
        if (step.error)
            m_outcome.lastFailure = oneLine(*step.error);
    }
    if (auto open = m_relay.ensureOpen(); !open)
        return passOn(open);
    return burst;
}

Result<void> Run::relayFor(const Order &order)
{
    m_outcome.perSecond.fill(0, order.seconds);
    const QDateTime begin = QDateTime::currentDateTimeUtc();
    qint64 sent = 0;
    m_clock.start();
    const qint64 mostMs = qint64{order.seconds} * 1000;
    while (m_clock.elapsed() < mostMs) {
        const auto done = burst(order, mostMs - m_clock.elapsed(), false);
        if (!done)
            return passOn(done);
        for (const RelayStep &step : done->steps) {
            const qint64 second = begin.msecsTo(step.at) / 1000;
            if (step.committed && second < order.seconds)
                m_outcome.perSecond[second] += step.claimed;
            sent += step.committed ? step.claimed : 0;
        }
    }
    if (sent < order.rows)
        return {};
    return fail(Error::Kind::Invalid, u"measuring"_s,
                u"the outbox was empty before the time was over"_s, {}, u"Give more --rows"_s);
}

Result<void> Run::drain(const Order &order)
{
    auto done = burst(order, std::numeric_limits<int>::max(), true);
    while (done && done->end != RelayBurst::End::Drained)
        done = burst(order, std::numeric_limits<int>::max(), true);
    m_outcome.wholeSeconds = double(m_clock.elapsed()) / 1000.0;
    return done ? Result<void>() : passOn(done);
}

Result<std::vector<QUuid>> Run::expected()
{
    std::vector<QUuid> ids;
    for (const char *sql : {"BEGIN",
                            "DECLARE committed CURSOR FOR SELECT id FROM laid UNION ALL "
                            "SELECT id FROM business"}) {
        if (const auto begun = m_hand.run(sql); !begun)
            return passOn(begun);
    }
    while (true) {
        const auto part = m_hand.run("FETCH 50000 FROM committed");
        if (!part)
            return passOn(part);
        const int rows = PQntuples(part->get());
        for (int row = 0; row < rows; ++row)
            ids.push_back(QUuid::fromString(QLatin1StringView(PQgetvalue(part->get(), row, 0))));
        if (rows == 0)
            break;
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

Result<std::vector<QUuid>> Run::tasks()
{
    constexpr qsizetype chunk = 50'000;
    std::vector<QUuid> ids;
    RedisConnection redis;
    if (auto opened = redis.open(m_desk.redis(), RedisConnection::Access::ReadOnly, u"bench"_s,
                                 std::chrono::seconds(60));
        !opened) {
        return passOn(opened);
    }
    for (qsizetype from = 0;; from += chunk) {
        const auto part
            = redis.command({"LRANGE", "asynq:{default}:pending", QByteArray::number(from),
                             QByteArray::number(from + chunk - 1)},
                            u"reading the pending list"_s);
        if (!part)
            return passOn(part);
        for (const RedisReply &id : part->elements)
            ids.push_back(QUuid::fromString(QLatin1StringView(id.bytes)));
        if (part->elements.isEmpty())
            break;
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

Result<void> Run::count()
{
    const auto committed = m_hand.number("SELECT count(*) FROM business");
    const auto written = m_hand.number("SELECT last_value FROM written");
    const auto rows = expected();
    auto sent = tasks();
    if (!committed)
        return passOn(committed);
    if (!written)
        return passOn(written);
    if (!rows)
        return passOn(rows);
    if (!sent)
        return passOn(sent);
    m_outcome.committed = *committed;
    m_outcome.rolledBack = *written - *committed;
    const auto single = std::unique(sent->begin(), sent->end());
    m_outcome.doubled = std::distance(single, sent->end());
    sent->erase(single, sent->end());
    std::vector<QUuid> apart;
    std::set_difference(rows->begin(), rows->end(), sent->begin(), sent->end(),
                        std::back_inserter(apart));
    m_outcome.lost = static_cast<qint64>(apart.size());
    apart.clear();
    std::set_difference(sent->begin(), sent->end(), rows->begin(), rows->end(),
                        std::back_inserter(apart));
    m_outcome.ghosts = static_cast<qint64>(apart.size());
    return {};
}

std::optional<Order> readOrder(const QCoreApplication &application)
{
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({
        {u"rows"_s, u"rows that wait; more than go in the time"_s, u"N"_s, u"6000000"_s},
        {u"seconds"_s, u"how long the snapshot is held"_s, u"S"_s, u"30"_s},
        {u"batch"_s, u"most rows a batch"_s, u"N"_s, u"1000"_s},
        {u"keys"_s, u"time or random"_s, u"WHICH"_s, u"time"_s},
        {u"no-snapshot"_s, u"the same with none, to compare"_s},
    });
    parser.process(application);
    const QString keys = parser.value(u"keys"_s);
    const Order order{parser.value(u"rows"_s).toLongLong(), parser.value(u"seconds"_s).toInt(),
                      parser.value(u"batch"_s).toInt(),
                      keys == u"random"_s ? KeyOrder::Random : KeyOrder::ByTime,
                      !parser.isSet(u"no-snapshot"_s)};
    const bool isSound = order.rows > 0 && order.seconds > 1 && order.batch > 0
        && (keys == u"time"_s || keys == u"random"_s);
    return isSound ? std::optional(order) : std::nullopt;
}

void tell(QTextStream &out, const Order &order, const Outcome &outcome)
{
    out << u"%1 held for %2 s, %3 rows, %4 keys, batches of %5\n"_s
               .arg(order.isHeld ? u"an old snapshot"_s : u"no snapshot"_s)
               .arg(order.seconds)
               .arg(order.rows)
               .arg(order.keys == KeyOrder::ByTime ? u"time-ordered"_s : u"random"_s)
               .arg(order.batch);
    out << "messages in each second:";
    for (const qint64 messages : outcome.perSecond)
        out << ' ' << messages;
    out << u"\nfirst second %1, last second %2, last / first %3\n"_s.arg(outcome.perSecond.first())
               .arg(outcome.perSecond.last())
               .arg(outcome.ratio(), 0, 'f', 2);
    out << u"empty after %1 s; writers committed %2 rows and took %3 back; lost %4, ghosts %5, "
           u"doubled %6\n"_s.arg(outcome.wholeSeconds, 0, 'f', 1)
               .arg(outcome.committed)
               .arg(outcome.rolledBack)
               .arg(outcome.lost)
               .arg(outcome.ghosts)
               .arg(outcome.doubled);
    if (outcome.failures > 0)
        out << "the relay failed " << outcome.failures << " times: " << outcome.lastFailure << '\n';
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QTextStream out(stdout);
    const auto order = readOrder(application);
    if (!order) {
        out << "bench_oldsnapshot: an option has a value that makes no sense; see --help\n";
        return 2;
    }
    Run run;
    const auto outcome = run.carryOut(*order);
    if (!outcome) {
        out << oneLine(outcome.error()) << '\n';
        return 1;
    }
    tell(out, *order, *outcome);
    return outcome->lost + outcome->ghosts + outcome->doubled > 0 ? 1 : 0;
}
