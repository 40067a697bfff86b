// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A long trial of promotions of a standby of PostgreSQL; run by hand, release build. Ends with 1
// when an acknowledged row was lost that nobody told of, or ran twice, with 2 when the trial itself
// could not be held.
#include "tests/crash/promotiontrial.h"
#include "tests/crash/trialoptions.h"

#include <QTextStream>

#include <optional>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

std::optional<PromotionOrder> readOrder(const QCoreApplication &application)
{
    TrialOptions options(
        application,
        {
            {u"promotions"_s, u"how many; the primary is killed and stands still by turns"_s,
             u"N"_s, u"20"_s},
            {u"cut-off"_s, u"the relays lose the primary each time, which lives on"_s},
            {u"asynchronous"_s, u"the primary does not wait for its standby"_s},
            {u"rate"_s, u"rows written a second"_s, u"N"_s, u"1000"_s},
            {u"relays"_s, u"processes"_s, u"N"_s, u"2"_s},
            {u"detection"_s, u"milliseconds from the fault to the promotion"_s, u"MS"_s, u"2000"_s},
        });
    PromotionOrder order;
    order.promotions = options.number(u"promotions"_s);
    order.isCutOff = options.isSet(u"cut-off"_s);
    order.isSynchronous = !options.isSet(u"asynchronous"_s);
    order.rowsASecond = options.number(u"rate"_s);
    order.relays = options.number(u"relays"_s);
    order.detectionMs = options.number(u"detection"_s);
    const bool isSound = options.areNumbers() && order.promotions > 0 && order.rowsASecond > 0
        && order.relays > 0 && order.detectionMs >= 0;
    return isSound ? std::optional(order) : std::nullopt;
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QTextStream out(stdout);
    const auto order = readOrder(application);
    if (!order) {
        out << "promotions: an option has a value that makes no sense; see --help\n";
        return 2;
    }
    PromotionTrial trial(*order);
    int number = 0;
    const auto report = trial.run([&out, &number](const PromotionRound &round) {
        out << u"%1 the primary %2: first run %3 ms after the promotion\n"_s
                   .arg(QString::number(++number), word(round.fault))
                   .arg(round.pauseMs);
        out.flush();
    });
    if (!report) {
        out << oneLine(report.error()) << '\n';
        return 2;
    }
    out << tableOf(*report);
    return report->untold() + report->doubled > 0 ? 1 : 0;
}
