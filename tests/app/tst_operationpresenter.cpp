// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Operations from the window on a real SQLite and a real Redis, by keyboard: from the rows that are
// selected to a receipt, a record, and back again.
#include "tests/app/consoleground.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/redisqueue.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"
#include "views/dedup/dedupview.h"
#include "views/operation/editdialog.h"
#include "views/operation/plandialog.h"
#include "views/operation/unlockdialog.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskspane.h"
#include "views/tables/livetable.h"

#include <QAction>
#include <QCheckBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

namespace tst_operationpresenter {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestOperationPresenter : public QObject, protected ConsoleGround
{
    Q_OBJECT

    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;

    [[nodiscard]] PlanDialog *dialog() const { return m_desktop->operations()->dialog(); }
    [[nodiscard]] LiveTable *rows() const
    {
        return window().findChild<LiveTable *>(u"outboxTable"_s);
    }
    [[nodiscard]] QAction *verb(const QString &name) const
    {
        return window().findChild<QAction *>(name);
    }
    [[nodiscard]] QPushButton *go() const
    {
        return dialog()->findChild<QPushButton *>(u"planGo"_s);
    }
    template <typename Widget> [[nodiscard]] Widget *part(const QString &name) const
    {
        return dialog()->findChild<Widget *>(name);
    }
    [[nodiscard]] QString sentence(const QString &name) const { return part<QLabel>(name)->text(); }

    [[nodiscard]] Profile profile() const
    {
        Profile one = profileOver(*m_fixture, u"fixture"_s);
        one.readOnly = false;
        return one;
    }
    void open(const Profile &profile)
    {
        m_desktop->openProfile(profile, {});
        window().show();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        window().showPage(Pages::Outbox);
        QTRY_COMPARE(rows()->model()->rowCount(), 20);
    }
    void filter(const QString &text, int count)
    {
        m_desktop->pages().outbox->openFilter(text);
        QTRY_COMPARE(rows()->model()->rowCount(), count);
    }
    void confirm(const QString &typed)
    {
        if (dialog()->step() == PlanDialog::Step::Preview)
            QTest::keyClick(go(), Qt::Key_Return);
        if (auto *second = part<QCheckBox>(u"allowSecond"_s); second->isVisible())
            QTest::keyClick(second, Qt::Key_Space);
        QTest::keyClicks(part<QLineEdit>(u"confirmTyped"_s), typed);
        QVERIFY2(go()->isEnabled(), qPrintable(go()->toolTip()));
        QTest::keyClick(go(), Qt::Key_Return);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_redis);
    }
    void init()
    {
        m_fixture = std::make_unique<TestOutbox>(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt,
                                                 nullptr, m_redis);
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->insertRows(20));
        QVERIFY(m_fixture->exec(u"update outbox set completed_at = '2026-01-02 03:04:05' "
                                u"where id <= 10"_s));
        startConsole();
    }
    void cleanup()
    {
        m_desktop.reset();
        m_fixture.reset();
    }

    void replaysWhatIsSelectedAndUndoesIt();
    void purgesAllThatMatch();
    void readOnlyIsUnlockedWithAReason();
    void refusedRolesArmNothing();
    void staleDataCannotBeActedOn();
    void queueIsPausedFromItsPage();
    void aDeadTaskIsEditedFromItsPage();
    void aTaskThatIsEditedUnmaskedIsOnRecord();
    void anotherSystemForgetsTheVerbs();
    void verbsSayWhatTheShapeDoesNotAllow();
};

