// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What rows add to the names of columns: they decide where no name does, and a clear name stays.
#include "connectors/sql/names/wordmeaning.h"
#include "tests/connectors/rowreading.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_rowroleassignment {

using namespace outbox;
using namespace outbox::rowreading;
using namespace Qt::Literals::StringLiterals;

class TestRowRoleAssignment : public QObject
{
    Q_OBJECT

private slots:
    /// Every second row is delivered, whatever its age: no statistics would call that a delivery.
    void aClearNameStaysWhateverRowsShow()
    {
        const RowReading read
            = readingOf(u"completed_at timestamptz null"_s, 20, [](int row, qint64 created) {
                  const QString done = row % 2 == 0 ? QString::number(created + 3) : QString();
                  return Cells{{u"completed_at"_s, done}};
              });
        QCOMPARE(read.roles.processedTime, u"completed_at"_s);
        QVERIFY2(read.doubts.isEmpty(), qPrintable(read.doubts.join(u' ')));
    }

    /// A burst that one batch delivered: each row as long after its creation as any other.
    void whatCameAndWentAtOnceStaysClear()
    {
        const RowReading read
            = readingOf(u"processed_at timestamptz null, locked_until timestamptz null"_s, 120,
                        [](int, qint64) {
                            return Cells{{u"created_at"_s, QString::number(now - 90'000)},
                                         {u"processed_at"_s, QString::number(now - 5)},
                                         {u"locked_until"_s, QString::number(now - 3)}};
                        });
        QCOMPARE(read.roles.processedTime, u"processed_at"_s);
        QCOMPARE(read.roles.leaseEnd, u"locked_until"_s);
        QVERIFY2(read.doubts.isEmpty(), qPrintable(read.doubts.join(u' ')));
    }

    /// A clock that is ahead, deliveries ten seconds after, holders that stay in delivered rows.
    void ordinaryDaysMakeNoGuessOfClearNames()
    {
        const RowReading read = readingOf(
            u"processed_at timestamptz null, locked_at timestamptz null, locked_by text null"_s,
            120, [](int row, qint64 created) {
                const bool isDone = row < 100;
                const qint64 at = row == 99 ? now + 20 : created + 10;
                return Cells{{u"processed_at"_s, isDone ? QString::number(at) : QString()},
                             {u"locked_at"_s, isDone ? QString::number(at - 1) : QString()},
                             {u"locked_by"_s, isDone ? u"relay-1"_s : QString()}};
            });
        QCOMPARE(read.roles.processedTime, u"processed_at"_s);
        QCOMPARE(read.roles.owner, u"locked_by"_s);
        QVERIFY2(read.doubts.isEmpty(), qPrintable(read.doubts.join(u' ')));
    }

    void rowsThatSpeakAgainstAClearNameAreTold()
    {
        const RowReading read
            = readingOf(u"completed_at timestamptz null"_s, 20, [](int row, qint64) {
                  const QString ahead = row % 2 == 0 ? QString::number(now + 86'400) : QString();
                  return Cells{{u"completed_at"_s, ahead}};
              });
        QCOMPARE(read.roles.processedTime, u"completed_at"_s);
        QVERIFY(read.doubts.join(u' ').contains(u"Rows speak against"_s));
    }

    /// ClaimColumns-up rows would be sent where the limit of attempts is lost.
    void countersKeepTheirPartWhateverTheyHold()
    {
        const RowReading read = readingOf(
            u"processed_at timestamptz null, attempts bigint null, max_attempts bigint null"_s, 100,
            [](int row, qint64 created) {
                const QString done = row < 50 ? QString::number(created + 3) : QString();
                return Cells{{u"processed_at"_s, done},
                             {u"attempts"_s, QString::number(row)},
                             {u"max_attempts"_s, row % 2 == 0 ? u"5"_s : QString()}};
            });
        QCOMPARE(read.roles.attempts, u"attempts"_s);
        QCOMPARE(read.roles.maxAttempts, u"max_attempts"_s);
    }

    void proseIsNoErrorInSilence()
    {
        for (const QString &error : {QString(), u", last_error text null"_s}) {
            const RowReading read = readingOf(
                u"processed_at timestamptz null, note text null"_s + error, 40,
                [&](int row, qint64 created) {
                    Cells cells{
                        {u"processed_at"_s, row < 20 ? QString::number(created + 3) : QString()},
                        {u"note"_s, row % 3 == 0 ? u"call him back"_s : QString()}};
                    if (!error.isEmpty())
                        cells[u"last_error"_s] = QString();
                    return cells;
                });
            if (error.isEmpty())
                QVERIFY(read.roles.error.isEmpty() || !read.doubts.isEmpty());
            else
                QCOMPARE(read.roles.error, u"last_error"_s);
        }
    }

    void aTimeWithoutItsCreationAndALongNameAreRead()
    {
        const RowReading read = readingOf(
            u"processed_at timestamptz null, last_error text null"_s, 40, [](int row, qint64) {
                return Cells{{u"created_at"_s, row == 7 ? QString() : QString::number(now - 90)},
                             {u"processed_at"_s, QString::number(now - row)},
                             {u"last_error"_s, QString(60, u'a') + u'!'}};
            });
        QCOMPARE(read.roles.processedTime, u"processed_at"_s);
    }

    void whatNoWordSaysIsReadOffTheRowsAndTold()
    {
        const RowReading read
            = readingOf(u"brumov timestamptz null, glefip timestamptz null"_s, 100,
                        [](int row, qint64 created) {
                            const QString sent
                                = row < 60 ? QString::number(created + 3) : QString();
                            const QString held
                                = row > 90 && row % 2 == 0 ? QString::number(now + 300) : QString();
                            return Cells{{u"brumov"_s, sent}, {u"glefip"_s, held}};
                        });
        QCOMPARE(read.roles.processedTime, u"brumov"_s);
        QCOMPARE(read.roles.leaseEnd, u"glefip"_s);
        QVERIFY(!read.doubts.isEmpty());
    }

    /// The time of the last change is set in delivered rows and in others.
    void aFlagStandsBeforeATimeOfMoreRows()
    {
        const RowReading read = readingOf(
            u"drumov boolean default, brumov timestamptz null"_s, 100, [](int row, qint64 created) {
                const QString touched
                    = row < 60 || row % 7 == 0 ? QString::number(created + 3) : QString();
                return Cells{{u"drumov"_s, row < 60 ? u"true"_s : u"false"_s},
                             {u"brumov"_s, touched}};
            });
        QCOMPARE(read.roles.processedFlag, u"drumov"_s);
        QCOMPARE(read.roles.processedTime, QString());
    }

    /// "Owner" of every row: whose it is, not who holds it.
    void whoOwnsEveryRowHoldsNone()
    {
        const RowReading read = readingOf(
            u"owner text null, sent_at timestamptz null"_s, 100, [](int row, qint64 at) {
                const QString sent = row < 60 ? QString::number(at + 3) : QString();
                return Cells{{u"owner"_s, row % 2 == 0 ? u"acme"_s : u"globex"_s},
                             {u"sent_at"_s, sent}};
            });
        QCOMPARE(read.roles.owner, QString());
    }

    void namesOfOtherLanguagesAreUnderstoodAndTold_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("words");
        QTest::newRow("German") << u"gesperrt_bis"_s << u"locked until"_s;
        QTest::newRow("run together") << u"gesperrtbis"_s << u"locked until"_s;
        QTest::newRow("Spanish") << u"bloqueadoHasta"_s << u"locked until"_s;
        QTest::newRow("Portuguese") << u"data_criacao"_s << u"date created"_s;
        QTest::newRow("Polish") << u"ZABLOKOWANE_DO"_s << u"locked until"_s;
        QTest::newRow("accents") << u"créé_le"_s << u"created at"_s;
        QTest::newRow("English stays") << u"data_center"_s << u"data center"_s;
        QTest::newRow("small words alone stay") << u"do_it"_s << u"do it"_s;
    }
    void namesOfOtherLanguagesAreUnderstoodAndTold()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, words);
        QCOMPARE(meantWords(name).join(u' '), words);
        if (!words.contains(u"until"_s))
            return;
        const RowReading read = readingOf(
            name + u" timestamptz null, sent_at timestamptz null"_s, 30, [&](int row, qint64 at) {
                const QString sent = row < 20 ? QString::number(at + 3) : QString();
                return Cells{{name, QString()}, {u"sent_at"_s, sent}};
            });
        QCOMPARE(read.roles.leaseEnd, name);
        QVERIFY(!read.doubts.isEmpty());
    }

