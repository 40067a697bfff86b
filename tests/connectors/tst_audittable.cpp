// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table outbox_audit as those who only look read it: newest first, bounded, with times that
// are the same everywhere, and with a reason where it cannot be had.
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/edit/audittable.h"
#include "tests/connectors/editfixture.h"
#include "tests/support/testprogram.h"

namespace tst_audittable {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestAuditTable : public QObject
{
    Q_OBJECT

    Databases m_databases;
    DatabaseUrl m_url;
    std::unique_ptr<SideSession> m_side;

    static bool sqlite() { return dialect() == DatabaseUrl::Dialect::Sqlite; }
    static bool mariadb() { return dialect() == DatabaseUrl::Dialect::MariaDb; }

    /// One statement of what the program prints; the others are indexes.
    void makeTable(bool withIndexes = true)
    {
        const QString sql = OutboxEditor::auditTableSql(m_url.dialect);
        QString table = sql.section(u';', 0, 0);
        if (!withIndexes)
            table.remove(QRegularExpression(u",\\s*INDEX \\(`\\w+`(\\(\\d+\\))?\\)"_s));
        m_side->run(table);
        for (const QString &line : sql.split(u'\n')) {
            if (withIndexes && line.startsWith(u"CREATE INDEX"_s))
                m_side->run(line);
        }
    }
    /// `count` entries, one a second, ten to an operation; rows repeat after 1,000.
    void fill(int count)
    {
        const QString at = sqlite()
            ? u"strftime('%Y-%m-%d %H:%M:%f', 1767322800 + n, 'unixepoch')"_s
            : mariadb() ? u"TIMESTAMP '1970-01-01 00:00:00' + INTERVAL (1767322800 + n) SECOND"_s
                        : u"to_timestamp(1767322800 + n)"_s;
        const QString whole = mariadb() ? u"n DIV 10"_s : u"n / 10"_s;
        m_side->run(numbered(count,
                             u"%1, 'op-' || (%2), 'ben@laptop', 'outboxctl', 'purge', '' || (n % "
                             "1000), 'row=pending', 'done', 'rows'"_s.arg(at, whole),
                             auditTableName()));
    }
    Result<AuditPage> newest(int most, StoreAccess access = StoreAccess::ReadOnly)
    {
        AuditTable table;
        if (auto opened = table.open(settingsFor(m_url, access), TableName{{}, u"outbox"_s});
            !opened)
            return passOn(opened);
        return table.newest(most);
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }
    void init()
    {
        m_url = m_databases.fresh(dialect());
        m_side = std::make_unique<SideSession>(m_url);
        makeKeptTable(*m_side, m_url, 2);
    }

    void theNewestEntriesComeWithTheirTimes()
    {
        makeTable();
        fill(50);
        const auto page = newest(20);
        QVERIFY_RESULT(page);
        QCOMPARE(page->rows.size(), 20);
        QVERIFY(!page->isWhole);
        for (int i = 0; i < 20; ++i) {
            QCOMPARE(page->rows.at(i).at.toSecsSinceEpoch(), 1767322800 + 50 - i);
            QCOMPARE(page->rows.at(i).operation, u"op-%1"_s.arg((50 - i) / 10));
            QCOMPARE(page->rows.at(i).message, QString::number(50 - i));
        }
        QCOMPARE(page->rows.constFirst().actor, u"ben@laptop"_s);
        QCOMPARE(page->rows.constFirst().note, u"rows"_s);
        const auto all = newest(50);
        QVERIFY_RESULT(all);
        QVERIFY(all->isWhole);
    }

    void whatOurOwnHandWritesIsReadWithTheTimeItWasWritten()
    {
        makeTable();
        const QDateTime before = QDateTime::currentDateTimeUtc().addSecs(-1);
        AuditTable table;
        QVERIFY_RESULT(
            table.open(settingsFor(m_url, StoreAccess::Relay), TableName{{}, u"outbox"_s}));
        const AuditRow row{u"r"_s, u"ana@desk"_s, u"outboxctl"_s,           u"relay"_s, {},
                           {},     u"1 parked"_s, u"it's \"quoted\" %1 ?"_s};
        QVERIFY_RESULT(table.write(row));
        const auto page = newest(10);
        QVERIFY_RESULT(page);
        QCOMPARE(page->rows.size(), 1);
        AuditRow read = page->rows.constFirst();
        QVERIFY(read.at > before && read.at < QDateTime::currentDateTimeUtc().addSecs(1));
        read.at = {};
        QCOMPARE(read.note, row.note);
        QCOMPARE(read.after, row.after);
        QVERIFY(read.message.isEmpty());
    }

