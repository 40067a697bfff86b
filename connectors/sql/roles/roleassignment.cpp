// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/roles/roleassignment.h"

#include "connectors/sql/roles/tablefacts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

int payloadPoints(const Candidate &one)
{
    static const QList<std::pair<QString, int>> weights{
        {u"payload"_s, 60},   {u"body"_s, 50},       {u"data"_s, 45},     {u"content"_s, 40},
        {u"message"_s, 38},   {u"event"_s, 36},      {u"args"_s, 34},     {u"argument"_s, 34},
        {u"parameter"_s, 32}, {u"invocation"_s, 30}, {u"command"_s, 28},  {u"serialized"_s, 40},
        {u"operation"_s, 30}, {u"param"_s, 34},      {u"envelope"_s, 30}, {u"request"_s, 26},
        {u"handler"_s, 24},   {u"document"_s, 22},   {u"job"_s, 22},      {u"value"_s, 20},
        {u"blob"_s, 24},      {u"packet"_s, 24},     {u"detail"_s, 20}};
    static const QStringList never{u"id"_s,    u"type"_s,  u"key"_s,     u"version"_s, u"path"_s,
                                   u"error"_s, u"hash"_s,  u"address"_s, u"name"_s,    u"status"_s,
                                   u"class"_s, u"queue"_s, u"topic"_s,   u"schema"_s,  u"count"_s};
    const TypeClass kind = one.column->typeClass;
    const bool structured = kind == TypeClass::Json || kind == TypeClass::Bytes;
    static const QStringList moments{u"time"_s,   u"date"_s,      u"at"_s,    u"on"_s,
                                     u"moment"_s, u"timestamp"_s, u"until"_s, u"instant"_s};
    if (!structured && !one.words.isEmpty() && hasAnyWord(one.words.last(1), moments))
        return 0; // "event time" as a text
    if (one.words.isEmpty() || (!structured && kind != TypeClass::Text)
        || hasAnyWord(one.words, never))
        return 0;
    int points = 0;
    for (const auto &[word, weight] : weights) {
        const bool isLastOnly = word == u"data"; // "data center" is none
        if (hasWord(isLastOnly ? one.words.last(1) : one.words, word))
            points = qMax(points, weight);
    }
    if (points == 0)
        return 0;
    if (hasAnyWord(one.words, {u"context"_s, u"extra"_s, u"header"_s, u"metadata"_s, u"trace"_s}))
        points -= 20; // of the message, and not what it says
    constexpr int mostOfShortText = 256;
    if (lengthOf(*one.column).value_or(mostOfShortText + 1) <= mostOfShortText)
        points -= 20;
    return structured ? points + 15 : points;
}

} // namespace

void assignPayload(RoleAssignment &assignment, ColumnRoles &roles)
{
    int best = 0;
    int second = 0;
    for (const Candidate &one : assignment.left()) {
        const int points = payloadPoints(one);
        if (points > best) {
            second = best;
            roles.rivalPayload = roles.payload;
            best = points;
            roles.payload = one.column->name;
        } else if (points > second) {
            second = points;
            roles.rivalPayload = one.column->name;
        }
    }
    if (second == 0 || second < best - 5)
        roles.rivalPayload.clear();
    assignment.take(roles.payload);
}

void assignReference(RoleAssignment &assignment, ColumnRoles &roles)
{
    static const QStringList never{u"aggregate"_s, u"lock"_s, u"worker"_s};
    for (const Candidate &id : assignment.left()) {
        if (id.words.size() < 2 || id.words.constLast() != u"id" || hasAnyWord(id.words, never))
            continue;
        for (const Candidate &name : assignment.left()) {
            const bool pair = name.words.size() == id.words.size()
                && name.words.first(name.words.size() - 1) == id.words.first(id.words.size() - 1)
                && (name.words.constLast() == u"name" || name.words.constLast() == u"type");
            if (pair && textual(name)) {
                roles.referenceId = id.column->name;
                roles.referenceTable = name.column->name;
                assignment.take(roles.referenceId);
                assignment.take(roles.referenceTable);
                return;
            }
        }
    }
}

} // namespace outbox
