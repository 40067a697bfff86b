// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many rows match a filter, counted by the database up to a bound: as many as its pages list,
// on rows and filters by chance and beside rows that are set aside; refused where nobody can tell.
#include "models/filter/pagerequest.h"
#include "models/filter/rowcount.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/randomfilters.h"
#include "tests/support/testprogram.h"

namespace tst_rowcounts {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rowCount = 120;

/// Rows that tell when they were made, whether they failed, and how often they were tried.
OutboxShape toldShape()
{
    OutboxShape shape = classicShape();
    shape.createdColumn = u"created_at"_s;
    shape.failedHow = OutboxShape::FailedHow::Time;
    shape.failedColumn = u"failed_at"_s;
    shape.attemptsColumn = u"tries"_s;
    shape.processedHow = OutboxShape::ProcessedHow::Time;
    shape.processedColumn = u"done_at"_s;
    return shape;
}

FilterNode termOf(const QString &text)
{
    return filterOf(text).root.parts.constFirst();
}

} // namespace

class TestRowCounts : public QObject
{
    Q_OBJECT

    Databases m_databases;

    DatabaseUrl filled(RandomFilters &random)
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable(u", created_at timestamptz NOT NULL, failed_at timestamptz,"
                              " done_at timestamptz, tries integer"_s));
        for (int n = 1; n <= rowCount; ++n) {
            // Half hours, so that no row passes a threshold of whole hours while the test runs.
            const QString made = testWords().later.arg(-(random.below(40) * 3600 + 1800));
            const auto maybe = [&](const QString &text, int of) -> QString {
                return random.below(of) == 0 ? text : u"NULL"_s;
            };
            side.run(u"INSERT INTO outbox VALUES (%1, '%2', '%3', "_s.arg(
                         QString::number(n),
                         random.oneOf(QStringList{u"mail"_s, u"invoice"_s, u"it''s"_s, u"a?b"_s}),
                         QString(random.below(9), u'x'))
                     + made + u", "_s + maybe(made, 3) + u", "_s + maybe(made, 4) + u", "_s
                     + maybe(QString::number(random.below(6)), 2) + u')');
        }
        return url;
    }

    static FilterTerm randomTerm(RandomFilters &random)
    {
        const QString number = QString::number(random.below(7));
        return termOf(
                   random.oneOf(QStringList{
                       u"state:pending"_s, u"state:failed"_s, u"state:parked"_s, u"state!=parked"_s,
                       u"state:processed,failed"_s, u"type:mail"_s, u"type!=invoice"_s,
                       u"type:\"it's\""_s, u"type~\"A?\""_s, u"attempts>=%1"_s.arg(number),
                       u"attempts:none"_s, u"id=%1"_s.arg(1 + random.below(rowCount)),
                       u"age>%1h"_s.arg(1 + random.below(40)), u"size>%1"_s.arg(number)}))
            .term;
    }

    /// By the rows that pages list.
    static qint64 listed(OutboxStore &store, const RowCountRequest &asked,
                         const QList<ParkedRow> &parked)
    {
        PageRequest request;
        request.filter = asked.filter;
        request.at = asked.at;
        request.limit = 50;
        qint64 rows = 0;
        do {
            const auto page = store.page(request, parked);
            if (!page)
                qFatal("%s", qPrintable(oneLine(page.error())));
            rows += page->rows.size();
            request.after = page->next;
        } while (!request.after.isEmpty());
        return rows;
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    /// It fails where a row is counted that no page lists, or the other way round, and where the
    /// count goes on behind its bound.
    void asManyAsPagesList()
    {
        RandomFilters random(QTest::currentTestFunction());
        const DatabaseUrl url = filled(random);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), toldShape()));
        qint64 found = 0;
        for (int run = 0; run < 150; ++run) {
            RowCountRequest asked;
            asked.filter = random.tree([&] { return randomTerm(random); });
            asked.at = QDateTime::currentDateTimeUtc();
            QList<ParkedRow> parked;
            for (int left = random.below(2) * random.below(9); left > 0; --left) {
                parked += ParkedRow{MessageId{QString::number(1 + random.below(rowCount + 20))},
                                    u"its type"_s, 1, asked.at};
            }
            const qint64 all = listed(store, asked, parked);
            for (const qint64 most : {qint64(0), qint64(3), qint64(rowCount)}) {
                asked.most = most;
                const auto counted = store.count(asked, parked);
                QVERIFY_RESULT(counted);
                QVERIFY2(*counted == std::min(all, most + 1),
                         qPrintable(u"%1: %2 of %3, %4 parked"_s.arg(asked.filter.text())
                                        .arg(*counted)
                                        .arg(all)
                                        .arg(parked.size())));
            }
            found += all;
        }
        QVERIFY(found > 500);
    }

    void theTimeInWhichRowsCameIsAPartOfIt()
    {
        RandomFilters random(QTest::currentTestFunction());
        const DatabaseUrl url = filled(random);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), toldShape()));
        for (int hours = 1; hours < 41; hours += 3) {
            RowCountRequest asked;
            asked.filter = filterOf(u"type:mail or state:failed"_s);
            asked.at = QDateTime::currentDateTimeUtc();
            RowCountRequest wider = asked;
            wider.filter.root.parts += termOf(u"age<=%1h"_s.arg(hours));
            asked.madeWithinSeconds = hours * 3600.0;
            asked.most = rowCount;
            const auto counted = store.count(asked, {});
            QVERIFY_RESULT(counted);
            QCOMPARE(*counted, listed(store, wider, {}));
        }
    }

    /// It fails where a filter that nothing tells answers 0, which would keep an alert quiet.
    void whatNothingTellsIsRefused()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(5, u"n, 'mail', 'x'"_s, u"outbox"_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly)));
        QStringList filters{u"state:failed"_s,   u"-state:failed"_s,  u"attempts>1"_s, u"error~x"_s,
                            u"cause:x"_s,        u"created:today"_s,  u"age>1h"_s,     u"due<-1h"_s,
                            u"queue:x"_s,        u"processed:-15m"_s, u"owner~x"_s,    u"wait>1h"_s,
                            u"type:a or max>3"_s};
        if (dialect() != DatabaseUrl::Dialect::PostgreSql)
            filters += {u"state:locked"_s, u"locked:any"_s};
        RowCountRequest asked;
        asked.at = QDateTime::currentDateTimeUtc();
        asked.most = 10;
        for (const QString &filter : std::as_const(filters)) {
            asked.filter = filterOf(filter);
            const auto counted = store.count(asked, {});
            QVERIFY2(!counted, qPrintable(filter));
            QVERIFY2(counted.error().kind == Error::Kind::Unsupported,
                     qPrintable(oneLine(counted.error())));
        }
        asked.filter = {};
        asked.madeWithinSeconds = 60;
        QVERIFY(!store.count(asked, {}));
        asked.madeWithinSeconds.reset();
        for (const QString &filter : {u""_s, u"error:none"_s, u"type:mail"_s}) {
            asked.filter = filterOf(filter);
            QCOMPARE(store.count(asked, {}).value_or(-1), 5);
        }
    }

    void rowsThatOthersHoldAreCountedWithoutWaiting()
    {
        if (dialect() != DatabaseUrl::Dialect::PostgreSql)
            QSKIP("only there rows tell that they are held");
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(5, u"n, 'mail', 'x'"_s, u"outbox"_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly)));
        side.run(u"BEGIN"_s);
        side.run(u"SELECT id FROM outbox WHERE id < 3 FOR UPDATE"_s);
        RowCountRequest asked;
        asked.most = 10;
        asked.filter = filterOf(u"state:locked"_s);
        QCOMPARE(store.count(asked, {}).value_or(-1), 2);
        asked.filter = filterOf(u"state:pending"_s);
        QCOMPARE(store.count(asked, {}).value_or(-1), 3);
        side.run(u"ROLLBACK"_s);
    }

    void whatNoIndexServesEndsAtItsDeadline()
    {
        if (dialect() != DatabaseUrl::Dialect::PostgreSql)
            QSKIP("only there an operator can be made slow");
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable().replace(u"payload text"_s, u"payload jsonb"_s));
        side.run(numbered(800, u"n, 'mail', jsonb_build_object('n', n)"_s, u"outbox"_s));
        makeDocumentsSlow(side, url);
        StoreSettings settings = settingsFor(url, StoreAccess::ReadOnly);
        settings.statementTimeoutMs = 300;
        OutboxShape shape = classicShape();
        shape.payloadForm = OutboxShape::PayloadForm::Json;
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settings, shape));
        RowCountRequest asked;
        asked.most = 5;
        asked.filter = filterOf(u"payload.n:2"_s);
        const auto counted = store.count(asked, {});
        QVERIFY(!counted);
        QCOMPARE(counted.error().kind, Error::Kind::Timeout);
        QVERIFY(counted.error().hint.contains(u"No index"_s));
        // Where enough rows are found before that, the rest is not looked at.
        asked.filter = filterOf(u"payload.n>0"_s);
        QCOMPARE(store.count(asked, {}).value_or(-1), 6);
    }
};

} // namespace tst_rowcounts

OUTBOX_TEST(tst_rowcounts::TestRowCounts)
#include "tst_rowcounts.moc"
