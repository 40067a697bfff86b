// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a database cannot find by itself, or not in time, is searched for in its rows, page by page.
#include "models/filter/pagerequest.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/testprogram.h"

namespace tst_filterpages {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFilterPages : public QObject
{
    Q_OBJECT

    Databases m_databases;

    static bool postgres() { return dialect() == DatabaseUrl::Dialect::PostgreSql; }
    static bool mariadb() { return dialect() == DatabaseUrl::Dialect::MariaDb; }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void aMemberThatIsTooRareIsSearchedFor()
    {
        if (!postgres())
            QSKIP("documents are searched in any case");
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable().replace(u"payload text"_s, u"payload jsonb"_s));
        side.run(numbered(3000, u"n, 'mail', jsonb_build_object('n', n)"_s, u"outbox"_s));
        makeDocumentsSlow(side, url);
        OutboxStore store;
        StoreSettings settings = settingsFor(url, StoreAccess::ReadOnly);
        settings.statementTimeoutMs = 1500;
        QVERIFY_RESULT(store.open(settings));
        OutboxShape shape = classicShape();
        shape.payloadForm = OutboxShape::PayloadForm::Json;
        QVERIFY_RESULT(store.use(shape));
        PageRequest request;
        request.filter = filterOf(u"payload.n:2999 type:mail"_s);
        const auto quick = store.page(request);
        QVERIFY_RESULT(quick);
        QCOMPARE(quick->reach, FilterReach::Scan);
        QCOMPARE(quick->rows.size(), 1);
        QCOMPARE(quick->searched, 3000);
        request.filter = filterOf(u"payload.n:2999 or col.type:x"_s); // no predicate tells that
        QCOMPARE(store.page(request).error().kind, Error::Kind::Timeout);
    }

    void whatMustBeSearchedForIsSearchedForPageByPage()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(3000, u"n, 'mail', 'payload ' || n"_s, u"outbox"_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly)));
        PageRequest request;
        request.filter = filterOf(u"payload~\"LOAD 1\""_s);
        request.limit = 100;
        request.payloadPrefixBytes = 7;
        request.searchRows = 1000;
        QStringList seen;
        qint64 searched = 0;
        int pages = 0;
        do {
            const auto page = store.page(request);
            QVERIFY_RESULT(page);
            QCOMPARE(page->reach, FilterReach::Scan);
            QVERIFY(page->searched <= 1000);
            QVERIFY(page->rows.size() <= 100);
            searched += page->searched;
            for (const Message &row : page->rows) {
                seen += row.id.text;
                QCOMPARE(row.payload, QByteArray("payload"));
            }
            request.after = page->next;
            ++pages;
        } while (!request.after.isEmpty());
        QCOMPARE(seen.size(), 1111);
        QCOMPARE(searched, 3000);
        QVERIFY(pages > 11);
        if (mariadb())
            side.run(u"ALTER TABLE outbox MODIFY payload longtext"_s);
        side.run(
            u"INSERT INTO outbox VALUES (5000, 'mail', '%1 needle')"_s.arg(QString(70'000, u'x')));
        request = {};
        request.filter = filterOf(u"payload~needle"_s);
        const auto page = store.page(request);
        QVERIFY_RESULT(page);
        QCOMPARE(page->rows.size(), 0);
        QCOMPARE(page->undecided, 1); // only its beginning was read
        request.filter = filterOf(u"task:none payload~\"payload 29\""_s);
        const auto asking = store.page(request);
        QVERIFY_RESULT(asking);
        QCOMPARE(asking->rows.size(), 111);
    }
};

} // namespace tst_filterpages

OUTBOX_TEST(tst_filterpages::TestFilterPages)
#include "tst_filterpages.moc"
