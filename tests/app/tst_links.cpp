// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ways between things: from a sentence to its group, from a row to its task and back, from a
// line of arguments to a place; and the order of the rows, which is kept.
#include "app/settings/profilestore.h"
#include "models/filter/completion.h"
#include "models/filter/filter.h"
#include "models/tables/groupmodel.h"
#include "models/tables/outboxmodel.h"
#include "models/tables/taskmodel.h"
#include "tests/app/consoleground.h"
#include "tests/support/accessiblewalk.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"
#include "views/failures/failurespane.h"
#include "views/filter/filterbar.h"
#include "views/message/messagepanel.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskspane.h"
#include "views/tables/livetable.h"
#include "views/widgets/actions.h"

#include <QAbstractButton>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace tst_links {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestLinks : public QObject, protected ConsoleGround
{
    Q_OBJECT

    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;

    [[nodiscard]] Profile profile() const { return profileOver(*m_fixture, u"shop"_s); }
    [[nodiscard]] Result<void> placeDead(const QString &id, const QString &error)
    {
        const EnqueueRequest request = sampleRequest(id);
        asynq::TaskMessage message = messageOf(request);
        message.error = error;
        message.lastFailedAt = 1'764'000'000;
        return placeMessage(m_fixture->plainRedis(), request, TaskState::Archived, message);
    }
    [[nodiscard]] LiveTable *rows() const
    {
        return window().findChild<LiveTable *>(u"outboxTable"_s);
    }
    /// Of the row or task that is selected; empty: none is.
    [[nodiscard]] static QString selectedId(const LiveTable *table, int column)
    {
        const QModelIndexList selected = table->selectionModel()->selectedRows(column);
        return selected.size() == 1 ? selected.constFirst().data().toString() : QString();
    }
    [[nodiscard]] QStringList idsOfRows() const
    {
        QStringList ids;
        for (int row = 0; row < rows()->model()->rowCount(); ++row)
            ids += rows()->model()->index(row, OutboxModel::Id).data().toString();
        return ids;
    }
    [[nodiscard]] QString selectedCause() const
    {
        const auto *groups
            = m_desktop->pages().queue->failures()->findChild<LiveTable *>(u"groupsTable"_s);
        return groups->currentIndex().siblingAtColumn(GroupModel::Cause).data().toString();
    }
    /// The button of this name, as soon as it is there: at once, for what stands beside it may be
    /// made anew at any time.
    [[nodiscard]] bool press(const QString &name) const
    {
        return QTest::qWaitFor(
            [&] {
                auto *found = walk::find(&window(), QAccessible::Button, name);
                auto *button = found ? qobject_cast<QAbstractButton *>(found->object()) : nullptr;
                if (!button || !button->isEnabled())
                    return false;
                button->click();
                return true;
            },
            patient(20'000));
    }
    [[nodiscard]] bool isOffered(const QString &link) const
    {
        return walk::isEnabled(&window(), QAccessible::Button, link);
    }

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
        QVERIFY_RESULT(m_fixture->plainRedis().command({"FLUSHDB"}, u"emptying"_s));
    }
    void cleanup()
    {
        m_desktop.reset();
        m_folder.reset();
    }

    /// Without the reading of the newest dead tasks the sentence ends behind their number; with a
    /// plain list behind the button no group is selected.
    void theGreatestGroupIsSaidAndShown()
    {
        for (int number = 0; number < 5; ++number)
            QVERIFY_RESULT(placeDead(u"dead-%1"_s.arg(number), u"HTTP 503"_s));
        QVERIFY_RESULT(placeDead(u"dead-5"_s, u"no such mailbox"_s));
        openWindow(profile());
        QVERIFY(press(u"Show: 6 tasks are dead in queue \"default\", 5 of them: HTTP 503."_s));
        QCOMPARE(window().currentPage(), int(Pages::Queue));
        QTRY_COMPARE(selectedCause(), u"HTTP 503"_s);
        QCOMPARE(m_desktop->pages().queue->failures()->question().scope, u"state:archived"_s);
        QVERIFY(press(u"Show the members of the group"_s));
        const auto *tasks = window().findChild<LiveTable *>(u"tasksTable"_s);
        QTRY_COMPARE(tasks->model()->rowCount(), 5);
    }

    void rowAndTaskLeadToEachOther()
    {
        const QString id = m_fixture->insertedIds().at(3);
        const auto shape = m_fixture->takenShape(u"UTC"_s);
        QVERIFY_RESULT(shape);
        const QString task = m_fixture->taskId(*shape, id);
        QVERIFY_RESULT(placeDead(task, u"HTTP 503"_s));
        openWindow(profile());
        window().showPage(Pages::Outbox);
        QTRY_COMPARE(rows()->model()->rowCount(), 12);
        const OutboxView *outbox = m_desktop->pages().outbox;
        m_desktop->pages().outbox->chooseRow({m_fixture->insertedIds().at(4)}); // has no task
        const auto *sentence = window().findChild<QLabel *>(u"journeySentence"_s);
        QTRY_VERIFY(sentence->text().startsWith(u"Wait"_s));
        QVERIFY(!isOffered(u"Show task"_s));
        m_desktop->pages().outbox->chooseRow({id});
        QVERIFY(press(u"Show task"_s));
        QVERIFY(rows()->actions().contains(outbox->panel()->links().constFirst()));

        QCOMPARE(window().currentPage(), int(Pages::Queue));
        const auto *tasks = window().findChild<LiveTable *>(u"tasksTable"_s);
        QTRY_COMPARE(selectedId(tasks, TaskModel::Id), task);
        QVERIFY(m_desktop->pages().queue->tasks()->filter()->appliedText().startsWith(
            u"state:archived id="_s));
        QVERIFY(press(u"Show failures like this"_s));
        QTRY_COMPARE(selectedCause(), u"HTTP 503"_s);
        m_desktop->pages().queue->openTask({u"default"_s}, {task}, TaskState::Archived);
        QVERIFY(press(u"Show row"_s));

        QCOMPARE(window().currentPage(), int(Pages::Outbox));
        QTRY_COMPARE(selectedId(rows(), OutboxModel::Id), id);
        QTRY_COMPARE(outbox->panel()->shownId().text, id);
    }

    void aTaskWithoutARowLeadsToNone()
    {
        const auto shape = m_fixture->takenShape(u"UTC"_s);
        QVERIFY_RESULT(shape);
        const QString id = shape->taskIdFor(u"7e57d004-2b97-4e7a-8000-0000000000ff"_s, {}).text;
        QVERIFY_RESULT(placeDead(id, u"HTTP 503"_s));
        openWindow(profile());
        QSignalSpy looked(&m_desktop->system()->database(), &DatabaseFeed::found);
        window().showPage(Pages::Queue);
        QTRY_VERIFY(!m_desktop->pages().queue->chosenQueue().isEmpty());
        QTRY_VERIFY(m_desktop->system()->database().shape().has_value());
        m_desktop->pages().queue->openTask({u"default"_s}, {id}, TaskState::Archived);
        QTRY_VERIFY(!looked.isEmpty());
        QTRY_VERIFY(isOffered(u"Show failures like this"_s));
        QVERIFY(!isOffered(u"Show row"_s));
    }

    void theOrderIsTurnedByKeysAndKept()
    {
        TestOutbox timed(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(timed.setUp());
        QVERIFY(timed.insertRows(12));
        Profile system = profile();
        system.databaseUrl = timed.url();
        system.table = timed.table();
        openWindow(system);
        window().showPage(Pages::Outbox);
        QTRY_COMPARE(rows()->model()->rowCount(), 12);
        QStringList expected = idsOfRows();
        std::reverse(expected.begin(), expected.end());
        QTRY_VERIFY(window().registry()->action(u"oldestFirst"_s)->isEnabled());
        QTest::keyClick(&window(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(idsOfRows(), expected);
        QCOMPARE(rows()->accessibleDescription(), u"The oldest rows come first."_s);
        startAgain();
        openWindow(system);
        window().showPage(Pages::Outbox);
        QTRY_COMPARE(idsOfRows(), expected);
        system.name = u"depot"_s; // has its own
        m_desktop->openProfile(system, {});
        QVERIFY(m_desktop->pages().outbox->request().newestFirst);
    }

    /// Its keys are no numbers that count up, and it has no times.
    void aTableWithoutTimesHasNoSuchOrder()
    {
        openWindow(profile());
        window().showPage(Pages::Outbox);
        QTRY_COMPARE(rows()->model()->rowCount(), 12);
        QVERIFY(!window().registry()->action(u"oldestFirst"_s)->isEnabled());
        QVERIFY(!rows()->horizontalHeader()->isSortIndicatorShown());
    }

    void aLinkOpensItsPlace()
    {
        openWindow(profile());
        const QString id = m_fixture->insertedIds().at(7);
        QVERIFY_RESULT(m_desktop->openLink({u"outbox"_s, u"type:*"_s, id}));
        QCOMPARE(window().currentPage(), int(Pages::Outbox));
        QTRY_COMPARE(selectedId(rows(), OutboxModel::Id), id);
        QCOMPARE(rows()->model()->rowCount(), 12);
        QVERIFY_RESULT(m_desktop->openLink({{}, {}, id})); // on the page of rows
        QTRY_COMPARE(rows()->model()->rowCount(), 1);
        QVERIFY_RESULT(m_desktop->openLink({u"queue"_s, u"state:retry"_s, {}}));
        QCOMPARE(window().currentPage(), int(Pages::Queue));
        QCOMPARE(m_desktop->pages().queue->tasks()->filter()->appliedText(), u"state:retry"_s);
    }

    /// It stands in the bar with its fault, and what is listed stays.
    void aWrongLinkIsTold()
    {
        openWindow(profile());
        QVERIFY(!m_desktop->openLink({u"outbox"_s, u"agee>5m"_s, {}}));
        QCOMPARE(window().currentPage(), int(Pages::Outbox));
        QCOMPARE(window().findChild<QLineEdit *>(u"outboxFilterLine"_s)->text(), u"agee>5m"_s);
        QVERIFY(m_desktop->pages().outbox->filter()->appliedText().isEmpty());
        // What its bar says of it, not that its value is missing.
        const auto unfinished = m_desktop->openLink({u"outbox"_s, u"agee>"_s, {}});
        QVERIFY(!unfinished);
        QCOMPARE(unfinished.error(),
                 readFilter(u"agee>"_s, FilterSubject::Rows, QDateTime::currentDateTime())
                     .fault.value());
        QVERIFY(unfinished.error() != Filter::fromText(u"agee>"_s).error());
        QVERIFY(!m_desktop->openLink({u"relay"_s, u"state:pending"_s, {}}));
        QVERIFY(!m_desktop->openLink({u"nowhere"_s, {}, {}}));
        QVERIFY(window().isVisible());
    }

    void anotherWindowIsAskedForWithoutPasswords()
    {
        QVERIFY_RESULT(ProfileStore(folders().profilesFile()).put(profile()));
        startAgain();
        openWindow(profile());
        ProfilePasswords typed;
        typed.redis = u"s3cret"_s;
        m_desktop->openProfile(profile(), typed);
        QVERIFY_RESULT(m_desktop->openLink({u"outbox"_s, u"type:*"_s, {}}));
        QSignalSpy asked(m_desktop.get(), &Desktop::windowAsked);
        QTest::keyClick(&window(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.constFirst().constFirst().toStringList(),
                 (QStringList{u"--profile"_s, u"shop"_s, u"--page=outbox"_s, u"--filter=type:*"_s,
                              u"--read-only"_s, u"--config-dir"_s, folders().config,
                              u"--state-dir"_s, folders().state}));
        Profile unsaved = profile();
        unsaved.name = u"never kept"_s;
        m_desktop->openProfile(unsaved, {});
        QVERIFY(!window().registry()->action(u"newWindow"_s)->isEnabled());
    }
};

} // namespace tst_links

OUTBOX_TEST(tst_links::TestLinks)
#include "tst_links.moc"
