// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many rows a relay claims at once.
#include "app/relay/batchsize.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_batchsize {

using namespace outbox;

class TestBatchSize : public QObject
{
    Q_OBJECT

private slots:
    void itGrowsWhileClaimsAreFullAndShrinksWhenLittleIsThere()
    {
        BatchSize size;
        size.setMost(1000);
        QCOMPARE(size.next(), 100);
        for (const int expected : {200, 400, 800, 1000, 1000}) {
            size.tookOf(size.next(), size.next(), 1000);
            QCOMPARE(size.next(), expected);
        }
        size.tookOf(1000, 500, 1000);
        QCOMPARE(size.next(), 1000);
        size.tookOf(1000, 3, 1000);
        QCOMPARE(size.next(), 100);
    }

    void largePayloadsAreClaimedFewAtATime()
    {
        BatchSize size;
        size.setMost(1000);
        size.tookOf(100, 100, 2 * BatchSize::mostBytes);
        QCOMPARE(size.next(), 50);
        size.tookOf(50, 50, 50 * BatchSize::mostBytes);
        QCOMPARE(size.next(), 1);
        size.tookOf(1, 1, 100);
        QCOMPARE(size.next(), 2); // and up again with small ones
    }

    void aServerThatIsTooSlowIsAskedForLessEachTime()
    {
        BatchSize size;
        size.setMost(1000);
        for (const int expected : {50, 25, 12, 6, 3, 1, 1}) {
            size.tookTooLong(size.next());
            QCOMPARE(size.next(), expected);
        }
    }
};

} // namespace tst_batchsize

OUTBOX_TEST(tst_batchsize::TestBatchSize)
#include "tst_batchsize.moc"