void TestOperationPresenter::replaysWhatIsSelectedAndUndoesIt()
{
    open(profile());
    filter(u"state:processed"_s, 10);
    rows()->setFocus();
    rows()->selectRow(0);
    QTest::keyClick(rows(), Qt::Key_Down, Qt::ShiftModifier);
    QTRY_VERIFY(verb(u"rowVerbs-replay"_s)->isEnabled());
    QTest::keyClick(rows(), Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Preview);
    QCOMPARE(sentence(u"planSentence"_s),
             u"Exactly 2 rows will be opened again for the relay. 2 ran before and run a second "
             "time."_s);
    QCOMPARE(m_fixture->unprocessed(), 10);
    confirm(u"2 fixture"_s);
    QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Result);
    QCOMPARE(sentence(u"resultSentence"_s), u"Opened again: 2 rows."_s);
    QCOMPARE(m_fixture->unprocessed(), 12);
    QVERIFY(wasRecorded(AuditEntry::Kind::Intent, Verb::Replay));
    QVERIFY(wasRecorded(AuditEntry::Kind::End, Verb::Replay));
    QVERIFY(window().findChild<QPushButton *>(u"openResult"_s) != nullptr);
    // And back, by its own preview: from the result, or from the notice once that is closed.
    auto *undo = part<QPushButton>(u"planUndoGo"_s);
    QTRY_VERIFY(undo->isEnabled());
    dialog()->close();
    auto *noticed = window().findChild<QPushButton *>(u"undoResult"_s);
    QVERIFY(noticed != nullptr);
    noticed->click();
    QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Preview);
    QVERIFY(dialog()->isVisible());
    QCOMPARE(dialog()->windowTitle(), u"Undo: Replay"_s);
    QCOMPARE(dialog()->plan().verb, Verb::Unreplay);
    QTest::keyClick(go(), Qt::Key_Return);
    QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Result);
    QCOMPARE(m_fixture->unprocessed(), 10);
    QVERIFY(wasRecorded(AuditEntry::Kind::End, Verb::Unreplay));
    // What cannot be undone has no such button.
    QTRY_VERIFY(window().findChild<QPushButton *>(u"openResult"_s) != nullptr);
    QTRY_VERIFY(window().findChild<QPushButton *>(u"undoResult"_s) == nullptr);
}

void TestOperationPresenter::purgesAllThatMatch()
{
    open(profile());
    auto *all = window().findChild<QToolButton *>(u"rowVerbsAll"_s);
    QVERIFY(!all->isEnabled()); // without a filter it would be the whole table
    filter(u"state:processed"_s, 10);
    QVERIFY(all->isEnabled());
    QTest::keyClick(all, Qt::Key_Space);
    QVERIFY(all->isChecked());
    QTRY_VERIFY(verb(u"rowVerbs-purge"_s)->isEnabled());
    rows()->setFocus();
    QTest::keyClick(rows(), Qt::Key_Delete);
    QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Preview);
    QCOMPARE(sentence(u"planSentence"_s), u"Exactly 10 rows will be purged."_s);
    confirm(u"10 fixture"_s);
    QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Result);
    QCOMPARE(m_fixture->scalar(u"select count(*) from outbox"_s).toInt(), 10);
    QCOMPARE(m_fixture->unprocessed(), 10);
    const QString file = part<QLineEdit>(u"resultExport"_s)->text();
    QVERIFY2(QFileInfo(file).size() > 0, qPrintable(file));
    QVERIFY(wasRecorded(AuditEntry::Kind::End, Verb::Purge));
    QTRY_COMPARE(rows()->model()->rowCount(), 0); // the page reads anew by itself
}

void TestOperationPresenter::readOnlyIsUnlockedWithAReason()
{
    Profile locked = profile();
    locked.environment = Environment::Production;
    locked.readOnly = true;
    open(locked);
    filter(u"state:processed"_s, 10);
    rows()->selectRow(0);
    QAction *replay = verb(u"rowVerbs-replay"_s);
    // A preview changes nothing; whoever goes on from it is asked to unlock.
    QTRY_VERIFY(replay->isEnabled());
    replay->trigger();
    QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Preview);
    QVERIFY(!m_desktop->operations()->driver().arming().isArmed(QDateTime::currentDateTimeUtc()));
    QTest::keyClick(go(), Qt::Key_Return);
    QCOMPARE(dialog()->step(), PlanDialog::Step::Preview);
    auto *unlock = window().findChild<UnlockDialog *>();
    QVERIFY(unlock != nullptr && unlock->isVisible());
    auto *unlockGo = unlock->findChild<QPushButton *>(u"unlockGo"_s);
    QVERIFY(!unlockGo->isEnabled());
    QTest::keyClicks(unlock->findChild<QLineEdit *>(u"unlockReason"_s), u"INC-4711"_s);
    QTest::keyClick(unlockGo, Qt::Key_Return);
    QTRY_VERIFY(
        m_desktop->operations()->driver().arming().isArmed(QDateTime::currentDateTimeUtc()));
    QTRY_VERIFY(window().findChild<UnlockDialog *>() == nullptr);
    QCOMPARE(record().last().kind, AuditEntry::Kind::Unlock);
    QCOMPARE(record().last().what, u"INC-4711"_s);
    QTest::keyClick(go(), Qt::Key_Return);
    QCOMPARE(dialog()->step(), PlanDialog::Step::Confirm);
    dialog()->close();
    // Locked again by the same key; that is on record, too.
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    QTest::keyClick(&window(), Qt::Key_U, Qt::ControlModifier);
    QVERIFY(!m_desktop->operations()->driver().arming().isArmed(QDateTime::currentDateTimeUtc()));
    QTRY_COMPARE(record().last().kind, AuditEntry::Kind::Lock);
}

