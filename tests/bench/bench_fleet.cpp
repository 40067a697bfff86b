// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What watching many systems costs: the whole console on its fleet page, first while all systems
// are well, then while the server of some stands still; and how soon a system that is stuck is on
// top. Run by hand, offscreen (`--help`). Figures beside what is wanted, no verdict.
#include "app/demo/demoworker.h"
#include "app/desktop/desktop.h"
#include "app/desktop/fleetpresenter.h"
#include "app/settings/profilestore.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/connection.h"
#include "models/tables/fleetmodel.h"
#include "tests/bench/bigoutbox.h"
#include "tests/bench/loopmeters.h"
#include "tests/bench/processload.h"
#include "tests/support/peakmemory.h"
#include "tests/support/plainpostgres.h"
#include "views/tables/livetable.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDateTime>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QHash>
#include <QMap>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int openedRefreshMs = 5000; ///< of the system that is open beside the fleet
constexpr int ageEveryMs = 1000;
constexpr int checkEveryMs = 20;
constexpr int settledWithinMs = 120'000;
constexpr int onTopWithinMs = 60'000;
constexpr qint64 longGapMs = 10'000;
constexpr int wantedShare = 15; ///< per cent of one core
constexpr int wantedDelay = 8; ///< milliseconds at p99
constexpr int wantedMemory = 200; ///< MB
constexpr int wantedOnTop = 10; ///< seconds

struct FleetSize
{
    int databases = 0;
    int outboxes = 0; ///< of each database
    int redis = 0; ///< servers
    int frozen = 0; ///< systems, the last ones
    qint64 rows = 0; ///< of each outbox
    bool sharesQueues = false; ///< all systems of a Redis send to one queue

    [[nodiscard]] int systems() const { return databases * outboxes; }
    [[nodiscard]] int sound() const { return systems() - frozen; }
};

/// Processor time of servers in seconds.
struct ServersSpent
{
    double postgres = 0;
    double redis = 0;
};

/// A Redis with a worker of all its queues.
struct FleetQueues
{
    PrivateRedis server;
    RedisConnection hand;
    DemoWorker worker;
};

/// The servers, and the saved profiles of the systems that are on them. The last systems have
/// databases on a server of their own, which can be frozen.
class FleetWorld
{
public:
    explicit FleetWorld(const FleetSize &size) : m_size(size) { }

    [[nodiscard]] Result<void> lay();
    [[nodiscard]] const FleetSize &size() const { return m_size; }
    [[nodiscard]] Folders folders() const { return {m_folder.path(), m_folder.path()}; }
    [[nodiscard]] static QString nameOf(int system)
    {
        return u"system %1"_s.arg(system, 3, 10, QChar(u'0'));
    }
    /// Those whose server is never frozen.
    [[nodiscard]] QStringList sound() const;
    void freeze() { m_freezable.freeze(); }
    void thaw() { m_freezable.thaw(); }
    /// Some rows of it wait for hours already, and nobody takes them.
    [[nodiscard]] Result<void> makeStuck(int system) const;
    /// Of the servers that are never frozen.
    [[nodiscard]] ServersSpent spent() const;
    /// Of the console, at the PostgreSQL that is never frozen.
    [[nodiscard]] Result<qint64> sessions();
    /// Of the console, at every Redis.
    [[nodiscard]] qsizetype clients() const;

private:
    [[nodiscard]] QString databaseOf(int system) const
    {
        return u"fleet_%1"_s.arg(system / m_size.outboxes, 2, 10, QChar(u'0'));
    }
    [[nodiscard]] QString tableOf(int system) const
    {
        return u"outbox_%1"_s.arg(system % m_size.outboxes);
    }
    [[nodiscard]] QString queueOf(int system) const
    {
        return m_size.sharesQueues ? u"default"_s : u"queue_%1"_s.arg(system);
    }
    [[nodiscard]] const PrivatePostgres &serverOf(int system) const
    {
        return system < m_size.sound() ? m_postgres : m_freezable;
    }
    /// Databases and outboxes of the systems from `first` to before `end`.
    [[nodiscard]] Result<void> layOutboxes(const PrivatePostgres &server, int first, int end) const;
    [[nodiscard]] Result<void> layQueues(int number);
    [[nodiscard]] Result<void> saveProfiles() const;

