// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How near our relay comes to what the two servers can do, how far it is from the article's loop,
// what a message costs and how long it is on its way; run by hand, release build. All legs of a
// round run one after the other on the same servers, so that what else the machine does is shared.
#include "tests/bench/benchreport.h"
#include "tests/bench/contestants.h"
#include "tests/bench/processload.h"
#include "tests/bench/rateplot.h"
#include "tests/bench/relaylatency.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTextStream>

#include <algorithm>
#include <array>
#include <optional>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::array legs{
    Leg{Contestant::PostgresAlone, 1000}, Leg{Contestant::RedisAlone, 1000},
    Leg{Contestant::Relay, 1000},         Leg{Contestant::FencedRelay, 1000},
    Leg{Contestant::Article, 10},         Leg{Contestant::PostgresAlone, 100},
    Leg{Contestant::RedisAlone, 100},     Leg{Contestant::Relay, 100},
    Leg{Contestant::FencedRelay, 100},
};

QString nameOf(const Leg &leg)
{
    switch (leg.who) {
    case Contestant::PostgresAlone:
        return u"PostgreSQL alone"_s;
    case Contestant::RedisAlone:
        return u"Redis alone, script per task"_s;
    case Contestant::Article:
        return u"article's loop"_s;
    case Contestant::FencedRelay:
        return u"our relay, outbox_fence"_s;
    case Contestant::Relay:
        break;
    }
    return u"our relay"_s;
}

QString nameOf(KeyOrder order)
{
    return order == KeyOrder::ByTime ? u"time-ordered"_s : u"random"_s;
}

using Rounds = QList<QList<LegResult>>; ///< by round, then as in `legs`

template <typename Figure> Spread spreadOf(const Rounds &rounds, Figure figure)
{
    QList<double> values;
    for (const QList<LegResult> &round : rounds)
        values += figure(round);
    return Spread::of(values);
}

/// Where the leg stands in a round.
qsizetype placeOf(Contestant who, int batch)
{
    const auto *const leg = std::find_if(legs.begin(), legs.end(), [&](const Leg &candidate) {
        return candidate.who == who && candidate.batch == batch;
    });
    return leg - legs.begin();
}

bool isOurs(Contestant who)
{
    return who == Contestant::Relay || who == Contestant::FencedRelay;
}

double rateOf(const QList<LegResult> &round, Contestant who, int batch)
{
    return round.at(placeOf(who, batch)).perSecond();
}

double shareOfLimit(const QList<LegResult> &round, int batch)
{
    return rateOf(round, Contestant::Relay, batch)
        / std::min(rateOf(round, Contestant::PostgresAlone, batch),
                   rateOf(round, Contestant::RedisAlone, batch));
}

