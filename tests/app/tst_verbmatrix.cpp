// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every verb against every state of a row and of its task, for all shapes: what the plan foresees
// is what the design promises, what comes of it is what the plan foresaw, and the world is as told.
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "tests/app/verbcells.h"
#include "tests/support/queueserver.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoperator.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QSet>
#include <QTest>

#include <cstdio>

namespace tst_verbmatrix {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestVerbMatrix : public QObject
{
    Q_OBJECT

    TestPostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;
    QString m_table; ///< printed at the end
    int m_cells = 0;

    const asynq::QueueKeys m_keys{{u"default"_s}};

    static QStringList idsOf(const QList<VerbCell> &cells)
    {
        QStringList ids;
        for (const VerbCell &cell : cells)
            ids += cell.id;
        return ids;
    }

    static QStringList taskIdsOf(const QList<VerbCell> &cells)
    {
        QStringList ids;
        for (const VerbCell &cell : cells)
            ids += cell.taskId;
        return ids;
    }

    static QHash<QByteArray, QByteArray> tasksOf(TestOutbox &fixture, const QList<VerbCell> &cells)
    {
        QByteArrayList ids;
        for (const VerbCell &cell : cells)
            ids += cell.taskId.toUtf8();
        return redisByTask(fixture.plainRedis(), ids);
    }

    RedisReply ask(TestOutbox &fixture, const RedisCommand &command)
    {
        const auto reply = fixture.plainRedis().command(command, u"asking"_s);
        return reply ? *reply : RedisReply();
    }

    /// How often the id stands in all containers together.
    qint64 places(TestOutbox &fixture, const QByteArray &id)
    {
        qint64 found = 0;
        for (const QByteArray &list : {m_keys.pending(), m_keys.active()})
            found += ask(fixture, {"LPOS", list, id, "COUNT", "0"}).elements.size();
        for (const QByteArray &set : {m_keys.scheduled(), m_keys.retry(), m_keys.archived(),
                                      m_keys.completed(), m_keys.group("g")})
            found += ask(fixture, {"ZSCORE", set, id}).isNil() ? 0 : 1;
        return found;
    }

    /// What the queue must show for a task that the verb was carried out on; empty when it does.
    QString wrongInQueue(TestOutbox &fixture, Verb verb, const VerbCell &cell)
    {
        const QByteArray id = cell.taskId.toUtf8();
        const QByteArray state = ask(fixture, {"HGET", m_keys.task(id), "state"}).bytes;
        switch (verb) {
        case Verb::Delete:
            return state.isEmpty() && places(fixture, id) == 0 ? QString() : u"not deleted"_s;
        case Verb::Archive:
            return state == "archived" && places(fixture, id) == 1
                    && !ask(fixture, {"ZSCORE", m_keys.archived(), id}).isNil()
                ? QString()
                : u"not archived"_s;
        case Verb::Run:
        case Verb::Replace: {
            if (state != "pending" || places(fixture, id) != 1
                || ask(fixture, {"LPOS", m_keys.pending(), id}).isNil())
                return u"not pending"_s;
            const auto message
                = asynq::decode(ask(fixture, {"HGET", m_keys.task(id), "msg"}).bytes);
            return message && message->payload == fixture.expectedPayload(cell.id)
                    && message->id == cell.taskId
                ? QString()
                : u"not the same message"_s;
        }
        default:
            return {};
        }
    }

    void addShapes()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::addColumn<BenchShape>("shape");
        for (const BenchShape shape : allBenchShapes())
            QTest::addRow("PostgreSQL, %s", qPrintable(word(shape)))
                << TestOutbox::Kind::Postgres << shape;
        if (isDatabasePooled())
            return;
        for (const BenchShape shape : allBenchShapes())
            QTest::addRow("MariaDB, %s", qPrintable(word(shape)))
                << TestOutbox::Kind::MariaDb << shape;
        QTest::newRow("SQLite, completed_at")
            << TestOutbox::Kind::Sqlite << BenchShape::CompletedAt;
    }

    /// One line for each state of the row.
    void print(const QString &where, Verb verb, const QList<VerbCell> &cells,
               const QList<Outcome> &outcomes)
    {
        m_cells += static_cast<int>(cells.size());
        m_table += u"\n%1, %2"_s.arg(where, word(verb)).leftJustified(36);
        for (const TaskIs task : allTasks())
            m_table += u" %1"_s.arg(word(task), -13);
        for (qsizetype i = 0; i < cells.size(); ++i) {
            if (i == 0 || cells.at(i).row != cells.at(i - 1).row)
                m_table += u"\n  row %1"_s.arg(word(cells.at(i).row)).leftJustified(36);
            m_table += u" %1"_s.arg(word(outcomes.at(i)), -13);
        }
    }