void TestOperationPresenter::refusedRolesArmNothing()
{
    QVERIFY(m_fixture->plainRedis()
                .command({"ACL", "SETUSER", "operator", "on", ">right", "~*", "+@all"}, u"acl"_s)
                .has_value());
    Profile locked = profile();
    locked.readOnly = true;
    locked.actingRedisUser = u"operator"_s;
    open(locked);
    rows()->selectRow(0);
    m_desktop->operations()->askToUnlock();
    auto *unlock = window().findChild<UnlockDialog *>();
    auto *password = unlock->findChild<QLineEdit *>(u"unlockRedisPassword"_s);
    QTest::keyClicks(password, u"wrong"_s);
    unlock->findChild<QPushButton *>(u"unlockGo"_s)->click();
    auto *problem = unlock->findChild<QWidget *>(u"unlockProblem"_s);
    QTRY_VERIFY(problem->findChild<QLabel *>()->text().contains(u"WRONGPASS"_s));
    QVERIFY(!m_desktop->operations()->driver().arming().isArmed(QDateTime::currentDateTimeUtc()));
    QVERIFY(record().isEmpty());
    password->clear();
    QTest::keyClicks(password, u"right"_s);
    unlock->findChild<QPushButton *>(u"unlockGo"_s)->click();
    QTRY_VERIFY(
        m_desktop->operations()->driver().arming().isArmed(QDateTime::currentDateTimeUtc()));
}

void TestOperationPresenter::staleDataCannotBeActedOn()
{
    open(profile());
    rows()->selectRow(0);
    QAction *purge = verb(u"rowVerbs-purge"_s);
    QTRY_VERIFY(purge->isEnabled());
    emit window().pauseAsked(true);
    QTRY_VERIFY(!purge->isEnabled());
    QVERIFY2(purge->toolTip().contains(u"was read last at"_s), qPrintable(purge->toolTip()));
    emit window().pauseAsked(false);
    QTRY_VERIFY(purge->isEnabled());
    rows()->clearSelection();
    QVERIFY(purge->toolTip().contains(u"Nothing is selected"_s));
}

void TestOperationPresenter::queueIsPausedFromItsPage()
{
    QVERIFY(m_fixture->plainRedis().command({"SADD", "asynq:queues", "default"}, u"queue"_s));
    open(profile());
    window().showPage(Pages::Queue);
    QTRY_COMPARE(m_desktop->pages().queue->chosenQueue().text, u"default"_s);
    QAction *pause = verb(u"queueVerbs-pause"_s);
    QTRY_VERIFY(pause->isEnabled());
    pause->trigger();
    QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Preview);
    QTest::keyClick(go(), Qt::Key_Return);
    QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Result);
    QTRY_VERIFY(verb(u"queueVerbs-unpause"_s)->isEnabled());
    QVERIFY(!pause->isEnabled());
    QVERIFY(wasRecorded(AuditEntry::Kind::End, Verb::Pause));
}

