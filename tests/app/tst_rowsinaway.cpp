// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows that PostgreSQL answers for as if the table or the role were at fault: a key that is no
// text, a policy that refuses one row. They stay, and hold up no other.
#include "tests/app/relayground.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_rowsinaway {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestRowsInAWay : public QObject, protected RelayGround
{
    Q_OBJECT

    [[nodiscard]] RelayTarget target(const DatabaseUrl &url, const OutboxShape &shape) const
    {
        RelayTarget target = relayTarget(url, shape);
        target.rules.retryAfterMs = 20;
        return target;
    }
    /// What the relay said until as many rows are delivered.
    [[nodiscard]] static QStringList workUntil(RelaySession &pair, qint64 delivered,
                                               RelayTotals &totals)
    {
        QStringList said;
        const std::stop_source stop;
        for (int bursts = 0; bursts < 200 && totals.delivered() < delivered; ++bursts) {
            const RelayBurst burst
                = pair.work(10, 1000, 200, 1, RelayAim::NothingDue, stop.get_token());
            for (const RelayStep &step : burst.steps) {
                totals.add(step);
                if (step.error)
                    said += oneLine(*step.error);
            }
            if (burst.end == RelayBurst::End::Failed && !pair.ensureOpen())
                break;
        }
        return said;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_databases.postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void aKeyThatIsNoTextHoldsUpNobody()
    {
        SideSession(*DatabaseUrl::fromUrl(m_databases.postgres.url()))
            .run(u"CREATE DATABASE bytes ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'"
                 " TEMPLATE template0"_s);
        const DatabaseUrl url = *DatabaseUrl::fromUrl(m_databases.postgres.url(u"bytes"_s));
        SideSession side(url);
        side.all(
            {u"CREATE TABLE outbox (id text PRIMARY KEY, type text, payload bytea)"_s,
             u"INSERT INTO outbox SELECT 'k' || n, 'mail', 'x' FROM generate_series(1, 50) n"_s,
             u"INSERT INTO outbox VALUES (E'a\\xFF', 'mail', 'x'), (E'k3\\xC3', 'mail', 'x')"_s});
        OutboxShape shape = bytesShape();
        shape.keyForm = OutboxShape::KeyForm::Text;
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, shape)));
        RelayTotals totals;
        QStringList said = workUntil(pair, 50, totals);
        QCOMPARE(totals.enqueued, 50);
        QCOMPARE(totals.parked, 0);
        side.run(
            u"INSERT INTO outbox SELECT 'later' || n, 'mail', 'x' FROM generate_series(1, 50) n"_s);
        said += workUntil(pair, 100, totals); // it is in the way still
        QCOMPARE(totals.enqueued, 100);
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"2"_s);
        QVERIFY2(said.filter(u"no key, or one that is no text"_s).size() >= 1,
                 qPrintable(said.join(u'\n')));
    }

    void aPolicyThatRefusesOneRowHoldsUpNobody()
    {
        const DatabaseUrl owner = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(owner);
        side.all({u"CREATE ROLE courier LOGIN"_s,
                  u"CREATE TABLE outbox (id bigint PRIMARY KEY, type text, payload bytea, done_at "
                  "timestamptz)"_s,
                  u"GRANT SELECT, UPDATE ON outbox TO courier"_s,
                  u"ALTER TABLE outbox ENABLE ROW LEVEL SECURITY"_s,
                  u"CREATE POLICY courier ON outbox TO courier USING (true) WITH CHECK (id <> 7)"_s,
                  u"INSERT INTO outbox SELECT n, 'mail', 'x' FROM generate_series(1, 50) n"_s});
        DatabaseUrl url = owner;
        url.user = u"courier"_s;
        OutboxShape shape = bytesShape();
        shape.processedHow = OutboxShape::ProcessedHow::Time;
        shape.processedColumn = u"done_at"_s;
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, shape)));
        RelayTotals totals;
        static_cast<void>(workUntil(pair, 49, totals));
        QCOMPARE(totals.enqueued, 49);
        QCOMPARE(side.one(u"SELECT id FROM outbox WHERE done_at IS NULL"_s), u"7"_s);
    }
};

} // namespace tst_rowsinaway

OUTBOX_TEST(tst_rowsinaway::TestRowsInAWay)
#include "tst_rowsinaway.moc"
