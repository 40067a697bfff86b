// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a survey of a large queue costs, here and in Redis, and a repair of orphans beside a long
// list; run by hand, with the number of tasks as its argument (default 1,000,000).
#include "app/demo/privateserver.h"
#include "connectors/asynq/edit/taskrepairer.h"
#include "connectors/asynq/observe/queuesurvey.h"
#include "tests/bench/queuefill.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTextStream>

#include <unistd.h>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int orphans = 15'001;
constexpr int repaired = 1'000;

double megabytesUsed()
{
    QFile file(u"/proc/self/statm"_s);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArrayList numbers = file.readAll().split(' ');
    return static_cast<double>(numbers.value(1).toLongLong() * ::sysconf(_SC_PAGESIZE)) / 1e6;
}

/// Longest run of a command since the log was emptied, in ms.
double slowest(RedisConnection &redis)
{
    const auto log = redis.command({"SLOWLOG", "GET", "1000"}, u"reading the slow log"_s);
    qint64 most = 0;
    for (const RedisReply &entry : log ? log->elements : QList<RedisReply>())
        most = std::max(most, entry.elements.value(2).integer);
    static_cast<void>(redis.command({"SLOWLOG", "RESET"}, u"emptying the slow log"_s));
    return static_cast<double>(most) / 1000;
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QTextStream out(stdout);
    const int tasks = argc > 1 ? QString::fromLocal8Bit(argv[1]).toInt() : 1'000'000;
    PrivateRedis redis;
    ClusterLink link;
    RedisConnection &hand = link.alone();
    const auto started = redis.start(
        {u"--slowlog-log-slower-than"_s, u"500"_s, u"--slowlog-max-len"_s, u"1000"_s});
    if (!started) {
        out << oneLine(started.error()) << '\n';
        return 1;
    }
    const auto endpoint = RedisEndpoint::fromUrl(redis.url());
    if (!hand.open(*endpoint, RedisConnection::Access::Act, u"bench"_s)
        || !fillQueue(hand, tasks, orphans))
        return 1;
    static_cast<void>(slowest(hand));

    const double before = megabytesUsed();
    QElapsedTimer clock;
    clock.start();
    asynq::QueueSurvey survey(hand, {u"default"_s});
    qint64 pages = 0;
    double longestPage = 0;
    while (!survey.isDone()) {
        QElapsedTimer page;
        page.start();
        if (const auto read = survey.next(); !read) {
            out << oneLine(read.error()) << '\n';
            return 1;
        }
        ++pages;
        longestPage = std::max(longestPage, static_cast<double>(page.nsecsElapsed()) / 1e6);
    }
    out << tasks << " tasks and " << orphans << " orphans: " << pages << " pages in "
        << static_cast<double>(clock.elapsed()) / 1000 << " s, longest page " << longestPage
        << " ms, " << megabytesUsed() - before << " MB here, slowest command in Redis "
        << slowest(hand) << " ms\n";

    clock.start();
    const auto look = asynq::readFacts(hand, {u"default"_s}, survey.suspects());
    if (!look)
        return 1;
    out << look->facts.size() << " suspects looked at again in "
        << static_cast<double>(clock.elapsed()) / 1000 << " s, slowest command " << slowest(hand)
        << " ms\n";

    QList<RepairStep> work;
    for (const asynq::TaskFacts &facts : look->facts) {
        if (work.size() < repaired)
            work += {TaskId{QString::fromUtf8(facts.id)}, Repair::Drop, asynq::signatureOf(facts)};
    }
    clock.start();
    const auto answers = TaskRepairer(link).repair({u"default"_s}, work);
    if (!answers)
        return 1;
    out << work.size() << " removed in " << static_cast<double>(clock.elapsed()) / 1000
        << " s, slowest script " << slowest(hand) << " ms\n";
    return 0;
}
