// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `status`, `watch` and `check`: one look, looks until stopped, and the health sentence as an exit
// code.
#include "app/cli/commands/command.h"

#include "app/cli/run/alertwatch.h"
#include "app/cli/run/systemreader.h"
#include "app/service/signals.h"
#include "app/settings/alertstore.h"
#include "app/system/historykeeper.h"
#include "app/system/jobs/exactcounter.h"
#include "models/phrases.h"

#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A look that saw neither side is an error of its own; one side missing is told in the notes.
std::optional<Error> blindness(const SystemReading &look)
{
    return look.outbox ? std::nullopt : std::optional<Error>(look.outbox.error());
}

void print(const SystemReading &look, const Printer &printer)
{
    if (printer.isJson())
        printer.object(toJson(look));
    else
        printer.line(toText(look));
}

/// As the window counts: in a session of its own, which rests as long as it works. `signal` is the
/// one that ended it, if any.
Result<ExactCount> countAll(const Target &target, const OutboxShape &shape, const Printer &printer,
                            int &signal)
{
    ExactCounter counter(target.profile, target.secrets, target.stateFolder);
    Result<ExactCount> whole = ExactCount();
    QEventLoop loop;
    Signals stopSignals;
    QObject::connect(&stopSignals, &Signals::received, &counter, [&](int number) {
        signal = number;
        counter.cancel();
    });
    QElapsedTimer sinceTold;
    sinceTold.start();
    QObject::connect(&counter, &ExactCounter::progressed, &loop, [&](const ExactCount &count) {
        if (sinceTold.elapsed() < 1000)
            return;
        sinceTold.restart();
        printer.note(u"counted %1 rows"_s.arg(countText(count.seen)));
    });
    QObject::connect(&counter, &ExactCounter::ended, &loop, [&](const Result<ExactCount> &count) {
        whole = count;
        loop.quit();
    });
    // Answers come by the loop, never before it runs.
    QTimer::singleShot(0, &counter, [&counter, &shape] { counter.start(shape); });
    loop.exec();
    return whole;
}

void addStatusOptions(QCommandLineParser &parser)
{
    parser.addOption({u"exact"_s, u"Counts every row, slice by slice, however long that takes."_s});
}

ExitCode runStatusCommand(const QCommandLineParser &parser, const Target &target,
                          const Printer &printer)
{
    SystemReader looker(target);
    SystemReading look = looker.look();
    int signal = 0;
    std::optional<Error> uncounted;
    if (parser.isSet(u"exact"_s) && look.outbox && looker.shape()) {
        const auto count = countAll(target, *looker.shape(), printer, signal);
        if (count) {
            putExact(*count, *look.outbox);
            looker.judge(look);
        } else {
            uncounted = count.error();
        }
    }
    print(look, printer);
    if (uncounted)
        return signal != 0 ? exitCodeOfSignal(signal) : printer.error(*uncounted);
    if (const auto blind = blindness(look)) {
        printer.note(u"outboxctl: "_s + oneLine(*blind));
        return exitCodeOf(*blind);
    }
    if (!target.profile.redisUrl.isEmpty() && !look.queue) {
        printer.note(u"outboxctl: "_s + oneLine(look.queue.error()));
        return exitCodeOf(look.queue.error());
    }
    return ExitCode::Ok;
}

void addWatchOptions(QCommandLineParser &parser)
{
    parser.addOption({u"interval"_s, u"Time between two looks (1s)."_s, u"DURATION"_s, u"1s"_s});
    parser.addOption({u"alerts"_s,
                      u"Judges the alerts in this file at every look, and tells them."_s,
                      u"FILE"_s});
}

constexpr int fewSeenSamples = 16; ///< no line is drawn of them

/// As the window remembers a look: with all queues, whoever fills them.
void remember(SystemHistory &seen, const SystemReading &look)
{
    if (look.outbox)
        seen.addOutbox(look.at, *look.outbox);
    else
        seen.missOutbox(look.at);
    if (look.queue)
        seen.addQueues(look.at, look.queue->queues);
    else
        seen.missQueues(look.at);
}

/// Once for each trouble: looks go on without their history.
void tellOf(const HistoryKeeper &history, const Printer &printer)
{
    QObject::connect(&history, &HistoryKeeper::failed, &history, [&printer](const Error &error) {
        printer.note(u"outboxctl: the history is not kept: "_s + oneLine(error));
    });
    QObject::connect(
        &history, &HistoryKeeper::setAside, &history,
        [&printer](const QString &notice) { printer.note(u"outboxctl: "_s + notice); });
}

Result<ExitCode> runWatchCommand(const QCommandLineParser &parser, const Target &target,
                                 const Printer &printer)
{
    const auto interval = TRY(durationMs(parser.value(u"interval"_s), u"--interval"_s));
    QList<Alert> alerts;
    if (parser.isSet(u"alerts"_s)) // before the first look: a file with a fault runs nothing
        alerts = TRY(loadAlerts(parser.value(u"alerts"_s)));
    AlertWatch alertWatch(alerts, printer);
    alertWatch.countIn(target);
    SystemReader looker(target);
    HistoryKeeper history(historyFileOf(target.profile, target.stateFolder));
    tellOf(history, printer);
    SystemHistory seen(fewSeenSamples);
    QEventLoop loop;
    QTimer timer;
    timer.setSingleShot(true);
    Signals stopSignals;
    QObject::connect(&stopSignals, &Signals::received, &loop, &QEventLoop::quit);
    QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
        const SystemReading look = looker.look(alertWatch.arrivals());
        remember(seen, look);
        history.takeOutbox(seen, look.at);
        history.takeQueues(seen, look.at);
        if (printer.isJson()) {
            printer.object(toJson(look));
        } else {
            const QString time = look.at.toLocalTime().toString(u"HH:mm:ss"_s);
            printer.line(time + u"  "_s + word(look.report.level) + u"  "_s + look.report.sentence);
        }
        alertWatch.take(look, looker.shape());
        timer.start(static_cast<int>(interval)); // after the answer: looks never overlap
    });
    timer.start(0);
    loop.exec();
    return ExitCode::Ok;
}

void addCheckOptions(QCommandLineParser &parser)
{
    parser.addOption({u"nagios"_s, u"Exit codes 0, 1, 2, 3 as Nagios and its kin expect them."_s});
}

ExitCode runCheckCommand(const QCommandLineParser &parser, const Target &target,
                         const Printer &printer)
{
    SystemReader looker(target);
    const SystemReading look = looker.look();
    if (printer.isJson())
        printer.object(toJson(look).value("health"_L1).toObject());
    else
        printer.line(word(look.report.level) + u": "_s + look.report.sentence);
    if (parser.isSet(u"nagios"_s))
        return static_cast<ExitCode>(nagiosCode(look.report.level));
    return exitCodeOf(look.report.level);
}

} // namespace

Command statusCommand()
{
    return {.name = u"status"_s,
            .summary = u"One look at outbox, queue, dedup and health."_s,
            .addOptions = addStatusOptions,
            .run = runStatusCommand};
}

Command watchCommand()
{
    return {.name = u"watch"_s,
            .summary = u"The status again and again, one line each."_s,
            .addOptions = addWatchOptions,
            .run = runWatchCommand};
}

Command checkCommand()
{
    return {.name = u"check"_s,
            .summary = u"The health sentence; the exit code tells the level."_s,
            .addOptions = addCheckOptions,
            .run = runCheckCommand};
}

} // namespace outbox
