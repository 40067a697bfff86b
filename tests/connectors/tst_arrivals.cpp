// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows that come are counted where the table tells them; where it does not, no number is made up.
#include "tests/connectors/sqlfixture.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QUuid>

namespace tst_arrivals {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestArrivals : public QObject
{
    Q_OBJECT

    Databases m_databases;
    DatabaseUrl m_url;
    std::unique_ptr<OutboxStore> m_store;
    int m_written = 0;

    void make(const QString &columns, const OutboxShape &shape)
    {
        m_store = std::make_unique<OutboxStore>();
        m_url = m_databases.fresh(dialect());
        m_written = 0;
        SideSession(m_url).run(u"CREATE TABLE outbox ("_s + columns + u')');
        QVERIFY_RESULT(m_store->open(settingsFor(m_url, StoreAccess::ReadOnly)));
        QVERIFY_RESULT(m_store->use(shape));
    }

    static OutboxShape kept(OutboxShape::KeyForm form)
    {
        OutboxShape shape = classicShape();
        shape.keyForm = form;
        shape.processedHow = OutboxShape::ProcessedHow::Time;
        shape.processedColumn = u"done"_s;
        if (form != OutboxShape::KeyForm::Integer)
            shape.orderIs = OutboxShape::OrderIs::None;
        return shape;
    }

    static QString keptColumns(const QString &key)
    {
        const bool isSqlite = dialect() == DatabaseUrl::Dialect::Sqlite;
        return u"id %1 PRIMARY KEY, type text NOT NULL, payload text NOT NULL, done %2"_s.arg(
            key, isSqlite ? u"datetime"_s : u"timestamptz"_s);
    }

    void writeNumbers(int rows)
    {
        SideSession(m_url).run(numbered(rows, u"n + %1, 'mail', 'x'"_s.arg(m_written),
                                        u"outbox (id, type, payload)"_s));
        m_written += rows;
    }

    void writeKeys(int rows, const std::function<QString()> &key)
    {
        QStringList values;
        for (int row = 0; row < rows; ++row)
            values += u"('%1', 'mail', 'x')"_s.arg(key());
        SideSession(m_url).run(u"INSERT INTO outbox (id, type, payload) VALUES "_s
                               + values.join(u", "_s));
    }

    /// A uuid of version 7 of this moment, moved by so many milliseconds.
    static QString sevenKey(qint64 movedMs = 0)
    {
        const qint64 ms = QDateTime::currentMSecsSinceEpoch() + movedMs;
        QString text = QUuid::createUuid().toString(QUuid::WithoutBraces);
        const QString time = u"%1"_s.arg(ms, 12, 16, QChar(u'0'));
        text.replace(0, 8, time.left(8)).replace(9, 4, time.mid(8));
        return text.replace(14, 1, u"7"_s);
    }

    OutboxSnapshot look()
    {
        auto seen = m_store->snapshot(liveCaps);
        if (!seen)
            qFatal("%s", qPrintable(oneLine(seen.error())));
        m_store->addFlow(*seen);
        return *seen;
    }

