// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `audit`: what was done from here, whether the record is whole, and the way back.
#include "app/cli/commands/command.h"

#include "app/cli/output/planjson.h"
#include "app/cli/output/plantext.h"
#include "app/cli/run/await.h"
#include "app/cli/run/systemreader.h"
#include "app/settings/folders.h"
#include "app/settings/opening.h"
#include "app/system/auditfeed.h"
#include "connectors/sql/driver/databaseurl.h"
#include "models/operations/auditjoin.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/tables/auditmodel.h"

#include <QCommandLineParser>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostListed = 1'000'000;

AuditTrail trailOf(const QCommandLineParser &parser)
{
    return AuditTrail(
        Folders::standard(parser.value(u"config-dir"_s), parser.value(u"state-dir"_s)).auditFile());
}

/// The table outbox_audit of the system that the command line names.
struct TableRead
{
    AuditPage page;
    QString target; ///< the system, as activities name it
};

/// nullopt: no system was named. What cannot be read hides nothing of the file.
Result<std::optional<TableRead>> tableOf(const QCommandLineParser &parser, const Printer &printer)
{
    if (!parser.isSet(u"database"_s) && !parser.isSet(u"profile"_s))
        return std::nullopt;
    const auto target = TRY(targetOf(
        parser, [&printer](const QString &text) { printer.note(u"outboxctl: "_s + text); }));
    const Profile &profile = target.profile;
    if (profile.databaseUrl.isEmpty() || profile.design)
        return std::nullopt;
    const auto settings
        = TRY(storeSettingsOf(profile, target.secrets, StoreAccess::ReadOnly, u"outboxctl"_s));
    // Activities name the table as the catalog spells it; without an outbox there is none to name.
    const auto shape = SystemReader(target).openDatabase();
    if (!shape && shape.error().kind != Error::Kind::Invalid)
        return passOn(shape);
    const OutboxShape mapping = shape.value_or(profile.shape.value_or(OutboxShape()));
    const TableName outbox
        = mapping.table.table.isEmpty() ? TableName::fromText(profile.table) : mapping.table;
    Room<AuditTable> room(u"audit"_s);
    auto page = TRY(await(room, [settings, outbox](AuditTable &table) {
        return readAuditTable(table, settings, outbox, AuditTable::mostRows);
    }));
    return TableRead{std::move(page), recordTarget(profile, mapping)};
}

/// Both records, newest first.
Result<QList<Activity>> activities(const QCommandLineParser &parser, const Printer &printer)
{
    const auto entries = TRY(trailOf(parser).read());
    const QList<Activity> here = activitiesOf(entries);
    const auto table = tableOf(parser, printer);
    if (!table) {
        const Error &error = table.error();
        printer.note(u"outboxctl: only the file of this machine is shown: "_s
                         + plainText(oneLine(error)),
                     error.kind == Error::Kind::Unsupported ? LogLevel::Info : LogLevel::Warning);
        return here;
    }
    if (!*table)
        return here;
    const auto &[page, target] = **table;
    if (!page.isWhole) {
        printer.note(u"outboxctl: the table outbox_audit has older entries than the %1 that were "
                     "read"_s.arg(countText(page.rows.size())));
    }
    return joined(here, page, operatorName(), target);
}

Result<std::optional<Activity>> activityOf(const QCommandLineParser &parser, const Printer &printer,
                                           const QString &operation)
{
    const auto all = TRY(activities(parser, printer));
    for (const Activity &one : all) {
        if (!one.operation.isEmpty() && one.operation == operation)
            return one;
    }
    return std::nullopt;
}

/// What stands in the database alone was done elsewhere, and so is all that an undo needs.
Error isElsewhere(const Activity &activity, const QString &doing)
{
    return {Error::Kind::Refused,
            doing + u' ' + activity.operation,
            u"%1 did it with %2: its record and its exports are on that machine"_s.arg(
                activity.who, activity.face.isEmpty() ? u"another program"_s : activity.face),
            {},
            u"Do it there. Of a purge the export alone is enough: bring the file here, then "
            "outboxctl import FILE"_s};
}

QString whatText(const Activity &activity)
{
    return activity.verb ? label(*activity.verb) + u", "_s + activity.what : activity.what;
}

Result<ExitCode> list(const QCommandLineParser &parser, const Printer &printer)
{
    int limit = 50;
    if (parser.isSet(u"limit"_s)) {
        const auto asked = numberOf(parser, u"limit"_s, 1, mostListed);
        if (!asked)
            return printer.usage(asked.error());
        limit = *asked;
    }
    const auto all = TRY(activities(parser, printer));
    const QList<Activity> shown = all.first(std::min<qsizetype>(limit, all.size()));
    QList<QStringList> table{{u"WHEN"_s, u"WHO"_s, u"WHAT"_s, u"COUNT"_s, u"OUTCOME"_s, u"RECORD"_s,
                              u"OPERATION"_s, u"NOTE"_s}};
    for (const Activity &one : shown) {
        if (printer.isJson()) {
            printer.object(toJson(one, false));
            continue;
        }
        table += QStringList{one.at.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s),
                             plainText(one.who),
                             plainText(clipped(whatText(one), 60)),
                             one.verb ? countText(one.count) : u"-"_s,
                             one.state == Activity::State::Noted ? plainText(outcomeSentence(one))
                                                                 : label(one.state),
                             one.mismatch.isEmpty() ? label(one.record)
                                                    : label(one.record) + u" (differs)"_s,
                             plainText(one.operation),
                             plainText(clipped(one.note, 60))};
    }
    if (!printer.isJson() && !shown.isEmpty())
        printer.line(tableText(table));
    return shown.isEmpty() ? ExitCode::NothingMatched : ExitCode::Ok;
}

