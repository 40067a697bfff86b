// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables that are read by their names are those that the whole catalog has, whatever they are
// called and wherever they stand.
#include "connectors/sql/catalogreader.h"
#include "connectors/sql/sqlnames.h"
#include "connectors/sql/sqlsession.h"
#include "tests/connectors/editfixture.h"

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestCatalogReader : public QObject
{
    Q_OBJECT

    Databases m_databases;
    DatabaseUrl m_url;
    std::unique_ptr<SideSession> m_side;
    SocketBreaker m_breaker;

    [[nodiscard]] Result<std::unique_ptr<SqlSession>> opened()
    {
        const StoreSettings settings = settingsFor(m_url, StoreAccess::Look);
        auto session = makeSession(settings, m_breaker);
        if (auto done = session->open(settings); !done)
            return passOn(done);
        return session;
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_databases.postgres);
        OUTBOX_START_SERVER(m_databases.mariadb);
    }
    void init()
    {
        m_url = m_databases.fresh(dialect());
        m_side = std::make_unique<SideSession>(m_url);
    }

    void eachTableIsReadByItsNameAsInTheWhole()
    {
        const bool hasSchemas = dialect() == DatabaseUrl::Dialect::PostgreSql;
        QStringList schemas{QString()};
        if (hasSchemas) {
            m_side->run(u"CREATE SCHEMA other"_s);
            m_side->run(u"CREATE SCHEMA \"Über %1\""_s);
            schemas += {u"other."_s, u"\"Über %1\"."_s};
        }
        for (const QString &schema : std::as_const(schemas)) {
            for (const QString &name : {u"outbox"_s, u"Outbox 2"_s, u"o'box%1"_s, u"кнопка"_s}) {
                m_side->run(
                    u"CREATE TABLE %1%2 (id varchar(40) PRIMARY KEY, n int NOT NULL UNIQUE,"
                    " state varchar(9) DEFAULT 'new' CHECK (state IN ('new', 'sent')))"_s.arg(
                        schema, quotedName(name, m_url.dialect)));
            }
        }
        const auto session = opened();
        QVERIFY_RESULT(session);
        const auto whole = readCatalog(**session, dialect());
        QVERIFY_RESULT(whole);
        QCOMPARE(whole->tables.size(), schemas.size() * 4);
        for (const CatalogTable &table : whole->tables) {
            for (const TableName &name : {table.name, TableName{{}, table.name.table}}) {
                const auto read = readTables(**session, dialect(), {name});
                QVERIFY_RESULT(read);
                QCOMPARE(read->defaultSchema, whole->defaultSchema);
                QVERIFY(read->find(name));
                QCOMPARE(*read->find(name), *whole->find(name));
                QCOMPARE(read->tables.size(), hasSchemas ? schemas.size() : whole->tables.size());
            }
        }
        const auto missing = readTables(**session, dialect(), {TableName{{}, u"outbux"_s}});
        QVERIFY_RESULT(missing);
        QCOMPARE(*missing, *whole); // so that an error can name what is near
    }

    void aTableBehindFiftyThousandColumnsIsRead()
    {
        if (dialect() != DatabaseUrl::Dialect::PostgreSql)
            return; // the others give all that they have
        m_side->run(u"DO $$ BEGIN FOR i IN 1..32 LOOP EXECUTE (SELECT 'CREATE TABLE a' || i || ' ('"
                    " || string_agg('c' || n || ' int', ', ') || ')' FROM generate_series(1, 1600)"
                    " n); END LOOP; END $$"_s);
        m_side->run(u"CREATE TABLE outbox (id int PRIMARY KEY)"_s);
        const auto session = opened();
        QVERIFY_RESULT(session);
        const TableName outbox{{}, u"outbox"_s};
        const auto whole = readCatalog(**session, dialect());
        QVERIFY_RESULT(whole);
        QVERIFY(!whole->find(outbox)); // it is bounded
        const auto read = readTables(**session, dialect(), {outbox});
        QVERIFY_RESULT(read);
        QVERIFY(read->find(outbox));
    }
};

QTEST_GUILESS_MAIN(TestCatalogReader)
#include "tst_catalogreader.moc"
