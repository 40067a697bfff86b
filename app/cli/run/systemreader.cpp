// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/systemreader.h"

#include "app/cli/output/rowjson.h"
#include "app/cli/run/await.h"
#include "app/settings/opening.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/system/relaylist.h"
#include "models/system/shardsums.h"
#include "models/utctext.h"

#include <QJsonArray>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostQueueLines = 20;

double rounded(double value, double step)
{
    return std::round(value / step) * step;
}

QJsonObject notesJson(const QMap<QString, QString> &notes)
{
    QJsonObject json;
    for (auto note = notes.begin(); note != notes.end(); ++note)
        json[note.key()] = note.value();
    return json;
}

QJsonObject outboxJson(const OutboxSnapshot &outbox)
{
    QJsonObject json{{u"pending"_s, valueOrNull(outbox.pending)},
                     {u"waiting"_s, valueOrNull(outbox.waiting)},
                     {u"locked"_s, valueOrNull(outbox.locked)},
                     {u"processed"_s, valueOrNull(outbox.processed)},
                     {u"failed"_s, valueOrNull(outbox.failed)},
                     {u"parked"_s, valueOrNull(outbox.parked)},
                     {u"unknown"_s, valueOrNull(outbox.unknown)},
                     {u"oldest_pending_s"_s, valueOrNull(outbox.oldestPendingSeconds)},
                     {u"exact"_s, outbox.exact},
                     {u"took_ms"_s, rounded(outbox.tookMs, 0.1)}};
    if (outbox.guess) {
        json["mapping"_L1] = QJsonObject{{u"confidence"_s, valueOrNull(outbox.guess->confidence)},
                                         {u"confirmed"_s, QJsonValue()},
                                         {u"questions"_s, outbox.guess->questions}};
    }
    if (outbox.standby) {
        json["role"_L1] = u"standby"_s;
        json["lag_s"_L1] = valueOrNull(outbox.standby->lagSeconds);
    }
    QMap<QString, QString> notes = outbox.notes;
    if (!outbox.writerNote.isEmpty())
        notes[u"writer"_s] = outbox.writerNote;
    if (!notes.isEmpty())
        json["notes"_L1] = notesJson(notes);
    return json;
}

QJsonObject dedupJson(const DedupSnapshot &dedup)
{
    return {{u"retained"_s, dedup.retained},
            {u"expired"_s, dedup.expired},
            {u"soonest_expiry"_s, timeJson(dedup.soonestExpiry)},
            {u"latest_expiry"_s, timeJson(dedup.latestExpiry)},
            {u"bytes"_s, valueOrNull(dedup.bytes)},
            {u"bytes_are"_s, dedup.bytes ? QJsonValue(u"sampled"_s) : QJsonValue()}};
}

QJsonObject rowHolderJson(const LockHolder &holder)
{
    QJsonObject json{{u"pid"_s, holder.pid > 0 ? QJsonValue(holder.pid) : QJsonValue()},
                     {u"application"_s, holder.application},
                     {u"rows"_s, holder.rows},
                     {u"since_s"_s, valueOrNull(holder.sinceSeconds)}};
    if (holder.several)
        json["several"_L1] = true;
    return json;
}

/// Of the profile's queue, which is the first one.
QList<ListedRelay> relaysIn(const SystemReading &look)
{
    const QList<QueueSnapshot> &queues = look.queue->queues;
    const auto rowWaits = look.outbox ? longestWait(*look.outbox) : std::nullopt;
    return listRelays(queues, queues.first().name, rowWaits);
}

QJsonObject relayJson(const ListedRelay &relay, const QDateTime &now)
{
    const RelayEntry &entry = relay.entry;
    QJsonObject json{
        {u"relay"_s, entry.relay},
        {u"host"_s, QJsonValue()},
        {u"version"_s, QJsonValue()},
        {u"worker"_s, QJsonValue()},
        {u"batch"_s, QJsonValue()},
        {u"started"_s, QJsonValue()},
        {u"ended"_s, QJsonValue()},
        {u"last_batch"_s, utcText(entry.lastBatch)},
        {u"last_batch_age_s"_s,
         rounded(std::max(static_cast<double>(entry.lastBatch.msecsTo(now)) / 1000, 0.0), 0.1)},
        {u"state"_s, word(relay.activity)}};
    if (entry.about) {
        json["host"_L1] = entry.about->host;
        json["version"_L1] = entry.about->version;
        json["worker"_L1] = entry.about->worker;
        json["batch"_L1] = entry.about->batch;
        json["started"_L1] = utcText(entry.about->started);
        if (entry.about->ended.isValid())
            json["ended"_L1] = utcText(entry.about->ended);
    }
    return json;
}

