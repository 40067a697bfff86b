// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F25: more rows than anybody may count. OUTBOX_ROWS says how many; ten million take minutes.
#include "models/filter/pagerequest.h"
#include "tests/faults/faultconsole.h"
#include "tests/support/fonts.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_faults_size {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFaultsSize : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void f25_moreRowsThanMayBeCounted()
    {
        const int rows = qEnvironmentVariableIntValue("OUTBOX_ROWS") > 0
            ? qEnvironmentVariableIntValue("OUTBOX_ROWS")
            : 200'000;
        FaultConsole console(TestOutbox::Kind::Postgres, &m_postgres, m_redis);
        QString problem = console.open(false);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        QVERIFY(console.fixture().exec(u"alter table outbox set unlogged"_s));
        QVERIFY(console.fixture().exec(
            u"insert into outbox select gen_random_uuid(), 'many', convert_to('{}', 'UTF8')"
            " from generate_series(1, %1)"_s.arg(rows)));
        QVERIFY(console.fixture().exec(u"analyze outbox"_s));
        calmly([&](double &gapMs) {
            problem = console.open(console.profile(), false);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            DatabaseFeed &feed = console.desktop().system()->database();
            QSignalSpy taken(&feed, &DatabaseFeed::taken);
            QSignalSpy pages(&feed, &DatabaseFeed::rowsTaken);
            QVERIFY(FaultConsole::until([&] { return taken.size() > 2 && !pages.isEmpty(); }));
            // Counted up to the cap, and said so.
            const auto counts = taken.last().first().value<OutboxSnapshot>();
            QVERIFY(!counts.exact);
            QVERIFY(counts.pending.value_or(0) >= liveCaps.open);
            // From page to page by the key: nothing is skipped by counting it.
            for (int page = 0; page < 3; ++page) {
                auto request = pages.last().first().value<PageRequest>();
                const auto seen = pages.last().at(1).value<MessagePage>();
                QVERIFY(!seen.rows.isEmpty());
                QVERIFY(!seen.next.isEmpty());
                for (const QString &statement : seen.statements)
                    QVERIFY2(!statement.contains(u"offset"_s, Qt::CaseInsensitive),
                             qPrintable(statement));
                request.after = seen.next;
                pages.clear();
                feed.showRows(request, false);
                QVERIFY(FaultConsole::until([&] { return !pages.isEmpty(); }));
                const auto next = pages.last().at(1).value<MessagePage>();
                QVERIFY(next.rows.first().id != seen.rows.first().id);
            }
            QVERIFY(console.isLive());
            gapMs = console.meter().longest();
        });
    }
};

} // namespace tst_faults_size

OUTBOX_TEST(tst_faults_size::TestFaultsSize)
#include "tst_faults_size.moc"
