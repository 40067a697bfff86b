// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/auditcommand.h"

#include "app/cli/operationrun.h"
#include "app/cli/planjson.h"
#include "app/cli/plantext.h"
#include "app/settings/folders.h"
#include "connectors/sql/databaseurl.h"
#include "models/phrases.h"
#include "models/plaintext.h"

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

Result<QList<Activity>> activities(const QCommandLineParser &parser)
{
    const auto entries = trailOf(parser).read();
    if (!entries)
        return passOn(entries);
    return activitiesOf(*entries);
}

Result<std::optional<Activity>> activityOf(const QCommandLineParser &parser,
                                           const QString &operation)
{
    const auto all = activities(parser);
    if (!all)
        return passOn(all);
    for (const Activity &one : *all) {
        if (!one.operation.isEmpty() && one.operation == operation)
            return one;
    }
    return std::nullopt;
}

QString whatText(const Activity &activity)
{
    return activity.verb ? label(*activity.verb) + u", "_s + activity.what : activity.what;
}

ExitCode list(const QCommandLineParser &parser, const Printer &printer)
{
    int limit = 50;
    if (parser.isSet(u"limit"_s)) {
        const auto asked = numberOf(parser, u"limit"_s, 1, mostListed);
        if (!asked)
            return printer.usage(asked.error());
        limit = *asked;
    }
    const auto all = activities(parser);
    if (!all)
        return printer.error(all.error());
    const QList<Activity> shown = all->first(std::min<qsizetype>(limit, all->size()));
    QList<QStringList> table{
        {u"WHEN"_s, u"WHO"_s, u"WHAT"_s, u"COUNT"_s, u"OUTCOME"_s, u"OPERATION"_s, u"NOTE"_s}};
    for (const Activity &one : shown) {
        if (printer.isJson()) {
            printer.object(toJson(one, false));
            continue;
        }
        table += QStringList{one.at.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s),
                             plainText(one.who),
                             plainText(clipped(whatText(one), 60)),
                             countText(one.count),
                             label(one.state),
                             plainText(one.operation),
                             plainText(clipped(one.note, 60))};
    }
    if (!printer.isJson() && !shown.isEmpty())
        printer.line(tableText(table));
    return shown.isEmpty() ? ExitCode::NothingMatched : ExitCode::Ok;
}

ExitCode verify(const QCommandLineParser &parser, const Printer &printer)
{
    const AuditTrail trail = trailOf(parser);
    const auto chain = trail.verify();
    if (!chain)
        return printer.error(chain.error());
    if (printer.isJson()) {
        printer.object(
            {{u"file"_s, trail.file()},
             {u"entries"_s, chain->entries},
             {u"broken_at"_s, chain->brokenAt ? QJsonValue(*chain->brokenAt) : QJsonValue()},
             {u"text"_s, chain->text}});
    } else {
        printer.line(plainText(chain->text));
    }
    return chain->brokenAt ? ExitCode::Failed : ExitCode::Ok;
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
    const auto found = run.look(
        [&activity](Workbench &bench) -> Result<Activity> { return checkDoubt(bench, activity); });
    if (!found)
        return run.signalled() ? *run.signalled() : printer.error(found.error());
    print(*found, printer);
    return found->state == Activity::State::InDoubt ? ExitCode::Temporary : ExitCode::Ok;
}

} // namespace

QString AuditCommand::name() const
{
    return u"audit"_s;
}

QString AuditCommand::summary() const
{
    return u"What was done from here, newest first; undo and check."_s;
}

void AuditCommand::addOptions(QCommandLineParser &parser) const
{
    parser.addOptions({
        {u"operation"_s, u"One operation with its messages."_s, u"UUID"_s},
        {u"undo"_s, u"Takes one back: a plan, carried out with --yes."_s, u"UUID"_s},
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

ExitCode AuditCommand::run(const QCommandLineParser &parser, const Target & /*target*/,
                           const Printer &printer) const
{
    if (parser.isSet(u"sql"_s)) {
        const auto url = DatabaseUrl::fromUrl(parser.value(u"database"_s));
        const auto dialect = url ? url->dialect : DatabaseUrl::Dialect::PostgreSql;
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

    const auto activity = activityOf(parser, operation);
    if (!activity)
        return printer.error(activity.error());
    if (!*activity) {
        printer.note(u"outboxctl: the record knows no operation "_s + plainText(operation));
        return ExitCode::NothingMatched;
    }
    if (parser.isSet(u"operation"_s)) {
        print(**activity, printer);
        return ExitCode::Ok;
    }
    const auto target = targetOf(
        parser, [&printer](const QString &text) { printer.note(u"outboxctl: "_s + text); });
    if (!target)
        return printer.error(target.error());
    const auto options = operationOptions(parser, *target);
    if (!options)
        return printer.usage(options.error());
    if (parser.isSet(u"check"_s))
        return check(**activity, *options, printer);
    const Deed undo{[wanted = **activity](Workbench &bench, const LookControl &) {
                        return planUndo(bench, wanted);
                    },
                    nullptr};
    return OperationRun(printer, *options).run(undo);
}

} // namespace outbox