    void carryOutOnAllCells(Verb verb)
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        TestOutbox fixture(kind, shape, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const OutboxShape &mapping = person.session().shape();
        const QList<VerbCell> cells = makeCells(fixture, kind, shape, mapping);
        QVERIFY(!cells.isEmpty());
        const auto rowsBefore = rowDigests(fixture, kind, shape);
        const auto tasksBefore = tasksOf(fixture, cells);

        const auto plan = person.plan(verb,
                                      actsOnRows(verb) ? TestOperator::rows(idsOf(cells))
                                                       : TestOperator::tasks(taskIdsOf(cells)));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.size(), cells.size());
        QCOMPARE(rowDigests(fixture, kind, shape), rowsBefore); // a plan writes nothing
        QCOMPARE(tasksOf(fixture, cells), tasksBefore);
        for (qsizetype i = 0; i < cells.size(); ++i) {
            const PlanItem &item = plan->items.at(i);
            const QString cell = u"%1: row %2, task %3: %4"_s.arg(
                word(verb), word(cells.at(i).row), word(cells.at(i).task), item.reason);
            QVERIFY2(item.expected == promised(verb, cells.at(i)),
                     qPrintable(cell + u" -> "_s + word(item.expected)));
            if (!item.isActedOn())
                QVERIFY2(!item.reason.isEmpty(), qPrintable(cell));
        }
        const QString where = QString::fromUtf8(QTest::currentDataTag());
        if (plan->acting() == 0) { // no cell of this shape can be acted on
            QList<Outcome> foreseen;
            for (const PlanItem &item : plan->items)
                foreseen += item.expected;
            print(where, verb, cells, foreseen);
            return;
        }

        const auto receipt = person.carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QVERIFY2(!receipt->error, receipt->error ? qPrintable(oneLine(*receipt->error)) : "");
        QVERIFY(releaseHeld(fixture, kind));
        const auto rowsAfter = rowDigests(fixture, kind, shape);
        const auto tasksAfter = tasksOf(fixture, cells);
        const QStringList processed = processedIds(fixture, shape);
        QStringList reopened;
        QList<Outcome> outcomes;
        for (qsizetype i = 0; i < cells.size(); ++i) {
            const VerbCell &cell = cells.at(i);
            const ReceiptItem &item = receipt->items.at(i);
            const Outcome foreseen
                = plan->items.at(i).isActedOn() ? Outcome::Done : plan->items.at(i).expected;
            const QString text = u"%1: row %2, task %3: %4 (%5)"_s.arg(
                word(verb), word(cell.row), word(cell.task), word(item.outcome), item.reason);
            QVERIFY2(item.outcome == foreseen, qPrintable(text));
            outcomes += item.outcome;

            const QByteArray task = cell.taskId.toUtf8();
            const bool acted = item.outcome == Outcome::Done;
            if (!acted || verb != Verb::Replay) {
                const bool deleted = acted && verb == Verb::Purge;
                QVERIFY2(rowsAfter.value(cell.id)
                             == (deleted ? QString() : rowsBefore.value(cell.id)),
                         qPrintable(text + u": the row"_s));
            } else {
                QVERIFY2(rowsAfter.contains(cell.id) && !processed.contains(cell.id),
                         qPrintable(text + u": not reopened"_s));
                reopened += cell.id;
            }
            const bool tombstone = acted && verb == Verb::Purge && cell.row == RowIs::Pending
                && cell.task == TaskIs::None;
            if (tombstone) {
                QVERIFY2(ask(fixture, {"HGET", m_keys.task(task), "state"}).bytes == "completed",
                         qPrintable(text + u": no tombstone"_s));
            } else if (!acted || actsOnRows(verb) || verb == Verb::Cancel) {
                QVERIFY2(tasksAfter.value(task) == tasksBefore.value(task),
                         qPrintable(text + u": the task"_s));
            } else {
                const QString wrong = wrongInQueue(fixture, verb, cell);
                QVERIFY2(wrong.isEmpty(), qPrintable(text + u": "_s + wrong));
            }
        }
        print(where, verb, cells, outcomes);
        QVERIFY(person.activities().first().state != Activity::State::InDoubt);

