// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables that are merged by key: only row signals, and what stays keeps its index.
#include "models/tables/outboxmodel.h"
#include "models/tables/queuemodel.h"
#include "models/tables/taskmodel.h"
#include "tests/support/testprogram.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

namespace tst_itemmodels {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using Tester = QAbstractItemModelTester;

namespace {

OutboxRow outboxRow(int number, int attempts = 0)
{
    OutboxRow row;
    row.message.id = {QString::number(number)};
    row.message.type = u"email:deliver"_s;
    row.message.state = MessageState::Pending;
    row.message.attempts = attempts;
    row.message.payload = "{}";
    row.message.payloadBytes = 2;
    return row;
}

QList<OutboxRow> outboxRows(const QList<int> &numbers)
{
    QList<OutboxRow> rows;
    for (const int number : numbers)
        rows.append(outboxRow(number));
    return rows;
}

Task task(int number)
{
    Task one;
    one.id = {u"task-%1"_s.arg(number)};
    one.type = u"email:deliver"_s;
    one.state = TaskState::Retry;
    one.retried = number % 5;
    return one;
}

QueueSnapshot queue(int number)
{
    QueueSnapshot one;
    one.name = {u"queue-%1"_s.arg(number)};
    one.pending = number;
    one.servers = number % 2;
    return one;
}

QueueServer server(int number)
{
    QueueServer one;
    one.serverId = u"server-%1"_s.arg(number);
    one.queues.insert(u"default"_s, 1);
    return one;
}

QueueWorker worker(int number)
{
    QueueWorker one;
    one.task = {u"task-%1"_s.arg(number)};
    one.queue = u"default"_s;
    return one;
}

/// A random selection of 0..99 in a random order, mostly sorted as real tables are.
QList<int> randomNumbers(QRandomGenerator &random)
{
    QList<int> numbers;
    const int share = random.bounded(1, 100);
    for (int number = 0; number < 100; ++number) {
        if (random.bounded(100) < share)
            numbers.append(number);
    }
    for (int swaps = random.bounded(3) == 0 ? random.bounded(10) : 0;
         swaps > 0 && numbers.size() > 1; --swaps) {
        const auto size = static_cast<int>(numbers.size());
        numbers.swapItemsAt(random.bounded(size), random.bounded(size));
    }
    return numbers;
}

template <typename Model, typename MakeRow, typename... Arguments>
void mergeAtRandom(MakeRow makeRow, const Arguments &...arguments)
{
    const quint32 seed = QRandomGenerator::global()->generate();
    qInfo("seed %u", seed);
    QRandomGenerator random(seed);
    Model model(arguments...);
    const Tester tester(&model, Tester::FailureReportingMode::Fatal);
    const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    for (int turn = 0; turn < 200; ++turn) {
        QList<std::decay_t<decltype(makeRow(0))>> rows;
        for (const int number : randomNumbers(random))
            rows.append(makeRow(number));
        model.merge(rows);
        QCOMPARE(model.rows(), rows);
    }
    QCOMPARE(resets.count(), 0);
}

} // namespace

class TestItemModels : public QObject
{
    Q_OBJECT

private slots:
    void mergesOutboxRowsAtRandom()
    {
        mergeAtRandom<OutboxModel>([](int number) { return outboxRow(number); },
                                   PayloadMasks::none());
    }
    void mergesTasksAtRandom() { mergeAtRandom<TaskModel>(task, PayloadMasks::none()); }
    void mergesQueuesAtRandom() { mergeAtRandom<QueueModel>(queue); }
    void mergesServersAtRandom() { mergeAtRandom<ServerModel>(server); }
    void mergesWorkersAtRandom() { mergeAtRandom<WorkerModel>(worker); }

    void keepsThePlaceOfEveryRowThatStays()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        OutboxModel model(PayloadMasks::none());
        model.merge(outboxRows(randomNumbers(random)));
        for (int turn = 0; turn < 200; ++turn) {
            QHash<QString, QPersistentModelIndex> places;
            for (int at = 0; at < model.rowCount(); ++at)
                places.insert(model.row(at).message.id.text, model.index(at, OutboxModel::Type));
            model.merge(outboxRows(randomNumbers(random)));
            for (auto place = places.cbegin(); place != places.cend(); ++place) {
                const int now = model.rowOf({place.key()});
                QCOMPARE(place->isValid() ? place->row() : -1, now);
            }
        }
    }