/// null where they cannot be read; a note of the queue says why.
QJsonValue relaysJson(const SystemReading &look)
{
    const QueueSnapshot &own = look.queue->queues.first();
    QJsonArray relays;
    for (const ListedRelay &relay : relaysIn(look))
        relays.append(relayJson(relay, own.at));
    return relays.isEmpty() && own.notes.contains(u"relays"_s) ? QJsonValue() : QJsonValue(relays);
}

QString lineOf(const QueueSnapshot &queue)
{
    QString line
        = u"queue    %1: pending %2, active %3, scheduled %4, retry %5, dead %6, done %7"_s.arg(
            plainText(queue.name.text), countText(queue.pending), countText(queue.active),
            countText(queue.scheduled), countText(queue.retry), countText(queue.archived),
            countText(queue.completed));
    if (!queue.aggregating)
        line += u", in groups not known"_s;
    else if (*queue.aggregating > 0)
        line += u", in groups "_s + countText(*queue.aggregating);
    if (queue.oldestPendingSeconds)
        line += u", next waits "_s + spanText(*queue.oldestPendingSeconds);
    if (const QString shards = queue.notes.value(u"shards"_s); !shards.isEmpty())
        line += u" ("_s + plainText(shards) + u')';
    return queue.paused ? line + u", PAUSED"_s : line;
}

QString countOrUnknown(const std::optional<qint64> &count)
{
    return count ? countText(*count) : u"not known"_s;
}

} // namespace

SystemReader::SystemReader(const Target &target)
    : m_target(target), m_judge(target.profile), m_database(u"reader"_s), m_queue(u"queue"_s)
{ }

Result<OutboxShape> SystemReader::openDatabase()
{
    const auto settings = TRY(databaseSettingsOf(m_target, u"outboxctl"_s));
    auto shape = await(
        m_database,
        [settings, target = m_target, anew = !m_judge.shape().has_value()](OutboxSource &source) {
            return source.recognize(settings, target.stateFolder, target.profile, anew);
        });
    if (shape)
        m_judge.setShape(*shape);
    return shape;
}

Result<void> SystemReader::openQueue()
{
    const auto endpoint = TRY(redisOf(m_target.profile, m_target.secrets));
    return await(m_queue, [endpoint](AsynqInspector &inspector) {
        return inspector.ready(endpoint, sessionName(u"outboxctl"_s));
    });
}

SystemReading SystemReader::look(Arrivals arrivals)
{
    SystemReading look{QDateTime::currentDateTimeUtc(), OutboxSnapshot(), QueueReading(), {}};
    if (auto opened = openDatabase(); !opened)
        look.outbox = passOn(opened);
    else
        look.outbox = await(m_database, [arrivals](OutboxSource &source) {
            return source.snapshot(liveCaps, arrivals);
        });

    if (auto opened = openQueue(); !opened) {
        look.queue = passOn(opened);
    } else {
        look.queue = await(m_queue, [profile = m_target.profile](AsynqInspector &inspector) {
            return readEveryQueue(inspector, profile);
        });
    }
    m_judge.take(look);
    return look;
}

// A look as the JSON object of `status --json` and as a few lines for people.

QJsonObject queueJson(const QueueSnapshot &queue)
{
    QJsonObject json{{u"name"_s, queue.name.text},
                     {u"pending"_s, queue.pending},
                     {u"active"_s, queue.active},
                     {u"scheduled"_s, queue.scheduled},
                     {u"retry"_s, queue.retry},
                     {u"aggregating"_s, valueOrNull(queue.aggregating)},
                     {u"archived"_s, queue.archived},
                     {u"completed"_s, queue.completed},
                     {u"paused"_s, queue.paused},
                     {u"oldest_pending_s"_s, valueOrNull(queue.oldestPendingSeconds)},
                     {u"servers"_s, valueOrNull(queue.servers)},
                     {u"took_ms"_s, rounded(queue.tookMs, 0.1)}};
    QMap<QString, QString> notes = queue.notes;
    if (!queue.known)
        notes[u"known"_s] = u"the queue is not listed in asynq:queues"_s;
    if (!notes.isEmpty())
        json["notes"_L1] = notesJson(notes);
    return json;
}

