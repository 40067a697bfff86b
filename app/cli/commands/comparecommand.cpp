// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `compare`: two messages beside each other.
#include "app/cli/commands/command.h"

#include "app/cli/output/rowjson.h"
#include "app/cli/run/masking.h"
#include "app/cli/run/seenmessage.h"
#include "app/operations/core/operatorsession.h"
#include "app/settings/folders.h"
#include "models/comparison/comparison.h"
#include "models/plaintext.h"

#include <QCommandLineParser>
#include <QJsonArray>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QJsonValue stationJson(const std::optional<ComparedStep::Station> &station)
{
    if (!station)
        return {};
    return QJsonObject{{u"at"_s, timeJson(station->point.at)},
                       {u"after_s"_s, valueOrNull(station->afterSeconds)},
                       {u"took_s"_s, valueOrNull(station->tookSeconds)},
                       {u"future"_s, station->point.isFuture},
                       {u"from"_s, word(station->point.from)},
                       {u"note"_s, station->point.note}};
}

QJsonArray stepsJson(const ComparedJourneys &journeys)
{
    QJsonArray steps;
    for (const ComparedStep &step : journeys.steps) {
        steps
            += QJsonObject{{u"kind"_s, word(step.kind)},
                           {u"since"_s, step.since ? QJsonValue(word(*step.since)) : QJsonValue()},
                           {u"a"_s, stationJson(step.a)},
                           {u"b"_s, stationJson(step.b)},
                           {u"difference_s"_s, valueOrNull(step.difference())}};
    }
    return steps;
}

QJsonArray fieldsJson(const QList<ComparedField> &fields)
{
    QJsonArray all;
    for (const ComparedField &field : fields) {
        all += QJsonObject{{u"name"_s, field.name},
                           {u"is"_s, word(field.is)},
                           {u"a"_s, field.a},
                           {u"b"_s, field.b}};
    }
    return all;
}

QJsonObject payloadSideJson(const ComparedPayload::Side &side)
{
    return QJsonObject{{u"from"_s, side.from.isEmpty() ? QJsonValue() : QJsonValue(side.from)},
                       {u"bytes"_s, side.bytes < 0 ? QJsonValue() : QJsonValue(side.bytes)},
                       {u"read"_s, side.read},
                       {u"note"_s, side.why}};
}

QJsonObject payloadsJson(const ComparedPayload &payload)
{
    return QJsonObject{{u"is"_s, word(payload.is)},
                       {u"a"_s, payloadSideJson(payload.a)},
                       {u"b"_s, payloadSideJson(payload.b)},
                       {u"first_other"_s, valueOrNull(payload.firstOther)},
                       {u"difference"_s, payload.difference}};
}

QJsonObject sideJson(const IdVerdict &facts)
{
    return QJsonObject{{u"id"_s, facts.message.text},
                       {u"task_id"_s, facts.taskId.text},
                       {u"queue"_s, facts.queue.text},
                       {u"found"_s, isFound(facts)},
                       {u"sentence"_s, facts.sentence}};
}

QJsonObject comparisonJson(const Comparison &comparison)
{
    const ComparedJourneys &journeys = comparison.journeys;
    return QJsonObject{
        {u"a"_s, sideJson(comparison.a)},
        {u"b"_s, sideJson(comparison.b)},
        {u"begin"_s, journeys.begin ? QJsonValue(word(*journeys.begin)) : QJsonValue()},
        {u"steps"_s, stepsJson(journeys)},
        {u"widest"_s, valueOrNull(journeys.widest)},
        {u"fields"_s, fieldsJson(comparison.fields)},
        {u"payload"_s, payloadsJson(comparison.payload)},
        {u"notes"_s, QJsonArray::fromStringList(comparison.notes)}};
}

