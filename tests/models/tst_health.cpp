// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The health sentence: each rule, the order of badness, and that nothing flickers.
#include "models/health/health.h"
#include "models/phrases.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <functional>

namespace tst_health {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// A system in which all is well; a test breaks one thing of it.
HealthInput sound()
{
    HealthInput input;
    input.now = QDateTime(QDate(2026, 11, 21), QTime(14, 2, 41));
    OutboxSnapshot outbox;
    outbox.pending = 412;
    outbox.oldestPendingSeconds = 38;
    input.outbox = {outbox, 0.5};
    QueueSnapshot queue;
    queue.name.text = u"default"_s;
    queue.pending = 250;
    queue.servers = 1;
    input.queues = {{queue}, 0.5};
    input.ownQueue = u"default"_s;
    RedisFacts facts;
    facts.role = u"master"_s;
    facts.maxMemoryPolicy = u"noeviction"_s;
    facts.aofEnabled = true;
    facts.aofLastWriteStatus = u"ok"_s;
    facts.rdbLastSaveStatus = u"ok"_s;
    input.redis = {facts, 0.5};
    input.inPerSecond = 81;
    input.outPerSecond = 96;
    input.secondsSinceLeft = 0;
    input.relayHere = RelayState::Running;
    return input;
}

/// So many dead tasks, of which `read` were read and `count` have the same error.
void haveDead(HealthInput &input, qint64 dead, qint64 read, qint64 count)
{
    QueueSnapshot &queue = input.queues->value.first();
    queue.archived = dead;
    queue.deadCause = DeadCause{queue.name, u"HTTP 503"_s, count, read, dead, {}};
}

RelayEntry relayOf(const QString &host, const QString &version, const QDateTime &lastBatch)
{
    RelayAbout about;
    about.host = host;
    about.version = version;
    about.started = lastBatch.addSecs(-600);
    return {host, about, lastBatch};
}

/// Relays that sent something last so many seconds ago, and rows that have waited for 3 minutes.
void haveRelays(HealthInput &input, const QList<std::pair<QString, qint64>> &hosts)
{
    QueueSnapshot &queue = input.queues->value.first();
    queue.at = input.now;
    for (const auto &[host, seconds] : hosts)
        queue.relays += relayOf(host, u"0.9.0"_s, input.now.addSecs(-seconds));
    input.outbox->value.oldestPendingSeconds = 180;
}

Error error(const QString &code, const QString &text)
{
    return {Error::Kind::Refused, u"looking"_s, text, code, {}, -1};
}

} // namespace

using Break = std::function<void(HealthInput &)>;

