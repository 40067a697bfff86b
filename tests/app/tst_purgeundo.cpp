// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Export, purge and undo of 100,000 rows with bytes that no text codec survives and one payload of
// 100 MB: every byte is back, by digests that the database computes.
#include "connectors/sql/edit/outboxeditor.h"
#include "tests/support/queueserver.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoperator.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QTest>

#include <cstdio>

namespace tst_purgeundo {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestPurgeUndo : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;
    QElapsedTimer m_clock;

    void took(const char *what)
    {
        std::printf("%s: %.1f s\n", what, static_cast<double>(m_clock.restart()) / 1000);
    }

    /// NUL bytes and broken UTF-8 in every payload, times to the microsecond, quotes and line
    /// breaks in types; and one row of a hundred megabytes.
    static bool insertManyIntoPostgres(TestOutbox &fixture, int rows)
    {
        return fixture.exec(u"insert into outbox (type, payload, created_at, completed_at) "
                            "select case n % 5 when 0 then E'a\"b\\\\c\\n\\t' when 1 then 'é漢😀' "
                            "else 'email:' || n end, "
                            "decode(md5(n::text), 'hex') || '\\x00ff80c328'::bytea || "
                            "decode(md5((-n)::text), 'hex'), "
                            "now() - n * interval '1.000001 s', now() - n * interval '0.000003 s' "
                            "from generate_series(2, %1) n"_s.arg(rows))
            && fixture.exec(u"insert into outbox (type, payload, completed_at) select 'large', "
                            "decode(string_agg(md5(n::text), ''), 'hex'), now() "
                            "from generate_series(1, 6553600) n"_s);
    }
    static bool insertMany(TestOutbox &fixture, int rows)
    {
        return fixture.exec(u"set session group_concat_max_len = 1000000000"_s)
            && fixture.exec(
                u"insert into outbox (type, payload, created_at, completed_at) with recursive s(n)"
                " as (select 2 union all select n + 1 from s where n < %1) "
                "select case n % 5 when 0 then 'a\"b\\\\c\\n\\t' when 1 then 'é漢😀' "
                "else concat('email:', n) end, "
                "concat(unhex(md5(n)), x'00ff80c328', unhex(md5(-n))), "
                "utc_timestamp(6) - interval n * 1000001 microsecond, "
                "utc_timestamp(6) - interval n * 3 microsecond from s"_s.arg(rows))
            && fixture.exec(u"insert into outbox (type, payload, completed_at) values ('large', "
                            "repeat(unhex(md5('x')), 6553600), utc_timestamp(6))"_s);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(QueueStart{m_redis});
    }

    void aHundredThousandRowsComeBackByteForByte_data()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::newRow("PostgreSQL") << TestOutbox::Kind::Postgres;
        QTest::newRow("MariaDB") << TestOutbox::Kind::MariaDb;
    }
    void aHundredThousandRowsComeBackByteForByte()
    {
        QFETCH(TestOutbox::Kind, kind);
        constexpr int rows = 100'000;
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        const bool mariadb = kind == TestOutbox::Kind::MariaDb;
        QVERIFY(mariadb ? insertMany(fixture, rows) : insertManyIntoPostgres(fixture, rows));
        const QString digests = mariadb
            ? u"select count(*) || ' ' || sum(octet_length(payload)) || ' ' || "
              "md5(group_concat(concat_ws('|', id, type, md5(payload), created_at, completed_at) "
              "order by id)) from outbox"_s
            : u"select count(*) || ' ' || sum(octet_length(payload)) || ' ' || "
              "md5(string_agg(concat_ws('|', id, type, md5(payload), created_at, completed_at), "
              "',' order by id)) from outbox"_s;
        const QString before = fixture.scalar(digests).toString();
        QVERIFY2(before.startsWith(u"100000 "_s), qPrintable(before));
        QCOMPARE(fixture.scalar(u"select max(octet_length(payload)) from outbox"_s).toInt(),
                 104'857'600);

        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        m_clock.start();
        Selection processed;
        processed.filter = u"state:processed"_s;
        const auto plan = person.plan(Verb::Purge, processed);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), rows);
        took("plan");
        const auto purged = person.carryOut(*plan);
        QVERIFY_RESULT(purged);
        QVERIFY2(!purged->error, purged->error ? qPrintable(oneLine(*purged->error)) : "");
        QCOMPARE(purged->count(Outcome::Done), rows);
        QCOMPARE(fixture.scalar(u"select count(*) from outbox"_s).toInt(), 0);
        took("export and purge");
        std::printf("export: %.1f MB\n",
                    static_cast<double>(QFileInfo(purged->exportFile).size()) / 1e6);

        const Activity activity = person.activities().first();
        QCOMPARE(activity.state, Activity::State::Done);
        QVERIFY(activity.undoable);
        const auto undo = planUndo(person.session(), activity);
        QVERIFY_RESULT(undo);
        QCOMPARE(undo->acting(), rows);
        took("plan of the undo");
        const auto back = person.carryOut(*undo);
        QVERIFY_RESULT(back);
        QVERIFY2(!back->error, back->error ? qPrintable(oneLine(*back->error)) : "");
        QCOMPARE(back->count(Outcome::Done), rows);
        took("undo");
        QCOMPARE(fixture.scalar(digests).toString(), before);
    }
};

} // namespace tst_purgeundo

OUTBOX_TEST(tst_purgeundo::TestPurgeUndo)
#include "tst_purgeundo.moc"
