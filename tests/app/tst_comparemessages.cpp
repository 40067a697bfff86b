// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two messages compared in the window, over real servers: by selection and key, by an id that is
// typed, and with a server away.
#include "app/system/jobs/messagecomparer.h"
#include "tests/app/consoleground.h"
#include "tests/support/accessiblewalk.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"
#include "views/message/comparedialog.h"
#include "views/outbox/outboxview.h"
#include "views/tables/livetable.h"
#include "views/widgets/actions.h"

#include <QAction>
#include <QItemSelectionModel>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

namespace tst_comparemessages {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestCompareMessages : public QObject, protected ConsoleGround
{
    Q_OBJECT

    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;

    [[nodiscard]] LiveTable *rows() const
    {
        return window().findChild<LiveTable *>(u"outboxTable"_s);
    }
    [[nodiscard]] CompareDialog *dialog() const { return window().findChild<CompareDialog *>(); }
    [[nodiscard]] QString text(const QString &name) const
    {
        const auto *label = dialog() ? dialog()->findChild<QLabel *>(name) : nullptr;
        return label ? label->text() : QString();
    }
    [[nodiscard]] QAction *menu() const
    {
        return window().registry()->action(u"compareMessages"_s);
    }
    void select(const QList<int> &numbers) const
    {
        rows()->clearSelection();
        for (const int row : numbers)
            rows()->selectionModel()->select(rows()->model()->index(row, 0),
                                             QItemSelectionModel::Select
                                                 | QItemSelectionModel::Rows);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_redis);
        m_fixture = std::make_unique<TestOutbox>(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt,
                                                 nullptr, m_redis);
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->insertRows(4));
    }
    void init() { startConsole(); }
    void cleanup()
    {
        m_desktop.reset();
        m_folder.reset();
    }

    void theSelectedTwoAreCompared()
    {
        openWindow(profileOver(*m_fixture, u"shop"_s));
        window().showPage(Pages::Outbox);
        QTRY_COMPARE_WITH_TIMEOUT(rows()->model()->rowCount(), 4, patient(20'000));
        QVERIFY(menu() && menu()->isEnabled());
        select({0, 1});
        menu()->trigger();
        QVERIFY(dialog() && dialog()->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(text(u"comparePayload"_s).startsWith(u"The payloads"_s),
                                 patient(20'000));
        const auto steps = walk::tableRows(dialog(), u"Steps of both"_s);
        QVERIFY(!steps.isEmpty());
        // The menu of the table says the same way, and a closed dialog leaves nothing.
        QVERIFY(walk::press(dialog(), u"Close"_s));
        QTRY_VERIFY(!dialog());
    }

    void anotherIdIsAskedFor()
    {
        openWindow(profileOver(*m_fixture, u"shop"_s));
        window().showPage(Pages::Outbox);
        QTRY_COMPARE_WITH_TIMEOUT(rows()->model()->rowCount(), 4, patient(20'000));
        select({0});
        menu()->trigger();
        QVERIFY(dialog());
        QVERIFY(walk::write(dialog(), u"Message B"_s, u"no-such-id"_s));
        QVERIFY(walk::press(dialog(), u"Compare"_s));
        QTRY_VERIFY_WITH_TIMEOUT(
            walk::linesOf(dialog()).join(u'\n').contains(u"B: nothing is known of this id"_s),
            patient(20'000));
        QVERIFY(text(u"comparePayload"_s).contains(u"is not known"_s));
    }

    /// The window waits for nobody, and what was not read is no sameness.
    void aServerThatIsAwayIsSaid()
    {
        MessageComparer comparer({awayProfile(u"away"_s), {}, m_folder->path()});
        QSignalSpy ended(&comparer, &MessageComparer::ended);
        comparer.start({{u"1"_s}, {}}, {{u"2"_s}, {}});
        QVERIFY(ended.isEmpty()); // nothing was waited for
        QVERIFY(ended.wait(patient(20'000)));
        const auto both = ended.first().at(2).value<Comparison>();
        QVERIFY(both.a.rowError && both.b.rowError && both.a.taskError && both.b.taskError);
        QCOMPARE(both.payload.is, Likeness::NotKnown);
    }

    void aQuestionThatIsTakenBackIsNotAnswered()
    {
        MessageComparer comparer({awayProfile(u"away"_s), {}, m_folder->path()});
        QSignalSpy ended(&comparer, &MessageComparer::ended);
        comparer.start({{u"1"_s}, {}}, {{u"2"_s}, {}});
        comparer.cancel();
        comparer.start({{u"3"_s}, {}}, {{u"4"_s}, {}});
        QVERIFY(ended.wait(patient(20'000)));
        QCOMPARE(ended.size(), 1);
        QCOMPARE(ended.first().at(0).value<ComparedId>().id.text, u"3"_s);
    }
};

} // namespace tst_comparemessages

OUTBOX_TEST(tst_comparemessages::TestCompareMessages)
#include "tst_comparemessages.moc"
