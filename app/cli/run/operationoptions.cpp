// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/operationoptions.h"

#include "app/settings/folders.h"
#include "models/filter/rowfilter.h"
#include "models/filter/taskfilter.h"

#include <QCommandLineParser>
#include <QFile>

#include <cstdio>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostOfChunk = 500;
constexpr int longestPauseMs = 86'400'000;
constexpr qint64 longestLine = 65'536;
constexpr qint64 mostPayload = qint64(512) * 1024 * 1024; ///< bytes

Failure misread(const QString &option, const QString &text, const QString &hint = {})
{
    return fail(Error::Kind::Invalid, u"reading "_s + option, text, {}, hint);
}

/// A line without its own end; blanks may be part of an id.
QString withoutEnd(QByteArray line)
{
    if (line.endsWith('\n'))
        line.chop(line.endsWith("\r\n") ? 2 : 1);
    return QString::fromUtf8(line);
}

Result<QStringList> linesOf(const QString &path)
{
    QFile file(path);
    const bool opened
        = path == u"-" ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!opened)
        return misread(u"--ids-file"_s, path + u": "_s + file.errorString());
    QStringList lines;
    while (true) {
        const QByteArray line = file.readLine(longestLine);
        if (line.isEmpty())
            break;
        if (line.size() >= longestLine - 1)
            return misread(u"--ids-file"_s, u"line %1 is too long"_s.arg(lines.size() + 1));
        if (const QString id = withoutEnd(line); !id.isEmpty())
            lines += id;
    }
    if (file.error() != QFileDevice::NoError)
        return misread(u"--ids-file"_s, path + u": "_s + file.errorString());
    return lines;
}

/// The ids and the filter of a selection, of which there must be exactly one.
Result<QStringList> idsOrFilter(const QCommandLineParser &parser)
{
    auto ids = selectedIds(parser);
    if (!ids)
        return ids;
    if (!ids->isEmpty() && parser.isSet(u"filter"_s))
        return misread(u"the command line"_s, u"ids and --filter exclude each other"_s);
    if (ids->isEmpty() && parser.value(u"filter"_s).trimmed().isEmpty()
        && !parser.isSet(u"ids-file"_s)) {
        return misread(u"the command line"_s, u"nothing was selected"_s,
                       u"Name ids, --ids-file FILE, or --filter EXPR"_s);
    }
    return ids;
}

} // namespace

Result<QByteArray> payloadFrom(const QString &path)
{
    const QString option = u"--payload-file"_s;
    QFile file(path);
    const bool opened
        = path == u"-" ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!opened)
        return misread(option, path + u": "_s + file.errorString());
    QByteArray payload = file.read(mostPayload + 1);
    if (file.error() != QFileDevice::NoError)
        return misread(option, path + u": "_s + file.errorString());
    if (payload.size() > mostPayload)
        return misread(option, u"a payload has at most 512 MB"_s);
    return payload;
}

Result<int> numberOf(const QCommandLineParser &parser, const QString &option, int least, int most)
{
    bool ok = false;
    const int number = parser.value(option).toInt(&ok);
    if (!ok || number < least || number > most) {
        return misread(
            u"--"_s + option,
            u"\"%1\" is no number from %2 to %3"_s.arg(parser.value(option)).arg(least).arg(most));
    }
    return number;
}

void addOperationOptions(QCommandLineParser &parser)
{
    parser.addOptions({
        {u"yes"_s, u"Carries the plan out; without it the plan is printed and nothing changes."_s},
        {u"note"_s, u"Why; kept in the audit."_s, u"TEXT"_s},
        {u"confirm"_s, u"The text that the plan of a production profile asks for."_s, u"TEXT"_s},
        {u"unlock"_s, u"Lets a read-only profile write this once; audited."_s, u"REASON"_s},
        {u"chunk"_s, u"Messages a transaction or script, at most 500 (500)."_s, u"N"_s, u"500"_s},
        {u"pause"_s, u"Rest between two chunks (0)."_s, u"DURATION"_s, u"0"_s},
        {u"limit"_s, u"A plan never holds more than so many messages."_s, u"N"_s},
    });
    addActingOptions(parser);
}

void addSecondExecutionOption(QCommandLineParser &parser)
{
    parser.addOption({u"allow-second-execution"_s,
                      u"Messages that ran before, or may have, may run once more."_s});
}

