// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A made-up record of a week of operations, for tests of views.
#pragma once

#include "models/operations/auditentry.h"
#include "tests/support/samplesystem.h"

namespace outbox::sample {

inline Activity activity(int number, Verb verb, const QString &what, Activity::State state,
                         const QMap<QString, qint64> &counts)
{
    Activity one;
    one.operation = QUuid::createUuidV5(QUuid(), u"operation %1"_s.arg(number))
                        .toString(QUuid::WithoutBraces);
    one.at = now().addSecs(-qint64{number} * number * 1300 - 40);
    one.who = number % 3 == 1 ? u"ben@laptop"_s : u"ana@person"_s;
    one.face = number % 4 == 3 ? u"outboxctl"_s : u"outboxdeck"_s;
    one.profile = u"orders"_s;
    one.target = u"outbox @ pg-1.internal/orders -> redis-1.internal/0"_s;
    one.verb = verb;
    one.what = what;
    one.state = state;
    one.counts = counts;
    for (const qint64 count : counts)
        one.count += count;
    one.undoable = true;
    for (int at = 0; at < qMin(qint64{40}, one.count); ++at) {
        const QString id = message(at).id.text;
        one.items.append({id, id, u"default"_s, u"processed 48120%1"_s.arg(at),
                          at == 3 ? u"changed"_s : u"done 48131%1"_s.arg(at)});
    }
    one.statements = {u"DELETE FROM public.outbox AS t\n USING unnest($1::uuid[], $2::text[]) "
                      "AS g(id, version)\n WHERE t.id = g.id AND t.xmin::text = g.version"_s,
                      u"INSERT INTO outbox_audit (operation, actor, face, verb, message, before, "
                      "after, note)\nVALUES ($1, $2, $3, $4, $5, $6, $7, $8)"_s};
    return one;
}

/// Newest first; every state once.
inline QList<Activity> activities()
{
    using State = Activity::State;
    QList<Activity> all;
    all += activity(1, Verb::Replay, u"rows that match state:processed created:today"_s,
                    State::Running, {{u"done"_s, 1500}});
    all += activity(2, Verb::Purge, u"rows that match age>30d"_s, State::Done, {{u"done"_s, 297}});
    all.last().note = u"clean-up after INC-4711"_s;
    all.last().exportFile
        = u"/home/ana/.local/state/outboxdeck/exports/0b0f6a1e-7c1f-5e0e-9d46-b5f1c8c6c2aa.jsonl"_s;
    all += activity(3, Verb::Run, u"3 tasks"_s, State::InDoubt,
                    {{u"done"_s, 2}, {u"in-doubt"_s, 1}});
    all.last().doubtful = all.last().items.first(1);
    all += activity(4, Verb::Replay, u"12 rows"_s, State::Partly,
                    {{u"done"_s, 11}, {u"changed"_s, 1}});
    all.last().note = u"INC-4711"_s;
    all += activity(5, Verb::Purge, u"1 row"_s, State::Refused, {});
    all.last().count = 1;
    all.last().error = u"purging 1 row: relay-7 holds it"_s;
    all += activity(6, Verb::Archive, u"tasks that match type:email:*"_s, State::Cancelled,
                    {{u"done"_s, 5000}, {u"cancelled"_s, 20000}});
    all += activity(7, Verb::Delete, u"14 tasks"_s, State::Undone, {{u"done"_s, 14}});
    all += activity(8, Verb::Import, u"the export of a purge"_s, State::Failed,
                    {{u"failed"_s, 40}});
    all.last().error = u"inserting rows: permission denied for table outbox"_s;
    for (const int both : {1, 3})
        all[both].record = Activity::Record::Both;
    all[3].mismatch = u"This machine says that 11 rows were changed, the database has 10."_s;
    Activity relay;
    relay.operation = u"5b0c3a52-relay"_s;
    relay.at = now().addDays(-1);
    relay.who = u"eva@build-7"_s;
    relay.face = u"outboxctl"_s;
    relay.target = all.first().target;
    relay.what = u"Relay stopped (process 4711): SIGTERM; 318 batches, 2 rolled back"_s;
    relay.counts = {{u"enqueued"_s, 31'204}, {u"already queued"_s, 12}};
    relay.state = State::Noted;
    relay.record = Activity::Record::Database;
    all += relay;
    all += activity(9, Verb::Replay, u"3 rows"_s, State::Done, {{u"done"_s, 3}});
    all.last().who = u"eva@build-7"_s;
    all.last().face = u"outboxctl"_s;
    all.last().profile.clear();
    all.last().undoable = false;
    all.last().record = Activity::Record::Database;
    Activity unlock;
    unlock.at = now().addDays(-2);
    unlock.who = u"ana@person"_s;
    unlock.face = u"outboxdeck"_s;
    unlock.profile = u"orders"_s;
    unlock.target = all.first().target;
    unlock.what = u"Writing unlocked for 15 minutes"_s;
    unlock.state = State::Noted;
    unlock.note = u"INC-4711"_s;
    all += unlock;
    return all;
}

} // namespace outbox::sample
