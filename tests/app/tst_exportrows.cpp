// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows exported from the window by accessible names, over real servers: what the dialog says
// before, the file that comes, what import makes of it, and its end with the system.
#include "app/operations/transfer/exportfile.h"
#include "app/system/jobs/rowexport.h"
#include "tests/app/consoleground.h"
#include "tests/support/accessiblewalk.h"
#include "tests/support/ctl.h"
#include "tests/support/filebytes.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"
#include "views/outbox/exportbar.h"
#include "views/outbox/exportdialog.h"
#include "views/outbox/outboxview.h"
#include "views/tables/livetable.h"
#include "views/widgets/actions.h"

#include <QAction>
#include <QFileDialog>
#include <QItemSelectionModel>
#include <QTest>

namespace tst_exportrows {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestExportRows : public QObject, protected ConsoleGround
{
    Q_OBJECT

    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;

    [[nodiscard]] LiveTable *rows() const
    {
        return window().findChild<LiveTable *>(u"outboxTable"_s);
    }
    [[nodiscard]] ExportDialog *dialog() const { return window().findChild<ExportDialog *>(); }
    [[nodiscard]] QString said() const { return m_desktop->pages().outbox->exportBar()->text(); }
    [[nodiscard]] QAction *menu() const { return window().registry()->action(u"exportRows"_s); }
    [[nodiscard]] QString path(const QString &name) const { return m_folder->filePath(name); }
    void openRows(const Profile &profile)
    {
        openWindow(profile);
        window().showPage(Pages::Outbox);
        QTRY_COMPARE(rows()->model()->rowCount(), 4);
        QTRY_VERIFY(menu() && menu()->isEnabled());
    }
    /// The dialog of the desktop is not walked through: what it gives is taken.
    void giveFile(const QString &file)
    {
        QVERIFY(walk::press(dialog(), u"Choose file\u2026"_s));
        QTRY_VERIFY(window().findChild<QFileDialog *>());
        auto *chooser = window().findChild<QFileDialog *>();
        emit chooser->fileSelected(file);
        chooser->close();
        QTRY_VERIFY(!window().findChild<QFileDialog *>());
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
        QVERIFY(m_fixture->insertRows(4));
        QVERIFY(m_fixture->exec(u"update outbox set completed_at = created_at"_s));
        startConsole();
    }
    void cleanup()
    {
        m_desktop.reset();
        m_folder.reset();
        m_fixture.reset();
    }

    void allRowsGoIntoAFileThatImportTakes()
    {
        const Profile profile = profileOver(*m_fixture, u"shop"_s);
        openRows(profile);
        menu()->trigger();
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        QVERIFY(!walk::linesOf(dialog()).join(u'\n').contains(u"masks"_s)); // there are none
        giveFile(path(u"all.jsonl"_s));
        QTRY_VERIFY2(said().startsWith(u"Exported 4 rows"_s), qPrintable(said()));
        auto reader = ExportReader::open(path(u"all.jsonl"_s));
        QVERIFY_RESULT(reader);
        QCOMPARE(reader->count(), 4);
        QVERIFY(walk::press(m_desktop->pages().outbox, u"Close"_s));
        QTRY_VERIFY(!m_desktop->pages().outbox->exportBar()->isVisible());

        // Delivered rows come back without anybody being asked about a second execution.
        QVERIFY(m_fixture->exec(u"delete from outbox"_s));
        const CtlRun import
            = runCtl({u"import"_s, path(u"all.jsonl"_s), u"--database"_s, profile.databaseUrl,
                      u"--table"_s, profile.table, u"--redis"_s, profile.redisUrl, u"--state-dir"_s,
                      path(u"ctl"_s), u"--yes"_s});
        QVERIFY2(import.exitCode == 0, import.err.constData());
        QCOMPARE(m_fixture->scalar(u"select count(*) from outbox"_s).toInt(), 4);
    }

    void theSelectedRowsGoIntoAFileForPeople()
    {
        openRows(profileOver(*m_fixture, u"shop"_s));
        rows()->clearSelection();
        for (const int row : {1, 2}) {
            rows()->selectionModel()->select(rows()->model()->index(row, 0),
                                             QItemSelectionModel::Select
                                                 | QItemSelectionModel::Rows);
        }
        menu()->trigger();
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        QVERIFY(walk::isEnabled(dialog(), QAccessible::RadioButton, u"The 2 selected rows"_s));
        QVERIFY(walk::press(dialog(), QAccessible::RadioButton, u"CSV, for people"_s));
        giveFile(path(u"two.csv"_s));
        QTRY_VERIFY2(said().startsWith(u"Exported 2 rows"_s), qPrintable(said()));
        QCOMPARE(fileBytes(path(u"two.csv"_s)).count('\n'), 3);
    }

