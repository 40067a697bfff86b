// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay's log stays bounded, leaves idle steps out and copies as text.
#include "models/system/healthreport.h"
#include "models/tables/relaylogmodel.h"
#include "models/tables/taskmodel.h"
#include "tests/support/testprogram.h"

#include <QAbstractItemModelTester>
#include <QTest>

namespace tst_relaylogmodel {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

RelayStep step(qint64 number, int claimed = 100)
{
    RelayStep made;
    made.at = QDateTime::fromSecsSinceEpoch(1'763'700'000 + number, Qt::UTC);
    made.number = number;
    made.claimed = claimed;
    made.enqueued = claimed;
    made.committed = true;
    return made;
}

QList<RelayStep> steps(qint64 from, qint64 count)
{
    QList<RelayStep> made;
    for (qint64 i = 0; i < count; ++i)
        made.append(step(from + i));
    return made;
}

} // namespace

class TestRelayLogModel : public QObject
{
    Q_OBJECT

private slots:
    void boundedAndNewestFirst();
    void idleStepsAreLeftOut();
    void problemsOutlastTheRoutine();
    void hostileTextIsEscaped();
    void rowsThatWaitAreNoFailure();
    void retainedTasksMergeByKey();
};

void TestRelayLogModel::boundedAndNewestFirst()
{
    RelayLogModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.add(steps(0, 1'500));
    model.add(steps(1'500, 700));
    QCOMPARE(model.rowCount(), 2'000);
    QCOMPARE(model.index(0, RelayLogModel::Batch).data().toString(), QLocale().toString(2'199));
    QCOMPARE(model.index(1'999, RelayLogModel::Batch).data().toString(), u"200"_s);
    model.add(steps(2'200, 5'000));
    QCOMPARE(model.rowCount(), 2'000);
    QCOMPARE(model.index(1'999, RelayLogModel::Batch).data().toString(), QLocale().toString(5'200));
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TestRelayLogModel::idleStepsAreLeftOut()
{
    RelayLogModel model;
    RelayStep failed = step(2, 0);
    failed.committed = false;
    failed.error = Error{Error::Kind::Unreachable, u"claiming"_s, u"connection refused"_s, {}, {}};
    model.add({step(1, 0), failed, step(3)});
    QCOMPARE(model.rowCount(), 2);
    const auto state
        = [&model](int row, int column) { return model.index(row, column).data(StateRole); };
    QCOMPARE(state(0, RelayLogModel::Verdict).value<HealthLevel>(), HealthLevel::Ok);
    QCOMPARE(state(1, RelayLogModel::Verdict).value<HealthLevel>(), HealthLevel::Broken);
    QVERIFY(!state(0, RelayLogModel::Batch).isValid()); // else it would be painted as a verdict
    const QString text = model.asText({0, 1, 99});
    QCOMPARE(text.count(u'\n'), 3);
    QVERIFY(text.contains(u"rolled back: "_s));
}

void TestRelayLogModel::problemsOutlastTheRoutine()
{
    RelayLogModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto batches = [&model] {
        QStringList numbers;
        for (int row = 0; row < model.rowCount(); ++row)
            numbers += model.index(row, RelayLogModel::Batch).data().toString();
        return numbers;
    };
    RelayStep failed = step(1);
    failed.committed = false;
    failed.error = Error{Error::Kind::Unreachable, u"committing"_s, u"gone"_s, {}, {}};
    RelayStep again = step(2, 3);
    again.enqueued = 0;
    again.alreadyQueued = 3;
    model.add({failed, again, step(3)});
    model.add(steps(4, RelayLogModel::capacity)); // pushes them out of what is shown
    QCOMPARE(model.rowCount(), int(RelayLogModel::capacity));
    QVERIFY(!batches().contains(u"1"_s));
    model.setProblemsOnly(true);
    QCOMPARE(batches(), (QStringList{u"2"_s, u"1"_s}));
    QVERIFY(model.asText({0, 1}).contains(u"rolled back: "_s));
    failed.number = 7;
    model.add({step(5), failed, step(6)}); // while only these are shown
    QCOMPARE(batches(), (QStringList{u"7"_s, u"2"_s, u"1"_s}));
    model.setProblemsOnly(false);
    QCOMPARE(model.rowCount(), int(RelayLogModel::capacity));
    model.setProblemsOnly(true);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TestRelayLogModel::hostileTextIsEscaped()
{
    RelayLogModel model;
    RelayStep parked = step(1);
    parked.committed = false; // as the relay does it: the row stays, the batch goes back
    parked.parked = {{MessageId{u"<img src=\"/dev/zero\">\u202e"_s}, u"bad\nline"_s}};
    model.add({parked});
    const QModelIndex verdict = model.index(0, RelayLogModel::Verdict);
    QVERIFY(verdict.data().toString().contains(u"\\u202e"_s));
    QVERIFY(!verdict.data().toString().contains(u'\n'));
    QVERIFY(!verdict.data(Qt::ToolTipRole).toString().contains(u"<img"_s));
    QCOMPARE(model.asText({0}).count(u'\n'), 2);

    RelayStep failed = step(2);
    failed.committed = false;
    failed.failed = {{MessageId{u"<b>7\u202e"_s}, u"no\nway"_s, 1}};
    model.add({failed});
    const QModelIndex next = model.index(0, RelayLogModel::Verdict);
    QVERIFY(next.data().toString().contains(u"tried again alone"_s));
    QVERIFY(!next.data().toString().contains(u'\n'));
    QCOMPARE(next.data(StateRole).value<HealthLevel>(), HealthLevel::Watch);
}

/// Others of the batch went, or go with the next one: red would say that nothing does.
void TestRelayLogModel::rowsThatWaitAreNoFailure()
{
    RelayLogModel model;
    RelayStep partly = step(1);
    partly.waiting
        = {{u"h:1"_s, 7, {Error::Kind::Unreachable, u"enqueueing"_s, u"h:1: bad\nnews"_s, {}, {}}}};
    RelayStep givenBack = partly;
    givenBack.committed = false;
    model.add({partly, givenBack});
    for (const int row : {0, 1}) {
        const QModelIndex verdict = model.index(row, RelayLogModel::Verdict);
        QVERIFY(verdict.data().toString().contains(u"7 rows wait"_s));
        QVERIFY(!verdict.data().toString().contains(u'\n'));
        QCOMPARE(verdict.data(StateRole).value<HealthLevel>(), HealthLevel::Watch);
    }
    RelayStep unsent = step(3); // its queue rests since the claim was sent
    unsent.enqueued = 0;
    unsent.committed = false;
    model.add({unsent});
    const QModelIndex verdict = model.index(0, RelayLogModel::Verdict);
    QVERIFY(verdict.data().toString().startsWith(u"given back"_s));
    QCOMPARE(verdict.data(StateRole).value<HealthLevel>(), HealthLevel::Watch);
}

void TestRelayLogModel::retainedTasksMergeByKey()
{
    RetainedModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    QList<Task> tasks;
    for (int i = 0; i < 20; ++i) {
        Task task;
        task.id = TaskId{QString::number(i)};
        task.type = u"<b>type</b>"_s;
        task.completedAt = QDateTime::fromSecsSinceEpoch(1'763'700'000 + i);
        task.keptUntil = task.completedAt->addSecs(86'400);
        task.retentionSeconds = 86'400;
        tasks.append(task);
    }
    model.merge(tasks);
    const QPersistentModelIndex kept = model.index(7, RetainedModel::Id);
    tasks.remove(0, 3);
    model.merge(tasks);
    QCOMPARE(model.rowCount(), 17);
    QCOMPARE(kept.row(), 4);
    QCOMPARE(kept.data().toString(), u"7"_s);
    QVERIFY(
        !model.index(0, RetainedModel::Type).data(Qt::ToolTipRole).toString().contains(u"<b>"_s));
}

} // namespace tst_relaylogmodel

OUTBOX_TEST(tst_relaylogmodel::TestRelayLogModel)
#include "tst_relaylogmodel.moc"
