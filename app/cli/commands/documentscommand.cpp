// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `documents`: messages that wait inside business documents; what is left behind there, and its
// repair.
#include "app/cli/commands/command.h"

#include "app/cli/output/rowjson.h"
#include "app/cli/run/designoptions.h"
#include "app/designs/designoperations.h"
#include "app/designs/documentreader.h"
#include "models/operations/designselection.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/utctext.h"

#include <QCommandLineParser>
#include <QJsonArray>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 mostLooked = 1'000'000;

QString spanOrDash(const std::optional<double> &seconds)
{
    return seconds ? spanText(*seconds) : u"-"_s;
}

QJsonObject jsonOf(const DocumentFacts &facts)
{
    return {{u"document"_s, facts.id},
            {u"version"_s, facts.version},
            {u"bytes"_s, facts.bytes},
            {u"undispatched"_s, valueOrNull(facts.undispatched)},
            {u"dispatched"_s, valueOrNull(facts.dispatched)},
            {u"malformed"_s, valueOrNull(facts.malformed)},
            {u"oldest_undispatched_s"_s, valueOrNull(facts.oldestUndispatchedSeconds)},
            {u"oldest_dispatched_s"_s, valueOrNull(facts.oldestDispatchedSeconds)},
            {u"changed_s"_s, valueOrNull(facts.changedSeconds)},
            {u"problem"_s, facts.problem.isEmpty() ? QJsonValue() : QJsonValue(facts.problem)}};
}

QJsonObject jsonOf(const SeenEntry &seen)
{
    QJsonArray messages;
    for (const OutgoingMessage &message : seen.entry.messages) {
        messages += QJsonObject{{u"id"_s, message.id},
                                {u"type"_s, message.type},
                                {u"payload_bytes"_s, message.payload.size()}};
    }
    return {{u"document"_s, seen.document},
            {u"incoming"_s, seen.entry.incoming},
            {u"state"_s, word(seen.entry.state)},
            {u"messages"_s, messages},
            {u"made"_s, timeJson(seen.entry.made)},
            {u"kind"_s, seen.next.kind ? QJsonValue(word(*seen.next.kind)) : QJsonValue()},
            {u"next"_s, seen.next.reason}};
}

QJsonObject jsonOf(const DocumentSummary &summary, const DesignPlace &place)
{
    QJsonObject notes;
    if (!summary.oldestUndispatchedSeconds && !summary.oldestDispatchedSeconds
        && place.shape.timeMember.isEmpty())
        notes[u"ages"_s] = u"entries have no time that was named: --time-member"_s;
    if (!summary.leaked) {
        notes[u"leaked"_s] = place.design == Design::EntityState
            ? u"this design has no other store"_s
            : u"no store was named: --done-table or --done-prefix"_s;
    }
    return {{u"at"_s, utcText(QDateTime::currentDateTimeUtc())},
            {u"design"_s, word(place.design)},
            {u"documents"_s, summary.documents},
            {u"bytes"_s, summary.bytes},
            {u"largest"_s,
             summary.documents > 0 ? QJsonValue(QJsonObject{{u"document"_s, summary.largest.id},
                                                            {u"bytes"_s, summary.largest.bytes}})
                                   : QJsonValue()},
            {u"undispatched"_s, summary.undispatched},
            {u"dispatched"_s, summary.dispatched},
            {u"malformed"_s, summary.malformed},
            {u"unreadable"_s, summary.unreadable},
            {u"leaked"_s, valueOrNull(summary.leaked)},
            {u"oldest_undispatched_s"_s, valueOrNull(summary.oldestUndispatchedSeconds)},
            {u"oldest_dispatched_s"_s, valueOrNull(summary.oldestDispatchedSeconds)},
            {u"store"_s,
             summary.store ? QJsonValue(QJsonObject{{u"holds"_s, summary.store->holds},
                                                    {u"words"_s, summary.store->words}})
                           : QJsonValue()},
            {u"exact"_s, summary.exact},
            {u"took_ms"_s, summary.tookMs},
            {u"notes"_s, notes}};
}

