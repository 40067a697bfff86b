// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The whole console by keyboard: each kind of thing is found by Ctrl+K and opened, and a link is
// returned from.
#include "app/settings/filterstore.h"
#include "app/settings/profilestore.h"
#include "tests/app/consoleground.h"
#include "tests/support/accessiblewalk.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"
#include "views/dedup/dedupview.h"
#include "views/filter/filterbar.h"
#include "views/message/messagepanel.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskspane.h"
#include "views/tables/livetable.h"
#include "views/widgets/actions.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>

namespace tst_locate {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestLocate : public QObject, protected ConsoleGround
{
    Q_OBJECT

    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;

    [[nodiscard]] Profile profile() const { return profileOver(*m_fixture, u"shop"_s); }
    [[nodiscard]] Profile elsewhere() const { return awayProfile(u"elsewhere"_s); }

    /// The line, as an assistive technology finds it; nullptr while it is closed.
    [[nodiscard]] QLineEdit *line() const
    {
        const auto *field
            = walk::find(&window(), QAccessible::EditableText,
                         u"Go to a message id, a page, an action, a filter or a profile"_s);
        return field ? qobject_cast<QLineEdit *>(field->object()) : nullptr;
    }
    /// What is found, as it is read aloud up to the first comma.
    [[nodiscard]] QStringList found() const
    {
        QStringList lines;
        const auto *list = window().findChild<QListWidget *>(u"locatorList"_s);
        for (int row = 0; row < list->count(); ++row)
            lines += list->item(row)->data(Qt::AccessibleTextRole).toString().section(u',', 0, 0);
        return lines;
    }
    void type(const QString &text)
    {
        QTest::keyClick(&window(), Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(line());
        QTRY_VERIFY(line()->hasFocus());
        QTest::keyClicks(line(), text);
    }
    /// The line of the list that is read aloud so is chosen by the arrows, and opened.
    void go(const QString &text, const QString &entry)
    {
        type(text);
        const QStringList lines = found();
        const qsizetype at = lines.indexOf(entry);
        QVERIFY2(at >= 0, qPrintable(lines.join(u" | "_s)));
        for (qsizetype step = 0; step < at; ++step)
            QTest::keyClick(line(), Qt::Key_Down);
        QVERIFY2(line()->accessibleDescription().contains(entry),
                 qPrintable(line()->accessibleDescription()));
        QTest::keyClick(line(), Qt::Key_Return);
        QVERIFY(!line());
        turn();
    }
    /// What a person does next comes in another turn of the event loop.
    static void turn() { QCoreApplication::processEvents(); }
    [[nodiscard]] bool isEnabled(const QString &action) const
    {
        return window().registry()->action(action)->isEnabled();
    }
    [[nodiscard]] QString filterOfRows() const
    {
        return m_desktop->pages().outbox->filter()->appliedText();
    }
    [[nodiscard]] QString journey() const
    {
        return window().findChild<QLabel *>(u"journeySentence"_s)->text();
    }
    [[nodiscard]] LiveTable *rows() const
    {
        return window().findChild<LiveTable *>(u"outboxTable"_s);
    }
    void goBack() { QTest::keyClick(&window(), Qt::Key_Left, Qt::AltModifier); }
    void goForward() { QTest::keyClick(&window(), Qt::Key_Right, Qt::AltModifier); }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_redis);
        m_fixture = std::make_unique<TestOutbox>(TestOutbox::Kind::Sqlite, BenchShape::Payload,
                                                 nullptr, m_redis);
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->insertRows(12));
    }
    void init()
    {
        startConsole();
        QVERIFY_RESULT(saveFilter(filtersFileIn(folders().config),
                                  {u"Stuck mail"_s, u"state:pending"_s, {}, FilterSubject::Rows}));
        QVERIFY_RESULT(saveFilter(filtersFileIn(folders().config),
                                  {u"Dead mail"_s, u"state:archived"_s, {}, FilterSubject::Tasks}));
        QVERIFY_RESULT(ProfileStore(folders().profilesFile()).put(elsewhere()));
        startAgain();
    }
    void cleanup()
    {
        m_desktop.reset();
        m_folder.reset();
    }

    void aRowIsFoundByItsId()
    {
        openWindow(profile());
        const QString id = m_fixture->insertedIds().at(7);
        go(id, u"Message id: "_s + id);
        QCOMPARE(window().currentPage(), int(Pages::Outbox));
        QTRY_COMPARE(rows()->model()->rowCount(), 1);
        QTRY_COMPARE(m_desktop->pages().outbox->panel()->shownId().text, id);
        QTRY_VERIFY2(!journey().startsWith(u"Asking"_s), qPrintable(journey()));
    }

    /// Its row is gone, and its task is in a queue that is not the profile's.
    void aMessageWithoutARowIsFoundByItsId()
    {
        const QString id = u"7e57d004-2b97-4e7a-8000-0000000000ff"_s;
        EnqueueRequest task = sampleRequest(id);
        task.queue = {u"mail"_s};
        QVERIFY_RESULT(placeTask(m_fixture->plainRedis(), task, TaskState::Completed));
        openWindow(profile());
        go(id, u"Message id: "_s + id);
        QTRY_COMPARE(m_desktop->pages().outbox->panel()->shownId().text, id);
        QTRY_VERIFY2(journey().contains(u"refused"_s), qPrintable(journey()));
    }

    void eachOtherKindIsFoundByItsName()
    {
        openWindow(profile());
        go(u"queue"_s, u"Page: Queue"_s);
        QCOMPARE(window().currentPage(), int(Pages::Queue));
        QSignalSpy paused(&window(), &MainWindow::pauseAsked);
        go(u"pause live"_s, u"Action: Pause live refresh"_s);
        QCOMPARE(paused.count(), 1);
        go(u"pause live"_s, u"Action: Pause live refresh"_s);
        QCOMPARE(paused.takeLast().first().toBool(), false);
        go(u"stuck"_s, u"Saved filter: Stuck mail"_s);
        QCOMPARE(window().currentPage(), int(Pages::Outbox));
        QCOMPARE(filterOfRows(), u"state:pending"_s);
        go(u"mail"_s, u"Saved filter: Dead mail"_s);
        QCOMPARE(window().currentPage(), int(Pages::Queue));
        QCOMPARE(m_desktop->pages().queue->tasks()->filter()->appliedText(), u"state:archived"_s);
        // A filter is one of the page in front; where that takes none, one of the rows.
        go(u"state:retry"_s, u"Filter: state:retry"_s);
        QCOMPARE(m_desktop->pages().queue->tasks()->filter()->appliedText(), u"state:retry"_s);
        window().showPage(Pages::Overview);
        turn();
        go(u"type:mail*"_s, u"Filter: type:mail*"_s);
        QCOMPARE(window().currentPage(), int(Pages::Outbox));
        QCOMPARE(filterOfRows(), u"type:mail*"_s);
        go(u"elsewhere"_s, u"Profile: elsewhere"_s);
        QCOMPARE(m_desktop->profile()->name, u"elsewhere"_s);
        type(u"elsewhere"_s);
        QVERIFY(!found().contains(u"Profile: elsewhere"_s)); // it is open
    }

    void whatCannotBeDoneIsNotFound()
    {
        openWindow(profile());
        type(u"back"_s);
        QVERIFY(!found().contains(u"Action: Back"_s));
        QTest::keyClick(line(), Qt::Key_Escape);
        window().registry()->action(u"refresh"_s)->setVisible(false);
        type(u"refresh now"_s);
        QVERIFY(!found().contains(u"Action: Refresh now"_s));
    }

    void escapeGoesBackToTheFocus()
    {
        openWindow(profile());
        window().showPage(Pages::Outbox);
        QTRY_COMPARE(rows()->model()->rowCount(), 12);
        rows()->setFocus();
        type(u"queue"_s);
        QTest::keyClick(line(), Qt::Key_Tab); // has nowhere to go
        QVERIFY(line() && line()->hasFocus());
        QTest::keyClick(line(), Qt::Key_Escape);
        QVERIFY(!line());
        QVERIFY(rows()->hasFocus());
        QCOMPARE(window().currentPage(), int(Pages::Outbox));
        type(u"refresh now"_s);
        QTest::keyClick(line(), Qt::Key_Return);
        QVERIFY(rows()->hasFocus());
    }

    /// The suggestions are open over the window; what is typed stays as it is.
    void aFilterIsLeftAsItIsTyped()
    {
        openWindow(profile());
        window().showPage(Pages::Outbox);
        auto *filter = window().findChild<QLineEdit *>(u"outboxFilterLine"_s);
        filter->setFocus();
        QTest::keyClicks(filter, u"sta"_s);
        filter->setCursorPosition(1);
        QWidget *suggestions = QApplication::activePopupWidget();
        QVERIFY(suggestions);
        QTest::keyClick(suggestions, Qt::Key_K, Qt::ControlModifier);
        QVERIFY(line());
        QVERIFY(line()->hasFocus());
        QVERIFY(!suggestions->isVisible());
        QTest::keyClick(line(), Qt::Key_Down);
        QTest::keyClick(line(), Qt::Key_Escape);
        QVERIFY(filter->hasFocus());
        QCOMPARE(filter->text(), u"sta"_s);
        QCOMPARE(filterOfRows(), QString());
        QVERIFY(!suggestions->isVisible());
    }

    /// What was found of a system may not be opened in the next.
    void anotherSystemClosesTheLine()
    {
        openWindow(profile());
        type(u"stuck"_s);
        m_desktop->openProfile(elsewhere(), {});
        QVERIFY(!line());
    }

    void hostileTextStaysText()
    {
        openWindow(profile());
        type({});
        line()->setText(u"<b>7</b>\u202e\nx"_s); // as it is pasted
        for (const QString &entry : found())
            QVERIFY2(!entry.contains(QChar(0x202e)) && !entry.contains(u'\n'), qPrintable(entry));
        line()->setText(QString(1024 * 1024, u'7'));
        QCOMPARE(found(), QStringList());
        const auto *note = window().findChild<QLabel *>(u"locatorNote"_s);
        QVERIFY2(note->isVisible() && note->text().contains(u"4,096"_s), qPrintable(note->text()));
    }

    void aLinkIsReturnedFrom()
    {
        openWindow(profile());
        QVERIFY(!isEnabled(u"back"_s) && !isEnabled(u"forward"_s));
        window().showPage(Pages::Outbox);
        m_desktop->pages().outbox->openFilter(u"type:*"_s);
        QTRY_VERIFY(isEnabled(u"back"_s));
        QTRY_COMPARE(rows()->model()->rowCount(), 12);
        rows()->selectRow(5);
        const QString chosen = m_desktop->pages().outbox->panel()->shownId().text;
        window().showPage(Pages::Overview);
        turn();
        window().findChild<QAbstractButton *>(u"pendingCard"_s)->click();
        QCOMPARE(filterOfRows(), u"state:pending"_s);
        turn();
        m_desktop->pages().outbox->openFilter(u"type:nothing"_s);
        QTRY_VERIFY(m_desktop->pages().outbox->panel()->shownId().isEmpty());
        goBack();
        QCOMPARE(filterOfRows(), u"state:pending"_s);
        goBack(); // page and filter were one step
        QCOMPARE(window().currentPage(), int(Pages::Overview));
        QVERIFY(isEnabled(u"back"_s) && isEnabled(u"forward"_s));
        goBack();
        QCOMPARE(window().currentPage(), int(Pages::Outbox));
        QCOMPARE(filterOfRows(), u"type:*"_s);
        QTRY_COMPARE(m_desktop->pages().outbox->panel()->shownId().text, chosen);
        goBack();
        QCOMPARE(window().currentPage(), int(Pages::Overview));
        QVERIFY(!isEnabled(u"back"_s));
        for (int step = 0; step < 4; ++step) {
            QVERIFY(isEnabled(u"forward"_s));
            goForward();
        }
        QCOMPARE(window().currentPage(), int(Pages::Outbox));
        QCOMPARE(filterOfRows(), u"type:nothing"_s);
        QVERIFY(!isEnabled(u"forward"_s));
        m_desktop->openProfile(elsewhere(), {}); // its places are none of the other's
        QVERIFY(!isEnabled(u"back"_s) && !isEnabled(u"forward"_s));
    }

    void anAskedIdIsAPlace()
    {
        openWindow(profile());
        window().showPage(Pages::Dedup);
        m_desktop->pages().dedup->openId({u"42"_s});
        QTRY_VERIFY(isEnabled(u"back"_s));
        window().showPage(Pages::Queue);
        goBack();
        QCOMPARE(m_desktop->pages().dedup->askedId().text, u"42"_s);
        goBack();
        QCOMPARE(window().currentPage(), int(Pages::Overview));
        m_desktop->pages().dedup->openId({});
        goForward();
        QCOMPARE(window().currentPage(), int(Pages::Dedup));
        QCOMPARE(m_desktop->pages().dedup->askedId().text, u"42"_s);
    }

    void documentsHaveTheirPagesAndNoRelay()
    {
        Profile system = elsewhere();
        system.design = DesignProfile();
        system.design->documents.table.table = u"orders"_s;
        openWindow(system);
        type(u"relay"_s);
        QVERIFY2(!found().contains(u"Page: Relay"_s), qPrintable(found().join(u" | "_s)));
        QTest::keyClick(line(), Qt::Key_Escape);
        type(u"outbox"_s);
        QVERIFY(!found().contains(u"Page: Outbox"_s));
        QTest::keyClick(line(), Qt::Key_Escape);
        type(u"stuck"_s); // a filter of rows
        QVERIFY(!found().contains(u"Saved filter: Stuck mail"_s));
        QTest::keyClick(line(), Qt::Key_Escape);
        type(u"state:pending"_s);
        QCOMPARE(found(), QStringList());
        QTest::keyClick(line(), Qt::Key_Escape);
        go(u"documents"_s, u"Page: Documents"_s);
        QCOMPARE(window().currentPage(), int(Pages::Outbox));
        go(u"42"_s, u"Message id: 42"_s);
        QCOMPARE(window().currentPage(), int(Pages::Dedup));
        QCOMPARE(m_desktop->pages().dedup->askedId().text, u"42"_s);
        goBack();
        QCOMPARE(window().currentPage(), int(Pages::Outbox));
    }
};

} // namespace tst_locate

OUTBOX_TEST(tst_locate::TestLocate)
#include "tst_locate.moc"
