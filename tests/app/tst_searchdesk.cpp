// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The console searches all rows for what no index finds: offered, watched on the page, left alone
// by the refresh, and ended by another filter, another page, another system and the window's end.
#include "app/desktop/desktop.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"
#include "views/filter/filterbar.h"
#include "views/outbox/outboxview.h"
#include "views/outbox/searchbar.h"
#include "views/tables/livetable.h"

#include <QAbstractButton>
#include <QSignalSpy>

namespace tst_searchdesk {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSearchDesk : public QObject
{
    Q_OBJECT

    Databases m_databases;
    PrivateRedis m_redis;
    QTemporaryDir m_folder;
    std::unique_ptr<Desktop> m_desktop;
    std::unique_ptr<SideSession> m_side;
    static constexpr int rowCount = 60'000;
    static constexpr int patience = 60'000;

    [[nodiscard]] OutboxView *view() const { return m_desktop->pages().outbox; }
    [[nodiscard]] RowSearch &search() const { return m_desktop->system()->search(); }
    [[nodiscard]] QAbstractItemModel *model() const
    {
        return view()->findChild<LiveTable *>(u"outboxTable"_s)->model();
    }
    [[nodiscard]] QAbstractButton *button() const
    {
        return view()->findChild<QAbstractButton *>(u"outboxSearchAction"_s);
    }
    [[nodiscard]] QStringList ids() const
    {
        QStringList ids;
        for (const Message &row : view()->shownRows())
            ids += row.id.text;
        return ids;
    }
    /// Up to where the rest of the rows is offered.
    void ask(const QString &filter)
    {
        view()->openFilter(filter);
        QTRY_VERIFY_WITH_TIMEOUT(button()->isVisible(), patience);
        QVERIFY(button()->text().startsWith(u"Search all "_s));
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_DATABASES(m_databases);
        OUTBOX_START_SERVER(m_redis);
    }
    void init()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        m_side = std::make_unique<SideSession>(url);
        m_side->run(classicTable());
        m_side->run(numbered(rowCount, u"n, 'mail', 'payload ' || n || ' of many'"_s, u"outbox"_s));
        m_side->run(u"UPDATE outbox SET payload = 'the Needle' WHERE id = 3"_s);
        m_desktop = std::make_unique<Desktop>(Folders{m_folder.path(), m_folder.path()});
        m_desktop->begin();
        Profile profile;
        profile.name = u"searched"_s;
        profile.databaseUrl = m_databases.addressOf(url);
        profile.redisUrl = m_redis.url();
        profile.shape = classicShape();
        profile.refreshMs = 200;
        m_desktop->openProfile(profile, {});
        m_desktop->window().resize(1280, 800);
        m_desktop->window().show();
        m_desktop->window().showPage(Pages::Outbox);
        QTRY_VERIFY_WITH_TIMEOUT(model()->rowCount() > 0, patience);
    }
    void cleanup()
    {
        m_desktop.reset();
        m_side.reset();
    }

    void theFarEndIsFoundAndStaysAsItWas()
    {
        ask(u"payload~needle"_s);
        QVERIFY(ids().isEmpty());
        search().setShare(1);
        button()->click();
        QVERIFY(search().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!search().isRunning(), patience);
        QCOMPARE(ids(), QStringList{u"3"_s});
        const QString told = view()->search()->text();
        QVERIFY2(told.contains(u"Searched all 60,000 rows: 1 found"_s), qPrintable(told));
        // Neither the timer nor a person who asks for new figures searches again.
        m_side->run(u"UPDATE outbox SET payload = 'a new needle' WHERE id = %1"_s.arg(rowCount));
        QSignalSpy figures(&m_desktop->system()->database(), &DatabaseFeed::taken);
        QSignalSpy rows(&m_desktop->system()->database(), &DatabaseFeed::rowsTaken);
        emit m_desktop->window().refreshAsked();
        view()->findChild<QAbstractButton *>(u"outboxLive"_s)->click();
        view()->findChild<QAbstractButton *>(u"outboxLive"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(figures.count() > 4, patience);
        QCOMPARE(rows.count(), 0);
        QCOMPARE(ids(), QStringList{u"3"_s});
        QCOMPARE(view()->search()->text(), told);
        view()->openFilter(u"payload~needle"_s); // asked for again, it is answered anew
        QTRY_COMPARE_WITH_TIMEOUT(ids(), QStringList{QString::number(rowCount)}, patience);
    }

    void itIsCancelledAndGoesOn()
    {
        ask(u"payload~\"000 of many\""_s); // 60 of them, 20 of which the first answer has
        QTRY_COMPARE(ids().size(), 20);
        search().setShare(1);
        button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(search().state().searched > 0, patience);
        button()->click();
        QVERIFY(!search().isRunning());
        QVERIFY2(view()->search()->text().startsWith(u"Cancelled. Searched the newest "_s),
                 qPrintable(view()->search()->text()));
        QVERIFY(ids().size() >= 20); // what was there stays
        QCOMPARE(button()->text(), u"Continue"_s);
        button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!search().isRunning(), patience);
        QCOMPARE(ids().size(), 60);
        const QStringList shown = ids();
        QCOMPARE(QSet<QString>(shown.begin(), shown.end()).size(), 60);
        QCOMPARE(ids().constFirst(), u"60000"_s);
        QCOMPARE(ids().constLast(), u"1000"_s);
    }

    void anotherFilterPageOrSystemEndsIt()
    {
        search().setShare(0.01); // it would go on for long
        ask(u"payload~needle"_s);
        button()->click();
        QVERIFY(search().isRunning());
        view()->openFilter(u"payload~nothing"_s);
        QVERIFY(!search().isHeld());
        ask(u"payload~nothing"_s);
        button()->click();
        QVERIFY(search().isRunning());
        m_desktop->window().showPage(Pages::Overview);
        QVERIFY(!search().isHeld());
        m_desktop->window().showPage(Pages::Outbox);
        QTRY_VERIFY_WITH_TIMEOUT(button()->isVisible(), patience);
        QVERIFY(!search().isHeld()); // the first answer again
        button()->click();
        QVERIFY(search().isRunning());
        Profile other;
        other.name = u"other"_s;
        other.databaseUrl = u"sqlite://"_s + m_folder.filePath(u"missing.db"_s);
        m_desktop->openProfile(other, {});
        QVERIFY(!view()->search()->isVisible());
        QVERIFY(!view()->search()->isRunning());
    }

    void theWindowClosesInTheMiddleOfIt()
    {
        ask(u"payload~needle"_s);
        search().setShare(1);
        button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(search().state().searched > 0, patience);
        m_desktop.reset();
        if (dialect() == DatabaseUrl::Dialect::PostgreSql) // nobody is left behind
            QTRY_COMPARE(m_side->one(u"SELECT count(*) FROM pg_stat_activity WHERE datname = "
                                     "current_database() AND application_name <> 'side'"_s),
                         u"0"_s);
    }
};

} // namespace tst_searchdesk

OUTBOX_TEST(tst_searchdesk::TestSearchDesk)
#include "tst_searchdesk.moc"