    /// How many rows the rate says came between two looks, which are no ten seconds apart.
    static double cameBetween(const OutboxSnapshot &first, const OutboxSnapshot &second)
    {
        return second.inPerSecond.value_or(-1) * static_cast<double>(first.at.msecsTo(second.at))
            / 1000;
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void whatCameIsCountedAndWhatLeftIsNot()
    {
        make(keptColumns(u"integer"_s), kept(OutboxShape::KeyForm::Integer));
        writeNumbers(3000);
        const OutboxSnapshot first = look();
        QVERIFY(!first.inPerSecond);
        QVERIFY(!first.notes.contains(u"in_per_s"_s));
        writeNumbers(70);
        QTRY_VERIFY(look().at > first.at);
        QCOMPARE(qRound(cameBetween(first, look())), 70);
        // All but the last are delivered: nothing came by that.
        SideSession(m_url).run(
            u"UPDATE outbox SET done = '2026-01-01 00:00:00' WHERE id < %1"_s.arg(m_written));
        const OutboxSnapshot third = look();
        QCOMPARE(third.pending, 1);
        QCOMPARE(qRound(cameBetween(first, third)), 70);
    }

    void whoDoesNotAskIsToldNothing()
    {
        make(keptColumns(u"integer"_s), kept(OutboxShape::KeyForm::Integer));
        writeNumbers(30);
        const OutboxSnapshot first = look();
        writeNumbers(7);
        QTRY_VERIFY(look().at > first.at); // from here on a rate could be told
        auto seen = m_store->snapshot(liveCaps);
        QVERIFY_RESULT(seen);
        m_store->addFlow(*seen, Arrivals::NotAsked);
        QVERIFY(!seen->inPerSecond);
        QVERIFY(!seen->notes.contains(u"in_per_s"_s));
        QCOMPARE(qRound(cameBetween(first, look())), 7);
    }

    void anEmptyTableThatFillsIsCounted()
    {
        make(keptColumns(u"integer"_s), kept(OutboxShape::KeyForm::Integer));
        const OutboxSnapshot first = look();
        writeNumbers(40);
        QTRY_VERIFY(look().at > first.at);
        QCOMPARE(qRound(cameBetween(first, look())), 40);
    }

    void keysOfTimeAreAnOrderAndOthersAreNone()
    {
        const bool isPostgres = dialect() == DatabaseUrl::Dialect::PostgreSql;
        const QString type = isPostgres ? u"uuid"_s : u"varchar(36)"_s;
        const auto form = isPostgres ? OutboxShape::KeyForm::Uuid : OutboxShape::KeyForm::UuidText;
        make(keptColumns(type), kept(form));
        writeKeys(10, [] { return sevenKey(-60'000); });
        const OutboxSnapshot first = look();
        writeKeys(25, [] { return sevenKey(); });
        QTRY_VERIFY(look().at > first.at);
        QCOMPARE(qRound(cameBetween(first, look())), 25);
        writeKeys(1, [] { return sevenKey(3'600'000); });
        OutboxSnapshot ahead = look();
        QVERIFY(!ahead.inPerSecond); // none of those that come next could be seen
        QVERIFY(ahead.notes.value(u"in_per_s"_s).contains(u"future"_s));

        make(keptColumns(type), kept(form));
        for (int round = 0; round < 3; ++round) {
            writeKeys(20, [] { return QUuid::createUuid().toString(QUuid::WithoutBraces); });
            const OutboxSnapshot seen = look();
            QVERIFY(!seen.inPerSecond);
            QVERIFY(!seen.notes.value(u"in_per_s"_s).isEmpty());
        }
    }

    void whereRowsGoTheServerKnowsOrNobody()
    {
        make(u"id integer PRIMARY KEY, type text NOT NULL, payload text NOT NULL"_s,
             classicShape());
        writeNumbers(30);
        OutboxSnapshot seen = look();
        if (dialect() != DatabaseUrl::Dialect::PostgreSql) {
            writeNumbers(30);
            QVERIFY(!look().inPerSecond);
            QVERIFY(seen.notes.value(u"in_per_s"_s).contains(u"does not tell"_s));
            return;
        }
        // A session that ends has told the server all it did.
        QTRY_COMPARE(SideSession(m_url).one(u"SELECT n_tup_ins FROM pg_stat_user_tables"_s),
                     u"30"_s);
        const OutboxSnapshot first = look();
        writeNumbers(50);
        SideSession(m_url).run(u"DELETE FROM outbox"_s);
        QTRY_COMPARE(SideSession(m_url).one(u"SELECT n_tup_ins FROM pg_stat_user_tables"_s),
                     u"80"_s);
        const OutboxSnapshot second = look();
        QCOMPARE(second.pending, 0);
        QVERIFY(*second.inPerSecond > 0);
        QVERIFY(cameBetween(first, second) <= 80.5);
    }
};

} // namespace tst_arrivals

OUTBOX_TEST(tst_arrivals::TestArrivals)
#include "tst_arrivals.moc"
