// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/rowreader.h"

#include "models/localtime.h"
#include "models/phrases.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimeZone>

#include <algorithm>
#include <numeric>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

std::optional<QDateTime> timeOf(const std::optional<qint64> &microseconds)
{
    if (!microseconds)
        return std::nullopt;
    return QDateTime::fromMSecsSinceEpoch(*microseconds / 1000, Qt::UTC);
}

LockHolder holderOf(const SqlRows &rows, qsizetype row, int kind, int pid, int application,
                    int seconds)
{
    LockHolder holder;
    holder.pid = rows.integer(row, pid).value_or(0);
    holder.application = rows.text(row, application);
    holder.sinceSeconds = rows.number(row, seconds);
    holder.several = rows.bytes(row, kind) == "several";
    return holder;
}

MessageState stateOf(const SqlRows &rows, qsizetype row, int column)
{
    return messageStateFromWord(rows.text(row, column)).value_or(MessageState::Unknown);
}

/// A time that a person would have to explain.
QString untoldTime(const QString &column)
{
    return u"not known: the time zone of \"%1\" (--time-zone)"_s.arg(column);
}

QString whyUnknown(const OutboxShape &shape)
{
    if (QString why = shape.whyTimesUntold(); !why.isEmpty())
        return why;
    return shape.tellsProcessed()
        ? u"its columns say nothing that the mapping knows"_s
        : u"whether it was delivered stands in the log of the database, not in the table"_s;
}

/// A lease that is over leaves the row pending; its owner is named, since it may still be at work.
void readLease(const SqlRows &rows, qsizetype row, const OutboxShape &shape, Message &message)
{
    using namespace PageColumn;
    const QByteArray &lease = rows.bytes(row, Lease);
    const bool isTold = message.state != MessageState::Unknown || shape.whyTimesUntold().isEmpty();
    if (lease.isEmpty() || message.state == MessageState::Processed
        || message.state == MessageState::Failed || !isTold)
        return;
    const auto end = rows.integer(row, LeaseEndUs);
    message.leaseUntil = timeOf(end);
    if (message.lockedBy)
        return; // a session that holds the row itself is the nearer holder
    message.lockedBy = LockHolder{0, rows.text(row, LeaseOwner), std::nullopt, false, 0};
    if (lease == "live") {
        if (message.lockedBy->application.isEmpty())
            message.note = u"leased; the row does not say by whom"_s;
    } else if (const auto now = rows.integer(row, NowUs); now && end) {
        message.note = u"lease expired %1 ago"_s.arg(
            spanText(static_cast<double>(*now - *end) / usPerSecond));
    } else if (lease == "over") {
        message.note = u"whoever took it is gone"_s;
    }
}

} // namespace

Message messageFrom(const SqlRows &rows, qsizetype row, const OutboxShape &shape)
{
    using namespace PageColumn;
    Message message;
    message.id.text = rows.text(row, Key);
    message.type = shape.typeColumn.isEmpty() && shape.typeIn.isEmpty() ? shape.fixedType
                                                                        : rows.text(row, Type);
    message.payload = rows.bytes(row, Payload);
    message.payloadBytes = rows.integer(row, PayloadBytes).value_or(0);
    const auto created = rows.integer(row, CreatedUs);
    message.created = timeOf(created);
    message.task = shape.taskIdFor(message.id.text, rows.integer(row, BornUs));
    message.processed = timeOf(rows.integer(row, ProcessedUs));
    message.processedText = rows.text(row, ProcessedText);
    const auto now = rows.integer(row, NowUs);
    if (created && now)
        message.ageSeconds = static_cast<double>(*now - *created) / usPerSecond;
    if (const auto attempts = rows.integer(row, Attempts))
        message.attempts = static_cast<int>(*attempts);
    message.error = rows.text(row, ErrorText);
    message.queue = shape.queueFor(message.task, rows.text(row, Queue));
    message.version = rows.text(row, Version);
    if (shape.payloadForm == OutboxShape::PayloadForm::Reference)
        message.reference = rows.text(row, RefTable) + u'/' + rows.text(row, RefId);

    message.state = stateOf(rows, row, State);
    if (!rows.isNull(row, LockKind)) {
        message.lockedBy = holderOf(rows, row, LockKind, LockPid, LockApplication, LockSeconds);
        // Relays leave a row alone that is processed or given up, whoever holds it.
        if (message.state != MessageState::Processed && message.state != MessageState::Failed) {
            message.state = MessageState::Locked;
            if (message.lockedBy->several)
                message.note = u"locked by several sessions"_s;
            else if (rows.bytes(row, LockKind) == "undecided")
                message.note = u"held by a session that the database does not name"_s;
            else if (message.lockedBy->pid == 0)
                message.note = u"locked inside a savepoint; the session cannot be told"_s;
        }
    }
    if (message.state == MessageState::Unknown)
        message.note = whyUnknown(shape);
    readLease(rows, row, shape, message);
    return message;
}