Result<ExitCode> verify(const QCommandLineParser &parser, const Printer &printer)
{
    const AuditTrail trail = trailOf(parser);
    const auto chain = TRY(trail.verify());
    if (printer.isJson()) {
        printer.object(
            {{u"file"_s, trail.file()},
             {u"entries"_s, chain.entries},
             {u"broken_at"_s, chain.brokenAt ? QJsonValue(*chain.brokenAt) : QJsonValue()},
             {u"text"_s, chain.text}});
    } else {
        printer.line(plainText(chain.text));
    }
    return chain.brokenAt ? ExitCode::Failed : ExitCode::Ok;
}

void print(const Activity &activity, const Printer &printer)
{
    if (printer.isJson())
        printer.object(toJson(activity, true));
    else
        printer.line(toText(activity));
}

ExitCode check(const Activity &activity, const OperationOptions &options, const Printer &printer)
{
    if (!options.confirmed || activity.state != Activity::State::InDoubt) {
        print(activity, printer);
        printer.note(activity.doubtful.isEmpty()
                         ? u"outboxctl: nothing of it is in doubt"_s
                         : u"outboxctl: to look at what is in doubt, add: --yes"_s);
        return ExitCode::Ok;
    }
    OperationRun run(printer, options);
    const auto found = run.look([&activity](OperatorSession &session) -> Result<Activity> {
        return checkDoubt(session, activity);
    });
    if (!found)
        return run.signalled() ? *run.signalled() : printer.error(found.error());
    print(*found, printer);
    return found->state == Activity::State::InDoubt ? ExitCode::Temporary : ExitCode::Ok;
}

void addAuditOptions(QCommandLineParser &parser)
{
    parser.addOptions({
        {u"operation"_s, u"One operation with its messages."_s, u"UUID"_s},
        {u"undo"_s, u"Undoes one: a plan, carried out with --yes."_s, u"UUID"_s},
        {u"check"_s, u"What is in doubt of one; with --yes it is looked at and settled."_s,
         u"UUID"_s},
        {u"verify"_s, u"Whether the record is whole, line by line."_s},
        {u"sql"_s, u"Prints the statements that make the table outbox_audit."_s},
    });
    addTargetOptions(parser);
    addSecondExecutionOption(parser);
    addTrimOption(parser);
    addOperationOptions(parser);
}

Result<ExitCode> runAuditCommand(const QCommandLineParser &parser, const Target & /*target*/,
                                 const Printer &printer)
{
    if (parser.isSet(u"sql"_s)) {
        const auto url = DatabaseUrl::fromUrl(parser.value(u"database"_s));
        const auto dialect = url ? url->dialect : DatabaseUrl::Dialect();
        const QString sql = OutboxEditor::auditTableSql(dialect);
        if (printer.isJson())
            printer.object({{u"sql"_s, sql}});
        else
            printer.line(sql);
        return ExitCode::Ok;
    }
    if (parser.isSet(u"verify"_s))
        return verify(parser, printer);
    QString operation;
    for (const QString &option : {u"operation"_s, u"undo"_s, u"check"_s}) {
        if (parser.isSet(option))
            operation = parser.value(option);
    }
    if (operation.isEmpty())
        return list(parser, printer);

    const auto activity = TRY(activityOf(parser, printer, operation));
    if (!activity) {
        printer.note(u"outboxctl: the record knows no operation "_s + plainText(operation));
        return ExitCode::NothingMatched;
    }
    if (parser.isSet(u"operation"_s)) {
        print(*activity, printer);
        return ExitCode::Ok;
    }
    if (activity->record == Activity::Record::Database) {
        return printer.error(isElsewhere(*activity,
                                         parser.isSet(u"check"_s) ? u"checking operation"_s
                                                                  : u"undoing operation"_s));
    }
    const auto target = TRY(targetOf(
        parser, [&printer](const QString &text) { printer.note(u"outboxctl: "_s + text); }));
    const auto options = operationOptions(parser, target);
    if (!options)
        return printer.usage(options.error());
    if (parser.isSet(u"check"_s))
        return check(*activity, *options, printer);
    const auto undo = [wanted = *activity](OperatorSession &session, const PlannedCommand::Tell &) {
        return planUndo(session, wanted);
    };
    return OperationRun(printer, *options).run({undo, nullptr});
}

} // namespace

Command auditCommand()
{
    return {
        .name = u"audit"_s,
        .summary
        = u"What was done from here, newest first, and where a system is named what its table "
          u"outbox_audit tells; undo and check."_s,
        .addOptions = addAuditOptions,
        .run = runAuditCommand,
        .needsTarget = false, // only undo and check need the system that they speak of
    };
}

} // namespace outbox
