// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `show`: one message from every side.
#include "app/cli/commands/command.h"

#include "app/cli/output/decodedtext.h"
#include "app/cli/output/rowjson.h"
#include "app/cli/run/masking.h"
#include "app/cli/run/seenmessage.h"
#include "app/operations/core/operation.h"
#include "app/operations/core/operatorsession.h"
#include "app/settings/descriptorfile.h"
#include "app/settings/folders.h"
#include "app/system/jobs/childcommand.h"
#include "app/system/jobs/payloadreader.h"
#include "models/commandwords.h"
#include "models/comparison/comparison.h"
#include "models/operations/auditentry.h"
#include "models/operations/outcome.h"
#include "models/operations/verbdescriptor.h"
#include "models/payload/decode.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/result.h"
#include "models/system/systemview.h"
#include "models/system/timeline.h"

#include <QCommandLineParser>
#include <QEventLoop>
#include <QJsonArray>
#include <QJsonDocument>
#include <QList>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What a verb would do to the message at this moment.
struct VerbForecast
{
    Verb verb{};
    Outcome expected = Outcome::Unknown;
    QString reason;
};

/// The message in one operation of the audit.
struct AuditTrace
{
    Activity activity; ///< without its messages
    AuditedItem item;
};

struct Journey
{
    IdVerdict verdict; ///< judged
    QList<VerbForecast> verbs;
    QList<AuditTrace> traces; ///< newest first
    QList<TimelinePoint> timeline; ///< oldest first
};

VerbForecast forecastOf(OperatorSession &session, Verb verb, const IdVerdict &facts)
{
    Selection selection;
    if (actsOnRows(verb))
        selection.rows += facts.message;
    else
        selection.tasks += facts.taskId;
    selection.queue = facts.queue;
    const auto plan = operationFor(verb)->plan(session, selection);
    if (!plan)
        return {verb, Outcome::Unknown, oneLine(plan.error())};
    if (plan->items.isEmpty())
        return {verb, Outcome::Gone, {}};
    return {verb, plan->items.first().expected, plan->items.first().reason};
}

bool concerns(const AuditedItem &item, const IdVerdict &facts)
{
    return item.row == facts.message.text
        || (!item.task.isEmpty() && item.task == facts.taskId.text);
}

/// Looks only; in the operator's room. What cannot be read is told in the verdict. Fails when the
/// audit cannot be read.
Result<Journey> journeyOf(OperatorSession &session, const MessageId &id)
{
    Journey journey;
    journey.verdict = seenMessage(session, id);
    journey.timeline = timelineOf(journey.verdict, QDateTime::currentDateTimeUtc());
    if (journey.verdict.row) {
        for (const Verb verb : verbsFor(VerbTarget::Rows))
            journey.verbs += forecastOf(session, verb, journey.verdict);
    }
    if (journey.verdict.task) {
        for (const Verb verb : verbsFor(VerbTarget::Tasks))
            journey.verbs += forecastOf(session, verb, journey.verdict);
    }
    const auto entries = TRY(session.audit().read());
    for (Activity &activity : activitiesOf(entries)) {
        const QList<AuditedItem> items = std::exchange(activity.items, {});
        for (const AuditedItem &item : items) {
            if (concerns(item, journey.verdict))
                journey.traces += {activity, item};
        }
    }
    return journey;
}

QString timeOrDash(const std::optional<QDateTime> &time)
{
    return time ? time->toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s) : u"-"_s;
}

QJsonArray timelineJson(const QList<TimelinePoint> &line)
{
    QJsonArray points;
    for (const TimelinePoint &point : line) {
        points += QJsonObject{
            {u"kind"_s, word(point.kind)},
            {u"at"_s, timeJson(point.at)},
            {u"future"_s, point.isFuture},
            {u"from"_s, word(point.from)},
            {u"word"_s, label(point.kind)},
            {u"note"_s, point.note},
            {u"gap_s"_s, point.gapSeconds ? QJsonValue(*point.gapSeconds) : QJsonValue()},
            {u"gap"_s, point.gap}};
    }
    return points;
}