    /// Rows of every fifth age failed: beside them the delivered ones are not old enough to be
    /// called that, but the names of who did it are in just these.
    void whoDidItTellsWhichTimeIsTheDelivery()
    {
        const RowReading read
            = readingOf(u"brumov timestamptz null, trovax varchar(20), plimov varchar(60) null"_s,
                        60, [](int row, qint64 created) {
                            const bool isFailed = row % 10 == 5 || row >= 57;
                            const QString ended = QString::number(created + 3);
                            return Cells{{u"brumov"_s, row < 59 ? ended : QString()},
                                         {u"trovax"_s, isFailed ? u"FABEX"_s : u"MIPISH"_s},
                                         {u"plimov"_s,
                                          isFailed           ? QString()
                                              : row % 2 == 0 ? u"one"_s
                                                             : u"two"_s}};
                        });
        QVERIFY(read.roles.processedTime != u"brumov"_s);
        QCOMPARE(read.roles.status, u"trovax"_s);
        QCOMPARE(read.states.value(u"MIPISH"_s), MessageState::Processed);
    }

    /// Tried twice, or once: both are in delivered rows, as no status would be.
    void aCounterWithoutANameMarksNoDelivery()
    {
        const RowReading read = readingOf(
            u"brumov timestamptz null, trovax bigint zero"_s, 60, [](int row, qint64 created) {
                const bool isDone = row < 50;
                return Cells{
                    {u"brumov"_s, isDone ? QString::number(created + 3 + row % 4) : QString()},
                    {u"trovax"_s, isDone ? QString::number(1 + (row % 6 == 0 ? 1 : 0)) : u"0"_s}};
            });
        QCOMPARE(read.roles.processedTime, u"brumov"_s);
        QCOMPARE(read.roles.attempts, u"trovax"_s);
    }