    void masksAreToldBeforeAndWholeRowsGoOnRecord()
    {
        Profile profile = profileOver(*m_fixture, u"shop"_s);
        const auto masks = PayloadMasks::fromTexts({u"*.password"_s});
        QVERIFY_RESULT(masks);
        profile.masks = *masks;
        openRows(profile);
        menu()->trigger();
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        const auto told = [this] { return walk::linesOf(dialog()).join(u'\n'); };
        QVERIFY2(told().contains(u"masks of the profile do not apply"_s), qPrintable(told()));
        QVERIFY(walk::press(dialog(), QAccessible::RadioButton, u"CSV, for people"_s));
        QTRY_VERIFY(told().contains(u"Payloads are masked"_s));
        QVERIFY(walk::press(dialog(), QAccessible::RadioButton, u"JSON lines, for import"_s));
        QVERIFY(!wasRecorded(AuditEntry::Kind::Unmask, std::nullopt));
        giveFile(path(u"whole.jsonl"_s));
        QTRY_VERIFY2(said().startsWith(u"Exported 4 rows"_s), qPrintable(said()));
        QTRY_VERIFY(wasRecorded(AuditEntry::Kind::Unmask, std::nullopt));
    }

    void whatTheQueueKnowsIsAskedForEachRow()
    {
        RowExport job({profileOver(*m_fixture, u"shop"_s), {}, m_folder->path()});
        const auto shape = m_fixture->takenShape();
        QVERIFY_RESULT(shape);
        RowExportOrder order;
        order.file = path(u"rows.jsonl"_s);
        for (const auto &[filter, phase] :
             {std::pair(u"task:pending"_s, RowExportState::Phase::Nothing),
              std::pair(u"-task:pending"_s, RowExportState::Phase::Done)}) {
            const auto read = Filter::fromText(filter);
            QVERIFY_RESULT(read);
            order.rows.filter = *read;
            job.start(*shape, order);
            QTRY_VERIFY(!job.isRunning());
            QVERIFY2(job.state().phase == phase,
                     qPrintable(oneLine(job.state().error.value_or(Error()))));
        }
        QCOMPARE(job.state().written, 4);

        // Rows of which the beginning of the payload does not tell are counted, not lost in
        // silence.
        QVERIFY(m_fixture->exec(
            u"update outbox set payload = cast(replace(hex(zeroblob(50000)), '0', 'x') as blob)"_s));
        const auto either = Filter::fromText(u"task:pending or payload~secret"_s);
        QVERIFY_RESULT(either);
        order.rows.filter = *either;
        job.start(*shape, order);
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(job.state().phase, RowExportState::Phase::Nothing);
        QCOMPARE(job.state().undecided, 4);
    }

    /// A file that has its name is not told as none.
    void anExportThatACrashMayTakeBackSaysSo()
    {
        RowExportState state;
        state.phase = RowExportState::Phase::Failed;
        state.file = path(u"rows.jsonl"_s);
        state.written = 4;
        Error error;
        error.kind = Error::Kind::Refused;
        error.doing = u"syncing the folder"_s;
        error.text = u"I/O error"_s;
        state.error = error;
        QVERIFY(ExportBar::sentence(state).contains(u"no file is left"_s));
        state.error->effect = Error::Effect::Unknown;
        const QString told = ExportBar::sentence(state);
        QVERIFY2(told.startsWith(u"Exported 4 rows to "_s), qPrintable(told));
        QVERIFY2(told.contains(u"a crash"_s) && told.contains(u"I/O error"_s), qPrintable(told));
    }

    void anotherSystemKeepsNothingOfIt()
    {
        openRows(profileOver(*m_fixture, u"shop"_s));
        menu()->trigger();
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        QVERIFY(walk::press(dialog(), u"Cancel"_s));
        QTRY_VERIFY(!dialog());
        m_desktop->openProfile(awayProfile(u"away"_s), {});
        QVERIFY(!menu()->isEnabled()); // no row is known there
        QVERIFY(!m_desktop->pages().outbox->exportBar()->isVisible());
    }
};

} // namespace tst_exportrows

OUTBOX_TEST(tst_exportrows::TestExportRows)
#include "tst_exportrows.moc"
