// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows that a claim tells to be at fault by what they hold: payloads too large, which never leave
// the server, and texts in no encoding.
#include "tests/connectors/sqlfixture.h"
#include "tests/support/peakmemory.h"
#include "tests/support/testprogram.h"

namespace tst_sqloddrows {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSqlOddRows : public QObject
{
    Q_OBJECT

    Databases m_databases;

    static void openWith(OutboxStore &store, const DatabaseUrl &url, const OutboxShape &shape)
    {
        StoreSettings settings = settingsFor(url, StoreAccess::Relay);
        settings.statementTimeoutMs = 60'000; // a payload of 48 MiB, beside other tests
        QVERIFY_RESULT(openOutbox(store, settings, shape));
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_databases.postgres); }

    void aPayloadThatIsTooLargeStaysWhereItIs_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("payload");
        QTest::addColumn<qint64>("bytes");
        constexpr qint64 length = 48 * 1024 * 1024;
        const int postgres = int(DatabaseUrl::Dialect::PostgreSql);
        const int sqlite = int(DatabaseUrl::Dialect::Sqlite);
        QTest::newRow("PostgreSQL, bytes")
            << postgres << u"bytea"_s << u"convert_to(repeat('x', 50331648), 'UTF8')"_s << length;
        QTest::newRow("PostgreSQL, text")
            << postgres << u"text"_s << u"repeat('x', 50331648)"_s << length;
        QTest::newRow("PostgreSQL, json")
            << postgres << u"jsonb"_s << u"to_jsonb(repeat('x', 50331648))"_s << length + 2;
        QTest::newRow("SQLite, bytes") << sqlite << u"blob"_s << u"zeroblob(50331648)"_s << length;
    }
    void aPayloadThatIsTooLargeStaysWhereItIs()
    {
        QFETCH(int, dialect);
        QFETCH(QString, type);
        QFETCH(QString, payload);
        QFETCH(qint64, bytes);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(
            u"CREATE TABLE outbox (id integer PRIMARY KEY, type text, payload %1)"_s.arg(type));
        side.run(u"INSERT INTO outbox VALUES (1, 'mail', %1)"_s.arg(payload));
        side.run(u"INSERT INTO outbox VALUES (2, 'mail', '1'), (3, 'mail', NULL)"_s);
        OutboxStore store;
        openWith(store, url, classicShape());
        constexpr qint64 most = 1024;
        const qint64 before = peakMemory(true);
        QVERIFY(before > 0);
        for (const bool held : {false, true}) {
            QVERIFY_RESULT(store.sendClaim({10, {}, {}, false, most, held}));
            const auto claim = store.takeClaim();
            QVERIFY_RESULT(claim);
            QCOMPARE(claim->rows.size(), 3);
            const ClaimedMessage &large = claim->rows.constFirst();
            QVERIFY(large.payload.isEmpty());
            QVERIFY2(large.problem.contains(QString::number(bytes)), qPrintable(large.problem));
            QCOMPARE(claim->rows.at(1).payload, "1");
            QVERIFY(claim->rows.at(1).problem.isEmpty());
            QVERIFY(claim->rows.at(2).problem.isEmpty());
            QVERIFY_RESULT(store.rollback());
        }
        const auto alone = store.claimSingle({u"1"_s}, {}, most);
        QVERIFY_RESULT(alone);
        QVERIFY(alone->row && alone->row->payload.isEmpty() && !alone->row->problem.isEmpty());
        QVERIFY_RESULT(store.rollback());
        QVERIFY2(peakMemory() - before < bytes / 2, qPrintable(QString::number(peakMemory())));
        const auto whole = store.claim(1, {}); // without a limit it does come
        QVERIFY_RESULT(whole);
        QCOMPARE(whole->constFirst().payload.size(), bytes);
    }

    void textsOfNoEncodingAreProblemsOfTheirRows()
    {
        SideSession(*DatabaseUrl::fromUrl(m_databases.postgres.url()))
            .run(u"CREATE DATABASE bytes ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'"
                 " TEMPLATE template0"_s);
        const DatabaseUrl url = *DatabaseUrl::fromUrl(m_databases.postgres.url(u"bytes"_s));
        SideSession side(url);
        side.all({u"CREATE TABLE outbox (id text PRIMARY KEY, type text, payload text, q text)"_s,
                  u"INSERT INTO outbox VALUES ('a', E'mail:\\xC3\\x28', 'x', NULL),"
                  " ('b', 'mail', 'x', E'\\xFF'), ('c', 'mail', E'\\xFE\\xFF', 'low'),"
                  " (E'd\\xC3\\xA4', 'mail', 'x', NULL)"_s});
        OutboxShape bytes = classicShape();
        bytes.keyForm = OutboxShape::KeyForm::Text;
        bytes.queueColumn = u"q"_s;
        OutboxStore store;
        openWith(store, url, bytes);
        const auto rows = store.claim(10, {{u"nobody ä"_s}});
        QVERIFY_RESULT(rows);
        QCOMPARE(idsOf(*rows), (QStringList{u"a"_s, u"b"_s, u"c"_s, u"dä"_s}));
        QVERIFY(rows->at(0).problem.contains(u"the type is no text in UTF8"_s));
        QVERIFY(rows->at(1).problem.contains(u"the queue is no text in UTF8"_s));
        QVERIFY(rows->at(2).problem.isEmpty());
        QCOMPARE(rows->at(2).payload, QByteArray("\xFE\xFF")); // bytes it is, and bytes are sent
        QVERIFY(rows->at(3).problem.isEmpty());
        QVERIFY_RESULT(store.rollback());
        const auto others = store.claim(10, {{u"dä"_s}}); // texts of ours reach it as UTF-8
        QVERIFY_RESULT(others);
        QCOMPARE(others->size(), 3);
        QVERIFY_RESULT(store.rollback());

        side.run(u"INSERT INTO outbox VALUES (E'\\xFF', 'mail', 'x', NULL)"_s);
        const auto unnamed = store.claim(10, {});
        QVERIFY(!unnamed);
        QVERIFY2(unnamed.error().text.contains(u"key of a row"_s),
                 qPrintable(unnamed.error().text));
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"5"_s);
    }
};

} // namespace tst_sqloddrows

OUTBOX_TEST(tst_sqloddrows::TestSqlOddRows)
#include "tst_sqloddrows.moc"