    /// Each row that was given up stands between delivered ones.
    void givenUpRowsDoNotHideADelivery()
    {
        const RowReading read = readingOf(
            u"drumov boolean default, attempts bigint zero, max_attempts bigint default"_s, 100,
            [](int row, qint64) {
                const bool isFailed = row % 8 == 3;
                const bool isOpen = row >= 94;
                return Cells{{u"drumov"_s, isFailed || isOpen ? u"false"_s : u"true"_s},
                             {u"attempts"_s,
                              isFailed     ? u"5"_s
                                  : isOpen ? u"0"_s
                                           : u"1"_s},
                             {u"max_attempts"_s, u"5"_s}};
            });
        QCOMPARE(read.roles.processedFlag, u"drumov"_s);
    }

    /// Rows are held by their status, and none names a holder.
    void whatHeldRowsDoNotNameHoldsNone()
    {
        const RowReading read
            = readingOf(u"status text default, plimov varchar(60) null"_s, 40, [](int row, qint64) {
                  return Cells{{u"status"_s,
                                row < 30       ? u"sent"_s
                                    : row < 36 ? u"processing"_s
                                               : u"new"_s},
                               {u"plimov"_s, QString()}};
              });
        QCOMPARE(read.roles.owner, QString());
    }

    /// A few rows and a name of no meaning: nobody knows, so somebody is asked.
    void aColumnThatTooLittleShowsIsAskedAbout()
    {
        const auto openWith = [](const QString &name, int rows) {
            return readingOf(name + u" timestamptz null"_s, rows,
                             [&](int row, qint64 created) {
                                 const QString at
                                     = row * 2 < rows ? QString::number(created + 3) : QString();
                                 return Cells{{name, at}};
                             })
                .open;
        };
        QCOMPARE(openWith(u"brumov"_s, 4), QStringList{u"brumov"_s});
        QCOMPARE(openWith(u"brumov"_s, 40), QStringList());
        QCOMPARE(openWith(u"processed_at"_s, 4), QStringList());
    }

    /// Leases that nobody gave back, in rows of every age; what is delivered is deleted.
    void whatRanOutLatelyIsNoFailure()
    {
        const RowReading read = readingOf(u"gloomov timestamptz null"_s, 900, [](int row, qint64) {
            const QString end = row % 20 == 0 ? QString::number(now - 4000 - row) : QString();
            return Cells{{u"gloomov"_s, end}};
        });
        QCOMPARE(read.roles.failedTime, QString());
        QCOMPARE(read.roles.leaseEnd, u"gloomov"_s);
        QVERIFY(!read.doubts.isEmpty());
    }

    /// It is written at each try, and the flag says which tries were the last.
    void aTimeOfMoreThanAFlagIsNoFailure()
    {
        const RowReading read = readingOf(
            u"gloomov timestamptz null, plidral boolean default false"_s, 120,
            [](int row, qint64 created) {
                const bool isTried = row % 6 == 0;
                return Cells{
                    {u"gloomov"_s, isTried ? QString::number(created + 9 + row % 5) : QString()},
                    {u"plidral"_s, row % 12 == 0 ? u"true"_s : u"false"_s}};
            });
        QCOMPARE(read.roles.failedTime, QString());
        QCOMPARE(read.roles.failedFlag, u"plidral"_s);
    }