    FleetSize m_size;
    QTemporaryDir m_folder;
    PrivatePostgres m_postgres;
    PrivatePostgres m_freezable;
    std::vector<std::unique_ptr<FleetQueues>> m_queues;
    PlainPostgres m_hand;
};

Result<void> FleetWorld::lay()
{
    const QStringList settings{u"max_connections=200"_s};
    TRY(m_postgres.start(settings));
    TRY(m_freezable.start(settings));
    TRY(m_hand.open(m_postgres));
    TRY(layOutboxes(m_postgres, 0, m_size.sound()));
    TRY(layOutboxes(m_freezable, m_size.sound(), m_size.systems()));
    for (int number = 0; number < m_size.redis; ++number)
        TRY(layQueues(number));
    return saveProfiles();
}

Result<void> FleetWorld::layOutboxes(const PrivatePostgres &server, int first, int end) const
{
    PlainPostgres maker;
    PlainPostgres hand;
    TRY(maker.open(server));
    QString laid;
    for (int system = first; system < end; ++system) {
        if (const QString database = databaseOf(system); database != laid) {
            const auto made = maker.run("CREATE DATABASE " + database.toLatin1());
            if (!made)
                return passOn(made);
            TRY(hand.open(server.url(database)));
            laid = database;
        }
        TRY(fillPostgres(hand, {tableOf(system), m_size.rows, 0}));
    }
    return {};
}

/// The worker is believed to live for as long as this runs: heartbeats would be our own work.
Result<void> FleetWorld::layQueues(int number)
{
    m_queues.push_back(std::make_unique<FleetQueues>());
    FleetQueues &queues = *m_queues.back();
    TRY(queues.server.start());
    const RedisEndpoint endpoint = TRY(RedisEndpoint::fromUrl(queues.server.url()));
    TRY(queues.hand.open(endpoint, RedisConnection::Access::Act, u"bench"_s));
    QMap<QString, int> served;
    QList<RedisCommand> commands;
    for (int system = number; system < m_size.systems(); system += m_size.redis) {
        served.insert(queueOf(system), 1);
        commands += RedisCommand{"SADD", asynq::allQueues, queueOf(system).toUtf8()};
    }
    TRY(queues.worker.open(endpoint, served));
    TRY(queues.worker.heartbeat());
    const auto workers
        = queues.hand.command({"ZRANGE", asynq::allServers, "0", "-1"}, u"reading the workers"_s);
    if (!workers)
        return passOn(workers);
    for (const RedisReply &worker : workers->elements) {
        commands += RedisCommand{"PERSIST", worker.bytes};
        commands += RedisCommand{"ZADD", asynq::allServers, "9999999999", worker.bytes};
    }
    const auto done = queues.hand.pipeline(commands);
    return done ? Result<void>() : passOn(done);
}

Result<void> FleetWorld::saveProfiles() const
{
    ProfileStore store(folders().profilesFile());
    for (int system = 0; system < m_size.systems(); ++system) {
        Profile profile;
        profile.name = nameOf(system);
        profile.group = databaseOf(system);
        profile.databaseUrl = serverOf(system).url(databaseOf(system));
        profile.table = tableOf(system);
        profile.redisUrl = m_queues.at(static_cast<size_t>(system % m_size.redis))->server.url();
        profile.queue = queueOf(system);
        profile.refreshMs = openedRefreshMs;
        TRY(store.put(profile));
    }
    Preferences preferences;
    preferences.lastProfile = nameOf(0);
    return preferences.save(folders().preferencesFile());
}

QStringList FleetWorld::sound() const
{
    QStringList names;
    for (int system = 0; system < m_size.sound(); ++system)
        names += nameOf(system);
    return names;
}

