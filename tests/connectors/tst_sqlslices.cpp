// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Slices of a table add up to all of its rows, each in its state, whatever its key is made of.
#include "connectors/sql/outbox/slicereader.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/testprogram.h"

#include <functional>

namespace tst_sqlslices {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSqlSlices : public QObject
{
    Q_OBJECT

    Databases m_databases;

    static OutboxShape timeShape()
    {
        OutboxShape shape = classicShape();
        shape.processedHow = OutboxShape::ProcessedHow::Time;
        shape.processedColumn = u"completed_at"_s;
        return shape;
    }

    /// All slices of `rows` rows each; the steps between them are done with `between`.
    static ExactCount counted(SliceReader &reader, qint64 rows, const QList<MessageId> &parked = {},
                              const std::function<void(int)> &between = {})
    {
        ExactCount sum;
        QString after;
        for (int number = 0;; ++number) {
            const auto slice = reader.count(after, rows, parked);
            if (!slice) {
                QTest::qFail(qPrintable(oneLine(slice.error())), __FILE__, __LINE__);
                return {};
            }
            for (auto state = slice->rows.cbegin(); state != slice->rows.cend(); ++state)
                sum.rows[state.key()] += state.value();
            sum.seen += slice->seen;
            sum.longestMs = qMax(sum.longestMs, slice->longestMs);
            if (slice->next.isEmpty() || number > 10'000)
                return sum;
            after = slice->next;
            if (between)
                between(number);
        }
    }

    static void openLook(SliceReader &reader, const DatabaseUrl &url, const OutboxShape &shape)
    {
        QVERIFY_RESULT(reader.open(settingsFor(url, StoreAccess::ReadOnly), shape));
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void slicesAddUp_data()
    {
        QTest::addColumn<QString>("columns");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("values");
        QTest::newRow("numbers") << u"id integer NOT NULL"_s << u"id"_s << u"n"_s;
        QTest::newRow("texts") << u"id varchar(40) NOT NULL"_s << u"id"_s
                               << u"CASE WHEN n % 2 = 0 THEN 'A' ELSE 'a-' END || n"_s;
        QTest::newRow("two columns")
            << u"id integer NOT NULL, part integer NOT NULL"_s << u"part, id"_s << u"n, n % 3"_s;
    }
    void slicesAddUp()
    {
        QFETCH(QString, columns);
        QFETCH(QString, key);
        QFETCH(QString, values);
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (%1, type text NOT NULL, payload text NOT NULL,"
                 " completed_at timestamptz, PRIMARY KEY (%2))"_s.arg(columns, key));
        side.run(numbered(1000,
                          values
                              + u", 'mail', 'payload', CASE WHEN n <= 700 THEN %1 END"_s.arg(
                                  testWords().later.arg(0)),
                          u"outbox"_s));
        OutboxShape shape = timeShape();
        if (values.contains(u"CASE"_s))
            shape.keyForm = OutboxShape::KeyForm::Text;
        if (key.contains(u',')) {
            shape.keyColumn.clear();
            shape.keyParts = QList<OutboxShape::KeyPart>{{u"part"_s}, {u"id"_s}};
        }
        SliceReader reader;
        openLook(reader, url, shape);
        for (const qint64 rows : {1LL, 7LL, 250LL, 999LL, 1000LL, 1001LL, 50'000LL}) {
            const ExactCount sum = counted(reader, rows);
            QCOMPARE(sum.seen, 1000);
            QCOMPARE(sum.rows.value(MessageState::Processed), 700);
            QCOMPARE(sum.rows.value(MessageState::Pending), 300);
            QVERIFY(sum.longestMs > 0);
        }
        side.run(u"DELETE FROM outbox"_s);
        QCOMPARE(counted(reader, 10).seen, 0);
    }

    void eachRowIsCountedOnceWhileRowsComeAndGo()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(500, u"2 * n, 'mail', 'payload'"_s, u"outbox"_s));
        SliceReader reader;
        openLook(reader, url, classicShape());
        // Behind the place that was reached nothing is counted again; before it everything is.
        const ExactCount sum = counted(reader, 100, {}, [&](int slice) {
            if (slice == 0) {
                side.run(u"INSERT INTO outbox VALUES (1, 'mail', 'too late')"_s);
                side.run(u"INSERT INTO outbox VALUES (999, 'mail', 'in time')"_s);
                side.run(u"DELETE FROM outbox WHERE id IN (2, 1000)"_s);
            }
        });
        QCOMPARE(sum.seen, 500); // 2 was there, 1000 was not, 999 was
    }

    void parkedRowsAndRowsOfOthersAreToldApart()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(60, u"n, CASE WHEN n > 50 THEN 'other' ELSE 'mail' END, 'payload'"_s,
                          u"outbox"_s));
        OutboxShape shape = classicShape();
        ShapeTest ours;
        ours.column = u"type"_s;
        ours.is = ShapeTest::Is::Equal;
        ours.values = QStringList{u"mail"_s};
        shape.where = QList<ShapeTest>{ours};
        SliceReader reader;
        openLook(reader, url, shape);
        const ExactCount sum = counted(reader, 7, {{u"3"_s}, {u"49"_s}});
        QCOMPARE(sum.seen, 60);
        QCOMPARE(sum.rows.value(MessageState::Parked), 2);
        QCOMPARE(sum.rows.value(MessageState::Pending), 48);
        QCOMPARE(sum.rows.size(), 2);
    }