        if (verb == Verb::Replay) { // what was reopened is delivered, once
            FixtureRelay relay;
            QVERIFY_RESULT(relay.open(fixture));
            static_cast<void>(relay.drain());
            const QStringList done = processedIds(fixture, shape);
            for (const QString &id : std::as_const(reopened)) {
                QVERIFY(done.contains(id));
                QCOMPARE(
                    wrongInQueue(fixture, Verb::Run,
                                 {RowIs::Processed, TaskIs::None, id, fixture.taskId(mapping, id)}),
                    QString());
            }
        }
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        if (!isDatabasePooled())
            OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(QueueStart{m_redis});
    }
    void cleanupTestCase()
    {
        std::printf("%s\n%d cells, foreseen = promised = done in all of them\n",
                    qPrintable(m_table), m_cells);
    }

    void replay_data() { addShapes(); }
    void replay() { carryOutOnAllCells(Verb::Replay); }
    void purge_data() { addShapes(); }
    void purge() { carryOutOnAllCells(Verb::Purge); }
    void run_data() { addShapes(); }
    void run() { carryOutOnAllCells(Verb::Run); }
    void archive_data() { addShapes(); }
    void archive() { carryOutOnAllCells(Verb::Archive); }
    void deleteTasks_data() { addShapes(); }
    void deleteTasks() { carryOutOnAllCells(Verb::Delete); }
    void replace_data() { addShapes(); }
    void replace() { carryOutOnAllCells(Verb::Replace); }
    void cancel_data() { addShapes(); }
    void cancel() { carryOutOnAllCells(Verb::Cancel); }

    void aFilterPurgesProcessedRowsOnly_data() { addShapes(); }
    void aFilterPurgesProcessedRowsOnly()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        TestOutbox fixture(kind, shape, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        QVERIFY(!makeCells(fixture, kind, shape, person.session().shape()).isEmpty());
        QVERIFY(releaseHeld(fixture, kind));
        Selection all;
        all.filter = u"type:*"_s;
        const auto plan = person.plan(Verb::Purge, all);
        QVERIFY_RESULT(plan);
        QStringList planned;
        for (const PlanItem &item : plan->items)
            planned += item.row.text;
        QStringList processed = processedIds(fixture, shape);
        planned.sort();
        processed.sort();
        QCOMPARE(planned, processed);

        all.filter = u"state:pending"_s;
        const auto pending = person.plan(Verb::Purge, all);
        QVERIFY_RESULT(pending);
        QVERIFY(!pending->items.isEmpty());
        for (const PlanItem &item : pending->items)
            QCOMPARE(item.expected, Outcome::NotOffered);
    }

    void pauseAndUnpause()
    {
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(1));
        FixtureRelay relay;
        QVERIFY_RESULT(relay.open(fixture));
        QCOMPARE(relay.drain().enqueued, 1);
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        for (const auto &[verb, foreseen] :
             {std::pair(Verb::Unpause, Outcome::NothingToDo), std::pair(Verb::Pause, Outcome::Done),
              std::pair(Verb::Pause, Outcome::NothingToDo),
              std::pair(Verb::Unpause, Outcome::Done)}) {
            const auto plan = person.plan(verb, {});
            QVERIFY_RESULT(plan);
            QCOMPARE(plan->items.size(), 1);
            QCOMPARE(plan->items.first().expected, foreseen);
            QVERIFY(!plan->items.first().reason.isEmpty());
            if (foreseen == Outcome::Done) {
                const auto receipt = person.carryOut(*plan);
                QVERIFY_RESULT(receipt);
                QCOMPARE(receipt->items.first().outcome, Outcome::Done);
                QCOMPARE(ask(fixture, {"EXISTS", m_keys.paused()}).integer,
                         verb == Verb::Pause ? 1 : 0);
            }
            ++m_cells;
        }
        Selection elsewhere;
        elsewhere.queue.text = u"nowhere"_s;
        const auto unknown = person.plan(Verb::Pause, elsewhere);
        QVERIFY_RESULT(unknown);
        QCOMPARE(unknown->items.first().expected, Outcome::Gone);
    }
};

} // namespace tst_verbmatrix

OUTBOX_TEST(tst_verbmatrix::TestVerbMatrix)
#include "tst_verbmatrix.moc"
