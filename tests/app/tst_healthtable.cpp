// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every state of an outbox and of a queue under every condition: what is said and how `check` ends,
// as a table that a person has read, and rules that hold in all of its cells.
#include "app/cli/output/printer.h"
#include "models/health/health.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <functional>

namespace tst_healthtable {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// What is done to an input in which all is well.
struct Part
{
    QString name;
    std::function<void(HealthInput &)> apply;
};

QueueSnapshot &queueOf(HealthInput &input)
{
    return input.queues->value.first();
}

OutboxSnapshot &outboxOf(HealthInput &input)
{
    return input.outbox->value;
}

HealthInput nothingThere()
{
    HealthInput input;
    input.now = QDateTime(QDate(2026, 11, 21), QTime(14, 2, 41));
    OutboxSnapshot outbox;
    outbox.pending = outbox.waiting = outbox.locked = outbox.failed = outbox.parked = outbox.unknown
        = 0;
    input.outbox = {outbox, 0.5};
    input.databaseLookSeconds = input.queueLookSeconds = 1;
    QueueSnapshot queue;
    queue.name.text = u"default"_s;
    queue.servers = 1;
    queue.aggregating = 0;
    input.queues = {{queue}, 0.5};
    input.ownQueue = u"default"_s;
    RedisFacts facts;
    facts.role = u"master"_s;
    facts.maxMemoryPolicy = u"noeviction"_s;
    facts.aofEnabled = true;
    facts.aofLastWriteStatus = u"ok"_s;
    facts.rdbLastSaveStatus = u"ok"_s;
    input.redis = {facts, 0.5};
    input.inPerSecond = 20;
    input.outPerSecond = 20;
    input.secondsSinceLeft = 0;
    input.relayHere = RelayState::Running;
    input.relaySince = input.now.addSecs(-3600);
    return input;
}

const QList<Part> &outboxStates()
{
    static const QList<Part> states{
        {u"empty"_s, [](HealthInput &) {}},
        {u"pending"_s,
         [](HealthInput &in) {
             outboxOf(in).pending = 40;
             outboxOf(in).oldestPendingSeconds = 2;
         }},
        {u"not due"_s, [](HealthInput &in) { outboxOf(in).waiting = 40; }},
        {u"locked"_s,
         [](HealthInput &in) {
             outboxOf(in).locked = 6;
             outboxOf(in).holders = {{4711, u"psql"_s, 400.0, false, 6}};
         }},
        {u"failed"_s, [](HealthInput &in) { outboxOf(in).failed = 3; }},
        {u"parked"_s,
         [](HealthInput &in) {
             outboxOf(in).parked = 1;
             outboxOf(in).notes[u"parked_because"_s] = u"the row has no type"_s;
         }},
        {u"unnamed"_s, [](HealthInput &in) { outboxOf(in).unknown = 12; }},
        {u"uncounted"_s,
         [](HealthInput &in) {
             outboxOf(in).pending.reset();
             outboxOf(in).notes[u"pending"_s] = u"no column tells which rows are processed"_s;
         }},
    };
    return states;
}

const QList<Part> &queueStates()
{
    static const QList<Part> states{
        {u"empty"_s, [](HealthInput &) {}},
        {u"pending"_s,
         [](HealthInput &in) {
             queueOf(in).pending = 25;
             queueOf(in).oldestPendingSeconds = 1;
         }},
        {u"active"_s, [](HealthInput &in) { queueOf(in).active = 8; }},
        {u"scheduled"_s, [](HealthInput &in) { queueOf(in).scheduled = 5; }},
        {u"retry"_s, [](HealthInput &in) { queueOf(in).retry = 7; }},
        {u"in groups"_s, [](HealthInput &in) { queueOf(in).aggregating = 15; }},
        {u"dead"_s, [](HealthInput &in) { queueOf(in).archived = 49; }},
        {u"completed"_s, [](HealthInput &in) { queueOf(in).completed = 10'233; }},
    };
    return states;
}

const QList<Part> &conditions()
{
    static const QList<Part> all{
        {u"well"_s, [](HealthInput &) {}},
        {u"slow"_s,
         [](HealthInput &in) {
             in.outPerSecond = 12;
             if (outboxOf(in).pending.value_or(0) > 0)
                 outboxOf(in).oldestPendingSeconds = 95;
             if (queueOf(in).pending > 0)
                 queueOf(in).oldestPendingSeconds = 600;
         }},
        {u"stalled"_s,
         [](HealthInput &in) {
             in.outPerSecond = 0;
             in.inPerSecond = outboxOf(in).pending.value_or(0) > 0 ? 20 : 0;
             in.secondsSinceLeft = 240;
             in.relayHere.reset();
             if (outboxOf(in).pending.value_or(0) > 0)
                 outboxOf(in).oldestPendingSeconds = 300;
         }},
        {u"relay stopped"_s,
         [](HealthInput &in) {
             in.outPerSecond = 0;
             in.inPerSecond = outboxOf(in).pending.value_or(0) > 0 ? 20 : 0;
             in.secondsSinceLeft = 4;
             in.relayHere = RelayState::Stopped;
             in.relaySince = in.now.addSecs(-4);
         }},
        {u"relay backs off"_s,
         [](HealthInput &in) {
             in.relayHere = RelayState::BackingOff;
             in.relayError = Error{
                 Error::Kind::Unreachable, u"enqueueing"_s, u"Connection refused"_s, {}, {}};
         }},
        {u"relay failed"_s,
         [](HealthInput &in) {
             in.relayHere = RelayState::Failed;
             in.relayError = Error{
                 Error::Kind::Refused, u"going on"_s, u"Redis lost what it was given"_s, {}, {}};
         }},
        {u"queue paused"_s, [](HealthInput &in) { queueOf(in).paused = true; }},
        {u"queue unserved"_s, [](HealthInput &in) { queueOf(in).servers = 0; }},
        {u"Redis full"_s,
         [](HealthInput &in) { in.redis->value.maxMemory = in.redis->value.usedMemory = 1024; }},
        {u"Redis evicts"_s,
         [](HealthInput &in) {
             in.redis->value.maxMemory = 1 << 20;
             in.redis->value.maxMemoryPolicy = u"allkeys-lru"_s;
         }},
        {u"database stale"_s,
         [](HealthInput &in) {
             in.outbox->ageSeconds = 3.2;
             in.databaseError
                 = Error{Error::Kind::Unreachable, u"looking"_s, u"Connection refused"_s, {}, {}};
         }},
        {u"Redis stale"_s, [](HealthInput &in) { in.queues->ageSeconds = 3.2; }},
        {u"guess"_s,
         [](HealthInput &in) {
             outboxOf(in).guess = MappingGuess{0.5, 2};
         }},
    };
    return all;
}

/// Further troubles, each of which makes no cell of the table look better.
const QList<Part> &troubles()
{
    static const QList<Part> all{
        {u"a replica"_s, [](HealthInput &in) { in.redis->value.role = u"slave"_s; }},
        {u"lost records"_s,
         [](HealthInput &in) {
             in.redisLoss = RedisLoss{in.now, 100, 0};
         }},
        {u"out of memory"_s,
         [](HealthInput &in) {
             in.queueError = Error{Error::Kind::Refused, u"looking"_s, u"OOM"_s, u"OOM"_s, {}};
         }},
        {u"eviction looms"_s,
         [](HealthInput &in) { in.redis->value.maxMemoryPolicy = u"allkeys-lfu"_s; }},
        {u"snapshot fails"_s,
         [](HealthInput &in) { in.redis->value.rdbLastSaveStatus = u"err"_s; }},
        {u"clock"_s, [](HealthInput &in) { in.redis->value.clockOffsetSeconds = 4; }},
        {u"growing"_s, [](HealthInput &in) { in.growingSeconds = 600; }},
        {u"short retention"_s, [](HealthInput &in) { in.retentionSeconds = 10; }},
        {u"late delivery"_s, [](HealthInput &in) { in.worstRelayDelaySeconds = 80'000; }},
        {u"failing tasks"_s,
         [](HealthInput &in) {
             in.attempts = {100, 60};
         }},
        {u"full archive"_s, [](HealthInput &in) { queueOf(in).archived = 9'999; }},
        {u"servers unknown"_s, [](HealthInput &in) { queueOf(in).servers.reset(); }},
        {u"parking unread"_s,
         [](HealthInput &in) {
             outboxOf(in).parked.reset();
             outboxOf(in).notes[u"parked"_s] = u"the file cannot be understood"_s;
         }},
        {u"old snapshot"_s,
         [](HealthInput &in) {
             outboxOf(in).oldSnapshot = LockHolder{4712, u"report"_s, 900.0, false, 0};
         }},
        {u"never read"_s, [](HealthInput &in) { in.outbox.reset(); }},
        {u"table gone"_s,
         [](HealthInput &in) {
             in.databaseError = Error{Error::Kind::Invalid,
                                      u"looking"_s,
                                      u"relation \"outbox\" does not exist"_s,
                                      u"42P01"_s,
                                      {}};
         }},
        {u"another queue unserved"_s,
         [](HealthInput &in) {
             QueueSnapshot other;
             other.name.text = u"mail"_s;
             other.servers = 0;
             other.pending = 200;
             in.queues->value += other;
         }},
    };
    return all;
}

struct Cell
{
    QString outbox;
    QString queue;
    QString condition;
    HealthInput input;
    HealthReport report;
};

QList<Cell> cells()
{
    QList<Cell> all;
    for (const Part &condition : conditions()) {
        for (const Part &outbox : outboxStates()) {
            for (const Part &queue : queueStates()) {
                HealthInput input = nothingThere();
                outbox.apply(input);
                queue.apply(input);
                condition.apply(input);
                all += Cell{outbox.name, queue.name, condition.name, input, assess(input)};
            }
        }
    }
    return all;
}

int weight(HealthLevel level)
{
    static const QList<HealthLevel> lightest{HealthLevel::Ok, HealthLevel::Watch,
                                             HealthLevel::Stalled, HealthLevel::Unknown,
                                             HealthLevel::Broken};
    return static_cast<int>(lightest.indexOf(level));
}

bool hasWaitingTasks(const QueueSnapshot &queue)
{
    return queue.pending + queue.scheduled + queue.retry + queue.aggregating.value_or(0) > 0;
}

QString nameOf(const Cell &cell)
{
    return cell.condition + u", outbox "_s + cell.outbox + u", queue "_s + cell.queue + u": "_s
        + cell.report.sentence;
}

QByteArray tableText()
{
    QString text
        = u"What is said of every state of an outbox and of a queue, under every condition.\n"
          "Columns: outbox, queue, level, exit code of check, of check --nagios, sentence.\n"_s;
    QString condition;
    for (const Cell &cell : cells()) {
        if (std::exchange(condition, cell.condition) != cell.condition)
            text += u"\n== "_s + cell.condition + u'\n';
        text += u"%1 %2 %3 %4 %5  %6\n"_s.arg(cell.outbox, -9)
                    .arg(cell.queue, -9)
                    .arg(word(cell.report.level), -7)
                    .arg(static_cast<int>(exitCodeOf(cell.report.level)))
                    .arg(nagiosCode(cell.report.level))
                    .arg(cell.report.sentence);
    }
    return text.toUtf8();
}

} // namespace

class TestHealthTable : public QObject
{
    Q_OBJECT

private slots:
    /// OUTBOX_WRITE_TABLES=1 writes it anew; a change of it is read by a person.
    void theTableIsTheOneThatWasRead()
    {
        const QByteArray now = tableText();
        QFile file(QStringLiteral(HEALTH_TABLE));
        if (qEnvironmentVariableIsSet("OUTBOX_WRITE_TABLES")) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            QCOMPARE(file.write(now), now.size());
            return;
        }
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        const QList<QByteArray> was = file.readAll().split('\n');
        const QList<QByteArray> is = now.split('\n');
        for (qsizetype i = 0; i < std::max(was.size(), is.size()); ++i)
            QCOMPARE(is.value(i), was.value(i));
    }

    void nothingIsWellThatIsNot()
    {
        for (const Cell &cell : cells()) {
            if (cell.report.level != HealthLevel::Ok)
                continue;
            const QueueSnapshot &queue = cell.input.queues->value.first();
            const bool stands = queue.paused || queue.servers == 0;
            QVERIFY2(!stands || !hasWaitingTasks(queue), qPrintable(nameOf(cell)));
            QVERIFY2(!cell.condition.contains(u"stale"_s), qPrintable(nameOf(cell)));
            QVERIFY2(!cell.condition.startsWith(u"Redis"_s), qPrintable(nameOf(cell)));
            QVERIFY2(cell.condition != u"guess"_s, qPrintable(nameOf(cell)));
            QVERIFY2(cell.input.outbox->value.pending.has_value(), qPrintable(nameOf(cell)));
            QVERIFY2(cell.condition != u"relay failed"_s && cell.condition != u"relay backs off"_s,
                     qPrintable(nameOf(cell)));
        }
    }

    void theSentenceIsThatOfTheWorstCause()
    {
        for (const Cell &cell : cells()) {
            const HealthReport &report = cell.report;
            QCOMPARE(report.causes.isEmpty(), report.level == HealthLevel::Ok);
            if (report.causes.isEmpty())
                continue;
            QCOMPARE(report.sentence, report.causes.first().text);
            for (const HealthCause &cause : report.causes) {
                QVERIFY2(weight(cause.level) <= weight(report.level), qPrintable(cause.text));
                QVERIFY2(!cause.text.contains(u"%1"_s) && !cause.text.contains(u"  "_s),
                         qPrintable(cause.text));
                QVERIFY2(!cause.text.contains(u" 0 rows"_s) && !cause.text.contains(u"nan"_s),
                         qPrintable(cause.text));
            }
        }
    }

    void oneTroubleMoreMakesNothingBetter()
    {
        int compared = 0;
        for (const Cell &cell : cells()) {
            for (const Part &trouble : troubles() + conditions()) {
                HealthInput worse = cell.input;
                trouble.apply(worse);
                // What a guess reads is not known, so it alarms from nothing of it any more; and
                // another state of the relay here takes the place of the one before.
                const bool replaces = trouble.name == u"guess"_s || trouble.name == u"slow"_s
                    || trouble.name.startsWith(u"relay "_s) || trouble.name == u"stalled"_s;
                if (replaces && cell.condition != u"well"_s)
                    continue;
                const HealthReport report = assess(worse);
                ++compared;
                QVERIFY2(weight(report.level) >= weight(cell.report.level),
                         qPrintable(nameOf(cell) + u" With "_s + trouble.name + u": "_s
                                    + report.sentence));
            }
        }
        QVERIFY(compared > 15'000);
    }

    void theExitCodeFollowsFromTheLevel()
    {
        for (const HealthLevel level : {HealthLevel::Ok, HealthLevel::Watch, HealthLevel::Stalled,
                                        HealthLevel::Unknown, HealthLevel::Broken}) {
            QCOMPARE(exitCodeOf(level) == ExitCode::Ok, level == HealthLevel::Ok);
            QCOMPARE(nagiosCode(level) == 0, level == HealthLevel::Ok);
            QCOMPARE(exitCodeOf(level) == ExitCode::NoConnection, nagiosCode(level) == 3);
        }
    }

    /// Whatever a guess reads from the rows, it is told as a guess, and in one place only.
    void nothingIsAlarmedFromAGuessAsIfItWereKnown()
    {
        const auto causes = [](HealthInput input) {
            QList<HealthCause> rest = assess(input).causes;
            rest.removeIf([](const HealthCause &one) {
                return one.text.startsWith(u"Mapping is a guess"_s);
            });
            return rest;
        };
        int guesses = 0;
        for (const Cell &cell : cells()) {
            HealthInput guessed = cell.input;
            outboxOf(guessed).guess = MappingGuess{0.5, 2};
            HealthInput without = guessed;
            OutboxSnapshot &rows = outboxOf(without);
            rows.pending = rows.waiting = rows.locked = rows.failed = rows.parked = rows.unknown
                = 0;
            rows.oldestPendingSeconds.reset();
            rows.notes.clear();
            QCOMPARE(causes(guessed), causes(without));
            const bool isSilent = cell.condition == u"database stale"_s;
            const QList<HealthCause> all = assess(guessed).causes;
            QCOMPARE(std::count_if(all.cbegin(), all.cend(),
                                   [](const HealthCause &one) {
                                       return one.text.contains(u"a guess (50 % sure"_s);
                                   }),
                     isSilent ? 0 : 1);
            ++guesses;
        }
        QCOMPARE(guesses, cells().size());
    }

    /// Facts of the server come with every fifth look: at a slow pace they are old and true.
    void aFullRedisIsToldAtASlowPaceToo()
    {
        HealthInput input = nothingThere();
        input.queueLookSeconds = 30;
        input.queues->ageSeconds = 29;
        input.redis->ageSeconds = 149;
        input.redis->value.maxMemory = input.redis->value.usedMemory = 1024;
        QCOMPARE(assess(input).level, HealthLevel::Broken);
    }
};

} // namespace tst_healthtable

OUTBOX_TEST(tst_healthtable::TestHealthTable)
#include "tst_healthtable.moc"
