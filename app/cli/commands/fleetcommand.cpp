// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `fleet`: all saved systems at once, the worst first; and where a message is.
#include "app/cli/commands/command.h"

#include "app/cli/run/fleet.h"
#include "app/settings/folders.h"
#include "app/settings/profilestore.h"
#include "models/plaintext.h"
#include "models/result.h"

#include <QCommandLineParser>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

void addFleetOptions(QCommandLineParser &parser)
{
    parser.addPositionalArgument(
        u"PROFILE"_s,
        u"Names of saved systems (all). After the word \"find\": "
        u"the key of a row, or the id of its task, that is looked for in them."_s,
        u"[find ID] [PROFILE...]"_s);
    parser.addOptions({
        {u"group"_s, u"The systems of a group, too; may be given more than once."_s, u"NAME"_s},
        {u"all"_s, u"A line for each system, also for those that are well."_s},
        {u"config-dir"_s, u"Instead of the XDG configuration folder."_s, u"DIR"_s},
        {u"state-dir"_s, u"Instead of the XDG state folder."_s, u"DIR"_s},
    });
}

Failure noSuch(const QString &doing, const QString &text, const Folders &folders)
{
    return fail(Error::Kind::Invalid, doing, text, {},
                u"Profiles are kept in "_s + folders.profilesFile());
}

/// The profiles of these names and groups, each once; all where neither is given. Fails with
/// Invalid for a name or a group that no profile has.
Result<QList<Profile>> profilesMeant(const QList<Profile> &saved, const QStringList &names,
                                     const QStringList &groups, const Folders &folders)
{
    const auto holds = [&saved](QString Profile::*member, const QString &text) {
        return std::any_of(saved.cbegin(), saved.cend(), [member, &text](const Profile &profile) {
            return profile.*member == text;
        });
    };
    for (const QString &name : names) {
        if (!holds(&Profile::name, name)) {
            return noSuch(u"reading the command line"_s, u"there is no profile \"%1\""_s.arg(name),
                          folders);
        }
    }
    for (const QString &group : groups) {
        if (group.isEmpty() || !holds(&Profile::group, group)) {
            return noSuch(u"reading --group"_s, u"no profile is in the group \"%1\""_s.arg(group),
                          folders);
        }
    }
    if (names.isEmpty() && groups.isEmpty())
        return saved;
    QList<Profile> meant;
    for (const Profile &profile : saved) {
        if (names.contains(profile.name) || groups.contains(profile.group))
            meant += profile;
    }
    return meant;
}

/// The systems to be asked. Those whose messages wait in documents have no table to look at, which
/// is told; a profile that cannot be read counts where all are meant.
Result<QList<FleetSystem>> fleetOf(const QCommandLineParser &parser, const QStringList &names,
                                   const Printer &printer)
{
    const Folders folders
        = Folders::standard(parser.value(u"config-dir"_s), parser.value(u"state-dir"_s));
    ProfileStore store(folders.profilesFile());
    TRY(store.load());
    const QStringList groups = parser.values(u"group"_s);
    const auto meant = TRY(profilesMeant(store.profiles(), names, groups, folders));
    const bool isOfAll = names.isEmpty() && groups.isEmpty();
    const auto warn = [&printer](const QString &name) {
        printer.note(u"outboxctl: an address of profile \"%1\" holds a password; save it "
                     u"without"_s.arg(plainText(name)));
    };
    const SavedFleet saved
        = savedFleet(meant, isOfAll ? store.problems() : QList<Error>(), folders.state, warn);
    for (const Error &problem : store.problems()) {
        if (!isOfAll)
            printer.note(u"outboxctl: "_s + plainText(oneLine(problem)));
    }
    if (!saved.ofDocuments.isEmpty()) {
        QStringList shown;
        for (const QString &name : saved.ofDocuments)
            shown += plainText(name);
        printer.note(u"outboxctl: not looked at, since their messages wait in documents: %1 (see: "
                     u"outboxctl documents --profile NAME)"_s.arg(shown.join(u", "_s)));
    }
    return saved.systems;
}

ExitCode showFleet(const QList<FleetSystem> &systems, bool all, const Printer &printer)
{
    const QList<FleetReading> readings = readFleet(systems);
    const FleetTotals totals = totalsOf(readings);
    if (printer.isJson()) {
        for (const FleetReading &reading : readings)
            printer.object(fleetJson(reading));
        printer.object(fleetJson(totals));
    } else {
        printer.line(fleetText(readings, all));
    }
    return exitCodeOf(totals.worst);
}

ExitCode findIn(const QList<FleetSystem> &systems, const MessageId &id, const Printer &printer)
{
    const QList<FleetAnswer> answers = findInFleet(systems, id);
    const auto countOf = [&answers](const auto &isOne) {
        return qsizetype(std::count_if(answers.cbegin(), answers.cend(), isOne));
    };
    const qsizetype found = countOf([](const FleetAnswer &one) { return one.hasIt(); });
    const qsizetype unasked = countOf([](const FleetAnswer &one) { return one.error.has_value(); });
    const qsizetype byTask = countOf([](const FleetAnswer &one) { return one.needsTaskId; });
    if (printer.isJson()) {
        for (const FleetAnswer &answer : answers) {
            if (answer.hasIt() || answer.error)
                printer.object(fleetJson(answer));
        }
        printer.object({{u"systems"_s, answers.size()},
                        {u"found"_s, found},
                        {u"not_asked"_s, unasked},
                        {u"by_task_id_only"_s, byTask}});
    } else {
        printer.line(fleetText(answers));
    }
    if (found == 0 && byTask > 0) {
        printer.note(
            u"outboxctl: where task ids hold the time of their row (%1 of %2 systems), the "
            u"task of a row that is gone is found by its own id only; \"outboxctl show\" "
            u"searches one system for it"_s.arg(byTask)
                .arg(answers.size()));
    }
    if (found > 0)
        return ExitCode::Ok;
    return unasked > 0 ? exitCodeOf(HealthLevel::Unknown) : ExitCode::NothingMatched;
}

Result<ExitCode> runFleetCommand(const QCommandLineParser &parser, const Target & /*target*/,
                                 const Printer &printer)
{
    QStringList names = parser.positionalArguments();
    const bool isSearch = !names.isEmpty() && names.constFirst() == u"find"_s;
    MessageId id;
    if (isSearch) {
        names.removeFirst();
        if (!names.isEmpty())
            id.text = names.takeFirst();
        if (id.isEmpty())
            return printer.usage(u"one ID is needed"_s, u"outboxctl fleet find ID …"_s);
    }
    const auto systems = TRY(fleetOf(parser, names, printer));
    if (systems.isEmpty()) {
        printer.note(u"outboxctl: no system is saved that could be looked at"_s);
        return ExitCode::NothingMatched;
    }
    return isSearch ? findIn(systems, id, printer)
                    : showFleet(systems, parser.isSet(u"all"_s), printer);
}

} // namespace

Command fleetCommand()
{
    return {.name = u"fleet"_s,
            .summary = u"All saved systems at once, the worst first; and in which of them a "
                       u"message is."_s,
            .addOptions = addFleetOptions,
            .run = runFleetCommand,
            .takesArguments = true,
            .needsTarget = false};
}

} // namespace outbox
