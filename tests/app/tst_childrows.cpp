// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A purge takes nothing along that no undo brings back: rows of other tables keep their row where
// it is, whenever they come, and what triggers do is told.
#include "connectors/sql/catalog/catalogreader.h"
#include "connectors/sql/outbox/childrows.h"
#include "connectors/sql/session/databasesession.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testkinds.h"
#include "tests/support/testoperator.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_childrows {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestChildRows : public QObject
{
    Q_OBJECT

    using Kind = TestOutbox::Kind;

    TestPostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    /// Three processed rows, and a table whose rows may belong to one of them.
    static bool fill(TestOutbox &fixture, const QString &rule)
    {
        return fixture.setUp() && fixture.insertRows(3)
            && fixture.exec(u"update outbox set completed_at = '2026-03-01 10:00:00'"_s)
            && fixture.exec(
                u"create table attachments (id integer not null primary key, message bigint"
                " references outbox (id) on delete "_s
                + rule + u')');
    }
    static bool attach(TestOutbox &fixture, int id, const QString &message)
    {
        return fixture.exec(u"insert into attachments values (%1, %2)"_s.arg(id).arg(message));
    }
    static int attached(TestOutbox &fixture)
    {
        return fixture.scalar(u"select count(*) from attachments where message is not null"_s)
            .toInt();
    }
    static int rowsIn(TestOutbox &fixture)
    {
        return fixture.scalar(u"select count(*) from outbox"_s).toInt();
    }

    static Result<Receipt> undoLast(TestOperator &person)
    {
        const auto plan = planUndo(person.session(), person.activities().first());
        return plan ? person.carryOut(*plan) : Result<Receipt>(passOn(plan));
    }

    /// What the children of these rows are, by a session that `prepare` was run in.
    static Result<QList<ChildRows>> childrenSeen(const TestOutbox &fixture,
                                                 const QStringList &prepare,
                                                 const QString &key = u"id"_s)
    {
        const StoreSettings settings = fixture.settings(StoreAccess::Act);
        DatabaseSession session;
        if (auto opened = session.open(settings); !opened)
            return passOn(opened);
        for (const QString &sql : prepare) {
            if (const auto done = session->query({sql, {}}, u"preparing"_s); !done)
                return passOn(done);
        }
        const auto catalog = readCatalog(*session, fixture.dialect());
        if (!catalog)
            return passOn(catalog);
        const CatalogTable *table = catalog->find({{}, u"outbox"_s});
        return childrenOf({*session, fixture.dialect(), *table, key}, fixture.insertedIds());
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        if (!isDatabasePooled())
            OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void rowsWithChildrenStay_data()
    {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("rule");
        for (const char *rule : {"cascade", "set null"}) {
            QTest::addRow("PostgreSQL, %s", rule) << Kind::Postgres << QString::fromLatin1(rule);
            if (!isDatabasePooled())
                QTest::addRow("MariaDB, %s", rule) << Kind::MariaDb << QString::fromLatin1(rule);
        }
    }
    void rowsWithChildrenStay()
    {
        QFETCH(Kind, kind);
        QFETCH(QString, rule);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fill(fixture, rule));
        const QStringList ids = fixture.insertedIds();
        QVERIFY(attach(fixture, 1, ids.at(0)) && attach(fixture, 2, ids.at(0)));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));

        const auto plan = person.plan(Verb::Purge, TestOperator::rows(ids));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), 2);
        const PlanItem &parent = plan->items.first();
        QCOMPARE(parent.expected, Outcome::Blocked);
        QVERIFY2(parent.reason.startsWith(u"2 rows of "_s)
                     && parent.reason.contains(u"attachments refer to it and would "_s)
                     && parent.reason.contains(u"(ON DELETE "_s + rule.toUpper() + u')'),
                 qPrintable(parent.reason));

        // A child of another row comes before the act.
        QVERIFY(attach(fixture, 3, ids.at(1)));
        const auto receipt = person.carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 1);
        QCOMPARE(receipt->count(Outcome::Blocked), 1);
        QCOMPARE(receipt->count(Outcome::Changed), 1);
        QVERIFY2(receipt->items.at(1).reason.startsWith(u"1 row of "_s),
                 qPrintable(receipt->items.at(1).reason));
        QCOMPARE(rowsIn(fixture), 2);
        QCOMPARE(attached(fixture), 3);

        // Without children they go.
        QVERIFY(fixture.exec(u"delete from attachments"_s));
        const auto gone = person.act(Verb::Purge, TestOperator::rows(ids.first(2)));
        QVERIFY_RESULT(gone);
        QCOMPARE(gone->count(Outcome::Done), 2);
        QCOMPARE(rowsIn(fixture), 0);
    }

    void withoutChildrenAPurgeIsUndoneAsEver_data() { addKinds(); }
    void withoutChildrenAPurgeIsUndoneAsEver()
    {
        QFETCH(Kind, kind);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fill(fixture, u"cascade"_s));
        QVERIFY(attach(fixture, 1, fixture.insertedIds().at(2)));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const auto plan
            = person.plan(Verb::Purge, TestOperator::rows(fixture.insertedIds().first(2)));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), 2);
        const QString warnings = plan->warnings.join(u'\n');
        QVERIFY2(!warnings.contains(u"attachments"_s) && !warnings.contains(u"when rows are"_s),
                 qPrintable(warnings));
        const auto receipt = person.carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 2);
        QCOMPARE(rowsIn(fixture), 1);
        const auto undone = undoLast(person);
        QVERIFY_RESULT(undone);
        QCOMPARE(undone->count(Outcome::Done), 2);
        QCOMPARE(rowsIn(fixture), 3);
        QCOMPARE(attached(fixture), 1);
    }

    void childrenThatSqliteKeepsAreTold()
    {
        TestOutbox fixture(Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(fill(fixture, u"cascade"_s));
        QVERIFY(attach(fixture, 1, fixture.insertedIds().at(0)));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const auto plan = person.plan(Verb::Purge, TestOperator::rows(fixture.insertedIds()));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), 3);
        QVERIFY2(plan->warnings.join(u'\n').contains(u"1 row of attachments that refer"_s),
                 qPrintable(plan->warnings.join(u'\n')));
        QVERIFY_RESULT(person.carryOut(*plan));
        QCOMPARE(rowsIn(fixture), 0);
        QCOMPARE(attached(fixture), 1);
        QVERIFY_RESULT(undoLast(person));
        QCOMPARE(
            fixture.scalar(u"select count(*) from attachments join outbox on outbox.id = message"_s)
                .toInt(),
            1);
    }

    void whereSqliteEnforcesKeysChildrenCount()
    {
        TestOutbox fixture(Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(fill(fixture, u"cascade"_s));
        QVERIFY(
            fixture.exec(u"create table notes (message references OUTBOX on delete set null)"_s));
        QVERIFY(
            fixture.exec(u"create table stops (message references outbox on delete restrict)"_s));
        const QString id = fixture.insertedIds().at(1);
        for (const char *table : {"notes", "stops"}) {
            QVERIFY(
                fixture.exec(u"insert into %1 values (%2)"_s.arg(QString::fromLatin1(table), id)));
        }
        QVERIFY(attach(fixture, 1, id) && attach(fixture, 2, id));
        const auto seen = childrenSeen(fixture, {u"pragma foreign_keys = on"_s});
        QVERIFY_RESULT(seen);
        const QList<ChildRows> expected{
            {{id}, {{}, u"attachments"_s}, u"CASCADE"_s, ChildFate::Deleted, 2},
            {{id}, {{}, u"notes"_s}, u"SET NULL"_s, ChildFate::Changed, 1}};
        QCOMPARE(*seen, expected);
    }

    void partitionsAndOwnRowsAreCountedOnce()
    {
        TestOutbox fixture(Kind::Postgres, BenchShape::CompletedAt, &m_postgres, m_redis);
        QVERIFY(fixture.setUp() && fixture.insertRows(2));
        const QStringList ids = fixture.insertedIds();
        QVERIFY(
            fixture.exec(u"create table parts (n int, message bigint references outbox on delete "
                         "set default) partition by list (n)"_s)
            && fixture.exec(u"create table part_1 partition of parts for values in (1)"_s)
            && fixture.exec(u"create table part_2 partition of parts for values in (2)"_s)
            && fixture.exec(u"insert into parts values (1, %1), (2, %1)"_s.arg(ids.at(0)))
            && fixture.exec(u"alter table outbox add follows bigint references outbox (id) on "
                            "delete cascade"_s)
            && fixture.exec(u"update outbox set follows = %1"_s.arg(ids.at(1))));
        const auto none = childrenSeen(fixture, {}, {}); // the key has several columns
        QVERIFY_RESULT(none);
        QVERIFY(none->isEmpty());
        const auto seen = childrenSeen(fixture, {});
        QVERIFY_RESULT(seen);
        const QList<ChildRows> expected{
            {{ids.at(1)}, {u"public"_s, u"outbox"_s}, u"CASCADE"_s, ChildFate::Deleted, 1},
            {{ids.at(0)}, {u"public"_s, u"parts"_s}, u"SET DEFAULT"_s, ChildFate::Changed, 2}};
        QCOMPARE(*seen, expected);
    }

    /// A role that may delete and not lock cannot keep children away until its DELETE.
    void aChildThatComesBeforeTheDeleteOfARoleWithoutLocks()
    {
        TestOutbox fixture(Kind::Postgres, BenchShape::CompletedAt, &m_postgres, m_redis);
        QVERIFY(fill(fixture, u"cascade"_s));
        QVERIFY(fixture.exec(u"update outbox set completed_at = null"_s));
        const QString role = u"purger_"_s + QString::number(QCoreApplication::applicationPid());
        QVERIFY(fixture.exec(u"create role %1 login"_s.arg(role))
                && fixture.exec(u"grant select, delete on outbox to "_s + role));
        QString url = fixture.url();
        url.replace(m_postgres.user() + u'@', role + u'@');
        TestOperator person;
        QVERIFY_RESULT(person.open(url, fixture.table(), fixture.redisUrl()));
        const Selection one = TestOperator::rows({fixture.insertedIds().at(0)});

        const auto blind = person.plan(Verb::Purge, one);
        QVERIFY_RESULT(blind);
        QCOMPARE(blind->items.first().expected, Outcome::NotAllowed);
        QVERIFY2(blind->items.first().reason.contains(u"attachments"_s),
                 qPrintable(blind->items.first().reason));

        QVERIFY(fixture.exec(u"grant select on attachments to "_s + role)
                && fixture.exec(u"alter table attachments enable row level security"_s));
        const auto hidden = person.plan(Verb::Purge, one);
        QVERIFY_RESULT(hidden);
        QCOMPARE(hidden->items.first().expected, Outcome::NotAllowed);
        QVERIFY(fixture.exec(u"alter table attachments disable row level security"_s));

        const auto plan = person.plan(Verb::Purge, one);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), 1);
        OperationControl control;
        bool isLate = false;
        control.passed = [&](const char *point) {
            if (QByteArrayView(point) == "tombstoned")
                isLate = attach(fixture, 1, fixture.insertedIds().at(0));
        };
        const auto receipt = person.carryOut(*plan, control);
        QVERIFY_RESULT(receipt);
        QVERIFY(isLate);
        QCOMPARE(receipt->count(Outcome::Failed), 1);
        QVERIFY2(receipt->items.first().reason.contains(u"referred to meanwhile"_s),
                 qPrintable(receipt->items.first().reason));
        QCOMPARE(rowsIn(fixture), 3);
        QCOMPARE(attached(fixture), 1);
        const auto tombstone = fixture.plainRedis().command(
            {"EXISTS",
             "asynq:{default}:t:"
                 + fixture.taskId(person.session().shape(), fixture.insertedIds().at(0)).toUtf8()},
            u"looking"_s);
        QVERIFY_RESULT(tombstone);
        QCOMPARE(tombstone->integer, 0);
    }

    void triggersOnDeleteAreTold_data() { addKinds(); }
    void triggersOnDeleteAreTold()
    {
        QFETCH(Kind, kind);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fill(fixture, u"cascade"_s));
        QVERIFY(fixture.exec(u"create table removed (id bigint)"_s));
        if (kind == Kind::Postgres) {
            QVERIFY(
                fixture.exec(u"create function note() returns trigger language plpgsql as $$ begin"
                             " insert into removed values (old.id); return old; end $$"_s)
                && fixture.exec(u"create trigger keeps_count before delete on outbox for "
                                "each row execute function note()"_s)
                && fixture.exec(u"create trigger other after update on outbox for each row execute"
                                " function note()"_s));
        } else {
            QVERIFY(
                fixture.exec(u"create trigger keeps_count before delete on outbox for each row "
                             "begin insert into removed values (old.id); end"_s)
                && fixture.exec(u"create trigger other after update on outbox for each row begin "
                                "delete from removed where id = 0; end"_s));
        }
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const auto plan = person.plan(Verb::Purge, TestOperator::rows(fixture.insertedIds()));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), 3);
        const QStringList told = plan->warnings.filter(u"keeps_count"_s);
        QCOMPARE(told.size(), 1);
        QVERIFY2(!told.first().contains(u"other,"_s) && told.first().endsWith(u": keeps_count"_s),
                 qPrintable(told.first()));
        QVERIFY_RESULT(person.carryOut(*plan));
        QCOMPARE(fixture.scalar(u"select count(*) from removed"_s).toInt(), 3);
    }
};

} // namespace tst_childrows

OUTBOX_TEST(tst_childrows::TestChildRows)
#include "tst_childrows.moc"