QString cursorText(bool newestFirst, const QStringList &place)
{
    const QJsonObject json{{u"newest"_s, newestFirst},
                           {u"after"_s, QJsonArray::fromStringList(place)}};
    return QString::fromLatin1(
        QJsonDocument(json)
            .toJson(QJsonDocument::Compact)
            .toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
}

Result<QStringList> placeOfCursor(const QString &text, bool newestFirst, qsizetype order)
{
    const auto bytes = QByteArray::fromBase64Encoding(
        text.toLatin1(), QByteArray::Base64UrlEncoding | QByteArray::AbortOnBase64DecodingErrors);
    const QJsonObject json = QJsonDocument::fromJson(bytes.decoded).object();
    QStringList place;
    const QJsonArray parts = json.value("after"_L1).toArray();
    for (const auto &part : parts)
        place += part.toString();
    if (json.isEmpty() || json.value("newest"_L1).toBool() != newestFirst
        || place.size() != order) {
        return fail(Error::Kind::Invalid, u"reading the cursor of a page"_s,
                    u"it does not belong to this list"_s, {}, u"Start from the first page."_s);
    }
    return place;
}

namespace {

const QString estimated = u"estimated from the server's statistics"_s;

QString whyNoneProcessed(const OutboxShape &shape)
{
    switch (shape.processedHow) {
    case OutboxShape::ProcessedHow::Deleted:
        return u"processed rows are deleted"_s;
    case OutboxShape::ProcessedHow::Archive:
        return u"processed rows are moved to "_s + shape.processedIn.table.text();
    default:
        return u"nobody said which values mean processed"_s;
    }
}

} // namespace

OutboxSnapshot snapshotFrom(const SqlRows &rows, const OutboxShape &shape, const CountCaps &caps,
                            qint64 before, qint64 after)
{
    using namespace SnapshotColumn;
    OutboxSnapshot snapshot;
    snapshot.tookMs = static_cast<double>(after - before) / 1000;
    const qint64 now = rows.integer(0, NowUs).value_or(after);
    snapshot.at = *timeOf(now);
    snapshot.clockOffsetSeconds
        = static_cast<double>(now - std::midpoint(before, after)) / usPerSecond;
    if (shape.failedHow == OutboxShape::FailedHow::None)
        snapshot.notes[u"failed"_s] = u"the shape has no mark for failed rows"_s;

    QMap<MessageState, qint64> counts;
    qint64 open = 0;
    std::optional<qint64> oldest;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        const qint64 count = rows.integer(row, Rows).value_or(0);
        if (count == 0) // the line of no rows at all
            continue;
        open += count;
        MessageState state = stateOf(rows, row, State);
        if (!rows.isNull(row, LockKind) && state != MessageState::Failed)
            state = MessageState::Locked;
        counts[state] += count;
        if (state == MessageState::Pending) {
            if (const auto created = rows.integer(row, OldestUs))
                oldest = oldest ? qMin(*oldest, *created) : created;
        }
        if (state != MessageState::Locked)
            continue;
        LockHolder holder = holderOf(rows, row, LockKind, LockPid, LockApplication, LockSeconds);
        holder.rows = count;
        // one session may hold rows by its own id and by those of its savepoints
        const auto same = std::find_if(
            snapshot.holders.begin(), snapshot.holders.end(), [&](const LockHolder &one) {
                return one.pid == holder.pid && one.several == holder.several
                    && one.application == holder.application;
            });
        if (same == snapshot.holders.end())
            snapshot.holders += holder;
        else
            same->rows += count;
    }
    std::sort(snapshot.holders.begin(), snapshot.holders.end(),
              [](const LockHolder &a, const LockHolder &b) { return a.rows > b.rows; });
    const qint64 pending = counts.value(MessageState::Pending);
    snapshot.pending = pending;
    snapshot.locked = counts.value(MessageState::Locked);
    snapshot.waiting = counts.value(MessageState::Waiting);
    snapshot.parked = counts.value(MessageState::Parked);
    snapshot.unknown = counts.value(MessageState::Unknown);
    if (shape.failedHow != OutboxShape::FailedHow::None) {
        snapshot.failed
            = counts.value(MessageState::Failed) + rows.integer(0, FailedApart).value_or(0);
    }
    if (snapshot.unknown.value_or(0) > 0)
        snapshot.notes[u"unknown"_s] = whyUnknown(shape);
    const auto size = rows.integer(0, Size);
    if (open > caps.open) {
        snapshot.exact = false;
        // What was not counted is like what was, mostly: rows that wait.
        const bool isEstimate = shape.goWhenSent() && size && *size > open;
        snapshot.counted
            = isEstimate ? OutboxSnapshot::Counted::Estimated : OutboxSnapshot::Counted::Cut;
        if (isEstimate)
            snapshot.pending = pending + *size - open;
        snapshot.notes[u"pending"_s] = isEstimate
            ? estimated
            : u"counting stopped at %1 rows: there are more"_s.arg(caps.open);
        snapshot.notes[u"oldest_pending_s"_s] = u"the oldest of the rows that were counted"_s;
    }
    if (shape.createdColumn.isEmpty())
        snapshot.notes[u"oldest_pending_s"_s] = u"the table has no creation time"_s;
    else if (shape.zoneOf(shape.createdColumn).isEmpty())
        snapshot.notes[u"oldest_pending_s"_s] = untoldTime(shape.createdColumn);
    else if (oldest)
        snapshot.oldestPendingSeconds = static_cast<double>(now - *oldest) / usPerSecond;
    else if (pending > 0)
        snapshot.notes[u"oldest_pending_s"_s]
            = u"no pending row has a creation time that can be read"_s;

    if (!shape.tellsProcessed()) {
        snapshot.pending = std::nullopt;
        snapshot.notes[u"pending"_s] = snapshot.notes[u"processed"_s] = whyUnknown(shape);
        return snapshot;
    }
    if (rows.isNull(0, Processed)) {
        snapshot.notes[u"processed"_s] = whyNoneProcessed(shape);
        return snapshot;
    }
    snapshot.processed = rows.integer(0, Processed);
    if (*snapshot.processed > caps.processed || *snapshot.processed < 0) {
        snapshot.exact = false;
        if (size && *size - open > caps.processed) {
            snapshot.processed = *size - open;
            snapshot.notes[u"processed"_s] = estimated;
        } else {
            snapshot.processed = caps.processed;
            snapshot.notes[u"processed"_s]
                = u"counting stopped at %1 rows: there are more"_s.arg(caps.processed);
        }
    }
    return snapshot;
}

} // namespace outbox
