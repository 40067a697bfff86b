// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Park and unpark as an operator's verbs: guarded, on record, each the undo of the other.
#include "app/operations/core/operation.h"
#include "app/operations/core/rowselection.h"
#include "app/relay/relaysession.h"
#include "app/system/sources/outboxsource.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoperator.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTest>

namespace tst_parkverbs {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestParkVerbs : public QObject
{
    Q_OBJECT

    TestPostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    /// What a relay that starts now delivers before nothing but parked rows is left.
    static qint64 relayed(TestOutbox &fixture, TestOperator &person)
    {
        RelayTarget target;
        target.store = fixture.settings(StoreAccess::Relay);
        target.shape = person.session().shape();
        target.redis = fixture.redis();
        target.rules.queue.text = u"default"_s;
        target.stateFolder = person.stateFolder();
        RelaySession pair;
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

    static QStringList parkedIds(TestOperator &person)
    {
        const auto rows = parkedRowsOf(person.session());
        if (!rows)
            return {oneLine(rows.error())};
        QStringList ids;
        for (const MessageId &id : rows->keys())
            ids += id.text;
        return ids;
    }

    static bool makeTable(TestOutbox &fixture)
    {
        return fixture.exec(ParkedTableAccess::sql(fixture.dialect()));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        if (!isDatabasePooled())
            OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void parkAndUnparkUndoEachOther_data()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::addColumn<bool>("inTable");
        QTest::newRow("PostgreSQL, table") << TestOutbox::Kind::Postgres << true;
        QTest::newRow("PostgreSQL, file") << TestOutbox::Kind::Postgres << false;
        if (isDatabasePooled())
            return;
        QTest::newRow("MariaDB, table") << TestOutbox::Kind::MariaDb << true;
        QTest::newRow("MariaDB, file") << TestOutbox::Kind::MariaDb << false;
        QTest::newRow("SQLite, table") << TestOutbox::Kind::Sqlite << true;
        QTest::newRow("SQLite, file") << TestOutbox::Kind::Sqlite << false;
    }
    void parkAndUnparkUndoEachOther()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(bool, inTable);
        TestOutbox fixture(kind, BenchShape::Payload, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(3));
        QVERIFY(!inTable || makeTable(fixture));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QString id = fixture.insertedIds().at(1);

        const auto plan = person.plan(Verb::Park, TestOperator::rows({id}));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.first().expected, Outcome::Done);
        QCOMPARE(plan->statements.join(u' ').contains(u"outbox_parked"_s), inTable);
        QCOMPARE(plan->warnings.join(u' ').contains(person.stateFolder()), !inTable);
        QCOMPARE(parkedIds(person), QStringList()); // a plan changes nothing
        const auto parked = person.carryOut(*plan);
        QVERIFY_RESULT(parked);
        QCOMPARE(parked->items.first().outcome, Outcome::Done);
        QVERIFY(parked->undoable);
        QCOMPARE(parkedIds(person), QStringList{id});
        const auto again = person.plan(Verb::Park, TestOperator::rows({id}));
        QVERIFY_RESULT(again);
        QCOMPARE(again->items.first().expected, Outcome::NothingToDo);
        QVERIFY(again->items.first().reason.contains(u"by hand"_s));

        QCOMPARE(relayed(fixture, person), 2);
        QCOMPARE(fixture.unprocessed(), 1);

        const auto undo = planUndo(person.session(), person.activities().first());
        QVERIFY_RESULT(undo);
        QCOMPARE(undo->verb, Verb::Unpark);
        const auto undone = person.carryOut(*undo);
        QVERIFY_RESULT(undone);
        QCOMPARE(undone->items.first().outcome, Outcome::Done);
        QCOMPARE(parkedIds(person), QStringList());
        const auto redo = planUndo(person.session(), person.activities().first());
        QVERIFY_RESULT(redo);
        QCOMPARE(redo->verb, Verb::Park);
        QCOMPARE(redo->items.first().expected, Outcome::Done);

        QCOMPARE(relayed(fixture, person), 1);
        const auto late = person.carryOut(*redo); // a relay was quicker
        QVERIFY_RESULT(late);
        QCOMPARE(late->items.first().outcome, Outcome::Gone);
        QCOMPARE(parkedIds(person), QStringList());
    }

