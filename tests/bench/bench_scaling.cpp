// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What more relays bring on one outbox, and several outboxes with a relay each into one Redis and
// into a Redis Cluster; how near that comes to what the servers can do alone, in the same round.
// Run by hand, release build. Ends with 1 where a row was lost or doubled.
#include "tests/bench/benchreport.h"
#include "tests/bench/rateplot.h"
#include "tests/bench/scalinglegs.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTextStream>
#include <QThread>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Who = ScalingLeg::Who;

constexpr int many = ScalingServers::mostOutboxes;
constexpr ScalingRoute one{1, TaskPlace::Redis};
constexpr ScalingRoute several{many, TaskPlace::Redis};
constexpr ScalingRoute intoCluster{many, TaskPlace::Cluster};

constexpr std::array legs{
    ScalingLeg{Who::DatabaseAlone, 1, one},
    ScalingLeg{Who::DatabaseAlone, 2, one},
    ScalingLeg{Who::DatabaseAlone, 4, one},
    ScalingLeg{Who::DatabaseAlone, many, several},
    ScalingLeg{Who::QueueAlone, 1, one},
    ScalingLeg{Who::QueueAlone, many, several},
    ScalingLeg{Who::QueueAlone, many, intoCluster},
    ScalingLeg{Who::Relays, 1, one},
    ScalingLeg{Who::Relays, 2, one},
    ScalingLeg{Who::Relays, 4, one},
    ScalingLeg{Who::Relays, many, several},
    ScalingLeg{Who::Relays, many, intoCluster},
};
constexpr qsizetype oneRelay = 7; ///< in `legs`
constexpr qsizetype clusterAlone = 6;
static_assert(legs[oneRelay].who == Who::Relays && legs[oneRelay].count == 1);
static_assert(legs[clusterAlone].who == Who::QueueAlone
              && legs[clusterAlone].route.to == TaskPlace::Cluster);

constexpr int nameWidth = -40; ///< on the left

QString counted(int count, const QString &noun)
{
    return QString::number(count) + u' ' + noun + (count == 1 ? QString() : u"s"_s);
}

QString outboxesOf(const ScalingLeg &leg)
{
    return leg.route.outboxes == 1 ? QString()
                                   : u", "_s + QString::number(leg.route.outboxes) + u" outboxes"_s;
}

QString nameOf(const ScalingLeg &leg)
{
    const bool isCluster = leg.route.to == TaskPlace::Cluster;
    switch (leg.who) {
    case Who::DatabaseAlone:
        return u"PostgreSQL alone, "_s + counted(leg.count, u"session"_s) + outboxesOf(leg);
    case Who::QueueAlone:
        return (isCluster ? u"Cluster of 3 alone, "_s : u"Redis alone, "_s)
            + counted(leg.count, u"writer"_s);
    case Who::Relays:
        break;
    }
    return counted(leg.count, u"relay"_s) + outboxesOf(leg)
        + (isCluster ? u", Cluster of 3"_s : QString());
}

using Round = QList<ScalingResult>; ///< as in `legs`
using Rounds = QList<Round>;

double rateOf(const Round &round, qsizetype place)
{
    return round.at(place).all.perSecond();
}

/// What the slower of the two servers of a route did alone, with as many sessions or writers as
/// served it best.
double limitOf(const Round &round, const ScalingRoute &route)
{
    double database = 0;
    double queue = 0;
    for (size_t i = 0; i < legs.size(); ++i) {
        const ScalingLeg &leg = legs[i];
        const double rate = rateOf(round, qsizetype(i));
        if (leg.who == Who::DatabaseAlone && leg.route.outboxes == route.outboxes)
            database = std::max(database, rate);
        else if (leg.who == Who::QueueAlone && leg.route.to == route.to)
            queue = std::max(queue, rate);
    }
    return std::min(database, queue);
}

double nodeRate(const ScalingResult &result, qsizetype node)
{
    return static_cast<double>(result.byNode.at(node)) / result.all.seconds;
}

double busiestOfMean(const ScalingResult &result)
{
    const QList<qint64> &nodes = result.byNode;
    const qint64 most = *std::max_element(nodes.cbegin(), nodes.cend());
    const qint64 sum = std::accumulate(nodes.cbegin(), nodes.cend(), qint64{0});
    return static_cast<double>(most * nodes.size()) / static_cast<double>(sum);
}

/// Of the node that comes least near to what the same node took while nobody else was there.
double leastOfNodeAlone(const Round &round, qsizetype place)
{
    double least = 0;
    for (qsizetype node = 0; node < ScalingServers::nodes; ++node) {
        const double share
            = nodeRate(round.at(place), node) / nodeRate(round.at(clusterAlone), node);
        least = node == 0 ? share : std::min(least, share);
    }
    return least;
}

