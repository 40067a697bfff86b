// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One rule each: what rows say of a time, a holder, a flag or a value whose name says nothing.
#include "tests/connectors/rowreading.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_rowrules {

using namespace outbox;
using namespace outbox::rowreading;
using namespace Qt::Literals::StringLiterals;

class TestRowRules : public QObject
{
    Q_OBJECT

private slots:
    /// Ten minutes after the creation of its row, and in a few held ones after now.
    void whatStaysInDeliveredRowsIsALease()
    {
        const RowReading read = readingOf(
            u"processed_at timestamptz null, gloomov timestamptz null"_s, 100,
            [](int row, qint64 created) {
                const bool isDone = row < 80;
                const bool isHeld = row >= 95;
                return Cells{{u"processed_at"_s, timeIf(isDone, created + 3)},
                             {u"gloomov"_s,
                              isHeld ? timeIf(true, now + 300) : timeIf(isDone, created + 600)}};
            });
        QCOMPARE(read.roles.leaseEnd, u"gloomov"_s);
    }

    /// "Valid to" of a few rows, and soon: nothing is kept for so short a time.
    void whatEndsSoonInAFewRowsIsALease()
    {
        const auto leaseWith = [](qint64 ahead) {
            return readingOf(u"processed_at timestamptz null, valid_to timestamptz null"_s, 60,
                             [ahead](int row, qint64 created) {
                                 return Cells{{u"processed_at"_s, timeIf(row < 40, created + 3)},
                                              {u"valid_to"_s, timeIf(row >= 55, now + ahead)}};
                             })
                .roles.leaseEnd;
        };
        QCOMPARE(leaseWith(300), u"valid_to"_s);
        QCOMPARE(leaseWith(30 * 86'400), QString());
    }

    /// In most rows somebody is named: nobody holds so many at once.
    void whoIsNamedInMostRowsHoldsNone()
    {
        const RowReading read
            = readingOf(u"processed_at timestamptz null, plimov varchar(60) null"_s, 60,
                        [](int row, qint64 created) {
                            return Cells{{u"processed_at"_s, timeIf(row < 20, created + 3)},
                                         {u"plimov"_s, row % 4 == 0 ? QString() : u"team-1"_s}};
                        });
        QCOMPARE(read.roles.owner, QString());
    }

    /// Nothing was delivered yet, so rows of every age are held.
    void ofOpenRowsTheOldOnesAreHeldToo()
    {
        const RowReading read = readingOf(
            u"processed_at timestamptz null, plimov varchar(60) null"_s, 60, [](int row, qint64) {
                return Cells{{u"processed_at"_s, QString()},
                             {u"plimov"_s, row % 7 == 0 ? u"node-1"_s : QString()}};
            });
        QCOMPARE(read.roles.owner, u"plimov"_s);
    }

    /// Set in just the held rows: before the holder it is an end, behind it a beginning.
    void aTimeBesideAHolderIsThatOfTheLock_data()
    {
        QTest::addColumn<QString>("columns");
        QTest::addColumn<bool>("isEnd");
        QTest::newRow("before it") << u"gloomov timestamptz null, locked_by text null"_s << true;
        QTest::newRow("behind it") << u"locked_by text null, gloomov timestamptz null"_s << false;
    }
    void aTimeBesideAHolderIsThatOfTheLock()
    {
        QFETCH(const QString, columns);
        QFETCH(const bool, isEnd);
        const RowReading read = readingOf(
            u"processed_at timestamptz null, "_s + columns, 60, [](int row, qint64 created) {
                return Cells{{u"processed_at"_s, timeIf(row < 40, created + 3)},
                             {u"locked_by"_s, QString()},
                             {u"gloomov"_s, QString()}};
            });
        QCOMPARE(read.roles.leaseEnd, isEnd ? u"gloomov"_s : QString());
        QCOMPARE(read.roles.lockTime, isEnd ? QString() : u"gloomov"_s);
    }

    /// Who held it stays named in delivered rows: a value of these is not that of held ones.
    void aHolderOfMostRowsTellsNoneThatIsHeld()
    {
        const RowReading read = readingOf(
            u"state varchar(20) default, locked_by text null, locked_at timestamptz null"_s, 100,
            [](int row, qint64 created) {
                const bool isDone = row < 80;
                return Cells{{u"state"_s, isDone ? u"FABEX"_s : u"MIPISH"_s},
                             {u"locked_by"_s, isDone ? u"relay-1"_s : QString()},
                             {u"locked_at"_s, timeIf(isDone, created + 2)}};
            });
        QCOMPARE(read.states.value(u"FABEX"_s), MessageState::Processed);
    }

    /// Two words say delivered, and one stands in young rows only.
    void ofTwoWordsOfDeliveryTheYoungOneBegins()
    {
        const auto stateOf = [](const QString &begin) {
            return readingOf(u"status varchar(20) default"_s, 100, [&begin](int row, qint64) {
                return Cells{{u"status"_s,
                              row < 80       ? u"delivered"_s
                                  : row < 90 ? u"released"_s
                                             : begin}};
            });
        };
        const RowReading withNone = stateOf(u"released"_s);
        QCOMPARE(withNone.states.value(u"released"_s), MessageState::Pending);
        QVERIFY(withNone.guessed.contains(u"released"_s));
        QCOMPARE(stateOf(u"new"_s).states.value(u"released"_s), MessageState::Locked);
    }

    /// What is delivered is deleted: the only flag marks what failed. A number may count tries.
    void theOnlyFlagMarksFailures_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("isMark");
        QTest::newRow("a flag") << u"boolean default"_s << true;
        QTest::newRow("a number") << u"bigint zero"_s << false;
    }
    void theOnlyFlagMarksFailures()
    {
        QFETCH(const QString, type);
        QFETCH(const bool, isMark);
        const RowReading read
            = readingOf(u"plidral "_s + type + u", trovax text null"_s, 60, [](int row, qint64) {
                  const bool isFailed = row % 10 == 4;
                  return Cells{{u"plidral"_s, isFailed ? u"1"_s : u"0"_s},
                               {u"trovax"_s, isFailed ? u"no route to host"_s : QString()}};
              });
        QCOMPARE(read.roles.failedFlag, isMark ? u"plidral"_s : QString());
    }

    /// Of the rows with an error some were given up.
    void aTimeOfSomeErrorsIsAFailure()
    {
        const RowReading read = readingOf(
            u"processed_at timestamptz null, gloomov timestamptz null, last_error text null"_s, 120,
            [](int row, qint64 created) {
                const bool isWrong = row % 6 == 2;
                return Cells{{u"processed_at"_s, timeIf(!isWrong && row < 90, created + 3)},
                             {u"gloomov"_s, timeIf(row % 12 == 2, created + 9 + row % 5 * 4)},
                             {u"last_error"_s, isWrong ? u"no route to host"_s : QString()}};
            });
        QCOMPARE(read.roles.failedTime, u"gloomov"_s);
    }

    /// A flag marks what was delivered: the time that none of these rows has is that of a failure.
    void aTimeBesideAFlagOfDeliveryIsAFailure()
    {
        const RowReading read = readingOf(
            u"dispatched boolean default, gloomov timestamptz null"_s, 120,
            [](int row, qint64 created) {
                const bool isFailed = row % 11 == 3;
                return Cells{{u"dispatched"_s, row < 90 && !isFailed ? u"true"_s : u"false"_s},
                             {u"gloomov"_s, timeIf(isFailed, created + 9 + row % 5 * 4)}};
            });
        QCOMPARE(read.roles.failedTime, u"gloomov"_s);
    }

    /// Rows of every age are due in days.
    void whatIsDueInDaysMayBeOfAnyAge()
    {
        const RowReading read = readingOf(u"gloomov timestamptz null"_s, 100, [](int row, qint64) {
            return Cells{{u"gloomov"_s, timeIf(row % 5 == 1, now + 90'000 + row * 700)}};
        });
        QCOMPARE(read.roles.due, u"gloomov"_s);
    }

    /// No row was delivered yet, so its list of values is all that a status shows.
    void aListOfValuesIsAStatusBeforeTheFirstDelivery()
    {
        CatalogTable given = table(u"outbox"_s,
                                   u"id bigint key, type text, payload jsonb, created_at "
                                   "timestamptz, trovax varchar(20), processed_at timestamptz "
                                   "null"_s);
        given.columns[4].labels = {u"FABEX"_s, u"MIPISH"_s, u"GOTHAL"_s};
        RowSample sample;
        sample.rows = 30;
        sample.now = now * 1000;
        for (int row = 0; row < sample.rows; ++row) {
            sample.cells[u"id"_s] += QString::number(row + 1);
            sample.cells[u"type"_s] += u"OrderCreated"_s;
            sample.cells[u"payload"_s] += u"{}"_s;
            sample.cells[u"created_at"_s] += QString::number(now - (30 - row) * minute);
            sample.cells[u"trovax"_s] += u"FABEX"_s;
            sample.cells[u"processed_at"_s] += QString();
        }
        TableFacts facts(given, sample);
        QCOMPARE(RowRoleAssignment(facts, rolesOf(given)).read().roles.status, u"trovax"_s);
    }
};

} // namespace tst_rowrules

OUTBOX_TEST(tst_rowrules::TestRowRules)
#include "tst_rowrules.moc"
