// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A tour of everything a read-only console shows, told by the servers themselves: no statement
// writes, no row is locked, no Redis command writes.
#include "app/desktop/desktop.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/redisqueue.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"
#include "views/operation/plandialog.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskspane.h"
#include "views/tables/livetable.h"
#include "views/widgets/noticebar.h"

#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_readonlytour {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestReadOnlyTour : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;
    QTemporaryDir m_folder;
    std::unique_ptr<Desktop> m_desktop;

    static constexpr char prefix[] = "%a|";

    [[nodiscard]] MainWindow &window() const { return m_desktop->window(); }

    /// The next transaction id. Whatever writes a row or locks one takes an id first.
    [[nodiscard]] QString nextTransaction()
    {
        return m_fixture->scalar(u"select pg_snapshot_xmax(pg_current_snapshot())::text"_s)
            .toString();
    }
    /// Statements that sessions of the console sent since byte `from` of the server's log.
    [[nodiscard]] QStringList consoleStatements(qsizetype from) const
    {
        static const QRegularExpression sent(
            u"^outboxdeck[^|]*\\|LOG:  (?:statement|execute [^:]*): (.*)$"_s);
        QStringList statements;
        QByteArray log = m_postgres.log().mid(from);
        log.replace("\n\t", " "); // a statement of several lines
        for (const QByteArray &line : log.split('\n')) {
            const auto match = sent.match(QString::fromUtf8(line));
            if (match.hasMatch())
                statements += match.captured(1).trimmed();
        }
        return statements;
    }
    /// Commands that Redis ran since the last reset, but those of this test.
    [[nodiscard]] QStringList redisCommands()
    {
        QStringList commands;
        const auto info = m_fixture->plainRedis().command({"INFO", "commandstats"}, u"test"_s);
        if (!info)
            return {oneLine(info.error())};
        for (const QByteArray &line : info->bytes.split('\n')) {
            if (line.startsWith("cmdstat_"))
                commands += QString::fromLatin1(line.mid(8, line.indexOf(':') - 8));
        }
        return commands;
    }
    [[nodiscard]] bool writes(const QString &command)
    {
        const auto found
            = m_fixture->plainRedis().command({"COMMAND", "INFO", command.toLatin1()}, u"test"_s);
        if (!found || found->elements.value(0).elements.size() < 3)
            return true; // unknown is not harmless
        const QList<RedisReply> flags = found->elements.at(0).elements.at(2).elements;
        return std::any_of(flags.begin(), flags.end(),
                           [](const RedisReply &flag) { return flag.bytes == "write"; });
    }
    void visitTabs(QWidget *page)
    {
        for (auto *tabs : page->findChildren<QTabWidget *>()) {
            for (int tab = 0; tab < tabs->count(); ++tab) {
                tabs->setCurrentIndex(tab);
                QTRY_VERIFY(tabs->currentWidget()->isVisibleTo(tabs));
            }
            tabs->setCurrentIndex(0);
        }
    }
    void readRowsOf();
    void readTasksOf();
    void lookForInconsistencies();
    void previewReplay();

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_redis);
        OUTBOX_START_SERVER(m_postgres,
                            {u"log_statement=all"_s, u"autovacuum=off"_s,
                             u"log_line_prefix="_s + QLatin1StringView(prefix)});
        m_fixture = std::make_unique<TestOutbox>(TestOutbox::Kind::Postgres,
                                                 BenchShape::CompletedAt, &m_postgres, m_redis);
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->insertRows(60));
        QVERIFY(m_fixture->exec(u"update outbox set completed_at = now() where id in"
                                " (select id from outbox order by id limit 20)"_s));
        int number = 0;
        for (const TaskState state : soundTaskStates()) {
            const EnqueueRequest task = sampleRequest(m_fixture->insertedIds().at(++number));
            const auto placed = placeTask(m_fixture->plainRedis(), task, state);
            QVERIFY2(placed.has_value(), placed ? "" : qPrintable(oneLine(placed.error())));
        }
    }

    void changesNothing()
    {
        const QString before = nextTransaction();
        const qsizetype logged = m_postgres.log().size();
        QVERIFY(m_fixture->plainRedis().command({"CONFIG", "RESETSTAT"}, u"test"_s).has_value());

        m_desktop = std::make_unique<Desktop>(Folders{m_folder.path(), m_folder.path()});
        Profile profile;
        profile.name = u"orders"_s;
        profile.environment = Environment::Production;
        profile.databaseUrl = m_fixture->url();
        profile.redisUrl = m_redis.url();
        profile.refreshMs = 250;
        QVERIFY(profile.readOnly);
        m_desktop->openProfile(profile, {});
        window().show();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        for (int page = Pages::Overview; page <= Pages::Activity; ++page) {
            window().showPage(page);
            QCOMPARE(window().currentPage(), page);
            visitTabs(&window());
        }
        window().showPage(Pages::Alerts);
        QCOMPARE(window().currentPage(), int(Pages::Alerts));
        visitTabs(&window());
        readRowsOf();
        readTasksOf();
        lookForInconsistencies();
        previewReplay();
        m_desktop->openConnections(profile.name);
        m_desktop.reset();

        const QStringList statements = consoleStatements(logged);
        QVERIFY(statements.size() > 20);
        static const QRegularExpression reads(u"^(SELECT|WITH|SHOW|SET|LISTEN)\\b"_s,
                                              QRegularExpression::CaseInsensitiveOption);
        static const QRegularExpression locks(
            u"\\bFOR\\s+(NO\\s+KEY\\s+)?(UPDATE|SHARE|KEY\\s+SHARE)\\b|\\bLOCK\\s+TABLE\\b"_s,
            QRegularExpression::CaseInsensitiveOption);
        for (const QString &statement : statements) {
            QVERIFY2(reads.match(statement).hasMatch(), qPrintable(statement));
            QVERIFY2(!locks.match(statement).hasMatch(), qPrintable(statement));
        }
        QCOMPARE(nextTransaction(), before);

        const QStringList commands = redisCommands();
        QVERIFY(commands.size() > 5);
        for (const QString &command : commands)
            QVERIFY2(!writes(command), qPrintable(command));
        qInfo("%lld statements: 0 writes, 0 row locks (transaction id %s before and after); "
              "%lld kinds of Redis commands: 0 writes",
              static_cast<long long>(statements.size()), qPrintable(before),
              static_cast<long long>(commands.size()));
    }
};

