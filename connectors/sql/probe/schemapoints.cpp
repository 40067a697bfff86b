// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/probe/schemapoints.h"

#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/names/wordmeaning.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QStringList likely{u"message"_s,   u"event"_s,    u"publication"_s, u"envelope"_s, u"job"_s,
                         u"published"_s, u"outgoing"_s, u"queue"_s,       u"enqueue"_s};
const QStringList neighbours{u"inbox"_s,     u"received"_s,     u"incoming"_s,     u"archive"_s,
                             u"dead"_s,      u"letter"_s,       u"lock"_s,         u"sequence"_s,
                             u"offset"_s,    u"version"_s,      u"peer"_s,         u"process"_s,
                             u"execution"_s, u"task"_s,         u"history"_s,      u"state"_s,
                             u"server"_s,    u"node"_s,         u"notification"_s, u"consumption"_s,
                             u"consumer"_s,  u"subscription"_s, u"schedule"_s,     u"batch"_s};
/// What people fill in, and whom it is about: no machine would need it to deliver a message.
const QStringList human{
    u"title"_s,    u"slug"_s,    u"description"_s, u"price"_s,  u"amount"_s,   u"quantity"_s,
    u"email"_s,    u"phone"_s,   u"image"_s,       u"photo"_s,  u"avatar"_s,   u"password"_s,
    u"username"_s, u"rating"_s,  u"category"_s,    u"author"_s, u"currency"_s, u"street"_s,
    u"city"_s,     u"country"_s, u"agent"_s,       u"url"_s,    u"excerpt"_s,  u"caption"_s,
    u"venue"_s,    u"salary"_s,  u"guid"_s,        u"ip"_s,     u"summary"_s,  u"location"_s};
const QStringList persons{
    u"user"_s,    u"sender"_s,   u"room"_s,     u"conversation"_s, u"chat"_s,      u"thread"_s,
    u"post"_s,    u"customer"_s, u"account"_s,  u"receiver"_s,     u"recipient"_s, u"product"_s,
    u"company"_s, u"member"_s,   u"employee"_s, u"contact"_s,      u"ticket"_s,    u"channel"_s};

int humanPoints(const CatalogTable &table)
{
    int points = 0;
    for (const CatalogColumn &column : table.columns) {
        const QStringList words = wordsOf(column.name);
        const bool isPerson
            = words.size() == 2 && words.constLast() == u"id" && hasAnyWord(words, persons);
        if (isPerson)
            points -= 15;
        else if (hasAnyWord(words, human))
            points -= 10;
    }
    return qMax(points, -30);
}

} // namespace

int pointsOf(const CatalogTable &table, const ColumnRoles &roles)
{
    const QStringList words = meantWords(table.name.table);
    const bool isBox = hasWord(words, u"box"_s) && hasAnyWord(words, {u"outgoing"_s, u"sent"_s});
    const bool named = hasWord(words, u"outbox"_s) || isBox;
    const bool marks = !roles.processedTime.isEmpty() || !roles.processedFlag.isEmpty()
        || !roles.status.isEmpty();
    const bool locks = !roles.leaseEnd.isEmpty() || !roles.lockTime.isEmpty()
        || (!roles.owner.isEmpty() && !hasWord(wordsOf(roles.owner), u"owner"_s));
    // What only a machine can read, in an order of importance: somebody takes it in that order.
    const CatalogColumn *payload = table.column(roles.payload);
    const bool isQueued
        = !roles.priority.isEmpty() && payload && payload->typeClass == TypeClass::Bytes;
    int points = named ? 50 : 0;
    points += hasAnyWord(words, likely) ? 15 : 0;
    points -= hasAnyWord(words, neighbours) ? 40 : 0;
    if (!roles.payload.isEmpty())
        points += 20;
    else if (!roles.referenceId.isEmpty())
        points += 15;
    points += marks ? 10 : 0;
    points += locks ? 10 : 0;
    points += roles.type.isEmpty() ? 0 : 5;
    points += roles.created.isEmpty() ? 0 : 5;
    points += roles.due.isEmpty() ? 0 : 5;
    points += isQueued ? 5 : 0;
    points += roles.attempts.isEmpty() ? 0 : 3;
    points += roles.error.isEmpty() ? 0 : 3;
    points -= roles.key.isEmpty() && roles.keyParts.isEmpty() ? 5 : 0;
    if (!named) {
        points += humanPoints(table);
        // Nothing of it is ever delivered, as far as can be seen: a journal.
        const bool isTaken
            = marks || locks || !roles.due.isEmpty() || !roles.attempts.isEmpty() || isQueued;
        points -= isTaken ? 0 : 10;
    }
    return points;
}

} // namespace outbox
