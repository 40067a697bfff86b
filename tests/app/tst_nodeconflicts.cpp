// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// When it is told that relays work on several nodes, by a table of batches.
#include "app/relay/nodeconflicts.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_nodeconflicts {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using std::chrono::seconds;

class TestNodeConflicts : public QObject
{
    Q_OBJECT

    const NodeConflicts::Time m_start{};

    static void take(NodeConflicts &conflicts, int whole, int undone)
    {
        for (int i = 0; i < whole + undone; ++i)
            conflicts.took(i < undone);
    }

private slots:
    void aTwentiethIsBorne_data()
    {
        QTest::addColumn<int>("whole");
        QTest::addColumn<int>("undone");
        QTest::addColumn<bool>("isTold");
        QTest::newRow("none") << 100 << 0 << false;
        QTest::newRow("a twentieth") << 95 << 5 << false;
        QTest::newRow("more") << 94 << 6 << true;
        QTest::newRow("all") << 0 << 20 << true;
        QTest::newRow("too few batches") << 0 << 19 << false;
    }
    void aTwentiethIsBorne()
    {
        QFETCH(int, whole);
        QFETCH(int, undone);
        NodeConflicts conflicts;
        take(conflicts, whole, undone);
        const QString notice = conflicts.takeNotice(m_start);
        QTEST(!notice.isEmpty(), "isTold");
        if (!notice.isEmpty()) {
            QVERIFY(notice.contains(u"relays on several nodes"_s));
            QVERIFY(
                notice.contains(u"%1 of the last %2 batches"_s.arg(undone).arg(whole + undone)));
        }
    }

    void itIsToldOnceAMinuteAtMost()
    {
        NodeConflicts conflicts;
        take(conflicts, 0, 40);
        QVERIFY(!conflicts.takeNotice(m_start).isEmpty());
        take(conflicts, 0, 40);
        QVERIFY(conflicts.takeNotice(m_start + seconds(59)).isEmpty());
        QVERIFY(!conflicts.takeNotice(m_start + seconds(60)).isEmpty());
    }

    void whatIsLongAgoDoesNotCount()
    {
        NodeConflicts conflicts;
        take(conflicts, 5, 5);
        QVERIFY(conflicts.takeNotice(m_start).isEmpty());
        QVERIFY(conflicts.takeNotice(m_start + seconds(60)).isEmpty());
        take(conflicts, 20, 0);
        QVERIFY(conflicts.takeNotice(m_start + seconds(61)).isEmpty());
    }
};

} // namespace tst_nodeconflicts

OUTBOX_TEST(tst_nodeconflicts::TestNodeConflicts)
#include "tst_nodeconflicts.moc"