    void whoOnlyLooksWritesNothing()
    {
        makeTable();
        AuditTable table;
        QVERIFY_RESULT(
            table.open(settingsFor(m_url, StoreAccess::ReadOnly), TableName{{}, u"outbox"_s}));
        const auto written = table.write({});
        QVERIFY(!written);
        QCOMPARE(written.error().kind, Error::Kind::Refused);
        QCOMPARE(m_side->one(u"SELECT count(*) FROM outbox_audit"_s), u"0"_s);
    }

    void aMissingTableAndAMissingRightAreTold()
    {
        const auto missing = newest(10);
        QVERIFY(!missing);
        QCOMPARE(missing.error().kind, Error::Kind::Unsupported);
        QVERIFY(missing.error().hint.contains(u"audit --sql"_s));
        m_side->run(u"CREATE TABLE outbox_audit (at text, note text)"_s);
        const auto another = newest(10);
        QVERIFY(!another);
        QCOMPARE(another.error().kind, Error::Kind::Invalid);
        if (sqlite())
            return; // a file has no rights to its tables
        m_side->run(u"DROP TABLE outbox_audit"_s);
        makeTable();
        if (mariadb()) {
            m_side->all(
                {u"CREATE USER IF NOT EXISTS viewer@localhost"_s,
                 u"GRANT SELECT ON %1.outbox TO viewer@localhost"_s.arg(m_url.database),
                 u"GRANT INSERT ON %1.outbox_audit TO viewer@localhost"_s.arg(m_url.database)});
        } else {
            m_side->all({u"DROP ROLE IF EXISTS viewer"_s, u"CREATE ROLE viewer LOGIN"_s,
                         u"GRANT SELECT ON outbox TO viewer"_s});
        }
        m_url.user = u"viewer"_s;
        const auto refused = newest(10);
        m_side->run(mariadb() ? u"DROP USER viewer@localhost"_s : u"DROP OWNED BY viewer"_s);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Error::Kind::Refused);
        QVERIFY2(refused.error().doing.contains(auditTableName()),
                 qPrintable(oneLine(refused.error())));
    }

    void aLongTableIsReadByAnIndexOrNotAtAll()
    {
        makeTable(false);
        fill(AuditTable::mostUnordered + 10);
        if (!sqlite()) { // whose rows have a number of their own
            const auto page = newest(10);
            QVERIFY(!page);
            QCOMPARE(page.error().kind, Error::Kind::Unsupported);
            QVERIFY(page.error().hint.startsWith(u"CREATE INDEX"_s));
            m_side->run(mariadb() ? page.error().hint : page.error().hint);
        }
        const auto page = newest(10);
        QVERIFY_RESULT(page);
        QCOMPARE(page->rows.size(), 10);
        QCOMPARE(page->rows.constFirst().message,
                 QString::number((AuditTable::mostUnordered + 10) % 1000));
    }

    void aMessageIsFoundAndWhatWasNotLookedThroughIsSaid()
    {
        makeTable();
        fill(AuditTable::mostUnordered + 5'000);
        AuditTable table;
        QVERIFY_RESULT(
            table.open(settingsFor(m_url, StoreAccess::ReadOnly), TableName{{}, u"outbox"_s}));
        const auto found = table.about({u"7"_s, u"no'such"_s}, 1'000);
        QVERIFY_RESULT(found);
        for (const AuditRow &row : found->rows)
            QCOMPARE(row.message, u"7"_s);
        // Where no index finds a message the newest entries are gone through.
        QCOMPARE(found->rows.size(), sqlite() ? 20 : 25);
        QCOMPARE(found->isWhole, !sqlite());
        const auto none = table.about({u"no'such"_s}, 10);
        QVERIFY_RESULT(none);
        QVERIFY(none->rows.isEmpty());
        QCOMPARE(none->isWhole, !sqlite());
    }

    void theSchemaOfTheOutboxIsLookedInFirst()
    {
        if (sqlite() || mariadb())
            QSKIP("one schema only");
        makeTable();
        fill(3);
        m_side->all({u"CREATE SCHEMA app"_s, u"CREATE TABLE app.outbox (LIKE outbox)"_s,
                     u"CREATE TABLE app.outbox_audit (LIKE outbox_audit)"_s});
        AuditTable table;
        QVERIFY_RESULT(table.open(settingsFor(m_url, StoreAccess::ReadOnly),
                                  TableName{u"app"_s, u"outbox"_s}));
        const auto page = table.newest(10);
        QVERIFY_RESULT(page);
        QVERIFY(page->rows.isEmpty());
    }
};

} // namespace tst_audittable

OUTBOX_TEST(tst_audittable::TestAuditTable)
#include "tst_audittable.moc"
