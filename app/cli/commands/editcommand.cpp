// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `edit ID`: changes what one row sends, before a relay takes it.
#include "app/cli/commands/command.h"

#include "models/filter/values.h"

#include <QCommandLineParser>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

void addEditOptions(QCommandLineParser &parser)
{
    parser.addPositionalArgument(u"ID"_s, u"The id of a row."_s);
    parser.addOptions({
        {u"payload-file"_s, u"Its new payload, byte for byte; - reads stdin."_s, u"FILE"_s},
        {u"type"_s, u"Its new type."_s, u"TYPE"_s},
        {u"to-queue"_s, u"Its new queue."_s, u"QUEUE"_s},
        {u"at"_s, u"When it is due: 2026-01-31T10:00:00Z, 14:02, today, or now."_s, u"TIME"_s},
    });
}

Result<PlannedCommand> plannedEdit(const QCommandLineParser &parser, const Target & /*target*/)
{
    const QStringList arguments = parser.positionalArguments();
    if (arguments.size() != 1) {
        return fail(Error::Kind::Invalid, u"reading the command line"_s, u"one ID is needed"_s, {},
                    u"outboxctl edit ID …"_s);
    }
    RowEdit edit;
    if (parser.isSet(u"payload-file"_s)) {
        edit.payload = TRY(payloadFrom(parser.value(u"payload-file"_s)));
    }
    if (parser.isSet(u"type"_s))
        edit.type = parser.value(u"type"_s);
    if (parser.isSet(u"to-queue"_s))
        edit.queue = parser.value(u"to-queue"_s);
    if (parser.isSet(u"at"_s)) {
        edit.due = TRY(beginOf(parser.value(u"at"_s), QDateTime::currentDateTime()));
    }
    if (edit.isEmpty()) {
        return fail(Error::Kind::Invalid, u"reading the command line"_s,
                    u"nothing is said of what to change"_s, {},
                    u"Give --payload-file, --type, --to-queue or --at"_s);
    }
    Selection selection;
    selection.rows = {MessageId{arguments.first()}};
    selection.edit = std::move(edit);
    return plannedBy(operationFor(Verb::Edit), selection);
}

} // namespace

Command editCommand()
{
    return {.name = word(Verb::Edit),
            .summary = u"Changes what one row sends: payload, type, queue, due time."_s,
            .addOptions = addEditOptions,
            .planned = plannedEdit};
}

} // namespace outbox
