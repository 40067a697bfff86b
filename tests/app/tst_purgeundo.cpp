// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Export, purge and undo of 100,000 rows with bytes that no text codec survives and one payload of
// 100 MB: every byte is back, by digests that the database computes.
#include "connectors/sql/outboxeditor.h"
#include "tests/support/operatordesk.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QTest>

#include <cstdio>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestPurgeUndo : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    QElapsedTimer m_clock;

    void took(const char *what)
    {
        std::printf("%s: %.1f s\n", what, static_cast<double>(m_clock.restart()) / 1000);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void aHundredThousandRowsComeBackByteForByte()
    {
        constexpr int rows = 100'000;
        OutboxBench bench(OutboxBench::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                          m_redis);
        QVERIFY(bench.setUp());
        // NUL bytes and broken UTF-8 in every payload, times to the microsecond, quotes and line
        // breaks in types.
        QVERIFY(bench.exec(u"insert into outbox (type, payload, created_at, completed_at) "
                           "select case n % 5 when 0 then E'a\"b\\\\c\\n\\t' when 1 then 'é漢😀' "
                           "else 'email:' || n end, "
                           "decode(md5(n::text), 'hex') || '\\x00ff80c328'::bytea || "
                           "decode(md5((-n)::text), 'hex'), "
                           "now() - n * interval '1.000001 s', now() - n * interval '0.000003 s' "
                           "from generate_series(2, %1) n"_s.arg(rows)));
        QVERIFY(bench.exec(
            u"insert into outbox (type, payload, completed_at) select 'large', "
            "decode(string_agg(md5(n::text), ''), 'hex'), now() from generate_series(1, 6553600) n"_s));
        const QString digests = u"select count(*) || ' ' || sum(octet_length(payload)) || ' ' || "
                                "md5(string_agg(concat_ws('|', id, type, md5(payload), created_at, "
                                "completed_at), ',' "
                                "order by id)) from outbox"_s;
        const QString before = bench.scalar(digests).toString();
        QVERIFY2(before.startsWith(u"100000 "_s), qPrintable(before));
        QCOMPARE(bench.scalar(u"select max(octet_length(payload)) from outbox"_s).toInt(),
                 104'857'600);

        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        m_clock.start();
        Selection processed;
        processed.filter = u"state:processed"_s;
        const auto plan = desk.plan(Verb::Purge, processed);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), rows);
        took("plan");
        const auto purged = desk.carryOut(*plan);
        QVERIFY_RESULT(purged);
        QVERIFY2(!purged->error, purged->error ? qPrintable(oneLine(*purged->error)) : "");
        QCOMPARE(purged->count(Outcome::Done), rows);
        QCOMPARE(bench.scalar(u"select count(*) from outbox"_s).toInt(), 0);
        took("export and purge");
        std::printf("export: %.1f MB\n",
                    static_cast<double>(QFileInfo(purged->exportFile).size()) / 1e6);

        const Activity activity = desk.activities().first();
        QCOMPARE(activity.state, Activity::State::Done);
        QVERIFY(activity.undoable);
        const auto undo = planUndo(desk.bench(), activity);
        QVERIFY_RESULT(undo);
        QCOMPARE(undo->acting(), rows);
        took("plan of the undo");
        const auto back = desk.carryOut(*undo);
        QVERIFY_RESULT(back);
        QVERIFY2(!back->error, back->error ? qPrintable(oneLine(*back->error)) : "");
        QCOMPARE(back->count(Outcome::Done), rows);
        took("undo");
        QCOMPARE(bench.scalar(digests).toString(), before);
    }
};

QTEST_GUILESS_MAIN(TestPurgeUndo)
#include "tst_purgeundo.moc"
