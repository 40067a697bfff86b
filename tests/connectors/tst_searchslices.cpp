// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A search through a whole table gives just the rows that the predicate means, slice by slice, and
// nothing of the others.
#include "connectors/traffic.h"
#include "models/filter/pagerequest.h"
#include "models/filter/predicate.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/testprogram.h"

#include <QSet>

namespace tst_searchslices {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSearchSlices : public QObject
{
    Q_OBJECT

    Databases m_databases;

    /// Rows in the order of their time.
    static OutboxShape byTime()
    {
        OutboxShape shape = classicShape();
        shape.createdColumn = u"created_at"_s;
        shape.order = QStringList{u"created_at"_s};
        shape.orderIs = OutboxShape::OrderIs::Time;
        return shape;
    }

    /// All slices of a search, and how many rows they went through.
    struct Whole
    {
        QStringList ids;
        qint64 searched = 0;
        qint64 undecided = 0;
        int slices = 0;
        bool byPages = true;
    };
    static Whole searchAll(OutboxStore &store, PageRequest request, qint64 rows)
    {
        Whole whole;
        do {
            const auto slice = store.search(request, rows);
            if (!slice)
                qFatal("%s", qPrintable(oneLine(slice.error())));
            for (const Message &row : slice->rows)
                whole.ids += row.id.text;
            whole.searched += slice->searched;
            whole.undecided += slice->undecided;
            whole.byPages = slice->byPages;
            ++whole.slices;
            request.after = slice->next;
        } while (!request.after.isEmpty());
        return whole;
    }

    static QString bytesLiteral(const QByteArray &bytes)
    {
        return testWords().bytes.arg(QString::fromLatin1(bytes.toHex()));
    }