QJsonObject toJson(const Journey &journey, const PayloadMasks &masks)
{
    const IdVerdict &verdict = journey.verdict;
    QJsonObject verbs;
    for (const VerbForecast &one : journey.verbs) {
        verbs[word(one.verb)]
            = QJsonObject{{u"expected"_s, word(one.expected)}, {u"reason"_s, one.reason}};
    }
    QJsonArray audit;
    for (const AuditTrace &one : journey.traces) {
        const Activity &activity = one.activity;
        audit += QJsonObject{
            {u"at"_s, timeJson(activity.at)},
            {u"who"_s, activity.who},
            {u"operation"_s, activity.operation},
            {u"verb"_s, activity.verb ? QJsonValue(word(*activity.verb)) : QJsonValue()},
            {u"state"_s, word(activity.state)},
            {u"before"_s, one.item.before},
            {u"after"_s, one.item.after},
            {u"note"_s, activity.note}};
    }
    QJsonObject json{
        {u"id"_s, verdict.message.text},
        {u"task_id"_s, verdict.taskId.text},
        {u"queue"_s, verdict.queue.text},
        {u"sentence"_s, verdict.sentence},
        {u"replay"_s, verdict.replay},
        {u"row"_s, verdict.row ? QJsonValue(rowJson(*verdict.row, masks)) : QJsonValue()},
        {u"task"_s, verdict.task ? QJsonValue(taskJson(*verdict.task, masks)) : QJsonValue()},
        {u"verbs"_s, verbs},
        {u"audit"_s, audit}};
    QJsonArray lives;
    for (const Task &life : verdict.lives)
        lives += taskJson(life, masks);
    json["lives"_L1] = lives;
    json["timeline"_L1] = timelineJson(journey.timeline);
    QJsonArray places;
    for (const IdTrace &trace : verdict.traces) {
        places += QJsonObject{{u"place"_s, word(trace.place)},
                              {u"at"_s, timeJson(trace.at)},
                              {u"text"_s, trace.text},
                              {u"name"_s, trace.name}};
    }
    json["places"_L1] = places;
    QJsonObject notes;
    if (verdict.rowError)
        notes["row"_L1] = oneLine(*verdict.rowError);
    if (verdict.taskError)
        notes["task"_L1] = oneLine(*verdict.taskError);
    if (!verdict.gaps.isEmpty())
        notes["places"_L1] = verdict.gaps.join(u"; "_s);
    if (!notes.isEmpty())
        json["notes"_L1] = notes;
    return json;
}

/// What only few tasks have.
QString detailsOf(const Task &task)
{
    QStringList parts;
    if (task.deadline)
        parts += u"deadline "_s + timeOrDash(task.deadline);
    if (!task.group.isEmpty())
        parts += u"group "_s + plainText(task.group);
    if (!task.uniqueKey.isEmpty())
        parts += u"unique lock "_s + plainText(task.uniqueKey);
    for (auto header = task.headers.cbegin(); header != task.headers.cend(); ++header)
        parts += u"header %1: %2"_s.arg(plainText(header.key()), plainText(header.value()));
    return parts.join(u", "_s);
}

QString timelineTable(const QList<TimelinePoint> &line)
{
    QList<QStringList> cells{{u"TIME LINE"_s, u"POINT"_s, u"GAP BEFORE"_s, u"NOTE"_s}};
    for (const TimelinePoint &point : line) {
        cells += QStringList{point.at ? timeOrDash(point.at) : u"not known"_s, label(point.kind),
                             point.gap.isEmpty() ? u"-"_s : point.gap, plainText(point.note)};
    }
    return tableText(cells);
}

