// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The long trial of a Redis Cluster, run by hand: a million rows to twelve queues whose slots move
// all the time, while a primary dies every 20 s and one of two relays once. Ends with 1 where a row
// was lost and no relay said so, or lost at all with --wait-replicas 1, or doubled;
// with 2 where the trial itself could not be carried out.
#include "tests/crash/slottrial.h"
#include "tests/crash/trialoptions.h"

#include <QTextStream>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

/// nullopt where an option has a value that makes no sense.
std::optional<SlotOrder> readOrder(const QCoreApplication &application)
{
    TrialOptions options(
        application,
        {
            {u"rows"_s, u"rows in all"_s, u"N"_s, u"1000000"_s},
            {u"queues"_s, u"queues, each with a slot of its own"_s, u"N"_s, u"12"_s},
            {u"rate"_s, u"rows written a second; 0: as fast as can be"_s, u"N"_s, u"4000"_s},
            {u"batch"_s, u"most rows a batch"_s, u"N"_s, u"100"_s},
            {u"wait-replicas"_s, u"what a batch waits for"_s, u"N"_s, u"0"_s},
            {u"kill-every"_s, u"seconds from kill to kill of a primary"_s, u"S"_s, u"20"_s},
            {u"kills"_s, u"how many at most"_s, u"N"_s, u"1000000"_s},
            {u"alone"_s, u"so long a primary has no replica before it dies; 0: it has one"_s,
             u"MS"_s, u"300"_s},
            {u"move-pause"_s, u"from the end of a move to the next one"_s, u"MS"_s, u"200"_s},
            {u"seed"_s, u"of whom a slot goes to"_s, u"N"_s, u"1"_s},
        });
    SlotOrder order;
    order.rows.rows = options.number(u"rows"_s);
    order.rows.queues = options.number(u"queues"_s);
    order.ratePerSecond = options.number(u"rate"_s);
    order.batch = options.number(u"batch"_s);
    order.replicas = options.number(u"wait-replicas"_s);
    order.kills.everyMs = options.number(u"kill-every"_s) * 1000;
    order.kills.most = options.number(u"kills"_s);
    order.kills.aloneMs = options.number(u"alone"_s);
    order.movePauseMs = options.number(u"move-pause"_s);
    order.seed = static_cast<quint32>(options.number(u"seed"_s));
    constexpr int longestAloneMs = 500; // behind a second at most without a task
    const bool isSound = options.areNumbers() && order.rows.rows > 0 && order.rows.queues > 0
        && order.batch > 0 && order.replicas <= 1 && order.kills.aloneMs <= longestAloneMs;
    return isSound ? std::optional(order) : std::nullopt;
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QTextStream out(stdout);
    const auto order = readOrder(application);
    if (!order) {
        out << "slotmoves: an option has a value that makes no sense; see --help\n";
        return 2;
    }
    SlotTrial trial(*order);
    if (const auto started = trial.start(); !started) {
        out << oneLine(started.error()) << '\n';
        return 2;
    }
    const auto report = trial.run();
    if (!report) {
        out << oneLine(report.error()) << '\n';
        return 2;
    }
    out << tableOf(*order, *report);
    return isAsPromised(*order, *report) ? 0 : 1;
}