    /// Rows of these payloads, and of each filter what both say.
    void compareWithPredicate(const QString &payloadType, const QList<QByteArray> &payloads,
                              bool asBytes)
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable().replace(u"payload text"_s, u"payload "_s + payloadType));
        QStringList rows;
        for (qsizetype i = 0; i < payloads.size(); ++i) {
            const QString value = asBytes ? bytesLiteral(payloads.at(i))
                                          : u'\''
                    + QString::fromUtf8(payloads.at(i))
                          .replace(u'\'', u"''"_s)
                          .replace(u'\\',
                                   dialect() == DatabaseUrl::Dialect::MariaDb ? u"\\\\"_s : u"\\"_s)
                    + u'\'';
            rows += u"(%1, 'mail', %2)"_s.arg(i + 1).arg(value);
        }
        side.run(u"INSERT INTO outbox VALUES "_s + rows.join(u", "_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly)));
        for (const QString &text :
             {u"payload~needle"_s, u"payload~NeEdLe"_s, u"payload~303"_s, u"payload~30x"_s,
              u"payload~\"a\\\\b\""_s, u"payload~caf\u00e9"_s, u"payload~\u00e9t\u00e9"_s,
              u"payload~\"100%\""_s, u"payload~a_b"_s, u"payload~!"_s, u"payload~kilo"_s,
              u"payload~\u212a"_s, u"payload!~needle"_s, u"payload~needle,kilo"_s,
              u"payload~needle or payload~303"_s, u"-(payload~needle or payload~kilo)"_s}) {
            PageRequest request;
            request.filter = filterOf(text);
            request.at = QDateTime::currentDateTime();
            const auto checks = checksOf(request.filter, FilterSubject::Rows, request.at);
            QVERIFY_RESULT(checks);
            QStringList expected;
            for (qsizetype i = payloads.size(); i-- > 0;) {
                Message row;
                row.id.text = QString::number(i + 1);
                row.payload = payloads.at(i);
                row.payloadBytes = row.payload.size();
                if (truthOf(*checks, row, false) == Truth::Yes)
                    expected += row.id.text;
            }
            const Whole whole = searchAll(store, request, 7);
            QVERIFY2(whole.ids == expected,
                     qPrintable(text + u": "_s + whole.ids.join(u' ') + u" instead of "_s
                                + expected.join(u' ')));
            QCOMPARE(whole.searched, payloads.size());
            QCOMPARE(whole.undecided, 0);
        }
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void textsAreFoundAsThePredicateMeansThem()
    {
        compareWithPredicate(u"text"_s,
                             {"needle",
                              "a NEEDLE b",
                              "nothing",
                              "caf\xc3\xa9",
                              "CAF\xc3\x89",
                              "cafe",
                              "a\\b",
                              "100% sure",
                              "100 sure",
                              "a_b",
                              "axb",
                              "wow!",
                              "Kilo",
                              "\xe2\x84\xaailo",
                              "\xc3\xa9t\xc3\xa9",
                              "\xc3\x89T\xc3\x89",
                              "30x",
                              "303",
                              "needle kilo",
                              "''"},
                             false);
    }

    void bytesOfAnyEncodingAreFoundToo()
    {
        compareWithPredicate(testWords().bytesType,
                             {"needle", QByteArray("\0needle", 7), "\xff\xfeNEEDLE\xff", "\303x",
                              "\xc3", "303", "\xc3\xa9t\xc3\xa9", "caf\xc3\xa9", "CAF\xc3\x89",
                              "a\\b", "a\\\\b", "100%", "a_b", "!", "kilo \xe2\x84\xaa",
                              QByteArray("kil\0o", 5), "\x80", "30x", "\\303"},
                             true);
    }

    void eachRowIsFoundOnceHoweverManyMatch()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(3000, u"n, 'mail', 'payload ' || n"_s, u"outbox"_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly)));
        PageRequest request;
        request.filter = filterOf(u"payload~\"LOAD 1\""_s);
        request.at = QDateTime::currentDateTime();
        for (const bool newestFirst : {true, false}) {
            request.newestFirst = newestFirst;
            request.limit = 100; // fewer than match in a slice
            const Whole whole = searchAll(store, request, 1000);
            QCOMPARE(whole.ids.size(), 1111);
            QCOMPARE(QSet<QString>(whole.ids.begin(), whole.ids.end()).size(), 1111);
            QCOMPARE(whole.searched, 3000);
            QVERIFY(whole.slices > 11);
            QVERIFY(whole.byPages);
            const bool isDown = whole.ids.constFirst().toInt() > whole.ids.constLast().toInt();
            QCOMPARE(isDown, newestFirst);
        }
    }

    void withoutAnIndexOfThePagesAKeyServes()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id integer PRIMARY KEY, type text NOT NULL, payload text,"
                 " created_at timestamp NOT NULL)"_s);
        side.run(
            numbered(500, u"n, 'mail', 'payload ' || n, '2026-11-21 10:00:00'"_s, u"outbox"_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), byTime()));
        PageRequest request;
        request.filter = filterOf(u"payload~\"load 7\""_s);
        request.at = QDateTime::currentDateTime();
        Whole whole = searchAll(store, request, 60);
        QVERIFY(!whole.byPages);
        QCOMPARE(whole.ids.size(), 11);
        QCOMPARE(whole.searched, 500);
        side.run(u"CREATE INDEX listed ON outbox (created_at, id)"_s);
        QVERIFY_RESULT(store.use(byTime()));
        whole = searchAll(store, request, 60);
        QVERIFY(whole.byPages);
        QCOMPARE(whole.ids.size(), 11);
        QCOMPARE(whole.searched, 500);
    }

    void timesOfAnyZoneAndUnitAreWithinTheBoundsOfTheirIndex()
    {
        if (dialect() != DatabaseUrl::Dialect::Sqlite)
            QSKIP("only there a column holds times of any kind");
        const QStringList texts{u"'2026-11-21 10:00:00'"_s,
                                u"'2026-11-21T10:00:00'"_s,
                                u"'2026-11-21T10:00:00Z'"_s,
                                u"'2026-11-22T00:30:00+14:00'"_s,
                                u"'2026-11-20T22:30:00-12:00'"_s,
                                u"'2026-11-21 23:59:59.999'"_s,
                                u"'2026-11-22'"_s,
                                u"'2019-02-03 04:05'"_s,
                                u"'no time'"_s,
                                u"NULL"_s};
        const QStringList numbers{u"1763719200"_s, u"1763719200000"_s, u"1763719200000000"_s,
                                  u"2461000.5"_s, u"100"_s};
        for (const bool withNumbers : {false, true}) {
            const DatabaseUrl url = m_databases.fresh(dialect());
            SideSession side(url);
            side.run(u"CREATE TABLE outbox (id integer PRIMARY KEY, type text NOT NULL, payload"
                     " text, created_at datetime)"_s);
            side.run(u"CREATE INDEX listed ON outbox (created_at, id)"_s);
            const QStringList values = withNumbers ? texts + numbers : texts;
            for (qsizetype i = 0; i < values.size(); ++i) {
                side.run(u"INSERT INTO outbox VALUES (%1, 'mail', '', %2)"_s.arg(i + 1).arg(
                    values.at(i)));
            }
            OutboxStore store;
            QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), byTime()));
            const auto all = store.page({});
            QVERIFY_RESULT(all);
            QCOMPARE(all->rows.size(), values.size());
            for (const QString &text :
                 {u"created<2026-11-21T10:00:00Z"_s, u"created<=2026-11-21T10:00:00Z"_s,
                  u"created>=2026-11-21T10:00:00Z"_s, u"created>2026-11-21T10:15:00Z"_s,
                  u"created:2026-11-21T10:00:00Z..2026-11-21T10:30:00Z"_s, u"created<2020-01-01"_s,
                  u"created>=2020-01-01"_s, u"created!=2026-11-22"_s,
                  u"-created<2026-11-21T10:10:00Z"_s, u"created:none"_s, u"age<900000d"_s,
                  u"age>1000d"_s, u"age>=-5m"_s, u"age<-900000d"_s, u"age>900000d"_s}) {
                PageRequest request;
                request.filter = filterOf(text);
                request.at = QDateTime::currentDateTime();
                const auto checks = checksOf(request.filter, FilterSubject::Rows, request.at);
                if (!checks)
                    continue; // an age that nothing has is refused where it is read
                QStringList expected;
                for (const Message &row : all->rows) {
                    if (truthOf(*checks, row, false) == Truth::Yes)
                        expected += row.id.text;
                }
                QStringList found;
                const auto page = store.page(request);
                QVERIFY_RESULT(page);
                for (const Message &row : page->rows)
                    found += row.id.text;
                expected.sort();
                found.sort();
                QVERIFY2(found == expected,
                         qPrintable(text + u": "_s + found.join(u' ') + u" instead of "_s
                                    + expected.join(u' ')));
            }
        }
    }

    void payloadsOfRowsThatDoNotMatchStayWhereTheyAre()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(2000, u"n, 'mail', 'payload ' || n || ' %1'"_s.arg(QString(400, u'x')),
                          u"outbox"_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly)));
        PageRequest request;
        request.filter = filterOf(u"payload~\"LOAD 1999\""_s);
        request.at = QDateTime::currentDateTime();
        const qint64 before = trafficOfThread().bytes;
        const Whole whole = searchAll(store, request, 500);
        QCOMPARE(whole.ids, QStringList{u"1999"_s});
        const qint64 bytes = trafficOfThread().bytes - before;
        QVERIFY2(bytes < 20'000, qPrintable(QString::number(bytes)));
    }
};

} // namespace tst_searchslices

OUTBOX_TEST(tst_searchslices::TestSearchSlices)
#include "tst_searchslices.moc"
