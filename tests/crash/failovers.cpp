// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A long trial of failovers by sentinels; run by hand, release build. Ends with 1 when something
// was lost that no relay told of, with 2 when the trial itself could not be held.
#include "tests/crash/failovertrial.h"
#include "tests/crash/trialoptions.h"

#include <QTextStream>

#include <optional>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

std::optional<FailoverOrder> readOrder(const QCoreApplication &application)
{
    TrialOptions options(
        application,
        {
            {u"failovers"_s, u"how many, by kill -9 and planned by turns"_s, u"N"_s, u"50"_s},
            {u"replicas"_s, u"of the master, 1 or 2"_s, u"R"_s, u"1"_s},
            {u"wait-replicas"_s, u"how many of them a relay waits for, 0 to R"_s, u"W"_s, u"0"_s},
            {u"rate"_s, u"rows written a second"_s, u"N"_s, u"5000"_s},
            {u"relays"_s, u"processes"_s, u"N"_s, u"2"_s},
            {u"partitions"_s, u"sentinels and replicas lose the master each time, relays do not"_s},
            {u"healed-after"_s, u"milliseconds that a partition lasts"_s, u"MS"_s, u"8000"_s},
            {u"keep-rows"_s, u"rows are marked when they are delivered, not deleted"_s},
        });
    FailoverOrder order;
    order.failovers = options.number(u"failovers"_s);
    order.replicas = options.number(u"replicas"_s);
    order.waits = options.number(u"wait-replicas"_s);
    order.rowsASecond = options.number(u"rate"_s);
    order.relays = options.number(u"relays"_s);
    order.keepsRows = options.isSet(u"keep-rows"_s);
    order.isParted = options.isSet(u"partitions"_s);
    order.partitionMs = options.number(u"healed-after"_s);
    const bool isSound = options.areNumbers() && order.failovers > 0
        && (order.replicas == 1 || order.replicas == 2) && order.waits >= 0
        && order.waits <= order.replicas && order.rowsASecond > 0 && order.relays > 0
        && order.partitionMs >= 0;
    return isSound ? std::optional(order) : std::nullopt;
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QTextStream out(stdout);
    const auto order = readOrder(application);
    if (!order) {
        out << "failovers: an option has a value that makes no sense; see --help\n";
        return 2;
    }
    out << u"%1 replicas, --wait-replicas %2, %3 relays, %4 rows a second, rows are %5\n"_s
               .arg(order->replicas)
               .arg(order->waits)
               .arg(order->relays)
               .arg(order->rowsASecond)
               .arg(order->keepsRows ? u"marked"_s : u"deleted"_s);
    out.flush();
    FailoverTrial trial(*order);
    int number = 0;
    const auto report = trial.run([&out, &number](const FailoverRound &round) {
        const QString what = round.pauseMs < 0 ? u"the end"_s : word(round.fault);
        out << u"%1 %2: %3 rows out, lost %4, told %5, +switch-master after %6 ms, "
               "first delivery after %7 ms\n"_s.arg(QString::number(++number), what)
                   .arg(round.delivered)
                   .arg(round.lost)
                   .arg(round.told.rows)
                   .arg(round.switchMs)
                   .arg(round.pauseMs);
        out.flush();
    });
    if (!report) {
        out << oneLine(report.error()) << '\n';
        return 2;
    }
    out << tableOf(*report);
    return report->untold() > 0 ? 1 : 0;
}
