// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/rowjson.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/utctext.h"

#include <QStringDecoder>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

std::optional<QString> asText(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    QString text = decoder(bytes);
    if (decoder.hasError() || text.contains(QChar(0)))
        return std::nullopt;
    return text;
}

} // namespace

QJsonValue timeJson(const std::optional<QDateTime> &time)
{
    return time && time->isValid() ? QJsonValue(utcText(*time)) : QJsonValue();
}

QJsonObject holderJson(const LockHolder &holder)
{
    return {{u"pid"_s, holder.pid > 0 ? QJsonValue(holder.pid) : QJsonValue()},
            {u"application"_s, holder.application},
            {u"since_s"_s, holder.sinceSeconds ? QJsonValue(*holder.sinceSeconds) : QJsonValue()},
            {u"several"_s, holder.several}};
}

QJsonObject payloadJson(const ShownPayload &shown)
{
    const QByteArray &payload = shown.bytes();
    QJsonObject json{{u"bytes"_s, shown.storedBytes()}};
    if (shown.how() == ShownPayload::How::Masked)
        json["masked"_L1] = true;
    if (!shown.why().isEmpty()) {
        json["hidden"_L1] = shown.why();
        return json;
    }
    // What is masked is whole, and has a length of its own.
    const qint64 bytes = shown.isClear() ? shown.storedBytes() : payload.size();
    if (payload.size() < bytes)
        json["cut"_L1] = true;
    // A prefix may end inside a character: up to three bytes of it do not make the payload binary.
    for (int dropped = 0; dropped <= (payload.size() < bytes ? 3 : 0); ++dropped) {
        if (const auto text
            = asText(payload.chopped(std::min<qsizetype>(dropped, payload.size())))) {
            json["text"_L1] = *text;
            return json;
        }
    }
    json["base64"_L1] = QString::fromLatin1(payload.toBase64());
    return json;
}

QJsonObject rowJson(const Message &row, const PayloadMasks &masks)
{
    QJsonObject json{{u"id"_s, row.id.text},
                     {u"state"_s, word(row.state)},
                     {u"type"_s, row.type},
                     {u"created"_s, timeJson(row.created)},
                     {u"processed"_s, timeJson(row.processed)},
                     {u"age_s"_s, row.ageSeconds ? QJsonValue(*row.ageSeconds) : QJsonValue()},
                     {u"payload"_s, payloadJson(masks.shown(row.payload, row.payloadBytes))}};
    if (row.attempts)
        json["attempts"_L1] = *row.attempts;
    if (!row.error.isEmpty())
        json["error"_L1] = row.error;
    if (!row.queue.isEmpty())
        json["queue"_L1] = row.queue;
    if (!row.reference.isEmpty())
        json["reference"_L1] = row.reference;
    if (!row.note.isEmpty())
        json["note"_L1] = row.note;
    if (row.parkedSince)
        json["parked_since"_L1] = timeJson(row.parkedSince);
    if (row.lockedBy)
        json["locked_by"_L1] = holderJson(*row.lockedBy);
    return json;
}

QJsonObject taskJson(const Task &task, const PayloadMasks &masks)
{
    QJsonObject json{{u"id"_s, task.id.text},
                     {u"queue"_s, task.queue.text},
                     {u"state"_s, word(task.state)},
                     {u"type"_s, task.type},
                     {u"retried"_s, task.retried},
                     {u"max_retry"_s, task.maxRetry},
                     {u"retention_s"_s, task.retentionSeconds},
                     {u"timeout_s"_s, task.timeoutSeconds},
                     {u"payload"_s, payloadJson(masks.shown(task.payload, task.payloadBytes))}};
    const QList<std::pair<QString, std::optional<QDateTime>>> times{
        {u"pending_since"_s, task.pendingSince}, {u"next_run"_s, task.nextRun},
        {u"last_failed"_s, task.lastFailed},     {u"archived_at"_s, task.archivedAt},
        {u"completed_at"_s, task.completedAt},   {u"kept_until"_s, task.keptUntil},
        {u"lease_until"_s, task.leaseUntil},     {u"deadline"_s, task.deadline}};
    for (const auto &[member, time] : times) {
        if (time)
            json[member] = timeJson(time);
    }
    if (!task.lastError.isEmpty())
        json["error"_L1] = task.lastError;
    if (!task.group.isEmpty())
        json["group"_L1] = task.group;
    if (!task.uniqueKey.isEmpty())
        json["unique_key"_L1] = task.uniqueKey;
    if (!task.headers.isEmpty()) {
        QJsonObject headers;
        for (auto header = task.headers.cbegin(); header != task.headers.cend(); ++header)
            headers[header.key()] = header.value();
        json["headers"_L1] = headers;
    }
    if (!task.result.isEmpty())
        json["result"_L1] = payloadJson(masks.shown(task.result));
    if (task.damaged)
        json["damaged"_L1] = true;
    if (!task.note.isEmpty())
        json["note"_L1] = task.note;
    return json;
}

QString payloadLine(const ShownPayload &shown, int limit)
{
    if (!shown.why().isEmpty())
        return u'(' + shown.why() + u')';
    const QByteArray &payload = shown.bytes();
    if (const auto text = asText(payload))
        return plainText(text->left(limit));
    return u"0x"_s + QString::fromLatin1(payload.left(limit / 2).toHex());
}

QString holderCell(const LockHolder &holder)
{
    if (holder.several)
        return u"several sessions"_s;
    QString text
        = holder.application.isEmpty() ? u"a session"_s : plainText(holder.application.left(60));
    if (holder.pid > 0)
        text += u" ("_s + QString::number(holder.pid) + u')';
    if (holder.sinceSeconds)
        text += u", "_s + spanText(*holder.sinceSeconds);
    return text;
}

} // namespace outbox
