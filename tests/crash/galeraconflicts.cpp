// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A long trial of transactions that a Galera cluster undoes; run by hand, release build. Ends with
// 1 when a row was lost or ran twice, with 2 when the trial itself could not be held.
#include "tests/crash/galeratrial.h"
#include "tests/crash/trialoptions.h"

#include <QTextStream>

#include <optional>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

std::optional<GaleraOrder> readOrder(const QCoreApplication &application)
{
    TrialOptions options(
        application,
        {
            {u"conflicts"_s, u"transactions undone, until it ends"_s, u"N"_s, u"1000"_s},
            {u"rows"_s, u"rows written at once, when few are left"_s, u"N"_s, u"500"_s},
            {u"batch"_s, u"most rows a batch"_s, u"N"_s, u"50"_s},
            {u"minutes"_s, u"given up then"_s, u"N"_s, u"60"_s},
        });
    GaleraOrder order;
    order.conflicts = options.number(u"conflicts"_s);
    order.rowsAtOnce = options.number(u"rows"_s);
    order.batch = options.number(u"batch"_s);
    order.mostMinutes = options.number(u"minutes"_s);
    const bool isSound = options.areNumbers() && order.conflicts > 0 && order.rowsAtOnce > 0
        && order.batch > 0 && order.mostMinutes > 0;
    return isSound ? std::optional(order) : std::nullopt;
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QTextStream out(stdout);
    const auto order = readOrder(application);
    if (!order) {
        out << "galeraconflicts: an option has a value that makes no sense; see --help\n";
        return 2;
    }
    GaleraTrial trial(*order);
    qint64 told = 0;
    const auto report = trial.run([&out, &told](qint64 conflicts) {
        constexpr qint64 step = 100;
        if (conflicts / step == told / step)
            return;
        told = conflicts;
        out << u"%1 transactions undone\n"_s.arg(conflicts);
        out.flush();
    });
    if (!report) {
        out << oneLine(report.error()) << '\n';
        return 2;
    }
    out << tableOf(*report);
    return report->isClean() ? 0 : 1;
}
