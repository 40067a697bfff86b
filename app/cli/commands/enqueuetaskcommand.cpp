// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `enqueue TYPE`: one task by hand.
#include "app/cli/commands/command.h"

#include <QCommandLineParser>
#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

void addEnqueueTaskOptions(QCommandLineParser &parser)
{
    parser.addPositionalArgument(u"TYPE"_s, u"The type of the task."_s);
    parser.addOptions({
        {u"payload-file"_s, u"Its payload, byte for byte; - reads stdin (empty)."_s, u"FILE"_s},
        {u"id"_s, u"Its id (a new UUID)."_s, u"ID"_s},
        {u"in"_s, u"Runs only after this time (at once)."_s, u"DURATION"_s},
    });
}

Result<PlannedCommand> plannedEnqueueTask(const QCommandLineParser &parser, const Target &target)
{
    const QStringList arguments = parser.positionalArguments();
    if (arguments.size() != 1) {
        return fail(Error::Kind::Invalid, u"reading the command line"_s, u"one TYPE is needed"_s,
                    {}, u"outboxctl enqueue TYPE …"_s);
    }
    NewTask task;
    task.request.type = arguments.first();
    task.request.id.text = parser.isSet(u"id"_s)
        ? parser.value(u"id"_s)
        : QUuid::createUuid().toString(QUuid::WithoutBraces);
    task.request.queue = TRY(meantQueue(parser, target.profile));
    task.request.retentionSeconds = target.profile.retentionSeconds;
    if (parser.isSet(u"in"_s)) {
        const auto delay = TRY(durationMs(parser.value(u"in"_s), u"--in"_s));
        task.delaySeconds = (delay + 999) / 1000;
    }
    if (parser.isSet(u"payload-file"_s)) {
        task.request.payload = TRY(payloadFrom(parser.value(u"payload-file"_s)));
    }
    Selection selection;
    selection.newTask = std::move(task);
    return plannedBy(operationFor(Verb::Enqueue), selection);
}

} // namespace

Command enqueueTaskCommand()
{
    return {.name = word(Verb::Enqueue),
            .summary = u"Puts one task into the queue by hand, past the outbox."_s,
            .addOptions = addEnqueueTaskOptions,
            .planned = plannedEnqueueTask};
}

} // namespace outbox
