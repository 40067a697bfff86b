// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Somebody made a key of one queue something else: the rows of that queue wait, with the reason
// told, and all others go.
#include "tests/app/relayground.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_brokenqueue {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestBrokenQueue : public QObject, protected RelayGround
{
    Q_OBJECT

    [[nodiscard]] RelayTarget target(const DatabaseUrl &url) const
    {
        RelayTarget target = relayTarget(url, queuesShape());
        target.rules.queueRestMs = 50;
        target.rules.retryAfterMs = 20;
        target.deepestQueue = 100'000;
        return target;
    }

    struct Told
    {
        QStringList errors;
        RelayTotals totals;
    };

    /// Until `left` rows are left; false when that takes too many bursts.
    static bool work(RelaySession &pair, SideSession &side, const QString &left, Told &told)
    {
        const std::stop_source stop;
        for (int bursts = 0; bursts < 400; ++bursts) {
            const RelayBurst burst
                = pair.work(100, 1'000'000, 50, 5, RelayAim::Drained, stop.get_token());
            for (const RelayStep &step : burst.steps) {
                told.totals.add(step);
                if (step.error)
                    told.errors += oneLine(*step.error);
            }
            if (side.one(u"SELECT count(*) FROM outbox"_s) == left)
                return true;
            if (burst.end == RelayBurst::End::Failed && !pair.ensureOpen())
                return false;
        }
        return false;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_DATABASES(m_databases, {}, true);
        OUTBOX_START_SERVER(m_redis);
    }

    void init() { emptyRedis(); }

    void itsRowsWaitAndAllOthersGo_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QString>("broken");
        for (const TestWords &words : allTestWords()) {
            QTest::addRow("%s, a queue of its own", words.name)
                << int(words.dialect) << QByteArray("asynq:{Q}:pending") << u"queue = 'Q'"_s;
            QTest::addRow("%s, the relay's queue", words.name)
                << int(words.dialect) << QByteArray("asynq:{default}:pending") << u"queue = ''"_s;
        }
    }
    void itsRowsWaitAndAllOthersGo()
    {
        QFETCH(int, dialect);
        QFETCH(QByteArray, key);
        QFETCH(QString, broken);
        command({"SET", key, "somebody's"});
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        // 600 of each queue; those of the others stand among them, and behind them.
        side.run(numbered(
            2400,
            u"n, 'a', 'x', CASE WHEN n <= 300 OR n % 4 = 1 THEN '%1' WHEN n % 4 = 2"
            " THEN 'q' WHEN n % 4 = 3 THEN '%2' ELSE 'other' END"_s.arg(
                key.contains("{Q}") ? u"Q"_s : QString(), key.contains("{Q}") ? QString() : u"Q"_s),
            u"outbox"_s));
        const QString waiting
            = side.one(u"SELECT count(*) FROM outbox WHERE "_s
                       + (dialect == int(DatabaseUrl::Dialect::MariaDb)
                              ? QString(broken).replace(u"queue ="_s, u"BINARY queue ="_s)
                              : broken));
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url)));
        Told told;
        QVERIFY(work(pair, side, waiting, told));
        QCOMPARE(told.totals.enqueued, 2400 - waiting.toInt());
        QCOMPARE(told.totals.alreadyQueued, 0);
        QCOMPARE(told.totals.parked, 0);
        QVERIFY(!told.errors.isEmpty());
        for (const QString &error : std::as_const(told.errors))
            QVERIFY2(error.contains(u"WRONGTYPE"_s), qPrintable(error));

        command({"DEL", key});
        QVERIFY(work(pair, side, u"0"_s, told));
        QCOMPARE(told.totals.enqueued, 2400);
        QCOMPARE(told.totals.parked, 0);
    }
};

} // namespace tst_brokenqueue

OUTBOX_TEST(tst_brokenqueue::TestBrokenQueue)
#include "tst_brokenqueue.moc"
