// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fleet page in the whole console: offered where there are several systems, looking while it is
// shown or wanted always, and the way from it into a system.
#include "app/desktop/fleetpresenter.h"
#include "app/settings/profilestore.h"
#include "tests/app/consoleground.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"
#include "views/fleet/fleetview.h"
#include "views/frame/pagelist.h"
#include "views/tables/livetable.h"

#include <QCheckBox>
#include <QLabel>
#include <QTest>

#include <memory>

namespace tst_fleetpage {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFleetPage : public QObject, protected ConsoleGround
{
    Q_OBJECT

    /// A system whose servers are away: what is looked at here is who asks, and when.
    [[nodiscard]] Profile profileOf(const QString &name) const
    {
        Profile one = awayProfile(name);
        one.databaseUrl = u"postgresql://x@/y?host=/nonexistent"_s;
        return one;
    }

    [[nodiscard]] bool save(const QString &name) const
    {
        return ProfileStore(folders().profilesFile()).put(profileOf(name)).has_value();
    }

    void begin(const QString &opened)
    {
        m_desktop.reset(); // it saves what it remembers
        startAgain();
        m_desktop->openProfile(profileOf(opened), {});
        m_desktop->window().show();
    }

    [[nodiscard]] bool isOffered() const
    {
        return !m_desktop->window().findChild<PageList *>()->isRowHidden(Pages::Fleet);
    }

    [[nodiscard]] LiveTable *table() const
    {
        return m_desktop->pages().fleet->findChild<LiveTable *>(u"fleetTable"_s);
    }

    [[nodiscard]] QString cell(int row, int column) const
    {
        return table()->model()->index(row, column).data().toString();
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_desktop.reset(); }

    void oneSystemHasNoFleet()
    {
        QVERIFY(save(u"a"_s));
        begin(u"a"_s);
        QVERIFY(!isOffered());
        m_desktop->window().showPage(Pages::Fleet);
        QCOMPARE(m_desktop->window().currentPage(), int(Pages::Overview));
        QVERIFY(!m_desktop->fleet().poller().isRunning());
    }

    void itLooksWhileItIsShown()
    {
        QVERIFY(save(u"a"_s) && save(u"b"_s));
        begin(u"a"_s);
        QVERIFY(isOffered());
        QVERIFY(!m_desktop->fleet().poller().isRunning());
        m_desktop->window().showPage(Pages::Fleet);
        QVERIFY(m_desktop->fleet().poller().isRunning());
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        QTRY_VERIFY(cell(0, 3).startsWith(u"Unknown: the database does not answer"_s)
                    && cell(1, 3).startsWith(u"Unknown: the database does not answer"_s));
        QTRY_COMPARE(m_desktop->window().findChild<PageList *>()->badge(Pages::Fleet), u"2"_s);
        emit m_desktop->window().pauseAsked(true);
        QVERIFY(!m_desktop->fleet().poller().isRunning());
        emit m_desktop->window().pauseAsked(false);
        QVERIFY(m_desktop->fleet().poller().isRunning());
        m_desktop->window().showPage(Pages::Overview);
        QVERIFY(!m_desktop->fleet().poller().isRunning());
        QVERIFY(m_desktop->window().findChild<PageList *>()->isBadgeStale(Pages::Fleet));
    }

    /// What was seen of one system is not shown of another one with its name.
    void aChangedSystemIsNotSeenYet()
    {
        QVERIFY(save(u"a"_s) && save(u"b"_s));
        begin(u"a"_s);
        m_desktop->window().showPage(Pages::Fleet);
        QTRY_VERIFY(cell(0, 3).startsWith(u"Unknown"_s) && cell(1, 3).startsWith(u"Unknown"_s));
        Profile changed = profileOf(u"a"_s);
        changed.queue = u"other"_s;
        ProfileStore store(folders().profilesFile());
        QVERIFY_RESULT(store.put(changed));
        m_desktop->fleet().setSaved(store);
        const int row = cell(0, 1) == u"a" ? 0 : 1;
        QCOMPARE(cell(row, 1), u"a"_s);
        QCOMPARE(cell(row, 3), u"Not looked at yet."_s);
        QVERIFY(cell(1 - row, 3).startsWith(u"Unknown"_s));
    }

    void watchedAlwaysIsRemembered()
    {
        QVERIFY(save(u"a"_s) && save(u"b"_s));
        begin(u"a"_s);
        m_desktop->window().showPage(Pages::Fleet);
        auto *always = m_desktop->pages().fleet->findChild<QCheckBox *>(u"fleetAlways"_s);
        QVERIFY(!always->isChecked());
        always->click();
        m_desktop->window().showPage(Pages::Overview);
        QVERIFY(m_desktop->fleet().poller().isRunning());
        begin(u"a"_s);
        QVERIFY(m_desktop->pages().fleet->findChild<QCheckBox *>(u"fleetAlways"_s)->isChecked());
        QVERIFY(m_desktop->fleet().poller().isRunning());
    }

    void aSystemIsOpenedAndTheFleetGoesOn()
    {
        QVERIFY(save(u"a"_s) && save(u"b"_s));
        begin(u"a"_s);
        m_desktop->window().showPage(Pages::Fleet);
        m_desktop->pages().fleet->findChild<QCheckBox *>(u"fleetAlways"_s)->click();
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        table()->selectRow(cell(0, 1) == u"b" ? 0 : 1);
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Return);
        QCOMPARE(m_desktop->profile()->name, u"b"_s);
        QCOMPARE(m_desktop->window().currentPage(), int(Pages::Overview));
        QVERIFY(m_desktop->fleet().poller().isRunning());
    }

    void whoIsSavedOrRemovedIsSeen()
    {
        QVERIFY(save(u"a"_s));
        begin(u"a"_s);
        QVERIFY(!isOffered());
        // As the connection manager saves: the presenter of the page reads the same store.
        QVERIFY(save(u"b"_s));
        ProfileStore store(folders().profilesFile());
        QVERIFY_RESULT(store.load());
        m_desktop->fleet().setSaved(store);
        QVERIFY(isOffered());
        m_desktop->window().showPage(Pages::Fleet);
        QVERIFY_RESULT(store.remove(u"a"_s));
        m_desktop->fleet().setSaved(store);
        QVERIFY(!isOffered());
        QCOMPARE(m_desktop->window().currentPage(), int(Pages::Overview));
        QVERIFY(!m_desktop->fleet().poller().isRunning());
    }
};

} // namespace tst_fleetpage

OUTBOX_TEST(tst_fleetpage::TestFleetPage)
#include "tst_fleetpage.moc"
