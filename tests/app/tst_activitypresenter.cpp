// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window on what others did: the table of the database beside the file of this machine, relays
// on record, and ids of messages that are gone.
#include "connectors/sql/edit/outboxeditor.h"
#include "models/tables/auditmodel.h"
#include "tests/app/consoleground.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"
#include "views/activity/activityview.h"
#include "views/outbox/outboxview.h"
#include "views/relay/relayview.h"
#include "views/tables/livetable.h"

#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QTest>

namespace tst_activitypresenter {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestActivityPresenter : public QObject, protected ConsoleGround
{
    Q_OBJECT

    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;

    [[nodiscard]] LiveTable *table() const
    {
        return window().findChild<LiveTable *>(u"activityTable"_s);
    }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return table()->model()->index(row, column).data().toString();
    }
    [[nodiscard]] QString sources() const
    {
        const auto *line = m_desktop->pages().activity->findChild<QWidget *>(u"activitySources"_s);
        return line->findChild<QLabel *>()->text();
    }
    void makeTable()
    {
        QVERIFY(m_fixture->exec(OutboxEditor::auditTableSql(m_fixture->dialect())));
    }
    void purgedByBen(const QString &message, const QString &operation)
    {
        QVERIFY(
            m_fixture->exec(u"insert into outbox_audit values (strftime('%Y-%m-%d %H:%M:%f', "
                            "'now'), '%1', 'ben@laptop', 'outboxctl', 'purge', '%2', "
                            "'row=pending', 'done', 'rows of April')"_s.arg(operation, message)));
    }
    void open()
    {
        Profile profile = profileOver(*m_fixture, u"fixture"_s);
        profile.readOnly = false;
        openWindow(profile);
        QTRY_VERIFY(m_desktop->system()->database().shape().has_value());
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
        QVERIFY(m_fixture->insertRows(3));
        startConsole();
    }
    void cleanup()
    {
        m_desktop.reset();
        m_fixture.reset();
    }

    void whatAColleagueDidIsListedWithWhereItWasRead()
    {
        makeTable();
        purgedByBen(u"4711"_s, u"op-1"_s);
        purgedByBen(u"4712"_s, u"op-1"_s);
        open();
        window().showPage(Pages::Activity);
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        QCOMPARE(cell(0, AuditModel::Who), u"ben@laptop"_s);
        QCOMPARE(cell(0, AuditModel::What), u"Purge, rows of April"_s);
        QCOMPARE(cell(0, AuditModel::Count), u"2"_s);
        QCOMPARE(cell(0, AuditModel::Record), u"database"_s);
        QVERIFY2(sources().contains(u"outbox_audit"_s), qPrintable(sources()));
        table()->selectRow(0);
        QVERIFY(!window().findChild<QPushButton *>(u"activityUndo"_s)->isEnabled());
        const QString pictures = qEnvironmentVariable("OUTBOX_PICTURES");
        if (!pictures.isEmpty()) {
            for (const bool isDark : {false, true}) {
                window().setThemeChoice(isDark ? ThemeChoice::Dark : ThemeChoice::Light);
                QVERIFY(window().grab().save(QDir(pictures).filePath(
                    isDark ? u"colleague-dark.png"_s : u"colleague-light.png"_s)));
            }
        }
        // One more, while the page is not looked at.
        window().showPage(Pages::Outbox);
        purgedByBen(u"4713"_s, u"op-2"_s);
        window().showPage(Pages::Activity);
        QTRY_COMPARE(table()->model()->rowCount(), 2);
    }

    void withoutATableTheLineSaysThatElsewhereIsNotKnown()
    {
        open();
        window().showPage(Pages::Activity);
        QTRY_VERIFY2(sources().contains(u"no such table"_s), qPrintable(sources()));
        QVERIFY(sources().contains(u"this machine"_s));
        QCOMPARE(table()->model()->rowCount(), 0);
    }

    void startAndStopOfARelayAreOnRecord()
    {
        makeTable();
        open();
        RelayStart start;
        start.retentionSeconds = 3600;
        m_desktop->relay()->start(start);
        QTRY_COMPARE(m_fixture->unprocessed(), 0);
        emit m_desktop->pages().relay->pauseAsked();
        QTRY_COMPARE(m_desktop->relay()->driver().state(), RelayState::Paused);
        emit m_desktop->pages().relay->stopAsked();
        QTRY_COMPARE(record().size(), 3);
        QStringList acts;
        for (const AuditEntry &entry : record()) {
            QCOMPARE(entry.kind, AuditEntry::Kind::Relay);
            acts += entry.what.section(u" ("_s, 0, 0);
        }
        QCOMPARE(acts, (QStringList{u"Relay started"_s, u"Relay paused"_s, u"Relay stopped"_s}));
        QCOMPARE(record().last().counts.value(u"enqueued"_s), 3);
        QVERIFY2(record().last().what.contains(u"by the operator"_s),
                 qPrintable(record().last().what));
        // In the database as well, and the page tells each once.
        QTRY_COMPARE(m_fixture->scalar(u"select count(*) from outbox_audit"_s).toInt(), 3);
        window().showPage(Pages::Activity);
        QTRY_COMPARE(table()->model()->rowCount(), 3);
        QTRY_COMPARE(cell(0, AuditModel::Record), u"both"_s);
        QVERIFY(cell(0, AuditModel::What).startsWith(u"Relay stopped"_s));
        QCOMPARE(cell(0, AuditModel::State), u"3 enqueued"_s);
    }

    void aRelayThatIsCutOffByTheEndOfTheWindowIsOnRecordToo()
    {
        open();
        RelayStart start;
        start.retentionSeconds = 3600;
        m_desktop->relay()->start(start);
        QTRY_COMPARE(m_fixture->unprocessed(), 0);
        m_desktop.reset();
        QCOMPARE(record().size(), 2);
        QVERIFY(record().last().what.startsWith(u"Relay stopped"_s));
        startAgain();
    }

    void anIdOfARowThatAColleaguePurgedIsAnswered()
    {
        makeTable();
        purgedByBen(u"4711"_s, u"op-1"_s);
        open();
        window().showPage(Pages::Outbox);
        m_desktop->pages().outbox->openFilter(u"id:4711"_s);
        const auto *sentence = window().findChild<QLabel *>(u"journeySentence"_s);
        QVERIFY(sentence != nullptr);
        QTRY_VERIFY2(sentence->text().contains(u"No row and no task now"_s)
                         && sentence->text().contains(u"ben@laptop"_s),
                     qPrintable(sentence->text()));
    }
};

} // namespace tst_activitypresenter

OUTBOX_TEST(tst_activitypresenter::TestActivityPresenter)
#include "tst_activitypresenter.moc"