    /// "Archived at", "taken out at": where nothing else tells which rows are through.
    void theOnlyEndIsTheDelivery_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("another word") << u"archived_at"_s;
        QTest::newRow("a word of locks") << u"taken_out_at"_s;
    }
    void theOnlyEndIsTheDelivery()
    {
        QFETCH(const QString, name);
        const RowReading read
            = readingOf(name + u" timestamptz null"_s, 120, [&name](int row, qint64 created) {
                  const QString end
                      = row < 100 ? QString::number(created + 2 + row % 7) : QString();
                  return Cells{{name, end}};
              });
        QCOMPARE(read.roles.processedTime, name);
        QCOMPARE(read.roles.lockTime, QString());
        QVERIFY(!read.doubts.isEmpty());
    }

    /// Every row has one from its beginning: whose it is, and not who holds it.
    void whatIsNeverFreeHoldsNothing()
    {
        const RowReading read = readingOf(
            u"processed_at timestamptz null, owner_id uuid"_s, 60, [](int row, qint64 created) {
                return Cells{
                    {u"processed_at"_s, row < 40 ? QString::number(created + 3) : QString()},
                    {u"owner_id"_s, u"73f569fd-6559-470e-aa95-14cffb92800%1"_s.arg(row % 10)}};
            });
        QCOMPARE(read.roles.owner, QString());
    }

    /// Seven days after its creation, in every row: how long rows are kept, whatever "after" says.
    void whatEndsDaysAfterCreationIsNotDue()
    {
        const RowReading read
            = readingOf(u"processed_at timestamptz null, start_after timestamptz"_s, 60,
                        [](int row, qint64 created) {
                            return Cells{{u"processed_at"_s,
                                          row < 40 ? QString::number(created + 3) : QString()},
                                         {u"start_after"_s, QString::number(created + 7 * 86'400)}};
                        });
        QCOMPARE(read.roles.due, QString());
    }

    /// The word says waiting, but rows of every age have it and none of them is due later.
    void whatWaitsForNothingHasFailed()
    {
        const RowReading read = readingOf(u"status text default 'new'"_s, 120, [](int row, qint64) {
            const QString value = row % 15 == 0 ? u"suspended"_s : row < 90 ? u"sent"_s : u"new"_s;
            return Cells{{u"status"_s, value}};
        });
        QCOMPARE(read.states.value(u"suspended"_s), MessageState::Failed);
        QVERIFY(read.guessed.contains(u"suspended"_s));
    }

    /// "Lease" may be since when or until when, "leased at" may not: a clock may be ahead.
    void aLockThatIsAheadEndsThen_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isEnd");
        QTest::newRow("says neither") << u"lease"_s << true;
        QTest::newRow("a limit") << u"lock_limit"_s << true;
        QTest::newRow("since when") << u"leased_at"_s << false;
    }
    void aLockThatIsAheadEndsThen()
    {
        QFETCH(const QString, name);
        const RowReading read = readingOf(
            u"processed_at timestamptz null, held_by text null, "_s + name + u" timestamptz null"_s,
            60, [&name](int row, qint64 created) {
                const bool isHeld = row > 50;
                return Cells{{u"processed_at"_s, timeIf(row < 40, created + 3)},
                             {u"held_by"_s, isHeld ? u"relay-1"_s : QString()},
                             {name, timeIf(isHeld, row < 54 ? now + 90 : now - 20)}};
            });
        QTEST(read.roles.leaseEnd == name, "isEnd");
        QCOMPARE(read.roles.lockTime == name, read.roles.leaseEnd != name);
    }

    /// Words call both delivered, and only one of them has the time of it.
    void whatHasNoTimeOfDeliveryIsNotDelivered()
    {
        const RowReading read
            = readingOf(u"status text default 'new', delivered_at timestamptz null"_s, 80,
                        [](int row, qint64 created) {
                            const QString value = row < 60 ? u"delivered"_s
                                : row % 5 == 0             ? u"dispatched"_s
                                                           : u"new"_s;
                            return Cells{{u"status"_s, value},
                                         {u"delivered_at"_s, timeIf(row < 60, created + 3)}};
                        });
        QCOMPARE(read.states.value(u"delivered"_s), MessageState::Processed);
        QCOMPARE(read.states.value(u"dispatched"_s), MessageState::Locked);
        QVERIFY(read.guessed.contains(u"dispatched"_s));
    }
};

} // namespace tst_rowroleassignment

OUTBOX_TEST(tst_rowroleassignment::TestRowRoleAssignment)
#include "tst_rowroleassignment.moc"