QString toText(const Journey &journey, const PayloadMasks &masks)
{
    const IdVerdict &verdict = journey.verdict;
    QStringList lines{plainText(verdict.sentence),
                      u"if replayed now: "_s + plainText(verdict.replay)};
    if (verdict.row) {
        const Message &found = *verdict.row;
        lines += u"row      %1, type %2, created %3, payload %4 bytes: %5"_s.arg(
            word(found.state), plainText(found.type), timeOrDash(found.created),
            countText(found.payloadBytes),
            payloadLine(masks.shown(found.payload, found.payloadBytes), 200));
        if (found.state == MessageState::Parked)
            lines += u"parked   since %1: %2"_s.arg(timeOrDash(found.parkedSince),
                                                    plainText(found.note));
    }
    if (verdict.task) {
        const Task &found = *verdict.task;
        lines += u"task     %1 in queue %2, type %3, retried %4 of %5%6"_s
                     .arg(word(found.state), plainText(found.queue.text), plainText(found.type))
                     .arg(found.retried)
                     .arg(found.maxRetry)
                     .arg(found.lastError.isEmpty()
                              ? QString()
                              : u", last error: "_s + plainText(found.lastError));
        if (const QString details = detailsOf(found); !details.isEmpty())
            lines += u"         "_s + details;
        if (!found.result.isEmpty())
            lines += u"result   %1 bytes: %2"_s.arg(countText(found.result.size()),
                                                    payloadLine(masks.shown(found.result), 200));
        if (found.keptUntil)
            lines += u"dedup    kept until about "_s + timeOrDash(found.keptUntil);
    }
    for (const Task &life : verdict.lives)
        lines += u"also     %1 in queue %2 under %3, of another row with this key"_s.arg(
            word(life.state), plainText(life.queue.text), plainText(life.id.text));
    lines += timelineTable(journey.timeline);
    QList<QStringList> verbs{{u"VERB"_s, u"NOW"_s, u"REASON"_s}};
    for (const VerbForecast &one : journey.verbs) {
        verbs += QStringList{word(one.verb),
                             one.expected == Outcome::Done ? u"can be done"_s : label(one.expected),
                             plainText(one.reason)};
    }
    if (verbs.size() > 1)
        lines += tableText(verbs);
    QList<QStringList> audit{{u"WHEN"_s, u"WHO"_s, u"VERB"_s, u"BEFORE"_s, u"AFTER"_s}};
    for (const AuditTrace &one : journey.traces) {
        audit += QStringList{timeOrDash(one.activity.at), plainText(one.activity.who),
                             one.activity.verb ? word(*one.activity.verb) : u"-"_s,
                             plainText(one.item.before), plainText(one.item.after)};
    }
    if (audit.size() > 1)
        lines += tableText(audit);
    for (const IdTrace &trace : verdict.traces) {
        if (trace.place == IdTrace::Place::Record)
            continue; // told above
        lines += u"%1: %2%3"_s.arg(label(trace.place), plainText(trace.text),
                                   trace.at.isValid() ? u", "_s + timeOrDash(trace.at) : QString());
    }
    for (const QString &gap : verdict.gaps)
        lines += u"not looked through: "_s + plainText(gap);
    return lines.join(u'\n');
}

void addShowOptions(QCommandLineParser &parser)
{
    parser.addPositionalArgument(u"ID"_s, u"The key of the row, or the id of its task."_s);
    parser.addOptions({
        {u"decode"_s,
         u"Takes the payload apart: base64, gzip, zstd, JSON, CBOR …, and its tree."_s},
        {u"decode-as"_s,
         u"The same, and says what the payload is: %1."_s.arg(payloadFormatWords().join(u", "_s)),
         u"FORMAT"_s},
        {u"descriptor-set"_s,
         u"Decodes messages of protobuf by this file; protoc --include_imports "
         u"--descriptor_set_out writes it."_s,
         u"FILE"_s},
        {u"message-type"_s,
         u"With it: which message the payloads of a type are, or of all; may be repeated."_s,
         u"[TYPE=]MESSAGE"_s},
        {u"decode-with"_s,
         u"Decodes the payload with a program that reads it on stdin: its path, "
         u"[\"program\",\"argument\"], "
         u"or - for that of the profile."_s,
         u"COMMAND"_s},
    });
    addUnmaskedOption(parser);
}

/// How payloads are to be decoded.
struct Decoding
{
    std::optional<PayloadFormat> format; ///< what a person says
    MessageTypes types;
    QStringList command; ///< a decoder of one's own; empty: ours
};

