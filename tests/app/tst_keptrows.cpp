// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows that the database keeps without a word: the relay notices and parks them, and the rows
// behind them go.
#include "app/relay/relaydriver.h"
#include "tests/app/relayground.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>

namespace tst_keptrows {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestKeptRows : public QObject, protected RelayGround
{
    Q_OBJECT

    [[nodiscard]] RelayTarget target(const DatabaseUrl &url) const
    {
        RelayTarget target = relayTarget(url, classicShape());
        target.rules.retryAfterMs = 50;
        return target;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_databases.postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void oneWithoutAKeyIsToldOnceAndStopsNoOther()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.all({u"CREATE TABLE outbox (id text PRIMARY KEY, type text, payload text)"_s,
                  u"INSERT INTO outbox VALUES (NULL, 'mail', 'x'), ('a', 'mail', 'x')"_s});
        RelayTarget relay = target(url);
        relay.shape.keyForm = OutboxShape::KeyForm::Text;
        RelaySession pair;
        QVERIFY_RESULT(pair.open(relay));
        const std::stop_source stop;
        QStringList told;
        int drained = 0;
        for (int bursts = 0; bursts < 20; ++bursts) {
            side.run(u"INSERT INTO outbox VALUES ('more-%1', 'mail', 'x')"_s.arg(bursts));
            const RelayBurst burst
                = pair.work(100, 1'000'000, 20'000, 5, RelayAim::Drained, stop.get_token());
            for (const RelayStep &step : burst.steps) {
                if (step.error)
                    told += oneLine(*step.error);
            }
            drained += burst.end == RelayBurst::End::Drained ? 1 : 0;
        }
        QCOMPARE(told.size(), 1);
        QVERIFY2(told.first().contains(u"has no key"_s), qPrintable(told.first()));
        QCOMPARE(drained, 19); // all but the one that told
        QCOMPARE(side.run(u"SELECT ifnull(id, '-') FROM outbox"_s), QStringList{u"-"_s});
    }

    void oneOnWhoseValueATriggerChokesIsParkedAndStopsNoOther()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(50, u"n, 'a', CASE n WHEN 7 THEN '{' ELSE '{}' END"_s, u"outbox"_s));
        side.run(u"CREATE TRIGGER noted AFTER DELETE ON outbox BEGIN"
                 " SELECT json_extract(OLD.payload, '$.note'); END"_s);
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url)));
        const std::stop_source stop;
        QStringList reasons;
        for (int bursts = 0; bursts < 200; ++bursts) {
            const RelayBurst burst
                = pair.work(100, 1'000'000, 20'000, 5, RelayAim::Drained, stop.get_token());
            for (const RelayStep &step : burst.steps) {
                for (const ParkedRow &row : step.parked)
                    reasons += row.id.text + u' ' + row.reason;
            }
            if (burst.end == RelayBurst::End::Drained)
                break;
        }
        QCOMPARE(reasons.size(), 1);
        QVERIFY2(reasons.first().startsWith(u"7 malformed JSON"_s), qPrintable(reasons.first()));
        QCOMPARE(side.run(u"SELECT id FROM outbox"_s), QStringList{u"7"_s});
    }

    void theyAreParkedAndStopNoOther_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::addColumn<QString>("kept");
        for (const char *kept : {"id = 3", "id <= 12", "id IN (1, 15, 40)"}) {
            QTest::addRow("PostgreSQL, %s", kept)
                << int(DatabaseUrl::Dialect::PostgreSql) << QString::fromLatin1(kept);
            QTest::addRow("SQLite, %s", kept)
                << int(DatabaseUrl::Dialect::Sqlite) << QString::fromLatin1(kept);
        }
    }
    void theyAreParkedAndStopNoOther()
    {
        QFETCH(int, dialect);
        QFETCH(QString, kept);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(40, u"n, 'mail', 'x'"_s, u"outbox"_s));
        if (url.dialect == DatabaseUrl::Dialect::Sqlite) {
            side.run(u"CREATE TRIGGER keep BEFORE DELETE ON outbox WHEN OLD.%1 BEGIN"
                     " SELECT RAISE(IGNORE); END"_s.arg(kept));
        } else {
            side.all({u"CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS"
                      " $$ BEGIN RETURN NULL; END $$"_s,
                      u"CREATE TRIGGER keep BEFORE DELETE ON outbox FOR EACH ROW WHEN (OLD.%1)"
                      " EXECUTE FUNCTION keep()"_s.arg(kept)});
        }
        QStringList staying = side.run(u"SELECT id FROM outbox WHERE %1 ORDER BY id"_s.arg(kept));

        RelayTarget relay = target(url);
        relay.rules.queue.text = u"kept-%1"_s.arg(url.database.section(u'/', -1));
        relay.rules.retryAfterMs = 20;
        RelaySession pair;
        QVERIFY_RESULT(pair.open(relay));
        const std::stop_source stop;
        RelayTotals totals;
        QStringList parked;
        RelayBurst::End end = RelayBurst::End::Failed;
        for (int bursts = 0; bursts < 1000 && end != RelayBurst::End::Drained; ++bursts) {
            const RelayBurst burst
                = pair.work(10, 1'000'000, 60'000, 5, RelayAim::Drained, stop.get_token());
            end = burst.end;
            for (const RelayStep &step : burst.steps) {
                totals.add(step);
                for (const ParkedRow &row : step.parked) {
                    QVERIFY2(row.reason.contains(u"kept the row"_s), qPrintable(row.reason));
                    parked += row.id.text;
                }
            }
            if (end == RelayBurst::End::Failed)
                QVERIFY_RESULT(pair.ensureOpen());
        }
        QCOMPARE(end, RelayBurst::End::Drained);
        std::sort(parked.begin(), parked.end());
        QStringList expected = staying;
        std::sort(expected.begin(), expected.end());
        QCOMPARE(parked, expected);
        QCOMPARE(totals.enqueued, 40 - staying.size());
        QCOMPARE(side.run(u"SELECT id FROM outbox ORDER BY id"_s), staying);
    }
};

} // namespace tst_keptrows

OUTBOX_TEST(tst_keptrows::TestKeptRows)
#include "tst_keptrows.moc"
