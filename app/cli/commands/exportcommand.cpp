// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `export`: rows or tasks as JSON lines, byte for byte; the reverse is `import`.
#include "app/cli/commands/command.h"

#include "app/operations/core/rowselection.h"
#include "app/operations/core/taskoperation.h"
#include "app/operations/transfer/exporting.h"
#include "app/settings/folders.h"
#include "app/settings/opening.h"
#include "models/phrases.h"
#include "models/plaintext.h"

#include <QCommandLineParser>
#include <QDir>
#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// An export only reads: its sessions are those of the roles that look.
struct ExportOrder
{
    Target target;
    Selection selection;
    bool tasks = false;
    QString file;
    OperationControl control;
};

ExportHead headOf(const OperatorSession &session)
{
    ExportHead head;
    head.operation = QUuid::createUuid().toString(QUuid::WithoutBraces);
    head.profile = session.profile().name;
    head.target = session.target();
    head.at = QDateTime::currentDateTimeUtc();
    return head;
}

Result<qint64> exportTasks(OperatorSession &session, const ExportOrder &order)
{
    QStringList warnings; // of plans
    const auto tasks = TRY(readTasksOf(session, order.selection, warnings));
    const auto endpoint = TRY(redisOf(order.target.profile, order.target.secrets));
    TaskEditor reader;
    TRY(reader.open(endpoint, sessionName(session.face())));
    const auto writer = TRY(writeTasks(reader, tasks, order.file, headOf(session), order.control));
    return writer ? writer->count() : 0;
}

Result<qint64> exportRows(OperatorSession &session, const ExportOrder &order)
{
    QStringList warnings; // of plans
    const auto rows = TRY(readRowsOf(session, order.selection, {}, warnings));
    const auto settings = TRY(storeSettingsOf(order.target.profile, order.target.secrets,
                                              StoreAccess::ReadOnly, session.face()));
    OutboxEditor reader;
    TRY(reader.open(settings, session.shape()));
    QList<PlanItem> items;
    for (const RowWithTask &row : rows)
        items += row.item();
    const auto writer = TRY(writeRows(reader, items, order.file, headOf(session), order.control));
    return writer ? writer->count() : 0;
}

void addExportOptions(QCommandLineParser &parser)
{
    addSelectionOptions(parser, u"row"_s);
    parser.addOptions({
        {u"tasks"_s, u"Tasks of the queue instead of rows."_s},
        {u"to"_s, u"The file, which must not be there yet (a new one in the state folder)."_s,
         u"FILE"_s},
    });
}

ExitCode runExportCommand(const QCommandLineParser &parser, const Target &target,
                          const Printer &printer)
{
    ExportOrder order;
    order.target = target;
    order.tasks = parser.isSet(u"tasks"_s);
    const auto selection
        = order.tasks ? taskSelection(parser, target.profile) : rowSelection(parser);
    if (!selection)
        return printer.usage(selection.error());
    order.selection = *selection;
    const Folders folders
        = Folders::standard(parser.value(u"config-dir"_s), parser.value(u"state-dir"_s));
    order.file = parser.isSet(u"to"_s)
        ? QDir::current().absoluteFilePath(parser.value(u"to"_s))
        : QString(folders.exportsFolder() + u'/'
                  + QUuid::createUuid().toString(QUuid::WithoutBraces) + u".jsonl"_s);

    OperationOptions options;
    options.target = target;
    options.stateFolder = folders.state;
    OperationRun run(printer, options);
    order.control.cancel = run.stopToken();
    const auto exported = run.look([order](OperatorSession &session) {
        return order.tasks ? exportTasks(session, order) : exportRows(session, order);
    });
    if (!exported)
        return run.signalled() ? *run.signalled() : printer.error(exported.error());
    if (*exported == 0) {
        printer.note(u"outboxctl: nothing matches"_s);
        return ExitCode::NothingMatched;
    }
    if (!target.profile.masks.isEmpty())
        printer.note(u"the file holds payloads whole, without masks, so that import can put them "
                     "back"_s);
    if (printer.isJson())
        printer.object({{u"file"_s, order.file}, {u"count"_s, *exported}});
    else
        printer.line(u"%1 %2 in %3"_s.arg(
            countText(*exported), order.tasks ? u"tasks"_s : u"rows"_s, plainText(order.file)));
    return ExitCode::Ok;
}

} // namespace

Command exportCommand()
{
    return {.name = u"export"_s,
            .summary = u"Writes rows or tasks to a file, byte for byte; import puts them back."_s,
            .addOptions = addExportOptions,
            .run = runExportCommand,
            .takesArguments = true};
}

} // namespace outbox
