// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The judge of diaries passes a right one and bites at each kind of wrong one.
#include "tests/crash/eventlog.h"
#include "tests/crash/transitions.h"
#include "tests/support/filebytes.h"

#include <QTemporaryDir>
#include <QTest>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

class TestTransitions : public QObject
{
    Q_OBJECT

    using Moment = RelayStage;

    /// "claimed 1 2, enqueueing 1 2": a diary as EventLog writes it.
    static QByteArray diary(const QString &moments)
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"log"_s);
        {
            EventLog log(path);
            for (const QString &moment : moments.split(u", "_s, Qt::SkipEmptyParts)) {
                QStringList words = moment.split(u' ');
                QList<MessageId> ids;
                for (const QString &id : words.mid(1))
                    ids += MessageId{id};
                log.at(momentFrom(words.first().toUtf8()).value(), ids);
            }
        }
        return fileBytes(path);
    }

    static constexpr auto whole = "claiming, claimed 1 2, enqueueing 1 2, enqueued 1 2, "
                                  "committing 1 2, commit-sent 1 2, committed 1 2";

private slots:
    void everyMomentHasAWordThatReadsBack()
    {
        for (const Moment moment : {Moment::Claiming, Moment::Claimed, Moment::Enqueueing,
                                    Moment::Enqueued, Moment::Narrowed, Moment::Committing,
                                    Moment::CommitSent, Moment::Committed, Moment::RolledBack})
            QCOMPARE(momentFrom(word(moment)), moment);
        QVERIFY(!momentFrom("unknown"));
    }

    void aRightDiaryPasses_data()
    {
        QTest::addColumn<QStringList>("lives");
        QTest::addColumn<QStringList>("gone");
        const QString all = QString::fromLatin1(whole);
        const QString next = all + u", claiming, claimed"_s;
        QTest::newRow("one batch") << QStringList{all} << QStringList{u"1"_s, u"2"_s};
        QTest::newRow("an empty claim after it") << QStringList{next} << QStringList{u"1"_s};
        QTest::newRow("given back, then delivered")
            << QStringList{u"claimed 1 2, rolled-back 1 2, claimed 1 2, enqueueing 1 2, "
                           u"enqueued 1 2, rolled-back 1 2, rolled-back, "_s
                           + all}
            << QStringList{u"1"_s};
        QTest::newRow("the queue refused a row, which stays and is tried again")
            << QStringList{u"claimed 1 3 2, enqueueing 1 3 2, enqueued 1 3 2, narrowed 1 2, "
                           u"committing 1 2, commit-sent 1 2, committed 1 2, claimed 3, "
                           u"enqueueing 3, enqueued 3, rolled-back 3"_s}
            << QStringList{u"1"_s, u"2"_s};
        QTest::newRow("killed in the middle, then delivered by another")
            << QStringList{u"claimed 2 1, enqueueing 2 1"_s, all} << QStringList{u"2"_s};
        QTest::newRow("two lanes")
            << QStringList{u"claimed 1, enqueueing 1, enqueued 1, committing 1, commit-sent 1, "
                           u"claimed 2, "
                           u"committed 1, enqueueing 2, enqueued 2, committing 2, commit-sent 2, "
                           u"committed 2"_s}
            << QStringList{u"1"_s, u"2"_s};
        QTest::newRow("killed after COMMIT was sent: in doubt, not seen again")
            << QStringList{u"claimed 1, enqueueing 1, enqueued 1, committing 1, commit-sent 1"_s}
            << QStringList{u"1"_s};
        QTest::newRow("a session was cut, and the other lane claimed its rows")
            << QStringList{u"claimed 1, enqueueing 1, enqueued 1, committing 1, commit-sent 1, "
                           u"claimed 1, rolled-back 1, enqueueing 1, enqueued 1, committing 1, "
                           u"commit-sent 1, committed 1"_s}
            << QStringList{u"1"_s};
        QTest::newRow("a claim that was answered, and whose session was cut before it was read")
            << QStringList{all + u", claimed 1 2, rolled-back 1 2"_s} << QStringList{u"1"_s};
        QTest::newRow("the same, while the other lane's COMMIT is on its way")
            << QStringList{u"claimed 1, enqueueing 1, enqueued 1, committing 1, commit-sent 1, "
                           u"claimed 1, rolled-back 1, committed 1"_s}
            << QStringList{u"1"_s};
        QTest::newRow("the answer to COMMIT was lost, and the row came back")
            << QStringList{u"claimed 1, enqueueing 1, enqueued 1, committing 1, commit-sent 1, "
                           u"rolled-back 1, claimed 1, enqueueing 1, enqueued 1, committing 1, "
                           u"commit-sent 1, committed 1"_s}
            << QStringList{u"1"_s};
    }

    void aRightDiaryPasses()
    {
        QFETCH(QStringList, lives);
        QFETCH(QStringList, gone);
        Transitions transitions;
        for (const QString &life : lives)
            transitions.read(u"relay"_s, diary(life));
        transitions.end(gone, {u"3"_s});
        QVERIFY2(!transitions.hasViolations(), qPrintable(transitions.violations().join(u'\n')));
        QVERIFY(transitions.moments() > 0);
    }

    void aWrongDiaryIsBlamed_data()
    {
        QTest::addColumn<QStringList>("lives");
        QTest::addColumn<QString>("blame");
        const QString all = QString::fromLatin1(whole);
        QTest::newRow("commit before enqueue")
            << QStringList{u"claimed 1, committing 1"_s} << u"committing after claimed"_s;
        QTest::newRow("COMMIT while the queue has not answered")
            << QStringList{u"claimed 1, enqueueing 1, committing 1"_s}
            << u"committing after enqueueing"_s;
        QTest::newRow("enqueue after COMMIT")
            << QStringList{u"claimed 1, enqueueing 1, enqueued 1, committing 1, enqueueing 1"_s}
            << u"enqueueing after committing"_s;
        QTest::newRow("committed without being sent")
            << QStringList{u"claimed 1, enqueueing 1, enqueued 1, committing 1, committed 1"_s}
            << u"committed after committing"_s;
        QTest::newRow("half of a batch")
            << QStringList{u"claimed 1 2, enqueueing 1"_s} << u"enqueueing of a batch that"_s;
        QTest::newRow("sent without a claim")
            << QStringList{u"enqueueing 1"_s} << u"enqueueing of a batch that is not held"_s;
        QTest::newRow("committed after its rows were sent by the other lane")
            << QStringList{u"claimed 1 2, enqueueing 1 2, enqueued 1 2, committing 1 2, "
                           u"commit-sent 1 2, claimed 2 3, enqueueing 2 3, committed 1 2"_s}
            << u"committed after its rows were sent again"_s;
        QTest::newRow("sent after its COMMIT")
            << QStringList{all + u", claimed 2 3, enqueueing 2 3"_s}
            << u"row 2 sent after its COMMIT"_s;
        QTest::newRow("committed by two relays")
            << QStringList{all, all} << u"row 1 committed twice"_s;
        QTest::newRow("two batches sent at once")
            << QStringList{u"claimed 1, claimed 2, enqueueing 1, enqueueing 2"_s}
            << u"two batches are being sent at once"_s;
        QTest::newRow("COMMIT of nothing")
            << QStringList{u"committing"_s} << u"committing without a row"_s;
        QTest::newRow("narrowed before the queue has answered")
            << QStringList{u"claimed 1 2, enqueueing 1 2, narrowed 1"_s}
            << u"part of no enqueued batch"_s;
        QTest::newRow("narrowed to a row of another")
            << QStringList{u"claimed 1 2, enqueueing 1 2, enqueued 1 2, narrowed 1 3"_s}
            << u"part of no enqueued batch"_s;
        QTest::newRow("gone with a batch that left it behind")
            << QStringList{u"claimed 7 1, enqueueing 7 1, enqueued 7 1, narrowed 1, committing 1, "
                           u"commit-sent 1, committed 1"_s}
            << u"row 7 left the outbox by no COMMIT"_s;
        QTest::newRow("gone without a COMMIT")
            << QStringList{u"claimed 7, enqueueing 7, enqueued 7"_s}
            << u"row 7 left the outbox by no COMMIT"_s;
        QTest::newRow("there after its COMMIT")
            << QStringList{u"claimed 8, enqueueing 8, enqueued 8, committing 8, commit-sent 8, "
                           u"committed 8"_s}
            << u"row 8 is in the outbox after its COMMIT"_s;
    }

    void aWrongDiaryIsBlamed()
    {
        QFETCH(QStringList, lives);
        QFETCH(QString, blame);
        Transitions transitions;
        for (const QString &life : lives)
            transitions.read(u"relay"_s, diary(life));
        transitions.end({u"7"_s}, {u"8"_s});
        QVERIFY(transitions.hasViolations());
        QVERIFY2(transitions.violations().join(u'\n').contains(blame),
                 qPrintable(transitions.violations().join(u'\n')));
    }

    void batchesAreCountedByTheirEnd()
    {
        Transitions transitions;
        transitions.read(u"relay"_s,
                         diary(QString::fromLatin1(whole)
                               + u", claimed 3, rolled-back 3, claimed 4, "
                                 u"enqueueing 4, enqueued 4, committing 4"_s));
        transitions.read(u"relay"_s, diary(u"claimed 5"_s));
        QVERIFY(!transitions.hasViolations());
        QCOMPARE(transitions.committed(), 1);
        QCOMPARE(transitions.rolledBack(), 1);
        QCOMPARE(transitions.cutShort(), 2);
        QCOMPARE(transitions.inDoubt(), 1);
    }

    void aBatchInDoubtMayTurnOutToBeCommitted()
    {
        const QString doubted = u"claimed 3, enqueueing 3, enqueued 3, committing 3, commit-sent 3,"
                                " rolled-back 3, "_s;
        Transitions settled;
        settled.read(u"relay"_s, diary(doubted + u"committed 3"_s));
        QVERIFY(!settled.hasViolations());
        QCOMPARE(settled.committed(), 1);
        QCOMPARE(settled.inDoubt(), 1);
        Transitions twice;
        twice.read(u"relay"_s, diary(doubted + u"committed 3, committed 3"_s));
        QVERIFY(twice.hasViolations());
        Transitions sentAgain;
        sentAgain.read(u"relay"_s, diary(doubted + u"committed 3, claimed 3, enqueueing 3"_s));
        QVERIFY(sentAgain.hasViolations());
        Transitions byAnother; // its rows came back, and another relay was quicker
        byAnother.read(u"one"_s, diary(doubted + u"committed 3"_s));
        byAnother.read(u"other"_s,
                       diary(u"claimed 3, enqueueing 3, enqueued 3, committing 3, "
                             "commit-sent 3, committed 3"_s));
        QVERIFY(!byAnother.hasViolations());
        byAnother.end({}, {u"3"_s});
        QVERIFY(byAnother.hasViolations());
        Transitions claimedAgain;
        claimedAgain.read(u"relay"_s, diary(doubted + u"claimed 3, rolled-back 3, committed 3"_s));
        QVERIFY(claimedAgain.hasViolations());
    }

    void aLineThatIsNoneIsBlamedAndATornLastOneIsNot()
    {
        const QByteArray right = diary(u"claimed 1"_s);
        Transitions torn;
        torn.read(u"relay"_s, right + "12\tclai");
        QVERIFY(!torn.hasViolations());
        Transitions wrong;
        wrong.read(u"relay"_s, right + "12\tclai\n" + right);
        QVERIFY(wrong.hasViolations());
        Transitions backwards;
        backwards.read(u"relay"_s, right + "12\tclaiming\t-\t\n");
        QVERIFY(backwards.violations().first().contains(u"the clock went back"_s));
    }
};

QTEST_GUILESS_MAIN(TestTransitions)
#include "tst_transitions.moc"