Result<void> FleetWorld::makeStuck(int system) const
{
    PlainPostgres hand;
    TRY(hand.open(serverOf(system).url(databaseOf(system))));
    const QString sql
        = u"UPDATE %1 SET completed_at = NULL, created_at = now() - interval '3 hours'"
          " WHERE id IN (SELECT id FROM %1 LIMIT 20)"_s.arg(tableOf(system));
    const auto done = hand.run(sql.toUtf8());
    return done ? Result<void>() : passOn(done);
}

ServersSpent FleetWorld::spent() const
{
    ServersSpent all;
    all.postgres = cpuSecondsOfTree(m_postgres.pid());
    for (const auto &queues : m_queues)
        all.redis += cpuSecondsOfTree(queues->server.pid());
    return all;
}

Result<qint64> FleetWorld::sessions()
{
    return m_hand.number("SELECT count(*) FROM pg_stat_activity"
                         " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()");
}

qsizetype FleetWorld::clients() const
{
    qsizetype count = 0;
    for (const auto &queues : m_queues) {
        const auto list = queues->hand.command({"CLIENT", "LIST"}, u"counting clients"_s);
        if (list)
            count += list->bytes.count("name=outboxdeck/");
    }
    return count;
}

/// How often each system is looked at, and how old the last look at it is. Levels are those of the
/// last looks.
class LookMeter
{
public:
    /// `sound` are the systems whose looks are timed.
    LookMeter(const FleetPoller &poller, const QStringList &sound)
    {
        for (const QString &name : sound)
            m_sound.insert(name, {});
        QObject::connect(&poller, &FleetPoller::looked, &m_sampler,
                         [this](const FleetReading &reading) { take(reading); });
        QObject::connect(&m_sampler, &QTimer::timeout, &m_sampler, [this] { sampleAges(); });
        m_clock.start();
        m_sampler.start(ageEveryMs);
    }

    /// Counts and times from now on. Each system was looked at before.
    void begin()
    {
        m_looks = 0;
        m_ages.ms.clear();
        m_beganMs = m_clock.elapsed();
        for (Looked &one : m_sound)
            one.longestMs = 0;
    }
    [[nodiscard]] qsizetype seen() const { return m_reports.size(); }
    [[nodiscard]] qsizetype unwell() const
    {
        return std::count_if(m_reports.cbegin(), m_reports.cend(),
                             [](const HealthReport &one) { return one.level != HealthLevel::Ok; });
    }
    /// What is said of one that is not well; empty: all are.
    [[nodiscard]] QString complaint() const
    {
        for (const HealthReport &one : m_reports) {
            if (one.level != HealthLevel::Ok)
                return one.sentence;
        }
        return {};
    }
    /// Of the time since `begin`.
    void tell(QTextStream &out)
    {
        const qint64 now = m_clock.elapsed();
        const double seconds = double(now - m_beganMs) / 1000;
        qint64 longestMs = 0;
        QStringList late;
        for (auto one = m_sound.cbegin(); one != m_sound.cend(); ++one) {
            const qint64 gapMs = std::max(one->longestMs, now - one->lookedMs);
            longestMs = std::max(longestMs, gapMs);
            if (gapMs > longGapMs)
                late += one.key();
        }
        out << "  looks a second " << QString::number(double(m_looks) / seconds, 'f', 1)
            << ", of all systems" << Qt::endl;
        out << "  age of a look at a sound system: " << m_ages.text() << Qt::endl;
        out << "  longest time between two looks at a sound system "
            << QString::number(double(longestMs) / 1000, 'f', 1) << " s; above " << longGapMs / 1000
            << " s: " << late.size() << " of " << m_sound.size() << ' '
            << late.mid(0, 5).join(u", "_s) << Qt::endl;
    }

private:
    struct Looked
    {
        qint64 lookedMs = 0; ///< when the window was told, by our clock
        qint64 longestMs = 0; ///< between two of them
        QDateTime at; ///< the look began; invalid: there was none yet
    };