/// Of --decode-with: a program and its arguments. Fails with Invalid where it is none.
Result<QStringList> saidCommand(const QString &text, const Profile &profile)
{
    QStringList command{text};
    if (text == "-"_L1) {
        command = profile.decoder;
    } else if (text.startsWith(u'[')) {
        command
            = commandFrom(QJsonDocument::fromJson(text.toUtf8()).array()).value_or(QStringList());
    }
    if (command.isEmpty() || command.first().isEmpty()) {
        return fail(Error::Kind::Invalid, u"reading --decode-with"_s,
                    text == "-"_L1 ? u"the profile has no decoder"_s : u"it is no command"_s, {},
                    u"The path of a program, or [\"program\",\"argument\"]."_s);
    }
    return command;
}

/// What a program makes of a payload; waits for it.
Result<DecodedPayload> decodedWith(const QStringList &command, const QByteArray &payload,
                                   const QString &type)
{
    ChildCommand child;
    QEventLoop loop;
    Result<QByteArray> output;
    QObject::connect(&child, &ChildCommand::ended, &loop, [&](const Result<QByteArray> &ended) {
        output = ended;
        loop.quit();
    });
    child.start(command, payload, type);
    loop.exec();
    const QByteArray bytes = TRY(output);
    return decodedOutput(bytes);
}

/// Of the profile, where the command line says nothing else. Fails where the file that it names
/// cannot be read, and where it makes no sense.
Result<MessageTypes> saidTypes(const QCommandLineParser &parser, const Profile &profile)
{
    ProtobufMapping mapping = profile.protobuf;
    const bool isSaid = parser.isSet(u"descriptor-set"_s) || parser.isSet(u"message-type"_s);
    if (parser.isSet(u"descriptor-set"_s))
        mapping.descriptorSet = parser.value(u"descriptor-set"_s);
    if (parser.isSet(u"message-type"_s))
        mapping.messages = parser.values(u"message-type"_s);
    const QString doing = u"reading --descriptor-set and --message-type"_s;
    if (const QString why = mapping.problem(); isSaid && !why.isEmpty())
        return fail(Error::Kind::Invalid, doing, why);
    MessageTypes types = messageTypesOf(mapping);
    if (isSaid && !types.problem.isEmpty())
        return fail(Error::Kind::Invalid, doing, types.problem);
    return types;
}

/// A payload, or why it cannot be decoded.
struct DecodedSide
{
    QString of; ///< "row", "task"
    Result<DecodedPayload> payload;
};

/// With `masks` there is no `format`: read as something else, a payload has other names.
DecodedSide decodedSide(const QString &of, const QByteArray &payload, qint64 storedBytes,
                        const QString &type, const Decoding &how, const PayloadMasks &masks)
{
    const ShownPayload shown = masks.shown(payload, storedBytes);
    if (shown.how() == ShownPayload::How::Masked)
        return {of, shown.decoded()};
    if (shown.how() == ShownPayload::How::Hidden)
        return {of,
                fail(Error::Kind::Unsupported, u"decoding the payload of the %1"_s.arg(of),
                     shown.why())};
    if (payload.size() < storedBytes) {
        return {of,
                fail(Error::Kind::Unsupported, u"decoding the payload of the %1"_s.arg(of),
                     u"only %1 of its %2 bytes were read"_s.arg(countText(payload.size()),
                                                                countText(storedBytes)))};
    }
    if (!how.command.isEmpty())
        return {of, decodedWith(how.command, payload, type)};
    PayloadQuestion question;
    question.payload = payload;
    question.message = how.types.of(type);
    question.format = how.format;
    return {of, decodedAsAsked(question)};
}

/// Those of row and task; that of the task only where it is another one.
QList<DecodedSide> decodedSides(const IdVerdict &verdict, const Decoding &how,
                                const PayloadMasks &masks)
{
    QList<DecodedSide> sides;
    const auto &row = verdict.row;
    const auto &task = verdict.task;
    if (row && row->payloadBytes >= 0)
        sides += decodedSide(u"row"_s, row->payload, row->payloadBytes, row->type, how, masks);
    if (task && (sides.isEmpty() || task->payload != row->payload))
        sides += decodedSide(u"task"_s, task->payload, task->payloadBytes, task->type, how, masks);
    return sides;
}