/// The figures of one leg over all rounds.
class LegReport
{
public:
    LegReport(const Rounds &rounds, qsizetype place)
        : m_rounds(rounds), m_place(place), m_leg(legs[size_t(place)])
    { }

    [[nodiscard]] QString line() const
    {
        const QString cpu = u"%1 + %2 + %3 = %4"_s.arg(micro(&CpuSpent::postgres).median, 0, 'f', 1)
                                .arg(micro(&CpuSpent::redis).median, 0, 'f', 1)
                                .arg(micro(&CpuSpent::ours).median, 0, 'f', 1)
                                .arg(cpuSum().text(1));
        const bool isRelays = m_leg.who == Who::Relays;
        return u"%1 %2 %3 %4 %5\n"_s.arg(nameOf(m_leg), nameWidth)
            .arg(rate().text(0), 30)
            .arg(isRelays ? ofOneRelay().text(2) : u"-"_s, 20)
            .arg(isRelays ? ofLimit().text(2) : u"-"_s, 20)
            .arg(cpu, 44);
    }
    [[nodiscard]] QString nodeLines() const
    {
        QString text = nameOf(m_leg) + u", messages/s by node:"_s;
        for (qsizetype node = 0; node < ScalingServers::nodes; ++node)
            text += u"  "_s + ofNode(node).text(0);
        text += u"\n  busiest node / mean of all: "_s + busiest().text(2) + u'\n';
        if (m_leg.who == Who::Relays)
            text
                += u"  least share of what the node took alone: "_s + ofNodeAlone().text(2) + u'\n';
        return text;
    }
    [[nodiscard]] QJsonObject json() const
    {
        QJsonObject json{{u"leg"_s, nameOf(m_leg)},
                         {u"isOurs"_s, m_leg.who == Who::Relays},
                         {u"perSecond"_s, rate().json()},
                         {u"cpuPostgres"_s, micro(&CpuSpent::postgres).json()},
                         {u"cpuRedis"_s, micro(&CpuSpent::redis).json()},
                         {u"cpuOurs"_s, micro(&CpuSpent::ours).json()},
                         {u"cpuSum"_s, cpuSum().json()}};
        if (m_leg.who == Who::Relays) {
            json.insert(u"ofOneRelay"_s, ofOneRelay().json());
            json.insert(u"ofLimit"_s, ofLimit().json());
        }
        if (isOverNodes()) {
            QJsonArray nodes;
            for (qsizetype node = 0; node < ScalingServers::nodes; ++node)
                nodes += ofNode(node).json();
            json.insert(u"perSecondOfNodes"_s, nodes);
            json.insert(u"busiestOfMean"_s, busiest().json());
            json.insert(u"leastOfNodeAlone"_s, ofNodeAlone().json());
        }
        return json;
    }
    [[nodiscard]] bool isOverNodes() const
    {
        return m_leg.who != Who::DatabaseAlone && m_leg.route.to == TaskPlace::Cluster;
    }

private:
    /// `figure` of each round.
    template <typename Figure> [[nodiscard]] Spread over(Figure figure) const
    {
        QList<double> values;
        for (const Round &round : m_rounds)
            values += figure(round);
        return Spread::of(values);
    }
    [[nodiscard]] Spread rate() const
    {
        return over([this](const Round &round) { return rateOf(round, m_place); });
    }
    [[nodiscard]] Spread ofOneRelay() const
    {
        return over([this](const Round &round) {
            return rateOf(round, m_place) / rateOf(round, oneRelay);
        });
    }
    [[nodiscard]] Spread ofLimit() const
    {
        return over([this](const Round &round) {
            return rateOf(round, m_place) / limitOf(round, m_leg.route);
        });
    }
    [[nodiscard]] Spread micro(double CpuSpent::*part) const
    {
        return over([this, part](const Round &round) {
            const LegResult &all = round.at(m_place).all;
            return 1e6 * (all.cpu.*part) / static_cast<double>(all.messages);
        });
    }
    [[nodiscard]] Spread cpuSum() const
    {
        return over([this](const Round &round) { return round.at(m_place).all.cpuPerMessage(); });
    }
    [[nodiscard]] Spread ofNode(qsizetype node) const
    {
        return over([this, node](const Round &round) { return nodeRate(round.at(m_place), node); });
    }
    [[nodiscard]] Spread busiest() const
    {
        return over([this](const Round &round) { return busiestOfMean(round.at(m_place)); });
    }
    [[nodiscard]] Spread ofNodeAlone() const
    {
        return over([this](const Round &round) { return leastOfNodeAlone(round, m_place); });
    }