Result<ExitCode> showStatus(const DesignPlace &place, const Printer &printer)
{
    const auto summary = TRY(lookAtDesign(place, [&place](DocumentStores &stores) {
        return DocumentReader(stores, place.design).summary(mostLooked);
    }));
    if (printer.isJson()) {
        printer.object(jsonOf(summary, place));
        return ExitCode::Ok;
    }
    printer.line(u"%1 documents, %2; the largest is %3 with %4"_s.arg(
        countText(summary.documents), bytesText(summary.bytes), plainText(summary.largest.id),
        bytesText(summary.largest.bytes)));
    printer.line(
        u"%1 entries undispatched, oldest %2; %3 dispatched, oldest %4; %5 malformed"_s.arg(
            countText(summary.undispatched), spanOrDash(summary.oldestUndispatchedSeconds),
            countText(summary.dispatched), spanOrDash(summary.oldestDispatchedSeconds),
            countText(summary.malformed)));
    if (summary.leaked)
        printer.line(u"%1 entries leaked (K15)"_s.arg(countText(*summary.leaked)));
    if (summary.store)
        printer.line((summary.store->holds ? QString() : u"NOT SAFE: "_s) + summary.store->words);
    if (summary.unreadable > 0) {
        printer.line(u"%1 documents cannot be read: outboxctl documents list"_s.arg(
            countText(summary.unreadable)));
    }
    return ExitCode::Ok;
}

Result<ExitCode> showList(const QCommandLineParser &parser, const DesignPlace &place,
                          const Printer &printer)
{
    const auto limit = numberOf(parser, u"limit"_s, 1, 1000);
    if (parser.isSet(u"limit"_s) && !limit)
        return printer.usage(limit.error());
    const auto page = TRY(
        lookAtDesign(place,
                     [after = parser.value(u"after"_s), most = limit.value_or(100),
                      onlyUndispatched = parser.isSet(u"undispatched"_s)](DocumentStores &stores) {
                         return stores.documents().page(after, most, onlyUndispatched);
                     }));
    QList<QStringList> table{{u"DOCUMENT"_s, u"VERSION"_s, u"SIZE"_s, u"UNDISPATCHED"_s,
                              u"DISPATCHED"_s, u"OLDEST"_s, u"PROBLEM"_s}};
    const auto count
        = [](const std::optional<qint64> &number) { return number ? countText(*number) : u"-"_s; };
    for (const DocumentFacts &facts : page.documents) {
        if (printer.isJson()) {
            printer.object(jsonOf(facts));
            continue;
        }
        table += QStringList{plainText(facts.id),     plainText(facts.version),
                             bytesText(facts.bytes),  count(facts.undispatched),
                             count(facts.dispatched), spanOrDash(facts.oldestUndispatchedSeconds),
                             plainText(facts.problem)};
    }
    if (printer.isJson()) {
        printer.object({{u"cursor"_s, page.next.isEmpty() ? QJsonValue() : QJsonValue(page.next)}});
    } else {
        if (table.size() > 1)
            printer.line(tableText(table));
        if (!page.next.isEmpty())
            printer.note(u"more: --after "_s + page.next);
    }
    const bool isEnd = page.documents.isEmpty() && page.next.isEmpty();
    return isEnd ? ExitCode::NothingMatched : ExitCode::Ok;
}

Result<ExitCode> showDocument(const QString &document, const DesignPlace &place,
                              const Printer &printer)
{
    const auto entries = TRY(lookAtDesign(place, [&](DocumentStores &stores) {
        return DocumentReader(stores, place.design).entriesOf(document);
    }));
    for (const SeenEntry &seen : entries) {
        if (printer.isJson()) {
            printer.object(jsonOf(seen));
            continue;
        }
        printer.line(u"%1  %2  %3"_s.arg(plainText(seen.entry.incoming), word(seen.entry.state),
                                         plainText(seen.next.reason)));
    }
    return entries.isEmpty() ? ExitCode::NothingMatched : ExitCode::Ok;
}