QJsonObject report(QTextStream &out, KeyOrder order, const Rounds &rounds)
{
    out << '\n' << nameOf(order) << " UUIDs, " << rounds.size() << " rounds\n";
    out << u"%1 %2 %3 %4\n"_s.arg(u"leg"_s, -30)
               .arg(u"batch"_s, 5)
               .arg(u"messages/s"_s, 32)
               .arg(u"CPU us/message: PostgreSQL + Redis + ours = sum"_s, 52);
    QJsonArray rows;
    for (size_t i = 0; i < legs.size(); ++i) {
        const auto place = static_cast<qsizetype>(i);
        const auto figure = [&](auto of) {
            return spreadOf(rounds,
                            [&](const QList<LegResult> &round) { return of(round[place]); });
        };
        const auto micro = [&](double CpuSpent::*part) {
            return figure([part](const LegResult &result) {
                return 1e6 * result.cpu.*part / static_cast<double>(result.messages);
            });
        };
        const Spread rate = figure([](const LegResult &result) { return result.perSecond(); });
        const Spread sum = figure([](const LegResult &result) { return result.cpuPerMessage(); });
        const Spread postgres = micro(&CpuSpent::postgres);
        const Spread redis = micro(&CpuSpent::redis);
        const Spread ours = micro(&CpuSpent::ours);
        const QString cpu = u"%1 + %2 + %3 = %4"_s.arg(postgres.median, 0, 'f', 1)
                                .arg(redis.median, 0, 'f', 1)
                                .arg(ours.median, 0, 'f', 1)
                                .arg(sum.text(1));
        out << u"%1 %2 %3 %4\n"_s.arg(nameOf(legs[i]), -30)
                   .arg(legs[i].batch, 5)
                   .arg(rate.text(0), 32)
                   .arg(cpu, 52);
        rows += QJsonObject{{u"leg"_s, nameOf(legs[i])},         {u"batch"_s, legs[i].batch},
                            {u"isOurs"_s, isOurs(legs[i].who)},  {u"perSecond"_s, rate.json()},
                            {u"cpuPostgres"_s, postgres.json()}, {u"cpuRedis"_s, redis.json()},
                            {u"cpuOurs"_s, ours.json()},         {u"cpuSum"_s, sum.json()}};
    }
    const QString title = nameOf(order) + u" keys"_s;
    QJsonObject json{{u"title"_s, title}, {u"keys"_s, nameOf(order)}, {u"legs"_s, rows}};
    const auto tell = [&](const QString &name, const QString &key, const Spread &spread) {
        out << u"%1 %2\n"_s.arg(name, -52).arg(spread.text(2));
        json.insert(key, spread.json());
    };
    tell(u"our relay / slower server alone, batch 1000"_s, u"ofLimit1000"_s,
         spreadOf(rounds, [](const auto &round) { return shareOfLimit(round, 1000); }));
    tell(u"our relay / slower server alone, batch 100"_s, u"ofLimit100"_s,
         spreadOf(rounds, [](const auto &round) { return shareOfLimit(round, 100); }));
    for (const int batch : {1000, 100}) {
        tell(u"with outbox_fence / without it, batch %1"_s.arg(batch), u"fenced%1"_s.arg(batch),
             spreadOf(rounds, [batch](const auto &round) {
                 return rateOf(round, Contestant::FencedRelay, batch)
                     / rateOf(round, Contestant::Relay, batch);
             }));
    }
    tell(u"our relay, batch 1000 / article's loop, batch 10"_s, u"ofArticle"_s,
         spreadOf(rounds, [](const auto &round) {
             return rateOf(round, Contestant::Relay, 1000) / rateOf(round, Contestant::Article, 10);
         }));
    out.flush();
    return json;
}

Result<Rounds> runRounds(BenchDesk &desk, KeyOrder order, int count, double secondsInSum)
{
    Rounds rounds;
    for (int number = 0; number < count; ++number) {
        QList<LegResult> round(static_cast<qsizetype>(legs.size()));
        for (size_t i = 0; i < legs.size(); ++i) { // another one begins each round
            const size_t place = (i + static_cast<size_t>(number)) % legs.size();
            const auto result = runLeg(desk, legs[place], order, secondsInSum / count);
            if (!result)
                return passOn(result);
            round[static_cast<qsizetype>(place)] = *result;
        }
        rounds += round;
    }
    return rounds;
}

Result<QJsonObject> reportLatency(QTextStream &out, BenchDesk &desk, WakeUp how, int samples)
{
    const auto sorted = measureLatency(desk, how, samples);
    if (!sorted)
        return passOn(sorted);
    const auto at = [&](double share) {
        return sorted->at(
            std::min(sorted->size() - 1, static_cast<qsizetype>(share * double(sorted->size()))));
    };
    const QString name = how == WakeUp::Notify ? u"NOTIFY"_s : u"polling every 10 ms"_s;
    out << u"COMMIT to Redis, %1: p50 %2 ms, p99 %3 ms, worst %4 ms (%5 samples)\n"_s.arg(name)
               .arg(at(0.5), 0, 'f', 2)
               .arg(at(0.99), 0, 'f', 2)
               .arg(sorted->last(), 0, 'f', 2)
               .arg(sorted->size());
    out.flush();
    return QJsonObject{{u"wakeUp"_s, name},
                       {u"samples"_s, sorted->size()},
                       {u"p50Ms"_s, at(0.5)},
                       {u"p99Ms"_s, at(0.99)},
                       {u"worstMs"_s, sorted->last()}};
}