QString comparisonLines(const Comparison &comparison)
{
    const ComparedJourneys &journeys = comparison.journeys;
    QStringList lines;
    for (const QString &note : comparison.notes)
        lines += plainText(note);
    lines += u"A  %1: %2"_s.arg(plainText(comparison.a.message.text),
                                plainText(comparison.a.sentence));
    lines += u"B  %1: %2"_s.arg(plainText(comparison.b.message.text),
                                plainText(comparison.b.sentence));
    QList<QStringList> steps{{u"STEP"_s, u"A"_s, u"B"_s, u"DIFFERENCE"_s}};
    for (const ComparedStep &step : journeys.steps) {
        steps += QStringList{stepName(step), stationText(step.a, comparison.now),
                             stationText(step.b, comparison.now), stepDifferenceText(step)};
    }
    lines += tableText(steps);
    lines += journeySentence(journeys);
    const QList<ComparedField> others = withoutSame(comparison.fields);
    if (!others.isEmpty()) {
        QList<QStringList> fields{{u"FIELD"_s, u"A"_s, u"B"_s}};
        for (const ComparedField &field : others) {
            const QString title = field.is == Likeness::NotKnown
                ? QString(field.title + u" (not known)"_s)
                : field.title;
            fields += QStringList{plainText(title), plainText(field.a), plainText(field.b)};
        }
        lines += tableText(fields);
    }
    lines += fieldSentence(comparison.fields);
    lines += plainText(payloadSentence(comparison.payload));
    if (!comparison.payload.difference.isEmpty())
        lines += plainText(comparison.payload.difference, Lines::Many);
    return lines.join(u'\n');
}

/// A comparison without the database is none; that a profile has no Redis is told alone.
std::optional<Error> failureOf(const IdVerdict &facts)
{
    if (facts.rowError)
        return facts.rowError;
    if (facts.taskError && facts.taskError->kind != Error::Kind::Unsupported)
        return facts.taskError;
    return std::nullopt;
}

void addCompareOptions(QCommandLineParser &parser)
{
    parser.addPositionalArgument(u"A"_s, u"The key of a row, or the id of its task."_s);
    parser.addPositionalArgument(u"B"_s, u"The same of the other message."_s);
    addUnmaskedOption(parser);
}

ExitCode runCompareCommand(const QCommandLineParser &parser, const Target &target,
                           const Printer &printer)
{
    const QStringList arguments = parser.positionalArguments();
    const MessageId a{arguments.value(0)};
    const MessageId b{arguments.value(1)};
    if (arguments.size() != 2 || a.isEmpty() || b.isEmpty())
        return printer.usage(u"two ids are needed"_s, u"outboxctl compare A B …"_s);
    const auto masks
        = masksFor(parser, target, printer, u"messages %1 and %2"_s.arg(a.text, b.text));
    if (!masks)
        return printer.error(masks.error());
    OperationOptions options;
    options.target = target;
    options.stateFolder
        = Folders::standard(parser.value(u"config-dir"_s), parser.value(u"state-dir"_s)).state;
    OperationRun run(printer, options);
    const auto comparison
        = run.look([a, b, &masks](OperatorSession &session) -> Result<Comparison> {
              const IdVerdict first = seenMessage(session, a);
              const IdVerdict second = seenMessage(session, b);
              return comparisonOf(first, second, QDateTime::currentDateTimeUtc(), *masks);
          });
    if (!comparison)
        return run.signalled() ? *run.signalled() : printer.error(comparison.error());
    if (printer.isJson())
        printer.object(comparisonJson(*comparison));
    else
        printer.line(comparisonLines(*comparison));
    for (const IdVerdict &facts : {comparison->a, comparison->b}) {
        if (const auto failed = failureOf(facts))
            return printer.error(*failed);
    }
    return isFound(comparison->a) && isFound(comparison->b) ? ExitCode::Ok
                                                            : ExitCode::NothingMatched;
}

} // namespace

Command compareCommand()
{
    return {.name = u"compare"_s,
            .summary = u"Two messages beside each other: which step took longer, which fields "
                       u"differ, and their payloads byte by byte."_s,
            .addOptions = addCompareOptions,
            .run = runCompareCommand,
            .takesArguments = true};
}

} // namespace outbox
