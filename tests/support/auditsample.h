// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An entry of the record with something hard in every member.
#pragma once

#include "models/operations/auditentry.h"

namespace outbox::sample {

using namespace Qt::Literals::StringLiterals;

inline AuditEntry auditEntry(const QString &operation,
                             AuditEntry::Kind kind = AuditEntry::Kind::Intent)
{
    AuditEntry one;
    one.kind = kind;
    one.operation = operation;
    one.chunk = 1;
    one.who = u"ana@person"_s;
    one.face = u"outboxctl"_s;
    one.profile = u"orders \"new\""_s;
    one.environment = Environment::Production;
    one.target = u"orders @ pg-1/outbox -> redis-1/0"_s;
    one.verb = Verb::Purge;
    one.what = u"rows that match age>30d \u2192 \u0000 \u202e"_s;
    one.note = u"INC-4711"_s;
    one.counts = {{u"done"_s, 3}, {u"claimed"_s, qint64{1} << 53}};
    one.items = {{u"7e57"_s, u"7e57"_s, u"default"_s, u"processed 1234"_s, u"done"_s}, {}};
    one.statements = {u"DELETE FROM outbox\nWHERE id = ANY($1)"_s};
    one.exportFile = u"/tmp/x.jsonl"_s;
    one.error = u"deleting: no"_s;
    one.undoable = true;
    one.undoOf = u"8e57"_s;
    return one;
}

} // namespace outbox::sample