    void take(const FleetReading &reading)
    {
        ++m_looks;
        m_reports.insert(reading.name, reading.look.report);
        const auto found = m_sound.find(reading.name);
        if (found == m_sound.end())
            return;
        const qint64 now = m_clock.elapsed();
        found->longestMs = std::max(found->longestMs, now - found->lookedMs);
        found->lookedMs = now;
        found->at = reading.look.at;
    }
    void sampleAges()
    {
        const QDateTime now = QDateTime::currentDateTimeUtc();
        for (const Looked &one : std::as_const(m_sound)) {
            if (one.at.isValid())
                m_ages.ms.push_back(double(one.at.msecsTo(now)));
        }
    }

    QTimer m_sampler;
    QElapsedTimer m_clock;
    QHash<QString, Looked> m_sound; ///< by name
    QHash<QString, HealthReport> m_reports; ///< by name, of all systems
    Times m_ages;
    qint64 m_beganMs = 0;
    qint64 m_looks = 0;
};

/// Waits until `done`; false where it was not within `mostMs`.
bool waitUntil(const std::function<bool()> &done, int mostMs)
{
    QEventLoop loop;
    QTimer check;
    QObject::connect(&check, &QTimer::timeout, &loop, [&loop, &done] {
        if (done())
            loop.quit();
    });
    QTimer::singleShot(mostMs, &loop, &QEventLoop::quit);
    check.start(checkEveryMs);
    loop.exec();
    return done();
}

/// Two thirds of the time for what it costs, one for the delays: their meter wakes the processor
/// itself.
void measure(FleetWorld &world, const FleetPoller &poller, LookMeter &looks, int milliseconds,
             QTextStream &out)
{
    looks.begin();
    const ServersSpent serversBefore = world.spent();
    const double oursBefore = cpuSecondsOfOurs();
    const double windowBefore = workedMs();
    QElapsedTimer clock;
    clock.start();
    waitFor(milliseconds * 2 / 3);
    const double seconds = millisecondsOf(clock) / 1000;
    const double ours = cpuSecondsOfOurs() - oursBefore;
    const double window = (workedMs() - windowBefore) / 1000;
    const ServersSpent servers = world.spent();
    const FleetCost cost = poller.cost();
    const auto percent = [](double share) { return u"%1 %"_s.arg(100 * share, 0, 'f', 1); };
    out << "  our share of one processor " << percent(ours / seconds) << " (at most " << wantedShare
        << " % wanted), of it the GUI thread " << percent(window / seconds)
        << "; the threads that look say " << percent(cost.processorShare) << Qt::endl;
    out << "  PostgreSQL " << percent((servers.postgres - serversBefore.postgres) / seconds)
        << ", all Redis " << percent((servers.redis - serversBefore.redis) / seconds) << Qt::endl;
    DelayMeter delays;
    WorkMeter work;
    waitFor(milliseconds / 3);
    out << "  event loop delay " << delays.take() << " (p99 at most " << wantedDelay
        << " ms wanted)" << Qt::endl;
    out << "  work in a turn, processor time " << work.take() << Qt::endl;
    looks.tell(out);
    out << "  memory " << QString::number(residentMiB(), 'f', 0) << " MB, at most "
        << QString::number(double(peakMemory()) / 1048576, 'f', 0) << " MB so far (at most "
        << wantedMemory << " MB wanted)" << Qt::endl;
    out << "  sessions at PostgreSQL " << world.sessions().value_or(-1) << ", clients at all Redis "
        << world.clients() << ", sessions with databases by its own count "
        << poller.cost().sessions << Qt::endl;
}

/// That `what` came about, the time from `since` to now, and how many systems are not well.
void tellWell(const QString &what, const LookMeter &looks, const QElapsedTimer &since,
              QTextStream &out)
{
    out << what << " after " << QString::number(millisecondsOf(since) / 1000, 'f', 1) << " s";
    if (looks.unwell() > 0)
        out << "; not well are " << looks.unwell() << ", one of them: " << looks.complaint();
    out << Qt::endl;
}

