// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The answer to a COMMIT is lost on the way, with the COMMIT or without it: the batch is in doubt,
// is asked for by key, and counts as what it was.
#include "app/relay/relaysession.h"
#include "tests/support/faultproxy.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_lostcommit {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rows = 9;

} // namespace

class TestLostCommit : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    [[nodiscard]] Result<RelayTarget> target(const TestOutbox &fixture, quint16 port) const
    {
        const auto shape = fixture.takenShape();
        if (!shape)
            return passOn(shape);
        RelayTarget target;
        target.store = fixture.settings(StoreAccess::Relay);
        target.store.url.host = u"127.0.0.1"_s;
        target.store.url.port = port;
        target.shape = *shape;
        target.redis = fixture.redis();
        target.rules.queue.text = u"default"_s;
        return target;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void theBatchCountsAsWhatItWas_data()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::addColumn<BenchShape>("shape");
        QTest::addColumn<bool>("arrives");
        QTest::addColumn<int>("batch");
        for (const auto &[name, kind] : {std::pair("PostgreSQL", TestOutbox::Kind::Postgres),
                                         std::pair("MariaDB", TestOutbox::Kind::MariaDb)}) {
            for (const BenchShape shape : allBenchShapes()) {
                for (const bool arrives : {true, false}) {
                    for (const int batch : {1, 3}) {
                        QTest::addRow("%s, %s, the COMMIT %s, batches of %d", name,
                                      qPrintable(word(shape)),
                                      arrives ? "arrives" : "is lost as well", batch)
                            << kind << shape << arrives << batch;
                    }
                }
            }
        }
    }
    void theBatchCountsAsWhatItWas()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        QFETCH(bool, arrives);
        QFETCH(int, batch);
        TestOutbox fixture(kind, shape, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(rows));
        FaultProxy line;
        const QString socket = kind == TestOutbox::Kind::Postgres
            ? m_postgres.socketFolder() + u"/.s.PGSQL.5432"_s
            : m_mariadb.socketPath();
        QVERIFY(line.start({socket, 0}));
        const auto with = target(fixture, line.port());
        QVERIFY_RESULT(with);
        RelaySession pair;
        QVERIFY_RESULT(pair.open(*with));
        FaultLine lossy;
        lossy.losesAnswerTo = "COMMIT";
        lossy.losesMessageToo = !arrives;
        lossy.atMessage = 2;
        line.set(lossy);

        RelayTotals totals;
        qint64 mostInDoubt = 0;
        const std::stop_source stop;
        RelayBurst burst;
        for (int tries = 0; tries < 10; ++tries) {
            burst = pair.work(batch, rows, 5000, 1, RelayAim::Drained, stop.get_token());
            for (const RelayStep &step : burst.steps) {
                totals.add(step);
                mostInDoubt = std::max(mostInDoubt, totals.inDoubt);
            }
            if (burst.end == RelayBurst::End::Drained)
                break;
            line.set({});
            QVERIFY_RESULT(pair.ensureOpen());
        }
        QCOMPARE(burst.end, RelayBurst::End::Drained);
        QCOMPARE(line.answersLost(), 1);
        QCOMPARE(fixture.unprocessed(), 0);
        QCOMPARE(fixture.pendingIds().size(), rows);
        QCOMPARE(totals.inDoubt, 0);
        QCOMPARE(totals.delivered(), rows); // each counted once
        if (arrives) {
            QCOMPARE(totals.enqueued, rows);
            QVERIFY(mostInDoubt >= 1);
            QCOMPARE(totals.rollbacks, 0);
        } else {
            QVERIFY(totals.rollbacks >= 1);
        }
    }
};

} // namespace tst_lostcommit

OUTBOX_TEST(tst_lostcommit::TestLostCommit)
#include "tst_lostcommit.moc"