struct Order
{
    qint64 rows = 0;
    int rounds = 0;
    double seconds = 0;
    int samples = 0;
    QList<KeyOrder> keys;
    BenchLine line = BenchLine::Socket;
    QString jsonFile;
    QString plotFile;
};

std::optional<Order> readOrder(const QCoreApplication &application)
{
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({
        {u"rows"_s, u"rows in the outbox at the beginning of each leg"_s, u"N"_s, u"20000"_s},
        {u"rounds"_s, u"how often all legs are run"_s, u"N"_s, u"3"_s},
        {u"seconds"_s, u"most seconds for a leg, in the sum of its rounds"_s, u"S"_s, u"3"_s},
        {u"samples"_s, u"messages for each latency; 0 leaves it out"_s, u"N"_s, u"1000"_s},
        {u"keys"_s, u"time, random or both"_s, u"WHICH"_s, u"both"_s},
        {u"tcp"_s, u"speaks to both servers over TCP, as the article's programs do"_s},
        {u"json"_s, u"writes the figures to a file"_s, u"FILE"_s},
        {u"plot"_s, u"writes a picture of the rates, SVG"_s, u"FILE"_s},
    });
    parser.process(application);
    Order order{parser.value(u"rows"_s).toLongLong(),
                parser.value(u"rounds"_s).toInt(),
                parser.value(u"seconds"_s).toDouble(),
                parser.value(u"samples"_s).toInt(),
                {},
                parser.isSet(u"tcp"_s) ? BenchLine::Tcp : BenchLine::Socket,
                parser.value(u"json"_s),
                parser.value(u"plot"_s)};
    const QString keys = parser.value(u"keys"_s);
    if (keys == u"time"_s || keys == u"both"_s)
        order.keys += KeyOrder::ByTime;
    if (keys == u"random"_s || keys == u"both"_s)
        order.keys += KeyOrder::Random;
    const bool isSound = order.rows > 0 && order.rounds > 0 && order.seconds > 0
        && order.samples >= 0 && !order.keys.isEmpty();
    return isSound ? std::optional(order) : std::nullopt;
}

Result<void> measure(const Order &order, QTextStream &out)
{
    BenchDesk desk;
    if (auto started = desk.start(order.rows, order.line); !started)
        return started;
    out << (order.line == BenchLine::Tcp ? u"over TCP\n"_s : u"over local sockets\n"_s);
    const double residentAtStart = residentMiB();
    QJsonArray drains;
    for (const KeyOrder keys : order.keys) {
        const auto rounds = runRounds(desk, keys, order.rounds, order.seconds);
        if (!rounds)
            return passOn(rounds);
        drains += report(out, keys, *rounds);
    }
    out << '\n';
    QJsonArray latencies;
    for (const WakeUp how : {WakeUp::Notify, WakeUp::Poll}) {
        if (order.samples == 0)
            break;
        const auto latency = reportLatency(out, desk, how, order.samples);
        if (!latency)
            return passOn(latency);
        latencies += *latency;
    }
    const double residentAtEnd = residentMiB();
    out << u"memory of this process: %1 MiB at the start, %2 MiB at the end\n"_s
               .arg(residentAtStart, 0, 'f', 1)
               .arg(residentAtEnd, 0, 'f', 1);
    const QJsonObject all{{u"rows"_s, order.rows},
                          {u"tcp"_s, order.line == BenchLine::Tcp},
                          {u"rounds"_s, order.rounds},
                          {u"secondsPerLeg"_s, order.seconds},
                          {u"drains"_s, drains},
                          {u"latencies"_s, latencies},
                          {u"residentMiBAtStart"_s, residentAtStart},
                          {u"residentMiBAtEnd"_s, residentAtEnd}};
    auto written = writeTo(order.jsonFile, QJsonDocument(all).toJson());
    return written ? writeTo(order.plotFile, ratePlot(drains)) : written;
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QTextStream out(stdout);
    const auto order = readOrder(application);
    if (!order) {
        out << "bench_relay: an option has a value that makes no sense; see --help\n";
        return 2;
    }
    if (const auto measured = measure(*order, out); !measured) {
        out << oneLine(measured.error()) << '\n';
        return 1;
    }
    return 0;
}