    void aParkedRowIsInAStateOfItsOwn_data() { parkAndUnparkUndoEachOther_data(); }
    void aParkedRowIsInAStateOfItsOwn()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(bool, inTable);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(4));
        const QString old = fixture.insertedIds().first();
        QVERIFY(fixture.exec(u"update outbox set created_at = '2001-01-01 00:00:00' where id = "_s
                             + old));
        QVERIFY(!inTable || makeTable(fixture));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        OutboxSource source;
        QVERIFY_RESULT(source.open(fixture.settings(StoreAccess::ReadOnly), person.stateFolder()));
        QVERIFY_RESULT(source.store().use(person.session().shape()));
        const auto before = source.snapshot({100, 100});
        QVERIFY_RESULT(before);
        QCOMPARE(before->pending, 4);
        QCOMPARE(before->parked, 0);
        constexpr double year = 365.0 * 24 * 3600;
        QVERIFY(before->oldestPendingSeconds.value_or(0) > year);

        QVERIFY_RESULT(person.act(Verb::Park, TestOperator::rows({old})));
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
        QCOMPARE(pending->rows.first().id.text, fixture.insertedIds().at(1));
        const auto found = source.find({old});
        QVERIFY_RESULT(found);
        QCOMPARE((*found)->state, MessageState::Parked);
        QVERIFY((*found)->parkedSince.has_value());
        QVERIFY((*found)->note.contains(u"by hand"_s));

        QVERIFY_RESULT(person.act(Verb::Unpark, TestOperator::rows({old})));
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
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(2));
        QVERIFY(!inTable || makeTable(fixture));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QStringList id{fixture.insertedIds().first()};
        QVERIFY_RESULT(person.act(Verb::Park, TestOperator::rows(id)));
        const auto plan = person.plan(Verb::Unpark, TestOperator::rows(id));
        QVERIFY_RESULT(plan);
        OperationControl control;
        control.passed = [&fixture](const char *point) {
            if (qstrcmp(point, "written") == 0)
                QVERIFY(
                    fixture.exec(u"select pg_terminate_backend(pid, 5000) from pg_stat_activity "
                                 "where state like 'idle in transaction%'"_s));
        };
        const auto cut = person.carryOut(*plan, control);
        QVERIFY(!cut || cut->items.first().outcome != Outcome::Done);
        QCOMPARE(parkedIds(person), id);
        QVERIFY_RESULT(person.act(Verb::Unpark, TestOperator::rows(id)));
        QCOMPARE(parkedIds(person), QStringList());
    }

    void whatTheFileCannotLetGoIsTold()
    {
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::Payload, nullptr, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(1));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        QVERIFY_RESULT(person.act(Verb::Park, TestOperator::rows(fixture.insertedIds())));
        const auto plan = person.plan(Verb::Unpark, TestOperator::rows(fixture.insertedIds()));
        QVERIFY_RESULT(plan);
        const auto parking = person.session().parking();
        QVERIFY_RESULT(parking);
        const QString file = (*parking)->inFile().file();
        OperationControl control;
        control.passed = [&file](const char *point) {
            if (qstrcmp(point, "committed") == 0) // something else stands in its place
                QVERIFY(QFile::rename(file, file + u".away"_s) && QDir().mkpath(file));
        };
        const auto cut = person.carryOut(*plan, control);
        QVERIFY(QDir().rmdir(file) && QFile::rename(file + u".away"_s, file));
        QVERIFY_RESULT(cut);
        QCOMPARE(cut->items.first().outcome, Outcome::Failed);
        QVERIFY2(cut->items.first().reason.contains(u"cannot be told"_s),
                 qPrintable(cut->items.first().reason));
        QVERIFY(!cut->undoable);
        QCOMPARE(parkedIds(person), fixture.insertedIds());
    }

    void aClaimedRowIsNotParked()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(1));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const auto free = person.plan(Verb::Park, TestOperator::rows(fixture.insertedIds()));
        QVERIFY_RESULT(free);
        QVERIFY(fixture.exec(u"begin"_s));
        QVERIFY(fixture.exec(u"select 1 from outbox for update"_s));
        const auto held = person.plan(Verb::Park, TestOperator::rows(fixture.insertedIds()));
        QVERIFY_RESULT(held);
        QCOMPARE(held->items.first().expected, Outcome::Claimed);
        const auto receipt = person.carryOut(*free); // it was free when it was planned
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.first().outcome, Outcome::Claimed);
        QCOMPARE(parkedIds(person), QStringList());
        QVERIFY(fixture.exec(u"rollback"_s));
    }

    void onlyParkedRowsAreUnparked()
    {
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(5));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QStringList &ids = fixture.insertedIds();
        const auto none = person.plan(Verb::Unpark, TestOperator::rows({ids.at(0)}));
        QVERIFY_RESULT(none);
        QCOMPARE(none->items.first().expected, Outcome::NothingToDo);
        QVERIFY_RESULT(person.act(Verb::Park, TestOperator::rows({ids.at(1), ids.at(3)})));

        Selection filter;
        filter.filter = u"age>0s"_s;
        const auto plan = person.plan(Verb::Unpark, filter);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.size(), 2);
        QCOMPARE(plan->acting(), 2);

        // Processed rows are nobody's to claim.
        QVERIFY(fixture.exec(u"update outbox set completed_at = current_timestamp where id = "_s
                             + ids.at(4)));
        const auto processed = person.plan(Verb::Park, TestOperator::rows({ids.at(4)}));
        QVERIFY_RESULT(processed);
        QCOMPARE(processed->items.first().expected, Outcome::NothingToDo);
    }

    void aFilterMeansParkedRowsAsTheListsDo_data() { parkAndUnparkUndoEachOther_data(); }
    void aFilterMeansParkedRowsAsTheListsDo()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(bool, inTable);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(4));
        QVERIFY(!inTable || makeTable(fixture));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QString id = fixture.insertedIds().at(1);
        QVERIFY_RESULT(person.act(Verb::Park, TestOperator::rows({id})));
        for (const auto &[text, count] : QList<std::pair<QString, int>>{
                 {u"state:parked"_s, 1}, {u"state:pending"_s, 3}, {u"state:pending,parked"_s, 4}}) {
            Selection filter;
            filter.filter = text;
            const auto plan = person.plan(Verb::Purge, filter);
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
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(4));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QString id = fixture.insertedIds().at(2);
        QVERIFY_RESULT(person.act(Verb::Park, TestOperator::rows({id})));
        const auto store = person.session().rows();
        const auto parking = person.session().parking();
        QVERIFY_RESULT(store);
        QVERIFY_RESULT(parking);
        const auto aside = (*parking)->rows();
        QVERIFY_RESULT(aside);
        PageRequest request;
        const auto all = (*store)->page(request, *aside);
        QVERIFY_RESULT(all);
        QCOMPARE(all->rows.size(), 4);
        for (const Message &row : all->rows) {
            QCOMPARE(row.state, row.id.text == id ? MessageState::Parked : MessageState::Pending);
        }
        request.states = {MessageState::Parked};
        const auto parked = (*store)->page(request, *aside);
        QVERIFY_RESULT(parked);
        QCOMPARE(parked->rows.size(), 1);
        QVERIFY(parked->rows.first().note.contains(u"by hand"_s));
        request.states += MessageState::Pending;
        QVERIFY(!(*store)->page(request, *aside));
        for (const auto &[text, count] : QList<std::pair<QString, int>>{
                 {u"state:parked"_s, 1},
                 {u"state:pending"_s, 3},
                 {u"state:pending,parked"_s, 4},
                 {u"-state:parked"_s, 3},
                 {u"-state:pending"_s, 1},
                 {u"state!=parked"_s, 3},
                 {u"state:parked or id:"_s + fixture.insertedIds().at(0), 2},
                 {u"state:failed or -(state:processed,pending)"_s, 1}}) {
            const auto asked = pageRequestFromFilter(text, {}, QDateTime::currentDateTime());
            QVERIFY_RESULT(asked);
            const auto page = (*store)->page(*asked, *aside);
            QVERIFY_RESULT(page);
            QVERIFY2(page->rows.size() == count, qPrintable(text));
        }
    }
};

} // namespace tst_parkverbs

OUTBOX_TEST(tst_parkverbs::TestParkVerbs)
#include "tst_parkverbs.moc"