void tellStuck(const FleetWorld &world, const QAbstractItemModel &lines, QTextStream &out)
{
    const int stuck = world.size().sound() / 2;
    const QString name = FleetWorld::nameOf(stuck);
    QElapsedTimer clock;
    clock.start();
    if (const auto made = world.makeStuck(stuck); !made) {
        out << oneLine(made.error()) << Qt::endl;
        return;
    }
    const auto cell = [&lines](int column) { return lines.index(0, column).data().toString(); };
    const bool isOnTop = waitUntil([&] { return cell(FleetModel::Name) == name; }, onTopWithinMs);
    const QString seconds = QString::number(millisecondsOf(clock) / 1000, 'f', 1);
    out << name << " is stuck: " << (isOnTop ? "on top" : "not on top") << " after " << seconds
        << " s (at most " << wantedOnTop
        << " s wanted); the first line: " << cell(FleetModel::Level) << ", "
        << cell(FleetModel::Sentence) << Qt::endl;
}

} // namespace

int main(int argc, char *argv[])
{
    const QApplication app(argc, argv);
    QCommandLineParser parser;
    parser.addOptions({{u"databases"_s, u"of PostgreSQL"_s, u"N"_s, u"40"_s},
                       {u"outboxes"_s, u"of each database; each is a system"_s, u"N"_s, u"5"_s},
                       {u"redis"_s, u"servers, which the systems share"_s, u"N"_s, u"10"_s},
                       {u"frozen"_s, u"systems whose server is stopped half way"_s, u"N"_s, u"5"_s},
                       {u"seconds"_s, u"before and after that, together"_s, u"N"_s, u"60"_s},
                       {u"rows"_s, u"of each outbox"_s, u"N"_s, u"1000"_s},
                       {u"one-queue"_s, u"of each Redis, not one of each system"_s}});
    parser.addHelpOption();
    parser.process(app);
    const auto number = [&parser](const QString &option, int least) {
        return std::max(least, parser.value(option).toInt());
    };
    FleetSize size;
    size.databases = number(u"databases"_s, 2); // of one system there is no fleet
    size.outboxes = number(u"outboxes"_s, 1);
    size.redis = number(u"redis"_s, 1);
    size.frozen = std::min(number(u"frozen"_s, 0), size.systems() - 1);
    size.rows = number(u"rows"_s, 100);
    size.sharesQueues = parser.isSet(u"one-queue"_s);
    const int half = number(u"seconds"_s, 6) * 1000 / 2;
    QTextStream out(stdout);
    FleetWorld world(size);
    if (const auto laid = world.lay(); !laid) {
        out << oneLine(laid.error()) << Qt::endl;
        return 1;
    }
    out << size.systems() << " systems: " << size.databases << " databases of " << size.outboxes
        << " outboxes of " << size.rows << " rows, " << size.redis << " Redis; the system that is"
        << " open is looked at every " << openedRefreshMs / 1000 << " s" << Qt::endl;

    Desktop desktop(world.folders());
    const FleetPoller &poller = desktop.fleet().poller();
    LookMeter looks(poller, world.sound());
    desktop.begin();
    desktop.window().resize(1280, 800);
    desktop.window().show();
    QElapsedTimer clock;
    clock.start();
    desktop.window().showPage(Pages::Fleet);
    const auto areSeen = [&] { return looks.seen() == size.systems(); };
    if (!waitUntil(areSeen, settledWithinMs)) {
        out << "only " << looks.seen() << " systems were looked at" << Qt::endl;
        return 1;
    }
    tellWell(u"each was looked at"_s, looks, clock, out);
    waitFor(5000); // the first looks cost more than those behind them

    out << "all are up, " << half / 1000 << " s:" << Qt::endl;
    measure(world, poller, looks, half, out);
    if (size.frozen > 0) {
        world.freeze();
        out << "the server of " << size.frozen << " stands still, " << half / 1000
            << " s:" << Qt::endl;
        measure(world, poller, looks, half, out);
        world.thaw();
        clock.start();
        waitUntil([&] { return looks.unwell() == 0; }, settledWithinMs);
        tellWell(u"it goes on; waited for all to be well"_s, looks, clock, out);
    }
    tellStuck(world, *desktop.window().findChild<LiveTable *>(u"fleetTable"_s)->model(), out);
    return 0;
}
