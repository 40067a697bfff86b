// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `outboxctl relay` keeps in memory while it moves a million rows; run by hand.
// bench_memory [MESSAGES]; ends with 1 when it took more than 30 MB or kept growing.
#include "tests/support/testoutbox.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QProcess>
#include <QTextStream>
#include <QTimer>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double mostMegabytes = 30;
constexpr double mostGrowth = 2; ///< megabytes between the first tenth and the end

/// A line of /proc/PID/status in megabytes (2^20 bytes).
double megabytes(qint64 pid, const QByteArray &name)
{
    QFile status(u"/proc/%1/status"_s.arg(pid));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : status.readAll().split('\n')) {
        if (line.startsWith(name) && line.at(name.size()) == ':')
            return line.mid(name.size() + 1).trimmed().split(' ').first().toDouble() / 1024;
    }
    return 0;
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    const qint64 messages = argc > 1 ? QCoreApplication::arguments().at(1).toLongLong() : 1'000'000;
    QTextStream out(stdout);
    PrivatePostgres postgres;
    PrivateRedis redis;
    if (!postgres.start() || !redis.start())
        return 2;
    TestOutbox bench(TestOutbox::Kind::Postgres, BenchShape::Payload, &postgres, redis);
    if (!bench.setUp()
        || !bench.exec(
            u"insert into outbox select gen_random_uuid(), 'mail:deliver', "
            u"convert_to(repeat('x', 200), 'UTF8') from generate_series(1, %1)"_s.arg(messages))
        || !bench.exec(u"analyze outbox"_s))
        return 2;

    QProcess relay;
    relay.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    relay.start(QStringLiteral(OUTBOXCTL),
                {u"relay"_s, u"--database"_s, bench.url(), u"--table"_s, bench.table(),
                 u"--redis"_s, bench.redisUrl()});
    if (!relay.waitForStarted())
        return 2;
    QElapsedTimer clock;
    clock.start();
    double early = 0;
    double last = 0;
    qint64 told = 0;
    QEventLoop loop;
    QTimer sampler;
    QObject::connect(&sampler, &QTimer::timeout, &loop, [&] {
        const auto length
            = bench.plainRedis().command({"LLEN", "asynq:{default}:pending"}, u"counting"_s);
        const qint64 moved = length ? length->integer : 0;
        last = megabytes(relay.processId(), "VmRSS");
        if (early == 0 && moved >= messages / 10)
            early = last;
        if (moved - told >= messages / 10 || moved >= messages) {
            told = moved;
            out << moved << " rows: " << last << " MB, of them not shared "
                << megabytes(relay.processId(), "RssAnon") << " MB, "
                << static_cast<double>(clock.elapsed()) / 1000.0 << " s\n";
            out.flush();
        }
        if (moved >= messages || relay.state() == QProcess::NotRunning)
            loop.quit();
    });
    sampler.start(50);
    loop.exec();
    const double peak = megabytes(relay.processId(), "VmHWM");
    relay.terminate();
    relay.waitForFinished();
    out << "peak " << peak << " MB (at most " << mostMegabytes << "), grown by " << last - early
        << " MB since the first tenth (at most " << mostGrowth << ")\n";
    return peak > 0 && peak <= mostMegabytes && last - early <= mostGrowth ? 0 : 1;
}