    void heldRowsAreLockedWhereTheDatabaseShowsIt()
    {
        if (dialect() != DatabaseUrl::Dialect::PostgreSql)
            QSKIP("only PostgreSQL shows which rows are held");
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(100, u"n, 'mail', 'payload'"_s, u"outbox"_s));
        side.run(u"BEGIN"_s);
        side.run(u"SELECT 1 FROM outbox WHERE id <= 30 FOR UPDATE"_s);
        SliceReader reader;
        openLook(reader, url, classicShape());
        const ExactCount sum = counted(reader, 9);
        QCOMPARE(sum.rows.value(MessageState::Locked), 30);
        QCOMPARE(sum.rows.value(MessageState::Pending), 70);
    }

    void aPayloadComesInParts_data()
    {
        QTest::addColumn<QString>("type");
        QTest::newRow("text") << u"text"_s;
        QTest::newRow("bytes") << u"bytea"_s;
    }
    void aPayloadComesInParts()
    {
        QFETCH(QString, type);
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id integer PRIMARY KEY, type text, payload %1)"_s.arg(
            type == u"bytea"_s ? testWords().bytesType : type));
        const QByteArray whole = QByteArray("\xc3\xa4 and \xe2\x82\xac ").repeated(1000);
        QString value = u'\'' + QString::fromUtf8(whole) + u'\'';
        if (type == u"bytea"_s)
            value = testWords().bytes.arg(QString::fromLatin1(whole.toHex()));
        side.run(u"INSERT INTO outbox VALUES (7, 'mail', %1)"_s.arg(value));
        SliceReader reader;
        openLook(reader, url, classicShape());
        QByteArray read;
        while (read.size() < whole.size()) {
            const auto slice = reader.payload({u"7"_s}, read.size(), 1001);
            QVERIFY_RESULT(slice);
            QCOMPARE(slice->stored, whole.size());
            QCOMPARE(slice->bytes.size(), qMin<qsizetype>(1001, whole.size() - read.size()));
            read += slice->bytes;
        }
        QCOMPARE(read, whole);
        for (const QString &id : {u"8"_s, u"no number"_s}) {
            const auto gone = reader.payload({id}, 0, 10);
            QVERIFY(!gone);
            QCOMPARE(gone.error().kind, Error::Kind::Conflict);
        }
    }

    void aTableWithoutAKeySaysSo()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id integer, type text, payload text)"_s);
        side.run(numbered(10, u"n, 'mail', 'payload'"_s, u"outbox"_s));
        SliceReader reader;
        OutboxShape shape = classicShape();
        shape.keyColumn.clear();
        shape.order.clear();
        openLook(reader, url, shape);
        const auto slice = reader.count({}, 3, {});
        if (dialect() == DatabaseUrl::Dialect::Sqlite) {
            QVERIFY_RESULT(slice); // rows have numbers of their own
            QCOMPARE(slice->seen, 3);
            return;
        }
        QVERIFY(!slice);
        QCOMPARE(slice.error().kind, Error::Kind::Unsupported);
        QVERIFY(!slice.error().hint.isEmpty());
    }
};

} // namespace tst_sqlslices

OUTBOX_TEST(tst_sqlslices::TestSqlSlices)
#include "tst_sqlslices.moc"
