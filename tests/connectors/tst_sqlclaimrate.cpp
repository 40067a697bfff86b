// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast rows are claimed and committed, as figures. By hand, on a quiet machine, release build.
#include "tests/connectors/sqlfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>

namespace tst_sqlclaimrate {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSqlClaimRate : public QObject
{
    Q_OBJECT

    Databases m_databases;

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_databases.postgres, {}, true); }

    void claimAndCommit_data()
    {
        QTest::addColumn<int>("batch");
        for (const int batch : {100, 1000})
            QTest::addRow("uuid table, batches of %d", batch) << batch;
    }

    void claimAndCommit()
    {
        QFETCH(int, batch);
        constexpr int rows = 100'000;
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.all(
            {u"CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), type text NOT NULL, payload bytea NOT NULL)"_s,
             u"INSERT INTO outbox (type, payload) SELECT 'mail', decode(repeat('ab', 200), 'hex') FROM generate_series(1, %1)"_s
                 .arg(rows),
             u"VACUUM ANALYZE outbox"_s, u"CHECKPOINT"_s});
        OutboxShape shape = classicShape();
        shape.keyForm = OutboxShape::KeyForm::Uuid;
        shape.payloadForm = OutboxShape::PayloadForm::Bytes;
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));
        QElapsedTimer clock;
        clock.start();
        qint64 claimed = 0;
        while (true) {
            const auto messages = store.claim(batch, {});
            QVERIFY_RESULT(messages);
            if (messages->isEmpty())
                break;
            claimed += messages->size();
            QVERIFY_RESULT(commitTaken(store));
        }
        QCOMPARE(claimed, rows);
        const double seconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
        qInfo("%.0f rows/s", static_cast<double>(claimed) / seconds);
    }
};

} // namespace tst_sqlclaimrate

OUTBOX_TEST(tst_sqlclaimrate::TestSqlClaimRate)
#include "tst_sqlclaimrate.moc"