class TestHealth : public QObject
{
    Q_OBJECT

private slots:
    void eachRule_data()
    {
        QTest::addColumn<Break>("harm");
        QTest::addColumn<HealthLevel>("level");
        QTest::addColumn<QString>("sentence");

        const auto row
            = [](const char *name, const Break &harm, HealthLevel level, const QString &sentence) {
                  QTest::newRow(name) << harm << level << sentence;
              };
        row(
            "well", [](HealthInput &) {}, HealthLevel::Ok,
            u"412 rows wait, oldest 38 s; the relay sends 96/s and is ahead of arrival (81/s)."_s);
        // Of a standby that is up to date the numbers count; of any other one they would be told as
        // those of now.
        row(
            "a standby",
            [](HealthInput &in) {
                in.outbox->value.standby = StandbyState{3.0, {}};
            },
            HealthLevel::Ok,
            u"412 rows wait, oldest 38 s; the relay sends 96/s and is ahead of arrival (81/s)."_s);
        row(
            "a standby far behind",
            [](HealthInput &in) {
                in.outbox->value.standby = StandbyState{600.0, {}};
                in.outbox->value.oldestPendingSeconds = 9000;
                in.secondsSinceLeft = 9000;
            },
            HealthLevel::Unknown,
            u"Unknown: the database that answers is a standby, 10 min behind its primary."_s);
        row(
            "a standby that is cut off",
            [](HealthInput &in) {
                in.outbox->value.standby = StandbyState{{}, u"nothing comes from its primary"_s};
                in.outbox->value.pending = 0;
                in.outbox->value.oldestPendingSeconds.reset();
            },
            HealthLevel::Unknown,
            u"Unknown: the database that answers is a standby, and how far it is behind its "
            "primary is not known."_s);
        row(
            "nothing to do",
            [](HealthInput &in) {
                in.outbox->value.pending = 0;
                in.outbox->value.oldestPendingSeconds.reset();
                in.relayHere.reset();
            },
            HealthLevel::Ok, u"No row waits; in 81/s, out 96/s."_s);
        row(
            "never read", [](HealthInput &in) { in.outbox.reset(); }, HealthLevel::Unknown,
            u"Unknown: the database was not read yet."_s);
        row(
            "database silent",
            [](HealthInput &in) {
                in.outbox->ageSeconds = 30.5;
                in.databaseError = error({}, u"connection refused\nIs it running?"_s);
            },
            HealthLevel::Unknown,
            u"Unknown since 14:02:10: the database does not answer (connection refused)."_s);
        row(
            "wrong password",
            [](HealthInput &in) {
                in.outbox.reset();
                in.users.database = u"ana"_s;
                in.databaseError = Error{Error::Kind::Refused,
                                         u"connecting"_s,
                                         u"password authentication failed for user \"ana\""_s,
                                         wrongPasswordCode,
                                         {}};
            },
            HealthLevel::Unknown, u"The database refused the log-in of \"ana\": wrong password."_s);
        row(
            "a password that was changed",
            [](HealthInput &in) {
                in.queues->ageSeconds = 45;
                in.queueError = Error{Error::Kind::Refused,
                                      u"connecting"_s,
                                      u"NOAUTH Authentication required."_s,
                                      u"NOAUTH"_s,
                                      {}};
            },
            HealthLevel::Unknown,
            u"Unknown since 14:01:56: Redis refused the log-in: it asks for a password."_s);
        row(
            "Redis silent", [](HealthInput &in) { in.queues->ageSeconds = 45; },
            HealthLevel::Unknown, u"Unknown since 14:01:56: Redis does not answer."_s);
        row(
            "silent, not yet for long", [](HealthInput &in) { in.queues->ageSeconds = 29; },
            HealthLevel::Ok,
            u"412 rows wait, oldest 38 s; the relay sends 96/s and is ahead of arrival (81/s)."_s);
        row(
            "out of memory", [](HealthInput &in) { in.queueError = error(u"OOM"_s, u"OOM"_s); },
            HealthLevel::Broken,
            u"Redis refuses writes (out of memory): nothing can be delivered."_s);
        row(
            "replica", [](HealthInput &in) { in.redis->value.role = u"slave"_s; },
            HealthLevel::Broken,
            u"Redis refuses writes (it is a replica): nothing can be delivered."_s);
        row(
            "broken weighs more than silence",
            [](HealthInput &in) {
                in.outbox->ageSeconds = 300;
                in.redis->value.aofLastWriteStatus = u"err"_s;
            },
            HealthLevel::Broken,
            u"Redis refuses writes (it cannot write its append-only file): nothing can be delivered."_s);
        row(
            "eviction",
            [](HealthInput &in) {
                in.redis->value.maxMemoryPolicy = u"allkeys-lru"_s;
                in.redis->value.maxMemory = 1 << 20;
            },
            HealthLevel::Broken,
            u"Redis may evict queued messages (allkeys-lru): messages can be lost."_s);
        row(
            "eviction without a limit",
            [](HealthInput &in) { in.redis->value.maxMemoryPolicy = u"allkeys-lru"_s; },
            HealthLevel::Watch,
            u"Redis would evict queued messages (allkeys-lru) if a memory limit were set."_s);
        row(
            "table gone",
            [](HealthInput &in) {
                in.databaseError = error(u"42P01"_s, u"relation \"outbox\" does not exist"_s);
            },
            HealthLevel::Broken,
            u"The outbox table cannot be read as it is mapped: relation \"outbox\" does not exist."_s);
        row(
            "no table, and nothing was ever read",
            [](HealthInput &in) {
                in.outbox.reset();
                in.databaseError = Error{Error::Kind::Invalid,
                                         u"looking for the outbox"_s,
                                         u"there is no table \"outbox\""_s,
                                         u"NOTABLE"_s,
                                         {}};
            },
            HealthLevel::Broken,
            u"The outbox table cannot be read as it is mapped: there is no table \"outbox\"."_s);
        row(
            "relay failed",
            [](HealthInput &in) {
                in.relayHere = RelayState::Failed;
                in.relayError = error({}, u"the shape cannot be relayed"_s);
            },
            HealthLevel::Broken, u"The relay here failed: the shape cannot be relayed."_s);
        row(
            "Redis emptied",
            [](HealthInput &in) {
                in.redisLoss = RedisLoss{in.now, 1234, 0};
            },
            HealthLevel::Broken,
            u"Redis lost its contents at 14:02:41: of 1,234 keys 0 were left. What was queued may "
            u"be "
            "gone."_s);
        row(
            "Redis restored in part",
            [](HealthInput &in) {
                in.redisLoss = RedisLoss{in.now.addSecs(-3540), 1234, 1200};
            },
            HealthLevel::Watch,
            u"Redis began again at 13:03:41 with 1,200 keys of 1,234, and keeps no append-only "
            u"file: "
            "what came in since its last save may be gone."_s);
        row(
            "Redis restored in part long ago",
            [](HealthInput &in) {
                in.redisLoss = RedisLoss{in.now.addSecs(-3660), 1234, 1200};
            },
            HealthLevel::Ok,
            u"412 rows wait, oldest 38 s; the relay sends 96/s and is ahead of arrival (81/s)."_s);
        row(
            "stalled",
            [](HealthInput &in) {
                in.secondsSinceLeft = 240;
                in.outbox->value.oldestPendingSeconds = 300;
            },
            HealthLevel::Stalled,
            u"412 rows wait and nothing has been delivered for 4 min, since 13:58; no relay holds "
            u"a row."_s);
        row(
            "a row came after a long pause", [](HealthInput &in) { in.secondsSinceLeft = 600; },
            HealthLevel::Ok,
            u"412 rows wait, oldest 38 s; the relay sends 96/s and is ahead of arrival (81/s)."_s);
        row(
            "stalled with a holder",
            [](HealthInput &in) {
                in.secondsSinceLeft = 180;
                in.outbox->value.oldestPendingSeconds = 180;
                in.outbox->value.holders = {{4711, u"relay-7"_s, 150.0, false, 6}};
            },
            HealthLevel::Stalled,
            u"412 rows wait and nothing has been delivered for 3 min, since 13:59; 6 rows are held "
            u"by relay-7."_s);
        row(
            "nothing left because nothing came",
            [](HealthInput &in) {
                in.outbox->value.pending = 0;
                in.outbox->value.oldestPendingSeconds.reset();
                in.secondsSinceLeft = 4000;
                in.inPerSecond = 0;
                in.outPerSecond = 0;
                in.relayHere.reset();
            },
            HealthLevel::Ok, u"No row waits; in 0/s, out 0/s."_s);
        row(
            "head blocked, others pass",
            [](HealthInput &in) {
                in.promiseTerms.rowsAreKept = true;
                in.headSeconds = 180;
            },
            HealthLevel::Watch,
            u"Head blocked: the same row is the oldest for 3 min, and others pass it; park it, or "
            "see why it cannot go."_s);
        row(
            "the same head while nobody works",
            [](HealthInput &in) {
                in.promiseTerms.rowsAreKept = true;
                in.headSeconds = 90;
                in.secondsSinceLeft = 90;
                in.outbox->value.oldestPendingSeconds = 95;
            },
            HealthLevel::Watch, u"Behind: oldest 95 s, draining, empty in about 27 s."_s);
        row(
            "the same head where rows are deleted",
            [](HealthInput &in) {
                in.headSeconds = 180;
                in.outbox->value.oldestPendingSeconds = 95;
            },
            HealthLevel::Watch, u"Behind: oldest 95 s, draining, empty in about 27 s."_s);
        row(
            "behind, draining", [](HealthInput &in) { in.outbox->value.oldestPendingSeconds = 95; },
            HealthLevel::Watch, u"Behind: oldest 95 s, draining, empty in about 27 s."_s);
        row(
            "behind, growing",
            [](HealthInput &in) {
                in.outbox->value.oldestPendingSeconds = 95;
                in.inPerSecond = 110;
            },
            HealthLevel::Watch, u"Behind: oldest 95 s, growing by 14/s."_s);
        row(
            "a relay is silent while rows wait",
            [](HealthInput &in) {
                haveRelays(in, {{u"web1"_s, 2}, {u"web2"_s, 120}});
            },
            HealthLevel::Watch,
            u"Relay silent: web2 has sent nothing since 14:00:41, and 412 rows wait, oldest 3 min."_s);
        row(
            "two relays are silent while rows wait",
            [](HealthInput &in) {
                haveRelays(in, {{u"web1"_s, 180}, {u"web2"_s, 120}});
            },
            HealthLevel::Watch,
            u"Relay silent: web1 has sent nothing since 13:59:41, and 412 rows wait, oldest 3 min. "
            "The same is true of one more relay."_s);
        row(
            "a relay that was at work two hours ago is no news",
            [](HealthInput &in) {
                haveRelays(in, {{u"web1"_s, 2}, {u"web2"_s, 7200}});
            },
            HealthLevel::Watch, u"Behind: oldest 3 min, draining, empty in about 27 s."_s);
        row(
            "a relay ended while rows wait",
            [](HealthInput &in) {
                haveRelays(in, {{u"web1"_s, 2}, {u"web2"_s, 120}});
                in.queues->value.first().relays.last().about->ended = in.now.addSecs(-120);
            },
            HealthLevel::Watch, u"Behind: oldest 3 min, draining, empty in about 27 s."_s);
        row(
            "a relay has nothing to do",
            [](HealthInput &in) {
                haveRelays(in, {{u"web1"_s, 2}, {u"web2"_s, 1200}});
                in.outbox->value.oldestPendingSeconds = 38;
            },
            HealthLevel::Ok,
            u"412 rows wait, oldest 38 s; the relay sends 96/s and is ahead of arrival (81/s)."_s);
        row(
            "growing",
            [](HealthInput &in) {
                in.growingSeconds = 360;
                in.inPerSecond = 110;
            },
            HealthLevel::Watch, u"Growing for 6 min: in 110/s, out 96/s."_s);
        row(
            "dead", [](HealthInput &in) { in.queues->value.first().archived = 1; },
            HealthLevel::Watch, u"One task is dead in queue \"default\"."_s);
        row(
            "one is dead, and why", [](HealthInput &in) { haveDead(in, 1, 1, 1); },
            HealthLevel::Watch, u"One task is dead in queue \"default\": HTTP 503."_s);
        row(
            "dead, most by one error", [](HealthInput &in) { haveDead(in, 77, 77, 75); },
            HealthLevel::Watch, u"77 tasks are dead in queue \"default\", 75 of them: HTTP 503."_s);
        row(
            "dead, all by one error", [](HealthInput &in) { haveDead(in, 77, 77, 77); },
            HealthLevel::Watch,
            u"77 tasks are dead in queue \"default\", all of them: HTTP 503."_s);
        row(
            "dead, more than were read", [](HealthInput &in) { haveDead(in, 5000, 200, 150); },
            HealthLevel::Watch,
            u"5,000 tasks are dead in queue \"default\", 150 of the newest 200: HTTP 503."_s);
        row(
            "dead, most without an error",
            [](HealthInput &in) {
                haveDead(in, 77, 77, 75);
                in.queues->value.first().deadCause->cause.clear();
            },
            HealthLevel::Watch, u"77 tasks are dead in queue \"default\"."_s);
        row(
            "dead in several queues, and why",
            [](HealthInput &in) {
                haveDead(in, 4, 4, 3);
                QueueSnapshot mail = in.queues->value.first();
                mail.name.text = u"mail"_s;
                mail.archived = 1;
                mail.deadCause.reset();
                in.queues->value += mail;
            },
            HealthLevel::Watch,
            u"5 tasks are dead in 2 queues, 3 of them in queue \"default\": HTTP 503."_s);
        row(
            "failed rows", [](HealthInput &in) { in.outbox->value.failed = 3; }, HealthLevel::Watch,
            u"3 rows failed."_s);
        row(
            "parked", [](HealthInput &in) { in.outbox->value.parked = 2; }, HealthLevel::Watch,
            u"2 rows are parked: unpark them to send them."_s);
        row(
            "served by nobody", [](HealthInput &in) { in.queues->value.first().servers = 0; },
            HealthLevel::Watch, u"No worker serves queue \"default\"; 250 tasks wait."_s);
        row(
            "served by nobody, what waits is not pending",
            [](HealthInput &in) {
                QueueSnapshot &queue = in.queues->value.first();
                queue.servers = 0;
                queue.pending = 0;
                queue.retry = 7;
                queue.aggregating = 15;
            },
            HealthLevel::Watch, u"No worker serves queue \"default\"; 22 tasks wait."_s);
        row(
            "served by nobody, with tasks in hand",
            [](HealthInput &in) {
                QueueSnapshot mail = in.queues->value.first();
                mail.name.text = u"mail"_s;
                mail.pending = 0;
                mail.active = 8;
                mail.servers = 0;
                in.queues->value += mail;
            },
            HealthLevel::Watch,
            u"No worker serves queue \"mail\"; no task waits yet; 8 are active."_s);
        row(
            "rows that are not due",
            [](HealthInput &in) {
                in.outbox->value.pending = 0;
                in.outbox->value.oldestPendingSeconds.reset();
                in.outbox->value.waiting = 40;
            },
            HealthLevel::Ok,
            u"No row waits, 40 are not due yet; the relay sends 96/s and is ahead of arrival (81/s)."_s);
        row(
            "served by nobody, with dead tasks",
            [](HealthInput &in) {
                in.queues->value.first().servers = 0;
                in.queues->value.first().archived = 49;
            },
            HealthLevel::Watch, u"No worker serves queue \"default\"; 250 tasks wait."_s);
        row(
            "paused",
            [](HealthInput &in) {
                in.queues->value.first().paused = true;
                in.queues->value.first().oldestPendingSeconds = 7200;
            },
            HealthLevel::Watch,
            u"Queue \"default\" is paused; 250 tasks wait; the next one has waited 2 h."_s);
        row(
            "paused, and nothing waits",
            [](HealthInput &in) {
                in.queues->value.first().paused = true;
                in.queues->value.first().pending = 0;
            },
            HealthLevel::Watch, u"Queue \"default\" is paused; no task waits yet."_s);
        row(
            "slow workers",
            [](HealthInput &in) { in.queues->value.first().oldestPendingSeconds = 300; },
            HealthLevel::Watch,
            u"Queue \"default\" is behind; 250 tasks wait; the next one has waited 5 min."_s);
        row(
            "other queues, unserved",
            [](HealthInput &in) {
                for (const auto &[name, waiting] :
                     {std::pair(u"few"_s, 2), std::pair(u"many"_s, 200), std::pair(u"idle"_s, 0)}) {
                    QueueSnapshot queue;
                    queue.name.text = name;
                    queue.pending = waiting;
                    queue.servers = 0;
                    in.queues->value += queue;
                }
            },
            HealthLevel::Watch,
            u"No worker serves queue \"many\"; 200 tasks wait. The same is true of one more queue."_s);
        row(
            "dead in several queues",
            [](HealthInput &in) {
                QueueSnapshot mail = in.queues->value.first();
                mail.name.text = u"mail"_s;
                mail.archived = 4;
                in.queues->value += mail;
                in.queues->value.first().archived = 1;
            },
            HealthLevel::Watch, u"5 tasks are dead in 2 queues."_s);
        row(
            "Redis silent for three looks",
            [](HealthInput &in) {
                in.queueLookSeconds = 1;
                in.queues->ageSeconds = 3.1;
                in.queueError = error({}, u"Connection refused"_s);
            },
            HealthLevel::Unknown,
            u"Unknown since 14:02:37: Redis does not answer (Connection refused)."_s);
        row(
            "Redis silent for two looks",
            [](HealthInput &in) {
                in.queueLookSeconds = 1;
                in.queues->ageSeconds = 2.9;
                in.queueError = error({}, u"Connection refused"_s);
            },
            HealthLevel::Ok,
            u"412 rows wait, oldest 38 s; the relay sends 96/s and is ahead of arrival (81/s)."_s);
        row(
            "Redis frozen",
            [](HealthInput &in) {
                in.queueLookSeconds = 1;
                in.queues->ageSeconds = 3.1;
            },
            HealthLevel::Unknown, u"Unknown since 14:02:37: Redis does not answer."_s);
        row(
            "looked at every half minute",
            [](HealthInput &in) {
                in.databaseLookSeconds = 30;
                in.outbox->ageSeconds = 80;
            },
            HealthLevel::Ok,
            u"412 rows wait, oldest 38 s; the relay sends 96/s and is ahead of arrival (81/s)."_s);
        row(
            "a guess alarms by nothing that it reads",
            [](HealthInput &in) {
                in.outbox->value.guess = MappingGuess{0.5, 2};
                in.outbox->value.oldestPendingSeconds = 345'600;
                in.outbox->value.failed = 3;
                in.secondsSinceLeft = 4000;
            },
            HealthLevel::Watch,
            u"Mapping is a guess (50 % sure, 2 questions): confirm it. If it is right, 412 rows "
            "wait, oldest 4 days."_s);
        row(
            "a saved mapping that nobody confirmed",
            [](HealthInput &in) { in.outbox->value.guess = MappingGuess(); }, HealthLevel::Watch,
            u"Mapping is a guess: confirm it. If it is right, 412 rows wait, oldest 38 s."_s);
        row(
            "the relay here backs off",
            [](HealthInput &in) {
                in.relayHere = RelayState::BackingOff;
                in.relayError = error({}, u"Connection refused"_s);
            },
            HealthLevel::Watch,
            u"The relay here delivers nothing and tries again: Connection refused."_s);
        row(
            "the relay here was stopped, and nothing has been delivered since",
            [](HealthInput &in) {
                in.databaseLookSeconds = in.queueLookSeconds = 1;
                in.secondsSinceLeft = 3.5;
                in.relayHere = RelayState::Stopped;
                in.relaySince = in.now.addSecs(-4);
            },
            HealthLevel::Watch,
            u"The relay here was stopped at %1, and nothing has been delivered since: 412 rows "
            u"wait, oldest "
            "38 s."_s.arg(momentText(sound().now.addSecs(-4), sound().now)));
        row(
            "the relay here was stopped, and others deliver",
            [](HealthInput &in) {
                in.databaseLookSeconds = in.queueLookSeconds = 1;
                in.secondsSinceLeft = 0.5;
                in.relayHere = RelayState::Stopped;
                in.relaySince = in.now.addSecs(-4);
            },
            HealthLevel::Ok, u"412 rows wait, oldest 38 s; in 81/s, out 96/s."_s);
        row(
            "the relay here was stopped, and no row waits",
            [](HealthInput &in) {
                in.secondsSinceLeft = 4;
                in.outbox->value.pending = 0;
                in.relayHere = RelayState::Stopped;
                in.relaySince = in.now.addSecs(-4);
            },
            HealthLevel::Ok, u"No row waits; in 81/s, out 96/s."_s);
        row(
            "stalled, the relay here was stopped",
            [](HealthInput &in) {
                in.secondsSinceLeft = 240;
                in.outbox->value.oldestPendingSeconds = 240;
                in.relayHere = RelayState::Stopped;
                in.relaySince = in.now.addSecs(-241);
            },
            HealthLevel::Stalled,
            u"412 rows wait and nothing has been delivered for 4 min, since 13:58; the relay here "
            u"was stopped at %1."_s.arg(momentText(sound().now.addSecs(-241), sound().now)));
        row(
            "behind, the relay here is paused",
            [](HealthInput &in) {
                in.outbox->value.oldestPendingSeconds = 95;
                in.inPerSecond = 0;
                in.outPerSecond = 0;
                in.relayHere = RelayState::Paused;
            },
            HealthLevel::Watch,
            u"Behind: oldest 95 s, nothing is delivered; the relay here is paused."_s);
        row(
            "margin",
            [](HealthInput &in) {
                in.retentionSeconds = 3600;
                in.worstRelayDelaySeconds = 2460;
            },
            HealthLevel::Watch,
            u"Ids are kept for 60 min, the worst relay delay is 41 min: duplicates are near."_s);
        row(
            "a retention that a late batch outlives",
            [](HealthInput &in) {
                in.retentionSeconds = 10;
                in.outbox->value.oldestPendingSeconds = 1;
            },
            HealthLevel::Watch,
            u"Ids are kept for 10 s only, and a relay may send a batch again after up to 30 s: such"
            " a message would run twice."_s);
        row(
            "tasks fail",
            [](HealthInput &in) {
                in.attempts = {52, 24};
            },
            HealthLevel::Watch,
            u"Tasks fail: 24 of the last 52 attempts. They are tried again, then dead."_s);
        row(
            "some tasks fail",
            [](HealthInput &in) {
                in.attempts = {52, 12};
            },
            HealthLevel::Ok,
            u"412 rows wait, oldest 38 s; the relay sends 96/s and is ahead of arrival (81/s)."_s);
        row(
            "a full archive", [](HealthInput &in) { in.queues->value.first().archived = 9'999; },
            HealthLevel::Watch,
            u"The archive of queue \"default\" is full (9,999 dead tasks): each one more pushes out"
            " the oldest, whose id stays taken; Reconcile frees them."_s);
        row(
            "parked, with a reason",
            [](HealthInput &in) {
                in.outbox->value.parked = 1;
                in.outbox->value.notes[u"parked_because"_s] = u"the row has no type"_s;
            },
            HealthLevel::Watch,
            u"One row is parked (the row has no type): see to that and unpark, or purge."_s);
        row(
            "nobody knows what is parked",
            [](HealthInput &in) {
                in.outbox->value.notes[u"parked"_s] = u"the file cannot be understood"_s;
            },
            HealthLevel::Watch,
            u"How many rows are parked is not known: the file cannot be understood."_s);
        row(
            "states without a name", [](HealthInput &in) { in.outbox->value.unknown = 12; },
            HealthLevel::Watch, u"12 rows are in states that the mapping does not name."_s);
        row(
            "nobody knows how many wait",
            [](HealthInput &in) {
                in.outbox->value.pending.reset();
                in.outbox->value.oldestPendingSeconds.reset();
                in.outbox->value.notes[u"pending"_s] = u"no column tells it"_s;
            },
            HealthLevel::Watch, u"How many rows wait is not known: no column tells it."_s);
        row(
            "nobody knows who serves the queue",
            [](HealthInput &in) { in.queues->value.first().servers.reset(); }, HealthLevel::Watch,
            u"Whether a worker serves queue \"default\" is not known; 250 tasks wait."_s);
        row(
            "a lease without a process",
            [](HealthInput &in) {
                in.outbox->value.holders = {{0, u"worker-7"_s, 400.0, false, 6}};
            },
            HealthLevel::Watch, u"worker-7 has held rows by a lease for 7 min."_s);
        row(
            "long transaction",
            [](HealthInput &in) {
                in.outbox->value.holders = {{4711, u"psql"_s, 400.0, false, 6}};
            },
            HealthLevel::Watch,
            u"psql (process 4711) holds rows in a transaction open for 7 min."_s);
        row(
            "old snapshot",
            [](HealthInput &in) {
                in.outbox->value.oldSnapshot = LockHolder{4711, u"report"_s, 400.0, false, 0};
            },
            HealthLevel::Watch,
            u"report (process 4711) has held a snapshot for 7 min: what is deleted is not cleaned"
            " up, and claims get slower."_s);
        row(
            "a snapshot of a moment",
            [](HealthInput &in) {
                in.outbox->value.oldSnapshot = LockHolder{4711, u"report"_s, 4.0, false, 0};
            },
            HealthLevel::Ok,
            u"412 rows wait, oldest 38 s; the relay sends 96/s and is ahead of arrival (81/s)."_s);
        row(
            "the same session holds rows",
            [](HealthInput &in) {
                in.outbox->value.holders = {{4711, u"psql"_s, 400.0, false, 6}};
                in.outbox->value.oldSnapshot = in.outbox->value.holders.constFirst();
            },
            HealthLevel::Watch,
            u"psql (process 4711) holds rows in a transaction open for 7 min."_s);
        row(
            "clock", [](HealthInput &in) { in.redis->value.clockOffsetSeconds = -4; },
            HealthLevel::Watch, u"The clock of the Redis server is 4.0 s behind ours."_s);
        row(
            "no index",
            [](HealthInput &in) {
                in.outbox->value.processed = 9'999'588;
                in.outbox->value.missingIndexes = {{false, u"CREATE …"_s}};
            },
            HealthLevel::Watch,
            u"No index finds the rows that wait: every look reads the whole table, "
            "10,000,000 rows or more."_s);
        row(
            "no index, small table",
            [](HealthInput &in) {
                in.outbox->value.missingIndexes = {{false, u"CREATE …"_s}};
            },
            HealthLevel::Ok,
            u"412 rows wait, oldest 38 s; the relay sends 96/s and is ahead of arrival (81/s)."_s);
    }

    void eachRule()
    {
        QFETCH(Break, harm);
        QFETCH(HealthLevel, level);
        QFETCH(QString, sentence);
        HealthInput input = sound();
        harm(input);
        const HealthReport report = assess(input);
        QCOMPARE(report.sentence, sentence);
        QCOMPARE(report.level, level);
        QCOMPARE(report.causes.isEmpty(), level == HealthLevel::Ok);
    }

    void aRedisThatIsNotNamedIsANoteAndNoFault()
    {
        HealthInput input = sound();
        input.queues.reset();
        input.redis.reset();
        input.dedup.reset();
        QCOMPARE(assess(input).level, HealthLevel::Unknown);
        input.hasQueue = false;
        const HealthReport report = assess(input);
        QCOMPARE(report.level, HealthLevel::Ok);
        QVERIFY2(report.sentence.startsWith(u"412 rows wait"_s)
                     && report.sentence.endsWith(
                         u" The queue is not watched: no Redis address is set."_s),
                 qPrintable(report.sentence));
    }

    void twoVersionsAreANoteAndNoFault()
    {
        HealthInput input = sound();
        QueueSnapshot &queue = input.queues->value.first();
        queue.at = input.now;
        queue.relays = {relayOf(u"web1"_s, u"0.9.0"_s, input.now),
                        relayOf(u"web2"_s, u"0.9.0"_s, input.now)};
        QVERIFY(assess(input).causes.isEmpty());
        queue.relays += relayOf(u"web3"_s, u"0.8.0"_s, input.now);
        const QString note
            = u"Relays of 2 versions are at work: 0.8.0 (web3), 0.9.0 (web1, web2)."_s;
        const HealthReport report = assess(input);
        QCOMPARE(report.level, HealthLevel::Ok);
        QCOMPARE(report.causes.size(), 1);
        QCOMPARE(report.causes.first().level, HealthLevel::Ok);
        QCOMPARE(report.causes.first().text, note);
        QVERIFY2(report.sentence.startsWith(u"412 rows wait"_s)
                     && report.sentence.endsWith(u". "_s + note),
                 qPrintable(report.sentence));
        // Beside a fault it does not lead.
        queue.archived = 1;
        const HealthReport dead = assess(input);
        QCOMPARE(dead.sentence, u"One task is dead in queue \"default\"."_s);
        QCOMPARE(dead.causes.last().text, note);
    }

    void tellsTheWorstFirst()
    {
        HealthInput input = sound();
        input.queues->value.first().archived = 2;
        input.secondsSinceLeft = 200;
        input.outbox->value.oldestPendingSeconds = 200;
        input.redis->value.role = u"slave"_s;
        const HealthReport report = assess(input);
        QCOMPARE(report.level, HealthLevel::Broken);
        QCOMPARE(report.causes.size(), 4);
        QCOMPARE(report.causes.at(1).level, HealthLevel::Stalled);
        QCOMPARE(report.causes.at(1).filter, u"state:pending"_s);
        QCOMPARE(report.causes.at(2).filter, u"state:pending age>60s"_s);
        QCOMPARE(report.causes.at(3).filter, u"state:archived"_s);
    }

    void failuresAreCountedOverTheLastLooks()
    {
        const auto look = [](qint64 attempts, qint64 failed) {
            QueueSnapshot queue;
            queue.processedTotal = attempts;
            queue.failedTotal = failed;
            return QList<QueueSnapshot>{queue};
        };
        FailureShare share;
        QVERIFY(!share.counts());
        share.add(look(1'000, 900));
        QVERIFY(!share.counts()); // one look: nothing was seen yet
        share.add(look(1'009, 905));
        QVERIFY(!share.counts()); // nine attempts are no share
        share.add(look(1'020, 910));
        QCOMPARE(share.counts(), (FailureShare::Counts{20, 10}));
        for (int i = 1; i < 15; ++i)
            share.add(look(1'020 + 10 * i, 910));
        QCOMPARE(share.counts(), (FailureShare::Counts{50, 0})); // what is long ago is forgotten
        share.add(look(3, 0)); // another Redis
        QVERIFY(!share.counts());
        share.add(look(40, 4));
        share.add({QueueSnapshot()}); // which has no counters
        QVERIFY(!share.counts());
    }

    void aLevelIsEnteredAfterTwoLooks()
    {
        HealthWatch watch;
        HealthInput input = sound();
        QCOMPARE(watch.look(input).level, HealthLevel::Ok);
        input.outbox->value.oldestPendingSeconds = 61;
        QCOMPARE(watch.look(input).level, HealthLevel::Ok);
        QCOMPARE(watch.look(input).level, HealthLevel::Watch);
    }

    void aSinglePeakIsForgotten()
    {
        HealthWatch watch;
        HealthInput well = sound();
        HealthInput peak = sound();
        peak.outbox->value.oldestPendingSeconds = 61;
        QCOMPARE(watch.look(well).level, HealthLevel::Ok);
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(watch.look(peak).level, HealthLevel::Ok);
            QCOMPARE(watch.look(well).level, HealthLevel::Ok);
        }
    }

    void aLevelIsLeftAfterThreeLooksWellBelow()
    {
        HealthWatch watch;
        HealthInput input = sound();
        input.outbox->value.oldestPendingSeconds = 90;
        QCOMPARE(watch.look(input).level, HealthLevel::Watch); // the first look counts at once
        input.outbox->value.oldestPendingSeconds = 50; // below 60, above 48: stays
        for (int i = 0; i < 6; ++i)
            QCOMPARE(watch.look(input).level, HealthLevel::Watch);
        QVERIFY(watch.look(input).sentence.startsWith(u"Behind: oldest 50 s"_s));
        input.outbox->value.oldestPendingSeconds = 47;
        QCOMPARE(watch.look(input).level, HealthLevel::Watch);
        QCOMPARE(watch.look(input).level, HealthLevel::Watch);
        QCOMPARE(watch.look(input).level, HealthLevel::Ok);
    }

    void whatTheRelaySaysCountsAtOnce()
    {
        HealthWatch watch;
        HealthInput input = sound();
        QCOMPARE(watch.look(input).level, HealthLevel::Ok);
        input.relayHere = RelayState::BackingOff;
        input.relayError = error({}, u"Connection refused"_s);
        QCOMPARE(watch.look(input).level, HealthLevel::Watch);
    }

    void silenceCountsAtOnceAndEndsAtOnce()
    {
        HealthWatch watch;
        HealthInput input = sound();
        QCOMPARE(watch.look(input).level, HealthLevel::Ok);
        input.queues->ageSeconds = 31;
        QCOMPARE(watch.look(input).level, HealthLevel::Unknown);
        input.queues->ageSeconds = 0;
        QCOMPARE(watch.look(input).level, HealthLevel::Ok);
    }

    /// All combinations of keys before and after, of a restart or none, with such a file or
    /// without.
    void aLossIsSaidOnlyWhereSomethingShowsIt()
    {
        const QDateTime at(QDate(2026, 11, 21), QTime(14, 2, 41), Qt::UTC);
        int seen = 0;
        for (const qint64 before : {0, 1, 2, 10, 1000}) {
            for (const qint64 after : {0, 1, 5, 6, 499, 999, 1000, 1001}) {
                for (const bool restarted : {false, true}) {
                    for (const bool kept : {false, true}) {
                        RedisFacts was;
                        was.runId = u"a"_s;
                        was.dbSize = before;
                        RedisFacts now = was;
                        now.runId = restarted ? u"b"_s : u"a"_s;
                        now.dbSize = after;
                        now.aofEnabled = kept;
                        const auto loss = lossBetween(was, now, at);
                        if (before <= after)
                            QVERIFY(!loss); // nothing is missing
                        else if (after == 0)
                            QVERIFY(loss);
                        else if (!restarted)
                            QVERIFY(!loss); // work that is done, retention that is over
                        else if (!kept)
                            QVERIFY(loss);
                        else
                            QCOMPARE(loss.has_value(), before >= 100 && after <= before / 2);
                        ++seen;
                        was.runId.clear();
                        QVERIFY(!lossBetween(was, now, at)); // never asked before
                    }
                }
            }
        }
        QCOMPARE(seen, 5 * 8 * 2 * 2);
    }

    void wordsAndCodes()
    {
        QCOMPARE(word(HealthLevel::Ok), u"OK"_s);
        QCOMPARE(nagiosCode(HealthLevel::Ok), 0);
        QCOMPARE(nagiosCode(HealthLevel::Watch), 1);
        QCOMPARE(nagiosCode(HealthLevel::Stalled), 2);
        QCOMPARE(nagiosCode(HealthLevel::Broken), 2);
        QCOMPARE(nagiosCode(HealthLevel::Unknown), 3);
    }
};

} // namespace tst_health

OUTBOX_TEST(tst_health::TestHealth)
#include "tst_health.moc"
