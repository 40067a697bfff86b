// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A large table without the indexes that looks need is told, with statements that work and cure it.
#include "tests/connectors/sqlfixture.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

namespace tst_indexadvice {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestIndexAdvice : public QObject
{
    Q_OBJECT

    Databases m_databases;

    /// `rows` of which the last ten wait.
    DatabaseUrl table(int rows)
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        const TestWords &words = testWords();
        side.run(classicTable(u", created_at %1 NOT NULL, completed_at %1"_s.arg(words.timeType)));
        const QString time = words.moment.arg(u"2026-01-01 00:00:00"_s);
        side.run(numbered(
            rows, u"n, 'mail', 'x', %1, CASE WHEN n <= %2 THEN %1 END"_s.arg(time).arg(rows - 10),
            u"outbox"_s));
        side.run(words.analyze);
        return url;
    }

    static OutboxShape shape(OutboxShape::ProcessedHow how)
    {
        OutboxShape shape = classicShape();
        shape.createdColumn = u"created_at"_s;
        shape.order = QStringList{u"created_at"_s, u"id"_s};
        shape.orderIs = OutboxShape::OrderIs::Time;
        shape.processedHow = how;
        if (how == OutboxShape::ProcessedHow::Time)
            shape.processedColumn = u"completed_at"_s;
        return shape;
    }

    static QList<IndexAdvice> advice(const DatabaseUrl &url, OutboxShape::ProcessedHow how)
    {
        OutboxStore store;
        if (!store.open(settingsFor(url, StoreAccess::ReadOnly)) || !store.use(shape(how)))
            return {};
        const auto seen = store.snapshot();
        return seen ? seen->missingIndexes : QList<IndexAdvice>();
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void whatIsToldCures()
    {
        const DatabaseUrl url = table(10'010);
        const auto told = advice(url, OutboxShape::ProcessedHow::Time);
        QCOMPARE(told.size(), 2);
        QVERIFY(told.at(0).isOfPages);
        QVERIFY(!told.at(1).isOfPages);
        SideSession side(url);
        for (const IndexAdvice &one : told)
            side.run(one.statement);
        QVERIFY(advice(url, OutboxShape::ProcessedHow::Time).isEmpty());
        if (dialect() != DatabaseUrl::Dialect::PostgreSql)
            return;
        side.run(u"ANALYZE outbox"_s);
        static_cast<void>(advice(url, OutboxShape::ProcessedHow::Time));
        // the server itself says that the look went by it
        QTRY_VERIFY(side.one(u"SELECT sum(idx_scan) FROM pg_stat_user_indexes WHERE indexrelid IN"
                             " (SELECT indexrelid FROM pg_index WHERE indpred IS NOT NULL)"_s)
                        .toInt()
                    > 0);
    }

    void aSmallTableNeedsNone()
    {
        QVERIFY(advice(table(500), OutboxShape::ProcessedHow::Time).isEmpty());
    }

    void whereRowsGoNoneIsNeededToCount()
    {
        const auto told = advice(table(10'010), OutboxShape::ProcessedHow::Deleted);
        QCOMPARE(told.size(), 1);
        QVERIFY(told.at(0).isOfPages);
    }
};

} // namespace tst_indexadvice

OUTBOX_TEST(tst_indexadvice::TestIndexAdvice)
#include "tst_indexadvice.moc"