QJsonObject toJson(const QList<DecodedSide> &sides)
{
    QJsonObject json;
    for (const DecodedSide &side : sides)
        json[side.of] = side.payload ? decodedJson(*side.payload)
                                     : QJsonObject{{u"error"_s, errorJson(side.payload.error())}};
    return json;
}

QString toText(const QList<DecodedSide> &sides)
{
    QStringList lines;
    for (const DecodedSide &side : sides) {
        if (side.payload) {
            lines += u"payload of the %1"_s.arg(side.of);
            lines += decodedText(*side.payload);
        } else {
            lines += u"payload of the %1 not decoded: %2"_s.arg(
                side.of, plainText(oneLine(side.payload.error())));
        }
    }
    return lines.join(u'\n');
}

ExitCode runShowCommand(const QCommandLineParser &parser, const Target &target,
                        const Printer &printer)
{
    const QStringList arguments = parser.positionalArguments();
    const MessageId id{arguments.value(0)};
    if (arguments.size() != 1 || id.isEmpty())
        return printer.usage(u"one ID is needed"_s, u"outboxctl show ID …"_s);
    Decoding how;
    if (parser.isSet(u"decode-as"_s)) {
        how.format = payloadFormatFromWord(parser.value(u"decode-as"_s));
        if (!how.format) {
            return printer.usage(
                u"--decode-as: \"%1\" is no format"_s.arg(parser.value(u"decode-as"_s)),
                u"known values: "_s + payloadFormatWords().join(u", "_s));
        }
    }
    const bool isSaid = how.format || parser.isSet(u"decode-with"_s);
    if (isSaid && !target.profile.masks.isEmpty() && !parser.isSet(u"unmasked"_s)) {
        return printer.usage(u"--decode-as and --decode-with: the profile has masks, which fit "
                             u"what the payload itself is"_s,
                             u"--decode, or the same with --unmasked"_s);
    }
    const bool isWanted = isSaid || parser.isSet(u"decode"_s) || parser.isSet(u"descriptor-set"_s)
        || parser.isSet(u"message-type"_s);
    if (parser.isSet(u"decode-with"_s)) {
        const auto command = saidCommand(parser.value(u"decode-with"_s), target.profile);
        if (!command)
            return printer.usage(command.error());
        how.command = *command;
    }
    if (isWanted) {
        const auto types = saidTypes(parser, target.profile);
        if (!types)
            return printer.usage(types.error());
        how.types = *types;
    }
    OperationOptions options;
    options.target = target;
    options.stateFolder
        = Folders::standard(parser.value(u"config-dir"_s), parser.value(u"state-dir"_s)).state;
    OperationRun run(printer, options);
    const auto journey = run.look(
        [id](OperatorSession &session) -> Result<Journey> { return journeyOf(session, id); });
    if (!journey)
        return run.signalled() ? *run.signalled() : printer.error(journey.error());
    const IdVerdict &verdict = journey->verdict;
    const auto masks = masksFor(parser, target, printer, u"message "_s + id.text);
    if (!masks)
        return printer.error(masks.error());
    QList<DecodedSide> sides;
    if (isWanted)
        sides = decodedSides(verdict, how, *masks);
    if (printer.isJson()) {
        QJsonObject json = toJson(*journey, *masks);
        if (!sides.isEmpty())
            json["decoded"_L1] = toJson(sides);
        printer.object(json);
    } else {
        const QString text = toText(*journey, *masks);
        printer.line(sides.isEmpty() ? text : QString(text + u'\n' + toText(sides)));
    }
    if (verdict.rowError)
        return printer.error(*verdict.rowError);
    if (!isFound(verdict))
        return ExitCode::NothingMatched;
    const bool isDecoded = std::all_of(sides.cbegin(), sides.cend(), [](const DecodedSide &side) {
        return side.payload.has_value();
    });
    return isDecoded ? ExitCode::Ok : ExitCode::Failed;
}

} // namespace

Command showCommand()
{
    return {
        .name = u"show"_s,
        .summary
        = u"The journey of one message: row, task, records, exports, and what each verb would do "
          u"now; "
          u"also of one that is gone."_s,
        .addOptions = addShowOptions,
        .run = runShowCommand,
        .takesArguments = true};
}

} // namespace outbox
