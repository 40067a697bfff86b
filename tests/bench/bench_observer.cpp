// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a console that refreshes once a second costs the relay beside it: rates with and without,
// one after the other in each round; run by hand, release build.
#include "connectors/asynq/observe/inspector.h"
#include "models/filter/pagerequest.h"
#include "tests/bench/contestants.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTextStream>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Counts, the first page of rows, sizes and the first page of tasks, as the Outbox page shows
/// them.
class Console
{
public:
    [[nodiscard]] Result<void> open(const BenchDesk &desk)
    {
        if (auto opened = m_store.open(desk.settings(StoreAccess::ReadOnly)); !opened)
            return opened;
        const auto found = m_store.probe(TableName{{}, u"outbox"_s});
        if (!found || found->isEmpty())
            return fail(Error::Kind::Invalid, u"probing"_s, u"no outbox"_s);
        if (auto used = m_store.use(found->constFirst().shape); !used)
            return used;
        return m_queue.open(desk.redis(), u"bench"_s);
    }
    void look()
    {
        QElapsedTimer clock;
        clock.start();
        const bool counted = m_store.snapshot(liveCaps).has_value();
        const double counts = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        const bool paged = m_store.page(PageRequest()).has_value();
        const double all = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        const bool sized = m_queue.snapshot({QueueName{u"default"_s}}).has_value()
            && m_queue.tasks({u"default"_s}, TaskState::Pending, 200, {}).has_value();
        ++looks;
        failures += counted && paged && sized ? 0 : 1;
        longestMs = std::max({longestMs, counts, all - counts});
    }

    int looks = 0;
    int failures = 0;
    double longestMs = 0; ///< of one statement, and so of one snapshot

private:
    OutboxStore m_store;
    AsynqInspector m_queue;
};

/// A console in a thread of its own, until it goes out of scope.
class RunningConsole
{
public:
    explicit RunningConsole(const BenchDesk &desk)
        : m_thread([this, &desk] {
              Console console;
              std::unique_lock lock(m_mutex);
              while (!m_ended) {
                  if (!isOpen)
                      isOpen = console.open(desk).has_value();
                  if (isOpen)
                      console.look();
                  m_end.wait_for(lock, std::chrono::seconds(1), [this] { return m_ended; });
              }
              looks = console.looks;
              failures = console.failures;
              longestMs = console.longestMs;
          })
    { }
    ~RunningConsole() { stop(); }
    Q_DISABLE_COPY_MOVE(RunningConsole)

    void stop()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_ended = true;
        }
        m_end.notify_all();
        if (m_thread.joinable())
            m_thread.join();
    }

    bool isOpen = false;
    int looks = 0;
    int failures = 0;
    double longestMs = 0;

private:
    std::mutex m_mutex;
    std::condition_variable m_end;
    bool m_ended = false;
    std::thread m_thread;
};

/// Bytes that twenty looks at resting servers add to the write-ahead log.
Result<qint64> logged(BenchDesk &desk)
{
    PlainPostgres hand;
    Console console;
    auto done = hand.open(desk.postgres());
    if (done)
        done = console.open(desk);
    if (!done)
        return passOn(done);
    console.look(); // hint bits may be set once
    const QByteArray place = "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint";
    if (const auto settled = hand.run("CHECKPOINT"); !settled)
        return passOn(settled);
    const auto before = hand.number(place);
    for (int i = 0; i < 20; ++i)
        console.look();
    const auto after = hand.number(place);
    if (!before || !after)
        return before ? after : before;
    return *after - *before;
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addOptions({{u"rows"_s, u"a leg"_s, u"N"_s, u"1000000"_s},
                       {u"rounds"_s, u"of two legs"_s, u"N"_s, u"7"_s}});
    parser.addHelpOption();
    parser.process(application);
    QTextStream out(stdout);
    BenchDesk desk;
    const Leg leg{Contestant::Relay, 1000};
    auto done = desk.start(parser.value(u"rows"_s).toLongLong());
    std::vector<double> ratios;
    const int rounds = parser.value(u"rounds"_s).toInt();
    for (int round = 0; done && round < rounds; ++round) {
        double with = 0;
        double without = 0;
        // The one that comes second finds warmer caches: they take turns.
        for (const bool isWatched : {round % 2 == 0, round % 2 != 0}) {
            std::unique_ptr<RunningConsole> console;
            if (isWatched)
                console = std::make_unique<RunningConsole>(desk);
            const auto result = runLeg(desk, leg, KeyOrder::ByTime, 60);
            if (!result) {
                done = passOn(result);
                break;
            }
            (isWatched ? with : without) = result->perSecond();
            if (!console)
                continue;
            console->stop();
            out << "round " << round + 1 << ": " << console->looks << " looks, "
                << console->failures << " failed, longest statement " << console->longestMs << " ms"
                << Qt::endl;
        }
        if (done) {
            ratios.push_back(with / without);
            out << "  with / without " << qint64(with) << " / " << qint64(without) << " = "
                << QString::number(with / without, 'f', 3) << Qt::endl;
        }
    }
    const auto bytes = done ? logged(desk) : Result<qint64>(passOn(done));
    if (!bytes) {
        out << oneLine(bytes.error()) << '\n';
        return 1;
    }
    std::sort(ratios.begin(), ratios.end());
    out << "median with / without " << QString::number(ratios.at(ratios.size() / 2), 'f', 3)
        << " (at least 0.97); write-ahead log of 20 looks: " << *bytes << " bytes" << Qt::endl;
    return 0;
}