    const Rounds &m_rounds;
    qsizetype m_place;
    const ScalingLeg &m_leg;
};

QJsonArray report(QTextStream &out, const Rounds &rounds)
{
    out << u"%1 %2 %3 %4 %5\n"_s.arg(u"leg"_s, nameWidth)
               .arg(u"messages/s"_s, 30)
               .arg(u"/ one relay"_s, 20)
               .arg(u"/ slower server"_s, 20)
               .arg(u"CPU us/message: PostgreSQL + Redis + ours"_s, 44);
    QJsonArray rows;
    for (size_t i = 0; i < legs.size(); ++i) {
        const LegReport leg(rounds, qsizetype(i));
        out << leg.line();
        rows += leg.json();
    }
    out << '\n';
    for (size_t i = 0; i < legs.size(); ++i) {
        if (const LegReport leg(rounds, qsizetype(i)); leg.isOverNodes())
            out << leg.nodeLines();
    }
    out << "no row was lost or doubled in any leg\n";
    return rows;
}

Result<Rounds> runRounds(ScalingServers &servers, int count, double secondsInSum)
{
    Rounds rounds;
    for (int number = 0; number < count; ++number) {
        Round round(static_cast<qsizetype>(legs.size()));
        for (size_t i = 0; i < legs.size(); ++i) { // another one begins each round
            const size_t place = (i + static_cast<size_t>(number)) % legs.size();
            auto result = runScalingLeg(servers, legs[place], secondsInSum / count);
            if (!result) {
                result.error().doing = nameOf(legs[place]) + u": "_s + result.error().doing;
                return passOn(result);
            }
            round[static_cast<qsizetype>(place)] = *result;
        }
        rounds += round;
    }
    return rounds;
}

struct Order
{
    qint64 rows = 0;
    int rounds = 0;
    double seconds = 0;
    QString jsonFile;
    QString plotFile;
};

std::optional<Order> readOrder(const QCoreApplication &application)
{
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({
        {u"rows"_s, u"rows in all outboxes at the beginning of each leg"_s, u"N"_s, u"200000"_s},
        {u"rounds"_s, u"how often all legs are run"_s, u"N"_s, u"3"_s},
        {u"seconds"_s, u"most seconds for a leg, in the sum of its rounds"_s, u"S"_s, u"60"_s},
        {u"json"_s, u"writes the figures to a file"_s, u"FILE"_s},
        {u"plot"_s, u"writes a picture of the rates, SVG"_s, u"FILE"_s},
    });
    parser.process(application);
    const Order order{parser.value(u"rows"_s).toLongLong(), parser.value(u"rounds"_s).toInt(),
                      parser.value(u"seconds"_s).toDouble(), parser.value(u"json"_s),
                      parser.value(u"plot"_s)};
    const bool isSound = order.rows > 0 && order.rounds > 0 && order.seconds > 0;
    return isSound ? std::optional(order) : std::nullopt;
}

Result<void> measure(const Order &order, QTextStream &out)
{
    const int processors = QThread::idealThreadCount();
    ScalingServers servers;
    TRY(servers.start(order.rows));
    out << order.rows << " rows, " << order.rounds << " rounds\n"
        << processors << " processors, shared by PostgreSQL, Redis, relays and this program: a leg "
        << "with more of them at work than processors is bounded by these\n\n";
    out.flush();
    const auto rounds = TRY(runRounds(servers, order.rounds, order.seconds));
    const QJsonArray rows = report(out, rounds);
    out.flush();
    const QString title = u"time-ordered keys, %1 processors"_s.arg(processors);
    const QJsonArray drains{QJsonObject{{u"title"_s, title}, {u"legs"_s, rows}}};
    const QJsonObject all{{u"rows"_s, order.rows},
                          {u"rounds"_s, order.rounds},
                          {u"secondsPerLeg"_s, order.seconds},
                          {u"processors"_s, processors},
                          {u"drains"_s, drains}};
    TRY(writeTo(order.jsonFile, QJsonDocument(all).toJson()));
    return writeTo(order.plotFile, ratePlot(drains));
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QTextStream out(stdout);
    const auto order = readOrder(application);
    if (!order) {
        out << "bench_scaling: an option has a value that makes no sense; see --help\n";
        return 2;
    }
    if (const auto measured = measure(*order, out); !measured) {
        out << oneLine(measured.error()) << '\n';
        return 1;
    }
    return 0;
}