void addTrimOption(QCommandLineParser &parser)
{
    parser.addOption(
        {u"trim"_s, u"The oldest archived tasks may go, exported first, to make room."_s});
}

Result<OperationOptions> operationOptions(const QCommandLineParser &parser, const Target &target)
{
    OperationOptions options;
    options.target = target;
    options.confirmed = parser.isSet(u"yes"_s);
    options.isTyped = parser.isSet(u"confirm"_s);
    options.consent.typed = parser.value(u"confirm"_s);
    options.consent.note = parser.value(u"note"_s);
    const QStringList known = parser.optionNames();
    options.consent.secondExecution = known.contains(u"allow-second-execution"_s);
    options.consent.trim = known.contains(u"trim"_s);
    options.unlockReason = parser.value(u"unlock"_s).trimmed();
    if (parser.isSet(u"unlock"_s) && options.unlockReason.isEmpty())
        return misread(u"--unlock"_s, u"a reason is needed"_s);
    // Parts that somebody wrote out are meant as they stand; a saved profile says itself.
    options.isLocked = parser.isSet(u"profile"_s) && target.profile.readOnly;
    options.chunk = TRY(numberOf(parser, u"chunk"_s, 1, mostOfChunk));
    const auto pause = TRY(durationMs(parser.value(u"pause"_s), u"--pause"_s));
    options.pauseMs = static_cast<int>(std::min<qint64>(pause, longestPauseMs));
    if (parser.isSet(u"limit"_s)) {
        options.target.profile.mostItems
            = TRY(numberOf(parser, u"limit"_s, 1, target.profile.mostItems));
    }
    options.acting = TRY(actingSecretsOf(parser, target));
    options.stateFolder
        = Folders::standard(parser.value(u"config-dir"_s), parser.value(u"state-dir"_s)).state;
    return options;
}

void addSelectionOptions(QCommandLineParser &parser, const QString &what)
{
    parser.addPositionalArgument(u"ID"_s, u"Ids of %1s."_s.arg(what), u"[ID…]"_s);
    parser.addOptions({
        {u"ids-file"_s, u"A file with one id a line; - reads them from stdin."_s, u"FILE"_s},
        {u"filter"_s,
         u"All %1s that match, e.g. 'type:email:* state:%2'."_s.arg(
             what, what == u"row" ? u"processed"_s : u"retry"_s),
         u"EXPR"_s},
    });
}

Result<QStringList> selectedIds(const QCommandLineParser &parser)
{
    QStringList ids;
    for (const QString &argument : parser.positionalArguments()) {
        if (!argument.isEmpty())
            ids += argument;
    }
    if (parser.isSet(u"ids-file"_s)) {
        ids += TRY(linesOf(parser.value(u"ids-file"_s)));
    }
    return ids;
}

Result<Selection> rowSelection(const QCommandLineParser &parser)
{
    const auto ids = TRY(idsOrFilter(parser));
    Selection selection;
    for (const QString &id : ids)
        selection.rows += MessageId{id};
    selection.filter = parser.value(u"filter"_s);
    TRY(pageRequestFromFilter(selection.filter, {}, QDateTime::currentDateTime()));
    return selection;
}

Result<QueueName> meantQueue(const QCommandLineParser &parser, const Profile &profile)
{
    const QueueShards shards = profile.shards();
    if (!shards.isEmpty() && !parser.isSet(u"queue"_s)) {
        return fail(Error::Kind::Invalid, u"reading the command line"_s,
                    u"rows are shared out among \"%1\", and no queue is named"_s.arg(shards.text()),
                    {}, u"Name the queue with --queue, as `outboxctl show ID` prints it"_s);
    }
    return QueueName{profile.queue};
}

Result<Selection> taskSelection(const QCommandLineParser &parser, const Profile &profile)
{
    const auto ids = TRY(idsOrFilter(parser));
    Selection selection;
    for (const QString &id : ids)
        selection.tasks += TaskId{id};
    selection.queue = TRY(meantQueue(parser, profile));
    selection.filter = parser.value(u"filter"_s);
    TRY(TaskFilter::fromText(selection.filter, QDateTime::currentDateTime()));
    return selection;
}

} // namespace outbox