void TestReadOnlyTour::readRowsOf()
{
    window().showPage(Pages::Outbox);
    auto *rows = window().findChild<LiveTable *>(u"outboxTable"_s);
    QTRY_COMPARE(rows->model()->rowCount(), 60);
    for (const QString &filter : {u"state:pending"_s, u"type:* age<7d"_s, u"state:processed"_s}) {
        m_desktop->pages().outbox->openFilter(filter);
        QTRY_VERIFY(rows->model()->rowCount() > 0);
    }
    QTRY_COMPARE(rows->model()->rowCount(), 20);
    rows->selectRow(0);
    auto *journey = window().findChild<QLabel *>(u"journeySentence"_s);
    QTRY_VERIFY(!journey->text().isEmpty());
    visitTabs(m_desktop->pages().outbox);
}

void TestReadOnlyTour::readTasksOf()
{
    window().showPage(Pages::Queue);
    QTRY_VERIFY(!m_desktop->pages().queue->chosenQueue().isEmpty());
    visitTabs(m_desktop->pages().queue);
    auto *pane = window().findChild<TasksPane *>(u"tasksPane"_s);
    QTRY_VERIFY(pane->findChild<LiveTable *>()->model()->rowCount() > 0);
    pane->findChild<LiveTable *>()->selectRow(0);
    m_desktop->pages().queue->setFilter(u"size>0 -type:nothing"_s);
    auto *search = window().findChild<NoticeBar *>(u"tasksSearch"_s);
    QTRY_VERIFY2(search->text().startsWith(u"Searched all"_s), qPrintable(search->text()));
    QVERIFY(pane->findChild<LiveTable *>()->model()->rowCount() > 0);
    m_desktop->pages().queue->setFilter({}); // every task, state by state
    QTRY_VERIFY(!search->isVisible());
    QTRY_VERIFY(pane->findChild<LiveTable *>()->model()->rowCount() > 0);
}

void TestReadOnlyTour::lookForInconsistencies()
{
    window().showPage(Pages::Reconcile);
    const auto *page = window().findChild<QWidget *>(u"reconcilePage"_s);
    auto *words = page->findChild<QLabel *>(u"lookWords"_s);
    auto *look = page->findChild<QPushButton *>(u"lookGo"_s);
    QTRY_VERIFY(look->isEnabled());
    QTest::mouseClick(look, Qt::LeftButton);
    QVERIFY(look->text().contains(u"Stop"_s));
    // Suspects are watched for longer than a test lasts: what was seen until now will do.
    QTRY_VERIFY_WITH_TIMEOUT(words->text() != u"Checking\u2026"_s, 20'000);
    if (look->text().contains(u"Stop"_s))
        QTest::mouseClick(look, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!look->text().contains(u"Stop"_s), 20'000);
}

void TestReadOnlyTour::previewReplay()
{
    OperationRequest request;
    request.selection.filter = u"state:processed"_s;
    m_desktop->operations()->ask(request);
    PlanDialog *dialog = m_desktop->operations()->dialog();
    QTRY_COMPARE(dialog->step(), PlanDialog::Step::Preview);
    QCOMPARE(dialog->plan().items.size(), 20);
    dialog->close();
}

} // namespace tst_readonlytour

OUTBOX_TEST(tst_readonlytour::TestReadOnlyTour)
#include "tst_readonlytour.moc"
