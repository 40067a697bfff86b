// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is told of a batch whose COMMIT was not answered, once the database can be asked.
#include "app/relay/indoubtbatches.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_indoubtbatches {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using Fate = OutboxStore::Fate;

namespace {

QList<MessageId> idsOf(const QString &words)
{
    QList<MessageId> ids;
    for (const QString &word : words.split(u' ', Qt::SkipEmptyParts))
        ids += MessageId{word};
    return ids;
}

InDoubtBatch batchOf(qint64 number, const QString &words)
{
    InDoubtBatch batch{{}, idsOf(words), 10 * number};
    batch.step.number = number;
    batch.step.doubt = RelayStep::Doubt::Open;
    batch.step.error = Error{Error::Kind::Unreachable, {}, u"lost"_s, {}, {}};
    batch.step.failed += ParkedRow{MessageId{u"x"_s}, u"told before"_s, 1, {}};
    return batch;
}

} // namespace

class TestInDoubtBatches : public QObject
{
    Q_OBJECT

private slots:
    void tellsTheEndOfABatchOnce_data()
    {
        QTest::addColumn<int>("fate"); ///< -1: the database cannot be asked
        QTest::addColumn<bool>("isSettled");
        QTest::addColumn<bool>("isCommitted");
        QTest::newRow("gone") << int(Fate::Gone) << true << true;
        QTest::newRow("back") << int(Fate::Back) << true << false;
        QTest::newRow("held") << int(Fate::Held) << false << false;
        QTest::newRow("unknown") << -1 << false << false;
    }

    void tellsTheEndOfABatchOnce()
    {
        QFETCH(int, fate);
        QFETCH(bool, isSettled);
        QFETCH(bool, isCommitted);
        InDoubtBatches batches;
        batches.add(batchOf(1, u"a b"_s));
        QList<MessageId> asked;
        const auto fateOf = [&](const QList<MessageId> &ids) -> Result<Fate> {
            asked = ids;
            if (fate < 0)
                return fail(Error::Kind::Unreachable, {}, u"lost"_s);
            return Fate(fate);
        };
        const auto ended = batches.settle(fateOf);
        QCOMPARE(asked, idsOf(u"a b"_s));
        QCOMPARE(batches.isEmpty(), isSettled);
        QCOMPARE(ended.size(), isSettled ? 1 : 0);
        if (!isSettled)
            return;
        QCOMPARE(ended.first().queueBatch, 10);
        const RelayStep &step = ended.first().step;
        QCOMPARE(step.number, 1);
        QCOMPARE(step.committed, isCommitted);
        QCOMPARE(step.doubt, RelayStep::Doubt::Settled);
        QVERIFY(!step.error);
        QVERIFY(step.failed.isEmpty());
    }

    void rowsThatCanBeClaimedWereNotCommitted_data()
    {
        QTest::addColumn<QString>("claimed");
        QTest::addColumn<QList<qint64>>("settled");
        QTest::newRow("other rows") << u"x y"_s << QList<qint64>{};
        QTest::newRow("one row is enough") << u"x b"_s << QList<qint64>{1};
        QTest::newRow("of both") << u"d a"_s << QList<qint64>{1, 2};
    }

    void rowsThatCanBeClaimedWereNotCommitted()
    {
        QFETCH(QString, claimed);
        QFETCH(QList<qint64>, settled);
        InDoubtBatches batches;
        batches.add(batchOf(1, u"a b"_s));
        batches.add(batchOf(2, u"c d"_s));
        QList<qint64> numbers;
        for (const RelayStep &step : batches.comeBack(idsOf(claimed))) {
            numbers += step.number;
            QVERIFY(!step.committed);
        }
        QCOMPARE(numbers, settled);
        QCOMPARE(batches.isEmpty(), settled.size() == 2);
    }

    void noMoreThanSixteenAreKept()
    {
        InDoubtBatches batches;
        for (int i = 0; i < 20; ++i)
            batches.add(batchOf(i, QString::number(i)));
        const auto ended
            = batches.settle([](const QList<MessageId> &) -> Result<Fate> { return Fate::Back; });
        QCOMPARE(ended.size(), 16);
    }
};

} // namespace tst_indoubtbatches

OUTBOX_TEST(tst_indoubtbatches::TestInDoubtBatches)
#include "tst_indoubtbatches.moc"
