// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Park and unpark as an operator's verbs: guarded, on record, each the undo of the other.
#include "app/operations/operation.h"
#include "app/operations/park.h"
#include "app/relay/relaypair.h"
#include "app/system/outboxsource.h"
#include "models/filter/rowfilter.h"
#include "tests/support/operatordesk.h"
#include "tests/support/outboxbench.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestParkVerbs : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    /// What a relay that starts now delivers before nothing but parked rows is left.
    static qint64 relayed(OutboxBench &bench, OperatorDesk &desk)
    {
        RelayTarget target;
        target.store = bench.settings(StoreAccess::Relay);
        target.shape = desk.bench().shape();
        target.redis = bench.redis();
        target.rules.queue.text = u"default"_s;
        target.stateFolder = desk.stateFolder();
        RelayPair pair;
        if (const auto opened = pair.open(target); !opened) {
            qWarning() << oneLine(opened.error());
            return -1;
        }
        const std::stop_source stop;
        RelayTotals totals;
        const RelayBurst burst
            = pair.work(100, 1000, 30'000, 50, RelayAim::Drained, stop.get_token());
        for (const RelayStep &step : burst.steps)
            totals.add(step);
        return burst.end == RelayBurst::End::Drained ? totals.delivered() : -1;
    }

    static QStringList parkedIds(OperatorDesk &desk)
    {
        const auto rows = parkedRowsOf(desk.bench());
        if (!rows)
            return {oneLine(rows.error())};
        QStringList ids;
        for (const MessageId &id : rows->keys())
            ids += id.text;
        return ids;
    }

    static bool makeTable(OutboxBench &bench)
    {
        return bench.exec(ParkedTableAccess::sql(bench.dialect()));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void parkAndUnparkUndoEachOther_data()
    {
        QTest::addColumn<OutboxBench::Kind>("kind");
        QTest::addColumn<bool>("inTable");
        QTest::newRow("PostgreSQL, table") << OutboxBench::Kind::Postgres << true;
        QTest::newRow("PostgreSQL, file") << OutboxBench::Kind::Postgres << false;
        QTest::newRow("MariaDB, table") << OutboxBench::Kind::MariaDb << true;
        QTest::newRow("MariaDB, file") << OutboxBench::Kind::MariaDb << false;
        QTest::newRow("SQLite, table") << OutboxBench::Kind::Sqlite << true;
        QTest::newRow("SQLite, file") << OutboxBench::Kind::Sqlite << false;
    }
    void parkAndUnparkUndoEachOther()
    {
        QFETCH(OutboxBench::Kind, kind);
        QFETCH(bool, inTable);
        OutboxBench bench(kind, BenchShape::Payload, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(3));
        QVERIFY(!inTable || makeTable(bench));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QString id = bench.insertedIds().at(1);

        const auto plan = desk.plan(Verb::Park, OperatorDesk::rows({id}));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.first().expected, Outcome::Done);
        QCOMPARE(plan->statements.join(u' ').contains(u"outbox_parked"_s), inTable);
        QCOMPARE(plan->warnings.join(u' ').contains(desk.stateFolder()), !inTable);
        QCOMPARE(parkedIds(desk), QStringList()); // a plan changes nothing
        const auto parked = desk.carryOut(*plan);
        QVERIFY_RESULT(parked);
        QCOMPARE(parked->items.first().outcome, Outcome::Done);
        QVERIFY(parked->undoable);
        QCOMPARE(parkedIds(desk), QStringList{id});
        const auto again = desk.plan(Verb::Park, OperatorDesk::rows({id}));
        QVERIFY_RESULT(again);
        QCOMPARE(again->items.first().expected, Outcome::NothingToDo);
        QVERIFY(again->items.first().reason.contains(u"by hand"_s));

        QCOMPARE(relayed(bench, desk), 2);
        QCOMPARE(bench.unprocessed(), 1);

        const auto undo = planUndo(desk.bench(), desk.activities().first());
        QVERIFY_RESULT(undo);
        QCOMPARE(undo->verb, Verb::Unpark);
        const auto undone = desk.carryOut(*undo);
        QVERIFY_RESULT(undone);
        QCOMPARE(undone->items.first().outcome, Outcome::Done);
        QCOMPARE(parkedIds(desk), QStringList());
        const auto redo = planUndo(desk.bench(), desk.activities().first());
        QVERIFY_RESULT(redo);
        QCOMPARE(redo->verb, Verb::Park);
        QCOMPARE(redo->items.first().expected, Outcome::Done);

        QCOMPARE(relayed(bench, desk), 1);
        const auto late = desk.carryOut(*redo); // a relay was quicker
        QVERIFY_RESULT(late);
        QCOMPARE(late->items.first().outcome, Outcome::Gone);
        QCOMPARE(parkedIds(desk), QStringList());
    }

    void aParkedRowIsInAStateOfItsOwn_data() { parkAndUnparkUndoEachOther_data(); }
    void aParkedRowIsInAStateOfItsOwn()
    {
        QFETCH(OutboxBench::Kind, kind);
        QFETCH(bool, inTable);
        OutboxBench bench(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(4));
        const QString old = bench.insertedIds().first();
        QVERIFY(bench.exec(u"update outbox set created_at = '2001-01-01 00:00:00' where id = "_s
                           + old));
        QVERIFY(!inTable || makeTable(bench));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        OutboxSource source;
        QVERIFY_RESULT(source.open(bench.settings(StoreAccess::Look), desk.stateFolder()));
        QVERIFY_RESULT(source.store().use(desk.bench().shape()));
        const auto before = source.snapshot({100, 100});
        QVERIFY_RESULT(before);
        QCOMPARE(before->pending, 4);
        QCOMPARE(before->parked, 0);
        constexpr double year = 365.0 * 24 * 3600;
        QVERIFY(before->oldestPendingSeconds.value_or(0) > year);

        QVERIFY_RESULT(desk.act(Verb::Park, OperatorDesk::rows({old})));
        const auto after = source.snapshot({100, 100});
        QVERIFY_RESULT(after);
        QCOMPARE(after->pending, 3);
        QCOMPARE(after->parked, 1);
        QVERIFY(after->oldestPendingSeconds.has_value());
        QVERIFY(*after->oldestPendingSeconds < year); // no lag of a row that nobody waits for
        PageRequest request;
        request.newestFirst = false;
        request.limit = 1; // the first page holds the parked row alone
        request.states = {MessageState::Pending};
        const auto pending = source.page(request);
        QVERIFY_RESULT(pending);
        QCOMPARE(pending->rows.size(), 1);
        QCOMPARE(pending->rows.first().id.text, bench.insertedIds().at(1));
        const auto found = source.find({old});
        QVERIFY_RESULT(found);
        QCOMPARE((*found)->state, MessageState::Parked);
        QVERIFY((*found)->parkedSince.has_value());
        QVERIFY((*found)->note.contains(u"by hand"_s));

        QVERIFY_RESULT(desk.act(Verb::Unpark, OperatorDesk::rows({old})));
        const auto again = source.snapshot({100, 100});
        QVERIFY_RESULT(again);
        QCOMPARE(again->pending, 4);
        QCOMPARE(again->parked, 0);
    }

    void aCommitThatFailsLeavesTheRowParked_data()
    {
        QTest::addColumn<bool>("inTable");
        QTest::newRow("table") << true;
        QTest::newRow("file") << false;
    }
    void aCommitThatFailsLeavesTheRowParked()
    {
        QFETCH(bool, inTable);
        OutboxBench bench(OutboxBench::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(2));
        QVERIFY(!inTable || makeTable(bench));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QStringList id{bench.insertedIds().first()};
        QVERIFY_RESULT(desk.act(Verb::Park, OperatorDesk::rows(id)));
        const auto plan = desk.plan(Verb::Unpark, OperatorDesk::rows(id));
        QVERIFY_RESULT(plan);
        OperationControl control;
        control.passed = [&bench](const char *point) {
            if (qstrcmp(point, "written") == 0)
                QVERIFY(bench.exec(u"select pg_terminate_backend(pid, 5000) from pg_stat_activity "
                                   "where state like 'idle in transaction%'"_s));
        };
        const auto cut = desk.carryOut(*plan, control);
        QVERIFY(!cut || cut->items.first().outcome != Outcome::Done);
        QCOMPARE(parkedIds(desk), id);
        QVERIFY_RESULT(desk.act(Verb::Unpark, OperatorDesk::rows(id)));
        QCOMPARE(parkedIds(desk), QStringList());
    }

    void whatTheFileCannotLetGoIsTold()
    {
        OutboxBench bench(OutboxBench::Kind::Sqlite, BenchShape::Payload, nullptr, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(1));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        QVERIFY_RESULT(desk.act(Verb::Park, OperatorDesk::rows(bench.insertedIds())));
        const auto plan = desk.plan(Verb::Unpark, OperatorDesk::rows(bench.insertedIds()));
        QVERIFY_RESULT(plan);
        const auto parking = desk.bench().parking();
        QVERIFY_RESULT(parking);
        const QString file = (*parking)->inFile().file();
        OperationControl control;
        control.passed = [&file](const char *point) {
            if (qstrcmp(point, "committed") == 0) // something else stands in its place
                QVERIFY(QFile::rename(file, file + u".away"_s) && QDir().mkpath(file));
        };
        const auto cut = desk.carryOut(*plan, control);
        QVERIFY(QDir().rmdir(file) && QFile::rename(file + u".away"_s, file));
        QVERIFY_RESULT(cut);
        QCOMPARE(cut->items.first().outcome, Outcome::Failed);
        QVERIFY2(cut->items.first().reason.contains(u"cannot be told"_s),
                 qPrintable(cut->items.first().reason));
        QVERIFY(!cut->undoable);
        QCOMPARE(parkedIds(desk), bench.insertedIds());
    }

    void aClaimedRowIsNotParked()
    {
        OutboxBench bench(OutboxBench::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(1));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const auto free = desk.plan(Verb::Park, OperatorDesk::rows(bench.insertedIds()));
        QVERIFY_RESULT(free);
        QVERIFY(bench.exec(u"begin"_s));
        QVERIFY(bench.exec(u"select 1 from outbox for update"_s));
        const auto held = desk.plan(Verb::Park, OperatorDesk::rows(bench.insertedIds()));
        QVERIFY_RESULT(held);
        QCOMPARE(held->items.first().expected, Outcome::Claimed);
        const auto receipt = desk.carryOut(*free); // it was free when it was planned
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.first().outcome, Outcome::Claimed);
        QCOMPARE(parkedIds(desk), QStringList());
        QVERIFY(bench.exec(u"rollback"_s));
    }

    void onlyParkedRowsAreUnparked()
    {
        OutboxBench bench(OutboxBench::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(5));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QStringList &ids = bench.insertedIds();
        const auto none = desk.plan(Verb::Unpark, OperatorDesk::rows({ids.at(0)}));
        QVERIFY_RESULT(none);
        QCOMPARE(none->items.first().expected, Outcome::NothingToDo);
        QVERIFY_RESULT(desk.act(Verb::Park, OperatorDesk::rows({ids.at(1), ids.at(3)})));

        Selection filter;
        filter.filter = u"age>0s"_s;
        const auto plan = desk.plan(Verb::Unpark, filter);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.size(), 2);
        QCOMPARE(plan->acting(), 2);

        // Processed rows are nobody's to claim.
        QVERIFY(bench.exec(u"update outbox set completed_at = current_timestamp where id = "_s
                           + ids.at(4)));
        const auto processed = desk.plan(Verb::Park, OperatorDesk::rows({ids.at(4)}));
        QVERIFY_RESULT(processed);
        QCOMPARE(processed->items.first().expected, Outcome::NothingToDo);
    }

    void aFilterMeansParkedRowsAsTheListsDo_data() { parkAndUnparkUndoEachOther_data(); }
    void aFilterMeansParkedRowsAsTheListsDo()
    {
        QFETCH(OutboxBench::Kind, kind);
        QFETCH(bool, inTable);
        OutboxBench bench(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(4));
        QVERIFY(!inTable || makeTable(bench));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QString id = bench.insertedIds().at(1);
        QVERIFY_RESULT(desk.act(Verb::Park, OperatorDesk::rows({id})));
        for (const auto &[text, count] : QList<std::pair<QString, int>>{
                 {u"state:parked"_s, 1}, {u"state:pending"_s, 3}, {u"state:pending,parked"_s, 4}}) {
            Selection filter;
            filter.filter = text;
            const auto plan = desk.plan(Verb::Purge, filter);
            QVERIFY_RESULT(plan);
            QCOMPARE(plan->items.size(), count);
            for (const PlanItem &item : plan->items) {
                QCOMPARE(item.expected, Outcome::NotOffered); // not one by one
                QCOMPARE(item.rowSeen->state, MessageState::Pending); // what guards it
            }
        }
    }

    void parkedRowsAreListedWithTheirReason()
    {
        OutboxBench bench(OutboxBench::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(4));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QString id = bench.insertedIds().at(2);
        QVERIFY_RESULT(desk.act(Verb::Park, OperatorDesk::rows({id})));
        const auto store = desk.bench().rows();
        const auto parking = desk.bench().parking();
        QVERIFY_RESULT(store);
        QVERIFY_RESULT(parking);
        PageRequest request;
        const auto all = pageWithParked(**store, **parking, request);
        QVERIFY_RESULT(all);
        QCOMPARE(all->rows.size(), 4);
        for (const Message &row : all->rows) {
            QCOMPARE(row.state, row.id.text == id ? MessageState::Parked : MessageState::Pending);
        }
        request.states = {MessageState::Parked};
        const auto parked = pageWithParked(**store, **parking, request);
        QVERIFY_RESULT(parked);
        QCOMPARE(parked->rows.size(), 1);
        QVERIFY(parked->rows.first().note.contains(u"by hand"_s));
        request.states += MessageState::Pending;
        QVERIFY(!pageWithParked(**store, **parking, request));
        for (const auto &[text, count] : QList<std::pair<QString, int>>{
                 {u"state:parked"_s, 1},
                 {u"state:pending"_s, 3},
                 {u"state:pending,parked"_s, 4},
                 {u"-state:parked"_s, 3},
                 {u"-state:pending"_s, 1},
                 {u"state!=parked"_s, 3},
                 {u"state:parked or id:"_s + bench.insertedIds().at(0), 2},
                 {u"state:failed or -(state:processed,pending)"_s, 1}}) {
            const auto asked = pageRequestFromFilter(text, {}, QDateTime::currentDateTime());
            QVERIFY_RESULT(asked);
            const auto page = pageWithParked(**store, **parking, *asked);
            QVERIFY_RESULT(page);
            QVERIFY2(page->rows.size() == count, qPrintable(text));
        }
    }
};

QTEST_GUILESS_MAIN(TestParkVerbs)
#include "tst_parkverbs.moc"