    void announcesRunsAndNothingElse()
    {
        OutboxModel model(PayloadMasks::none());
        model.merge(outboxRows({1, 2, 3, 4, 5, 6, 7, 8}));
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        const QSignalSpy arranged(&model, &QAbstractItemModel::layoutChanged);
        model.merge(outboxRows({1, 2, 3, 4, 5, 6, 7, 8}));
        QCOMPARE(removed.count() + inserted.count() + changed.count(), 0);

        QList<OutboxRow> rows = outboxRows({20, 21, 1, 2, 5, 6, 7, 30});
        rows[3].message.attempts = 1;
        rows[4].message.attempts = 1;
        rows[6].message.attempts = 1;
        model.merge(rows);
        QCOMPARE(removed.count(), 2); // 3..4 and 8
        QCOMPARE(inserted.count(), 2); // 20..21 and 30
        QCOMPARE(changed.count(), 2); // 2..5 and 7
        QCOMPARE(arranged.count(), 0);
        QCOMPARE(inserted.at(0).at(1).toInt(), 0);
        QCOMPARE(inserted.at(0).at(2).toInt(), 1);
        QCOMPARE(changed.at(0).at(0).toModelIndex().row(), 3);
        QCOMPARE(changed.at(0).at(1).toModelIndex().row(), 4);
    }

    void takesTheFirstOfEqualKeys()
    {
        OutboxModel model(PayloadMasks::none());
        const Tester tester(&model, Tester::FailureReportingMode::Fatal);
        model.merge({outboxRow(1, 1), outboxRow(2), outboxRow(1, 2)});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.row(0).message.attempts, 1);
    }

    void answersMeaningAndPlainText()
    {
        OutboxRow row = outboxRow(7);
        row.message.type = u"<img src=\"/fifo\">\u202e\n"_s;
        row.message.ageSeconds = 38;
        row.message.lockedBy = LockHolder{4711, u"relay-7"_s, 2.0, false, 0};
        row.inQueue = TaskState::Completed;
        OutboxModel model(PayloadMasks::none());
        model.merge({row});
        const auto at = [&](int column) { return model.index(0, column); };
        QCOMPARE(at(OutboxModel::State).data(StateRole).value<MessageState>(),
                 MessageState::Pending);
        QCOMPARE(at(OutboxModel::InQueue).data(StateRole).value<TaskState>(), TaskState::Completed);
        QCOMPARE(at(OutboxModel::Type).data().toString(), u"<img src=\"/fifo\">\\u202e\\n"_s);
        QVERIFY(!at(OutboxModel::Type).data(Qt::ToolTipRole).toString().contains(u"<img"_s));
        QCOMPARE(at(OutboxModel::Age).data().toString(), u"38 s"_s);
        QVERIFY(at(OutboxModel::LockedBy).data().toString().contains(u"relay-7"_s));
        QCOMPARE(at(OutboxModel::Id).data(RowRole).value<OutboxRow>(), row);
        QVERIFY(at(OutboxModel::Created).data().toString().isEmpty());
    }

    void answersOtherProgramsInFull()
    {
        OutboxRow row = outboxRow(7);
        row.message.type = QString(500, u'x') + u'\n';
        row.message.created = QDateTime(QDate(2026, 11, 21), QTime(10, 2, 3, 4), Qt::UTC);
        row.message.error = u"550\tunavailable"_s;
        row.message.ageSeconds = 38;
        OutboxModel model(PayloadMasks::none());
        model.merge({row});
        const auto raw
            = [&](int column) { return model.index(0, column).data(RawRole).toString(); };
        QCOMPARE(raw(OutboxModel::Type), row.message.type);
        QCOMPARE(raw(OutboxModel::Created), u"2026-11-21T10:02:03.004Z"_s);
        QCOMPARE(raw(OutboxModel::LastError), row.message.error);
        QCOMPARE(raw(OutboxModel::Age), u"38 s"_s); // as it is shown
        QCOMPARE(model.index(0, OutboxModel::LastError).data().toString(), u"550\\tunavailable"_s);
    }

    void joinsThePageWithTheQueue()
    {
        OutboxPageView page;
        page.page.rows = {outboxRow(1).message, outboxRow(2).message};
        page.inQueue.insert(u"2"_s, TaskState::Active);
        const QList<OutboxRow> rows = OutboxModel::joined(page);
        QVERIFY(!rows.at(0).inQueue.has_value());
        QCOMPARE(rows.at(1).inQueue, TaskState::Active);
    }

    void saysWhoServesAQueue()
    {
        QueueSnapshot one = queue(1);
        one.servers = 0;
        QCOMPARE(servedWords(one), u"NOBODY"_s);
        one.servers.reset();
        QCOMPARE(servedWords(one), u"not known"_s);
        one.paused = true;
        QueueModel model;
        model.merge({one});
        QVERIFY(model.index(0, QueueModel::Name).data().toString().contains(u"paused"_s));
    }
};

} // namespace tst_itemmodels

OUTBOX_TEST(tst_itemmodels::TestItemModels)
#include "tst_itemmodels.moc"