/// `operation` on what the command line names.
PlannedCommand commandFor(const QCommandLineParser &parser, DocumentPart part,
                          std::shared_ptr<const Operation> operation)
{
    Selection selection;
    for (const QString &document : parser.positionalArguments().mid(1))
        selection.rows += MessageId{document};
    for (const QString &incoming : parser.values(u"incoming"_s))
        selection.tasks += TaskId{incoming};
    selection.meant = part;
    return plannedBy(std::move(operation), selection);
}

Result<PlannedCommand> settleOf(const QCommandLineParser &parser, const DesignPlace &place,
                                bool leftovers)
{
    std::optional<double> olderThanSeconds;
    if (parser.isSet(u"older-than"_s)) {
        const auto age = TRY(durationMs(parser.value(u"older-than"_s), u"--older-than"_s));
        olderThanSeconds = double(age) / 1000;
    }
    return commandFor(parser, leftovers ? DocumentPart::Unsettled : DocumentPart::Undispatched,
                      makeSettleEntries(place, leftovers, olderThanSeconds));
}

void addDocumentsOptions(QCommandLineParser &parser)
{
    parser.addPositionalArgument(u"WHAT"_s,
                                 u"status, list, show, dispatch (what is undispatched), "
                                 u"reconcile (what leaked too) or purge (null entries that are "
                                 u"older than --retention)."_s);
    parser.addPositionalArgument(u"DOCUMENT"_s, u"Ids of documents (all)."_s, u"[DOCUMENT…]"_s);
    addDesignOptions(parser);
    parser.addOptions({
        {u"undispatched"_s, u"list: only documents with messages inside, or with a problem."_s},
        {u"after"_s, u"list: goes on behind the cursor of the last page."_s, u"CURSOR"_s},
        {u"incoming"_s,
         u"Only the entries of this incoming message; may be repeated. As many as documents: each "
         u"in "
         "its own document."_s,
         u"ID"_s},
        {u"older-than"_s, u"Only entries that are known to be so old."_s, u"DURATION"_s},
    });
    addOperationOptions(parser);
}

Result<ExitCode> runDocumentsCommand(const QCommandLineParser &parser, const Target &target,
                                     const Printer &printer)
{
    const auto options = operationOptions(parser, documentTargetOf(parser, target));
    if (!options) {
        return options.error().kind == Error::Kind::Invalid ? printer.usage(options.error())
                                                            : printer.error(options.error());
    }
    const auto place = designPlaceOf(parser, target, options->acting);
    if (!place)
        return printer.usage(place.error());
    const QStringList arguments = parser.positionalArguments();
    const QString what = arguments.value(0);
    if (what == u"status" && arguments.size() == 1)
        return showStatus(*place, printer);
    if (what == u"list" && arguments.size() == 1)
        return showList(parser, *place, printer);
    if (what == u"show" && arguments.size() == 2)
        return showDocument(arguments.at(1), *place, printer);
    if (what == u"purge") {
        return OperationRun(printer, *options)
            .run(commandFor(parser, DocumentPart::Entries, makePurgeEntries(*place)));
    }
    if (what != u"dispatch" && what != u"reconcile") {
        return printer.usage(u"one of status, list, show DOCUMENT, dispatch, reconcile and "
                             u"purge is needed"_s,
                             u"See: outboxctl documents --help"_s);
    }
    const auto command = settleOf(parser, *place, what == u"reconcile");
    if (!command)
        return printer.usage(command.error());
    return OperationRun(printer, *options).run(*command);
}

} // namespace

Command documentsCommand()
{
    return {
        .name = u"documents"_s,
        .summary
        = u"Messages inside business documents: status, list, show, dispatch, reconcile, purge."_s,
        .addOptions = addDocumentsOptions,
        .run = runDocumentsCommand,
        .takesArguments = true};
}

} // namespace outbox