QJsonObject toJson(const SystemReading &look)
{
    QJsonObject json{{u"at"_s, utcText(look.at)}};
    QJsonObject notes;
    if (look.outbox) {
        json["outbox"_L1] = outboxJson(*look.outbox);
        QJsonArray holders;
        for (const LockHolder &holder : look.outbox->holders)
            holders.append(rowHolderJson(holder));
        json["relay"_L1] = QJsonObject{{u"holders"_s, holders}};
    } else {
        json["outbox"_L1] = QJsonValue();
        json["relay"_L1] = QJsonValue();
        notes["outbox"_L1] = oneLine(look.outbox.error());
    }
    if (look.queue) {
        json["queue"_L1] = queueJson(look.ownQueue());
        QJsonArray all;
        for (const QueueSnapshot &queue : look.queue->queues)
            all.append(queueJson(queue));
        json["queues"_L1] = all;
        json["dedup"_L1] = dedupJson(*look.queue->dedup);
        json["relays"_L1] = relaysJson(look);
    } else {
        json["queue"_L1] = QJsonValue();
        json["queues"_L1] = QJsonValue();
        json["dedup"_L1] = QJsonValue();
        json["relays"_L1] = QJsonValue();
        notes["queue"_L1] = oneLine(look.queue.error());
    }
    json["durability"_L1] = look.report.promise.isEmpty() ? QJsonValue() : look.report.promise;
    QJsonArray causes;
    for (const HealthCause &cause : look.report.causes)
        causes.append(QJsonObject{{u"level"_s, word(cause.level)}, {u"text"_s, cause.text}});
    json["health"_L1] = QJsonObject{{u"level"_s, word(look.report.level)},
                                    {u"sentence"_s, look.report.sentence},
                                    {u"causes"_s, causes}};
    if (!notes.isEmpty())
        json["notes"_L1] = notes;
    return json;
}

QString toText(const SystemReading &look)
{
    QStringList lines{word(look.report.level) + u"  "_s + look.report.sentence};
    if (look.outbox) {
        const OutboxSnapshot &outbox = *look.outbox;
        QString line = u"outbox   pending %1, locked %2, processed %3"_s.arg(
            countOrUnknown(outbox.pending), countOrUnknown(outbox.locked),
            countOrUnknown(outbox.processed));
        for (const auto &[name, count] :
             {std::pair(u"waiting"_s, outbox.waiting), std::pair(u"failed"_s, outbox.failed),
              std::pair(u"parked"_s, outbox.parked),
              std::pair(u"in no known state"_s, outbox.unknown)}) {
            if (count.value_or(0) > 0)
                line += u", %1 %2"_s.arg(name, countText(*count));
        }
        if (outbox.oldestPendingSeconds)
            line += u", oldest "_s + spanText(*outbox.oldestPendingSeconds);
        else if (const QString why = outbox.notes.value(u"oldest_pending_s"_s);
                 why.startsWith("not known"_L1))
            line += u", oldest "_s + plainText(why);
        if (outbox.guess)
            line += u" (the mapping is a guess)"_s;
        else if (!outbox.exact)
            line += u" (not exact)"_s;
        lines += line;
        for (const LockHolder &holder : outbox.holders) {
            const QString name = holder.several ? u"several sessions"_s
                : holder.application.isEmpty()  ? u"an unnamed session"_s
                                                : plainText(holder.application);
            lines += u"  held by %1 (pid %2): %3 rows%4"_s.arg(
                name, holder.pid > 0 ? QString::number(holder.pid) : u"not known"_s,
                countText(holder.rows),
                holder.sinceSeconds ? u" since "_s + spanText(*holder.sinceSeconds) : QString());
        }
        if (!outbox.writerNote.isEmpty())
            lines += u"  "_s + plainText(outbox.writerNote);
    } else {
        lines += u"outbox   not known: "_s + plainText(oneLine(look.outbox.error()));
    }
    if (look.queue) {
        const QList<QueueSnapshot> queues
            = withSummedShards(look.queue->queues, look.queue->shards);
        for (const QueueSnapshot &queue : queues.first(std::min(queues.size(), mostQueueLines)))
            lines += lineOf(queue);
        if (queues.size() > mostQueueLines) {
            lines += u"         … and %1 more queues (--json lists all)"_s.arg(
                countText(queues.size() - mostQueueLines));
        }
        if (const QString relays = relaysText(relaysIn(look), queues.first().at); !relays.isEmpty())
            lines += u"relays   "_s + relays;
        const DedupSnapshot &dedup = *look.queue->dedup;
        const QString place = look.queue->shards.isEmpty()
            ? QString()
            : u" in %1 alone"_s.arg(plainText(dedup.name.text));
        lines += u"dedup    %1 ids kept%2, %3 of them past their time"_s.arg(
            countText(dedup.retained), place, countText(dedup.expired));
    } else {
        lines += u"queue    not known: "_s + plainText(oneLine(look.queue.error()));
    }
    if (!look.report.promise.isEmpty())
        lines += u"durable  "_s + look.report.promise;
    return lines.join(u'\n');
}

} // namespace outbox