void TestOperationPresenter::aDeadTaskIsEditedFromItsPage()
{
    RedisConnection &redis = m_fixture->plainRedis();
    QVERIFY(placeTask(redis, sampleRequest(u"dead"_s), TaskState::Archived));
    open(profile());
    window().showPage(Pages::Queue);
    m_desktop->pages().queue->openTask({u"default"_s}, {u"dead"_s}, TaskState::Archived);
    QAction *edit = verb(u"taskEdit-edit-task"_s);
    QTRY_VERIFY2(edit->isEnabled(), qPrintable(edit->toolTip()));
    edit->trigger();
    QTRY_VERIFY(window().findChild<EditDialog *>());
    QPointer<EditDialog> editor = window().findChild<EditDialog *>();
    QVERIFY(editor->windowTitle().contains(u"task dead"_s));
    for (const QString &locked : {u"edit-id"_s, u"edit-queue"_s})
        QVERIFY(!editor->findChild<QLineEdit *>(locked)->isEnabled());
    editor->findChild<QLineEdit *>(u"edit-type"_s)->setText(u"mail:again"_s);
    auto *preview = editor->findChild<QPushButton *>(u"editPreview"_s);
    QTRY_VERIFY(preview->isEnabled());
    preview->click();
    QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Preview);
    QTest::keyClick(go(), Qt::Key_Return);
    QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Result);
    QVERIFY(wasRecorded(AuditEntry::Kind::End, Verb::EditTask));
    QTRY_VERIFY(!editor || !editor->isVisible()); // it shows what stood there before
    const auto state = redis.command({"HGET", "asynq:{default}:t:dead", "state"}, u"looking"_s);
    QVERIFY(state);
    QCOMPARE(state->bytes, QByteArray("pending"));
}

/// It fails where the record tells it as a row of that id.
void TestOperationPresenter::aTaskThatIsEditedUnmaskedIsOnRecord()
{
    EnqueueRequest request = sampleRequest(u"dead"_s);
    request.payload = R"({"password":"hunter2"})";
    QVERIFY(placeTask(m_fixture->plainRedis(), request, TaskState::Archived));
    const auto masks = PayloadMasks::fromTexts({u"*.password"_s});
    QVERIFY(masks);
    Profile masked = profile();
    masked.masks = *masks;
    open(masked);
    window().showPage(Pages::Queue);
    m_desktop->pages().queue->openTask({u"default"_s}, {u"dead"_s}, TaskState::Archived);
    QAction *edit = verb(u"taskEdit-edit-task"_s);
    QTRY_VERIFY2(edit->isEnabled(), qPrintable(edit->toolTip()));
    edit->trigger();
    QTRY_VERIFY(window().findChild<EditDialog *>());
    window().findChild<EditDialog *>()->findChild<QPushButton *>(u"editUnmask"_s)->click();
    const auto told = [this] {
        QStringList lines;
        for (const AuditEntry &entry : record()) {
            if (entry.kind == AuditEntry::Kind::Unmask)
                lines += entry.what;
        }
        return lines;
    };
    QTRY_COMPARE(told(),
                 QStringList{u"The payload of task dead in queue default was shown unmasked"_s});
}

void TestOperationPresenter::anotherSystemForgetsTheVerbs()
{
    open(profile());
    rows()->selectRow(0);
    QTRY_VERIFY(verb(u"rowVerbs-purge"_s)->isEnabled());
    Profile other = profile();
    other.name = u"other"_s;
    other.databaseUrl = u"sqlite://"_s + m_folder->filePath(u"missing.db"_s);
    m_desktop->openProfile(other, {});
    QVERIFY(!verb(u"rowVerbs-purge"_s)->isEnabled());
    QVERIFY(!dialog()->isVisible());
}

/// Such a table is read from the log of its database: nothing in it says what was delivered.
void TestOperationPresenter::verbsSayWhatTheShapeDoesNotAllow()
{
    Profile logOnly = profile();
    OutboxShape shape;
    shape.table = TableName::fromText(u"outbox"_s);
    shape.keyColumn = u"id"_s;
    shape.keyForm = OutboxShape::KeyForm::Integer;
    shape.typeColumn = u"type"_s;
    shape.payloadColumn = u"payload"_s;
    shape.createdColumn = u"created_at"_s;
    shape.processedHow = OutboxShape::ProcessedHow::Log;
    shape.setTimeZone(u"UTC"_s);
    shape.confirmed = u"somebody"_s;
    logOnly.shape = shape;
    open(logOnly);
    rows()->selectRow(0);
    for (const QString &name : {u"rowVerbs-replay"_s, u"rowVerbs-purge"_s}) {
        QTRY_VERIFY2(verb(name)->toolTip().contains(u"elivered "_s),
                     qPrintable(verb(name)->toolTip()));
        QVERIFY(!verb(name)->isEnabled());
    }
    QVERIFY(!verb(u"rowVerbs-release"_s)->isEnabled());
}

} // namespace tst_operationpresenter

OUTBOX_TEST(tst_operationpresenter::TestOperationPresenter)
#include "tst_operationpresenter.moc"
