// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The catalogue of inconsistencies: complete, its words can be read back, and it speaks to people.
#include "models/operations/finding.h"
#include "models/operations/findingwords.h"
#include "models/operations/plan.h"
#include "models/operations/scanreport.h"
#include "models/phrases.h"
#include "tests/support/testprogram.h"

#include <QDateTime>
#include <QSet>
#include <QTest>

namespace tst_finding {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFinding : public QObject
{
    Q_OBJECT

private slots:
    void thirtyOneKindsWithAllTheirWords()
    {
        QSet<QString> titles;
        QCOMPARE(allFindingKinds().size(), 31);
        for (const FindingKind kind : allFindingKinds()) {
            const KindText text = textOf(kind);
            QCOMPARE(text.kind, kind);
            for (const QString &words : {text.title, text.why, text.repair, text.risk})
                QVERIFY2(!words.isEmpty(), qPrintable(word(kind)));
            QVERIFY(!text.title.endsWith(u'.'));
            QVERIFY(text.why.endsWith(u'.'));
            QVERIFY(!word(text.place).isEmpty());
            titles += text.title;
            QCOMPARE(findingKindFromWord(word(kind)), std::optional(kind));
        }
        QCOMPARE(titles.size(), 31);
    }

    void documentsAreNotLookedFor()
    {
        QList<FindingKind> unread;
        for (const FindingKind kind : allFindingKinds()) {
            if (!textOf(kind).isLookedFor)
                unread += kind;
        }
        const QList<FindingKind> documents{FindingKind::LeakedEntry, FindingKind::GarbageToken,
                                           FindingKind::Undispatched};
        QVERIFY(unread == documents);
    }

    void eachKindSaysWhatItMeansAndWhatEndsIt()
    {
        QSet<QString> meanings;
        for (const FindingKind kind : allFindingKinds()) {
            const QString one = findingSentence(kind, 1);
            const QString many = findingSentence(kind, 1'200);
            QVERIFY2(one.contains(u"1 "_s) && !one.contains(u'%'), qPrintable(one));
            QVERIFY2(many.contains(countText(1'200)) && !many.contains(u'%'), qPrintable(many));
            QVERIFY(one != many && !one.endsWith(u'.'));
            meanings += one;
            const bool isElsewhere = textOf(kind).offer == RepairOffer::Elsewhere;
            QCOMPARE(fixWords(kind).startsWith(u"fix with "_s), isElsewhere);
            QCOMPARE(fixWords(kind).isEmpty(), !isElsewhere);
        }
        QCOMPARE(meanings.size(), 31);
        // By number, and not by another's.
        QCOMPARE(findingSentence(FindingKind::ProcessedWithoutTask, 12),
                 u"12 rows are marked processed, but are nowhere in the queue"_s);
        QCOMPARE(findingSentence(FindingKind::ClockSkew, 1), u"1 clock differs from the others"_s);
        QCOMPARE(fixWords(FindingKind::DeadWithRow), u"fix with Run or Replace"_s);
    }

    void evidenceIsASentence()
    {
        const QDateTime now = QDateTime::currentDateTimeUtc();
        PlanItem item;
        const auto said = [&](const QString &signature) {
            item.evidence = guardText(Repair::Reattach, signature);
            return evidenceWords(item, now);
        };
        QCOMPARE(said(u"key=hash msg=224:0123456789abcdef state=archived in=- lease=-"_s),
                 u"Archived task, in no list, 224 bytes"_s);
        QCOMPARE(said(u"key=hash msg=0 state=pending in=pending,archived@17 lease=-"_s),
                 u"Pending task, in pending and archived, no message"_s);
        QCOMPARE(said(u"key=none msg=0 state= in=retry@1700000000 lease=-"_s),
                 u"No task, in retry"_s);
        QCOMPARE(said(u"key=string msg=0 state= in=- lease=-"_s), u"Key that holds a string"_s);
        QCOMPARE(said(u"key=hash msg=0 state=a | b in=- lease=-"_s),
                 u"A | b task, in no list, no message"_s);
        const qint64 ends = now.toSecsSinceEpoch();
        QCOMPARE(said(u"key=hash msg=7:0 state=active in=active lease=%1"_s.arg(ends)),
                 u"Active task, in active, %1, lease until %2"_s.arg(
                     bytesText(7), momentText(QDateTime::fromSecsSinceEpoch(ends), now)));
        QCOMPARE(said(u"key=hash msg=0 state=active in=active lease=inf"_s),
                 u"Active task, in active, no message"_s);
        // The name of a group that is written like a place is not taken for one.
        const QString group = u"key=hash msg=0 state= in=group lease=- group=g in=- lease=-"_s;
        QCOMPARE(said(group), group);
        item.rowSeen = RowSnapshot();
        item.rowSeen->state = MessageState::Pending;
        QCOMPARE(said(u"key=hash msg=0 state=pending in=- lease=- group=asynq:{default}:g:1"_s),
                 u"Pending task, in no list, no message; its row is pending"_s);
        // What guards a row or a key has nothing of a task in it.
        QCOMPARE(said(u"4711"_s), u"Pending"_s);
        item.rowSeen.reset();
        QCOMPARE(said(u"t-1 asynq:{default}:unique:mail"_s), u"t-1 asynq:{default}:unique:mail"_s);
        item.evidence = u"entry 7 of order 12"_s; // of documents
        QCOMPARE(evidenceWords(item, now), item.evidence);
    }

    void aLookInShort()
    {
        ScanReport report;
        report.at = QDateTime::currentDateTimeUtc();
        report.complete = true;
        const QString at = momentText(report.at, report.at);
        const auto said = [&] { return summaryWords(summaryOf(report), report.at); };
        QCOMPARE(summaryWords(std::nullopt, report.at), u"Not checked for inconsistencies yet."_s);
        QCOMPARE(said(), u"No inconsistency, checked at %1."_s.arg(at));
        report.findings.resize(1);
        report.findings.first().kind = FindingKind::PendingWithTask;
        QCOMPARE(summaryOf(report).lasting, 0); // it ends by itself
        QCOMPARE(said(), u"1 inconsistency, checked at %1."_s.arg(at));
        report.findings += Finding();
        QCOMPARE(summaryOf(report).lasting, 1);
        report.complete = false;
        QCOMPARE(said(),
                 u"2 inconsistencies in what was checked at %1, which was not all."_s.arg(at));
    }

    void foreignWordsAreNoKinds()
    {
        for (const QString &word : {u"K0"_s, u"K32"_s, u"17"_s, u"K"_s, u"k17"_s, u""_s, u"Kx"_s})
            QVERIFY2(!findingKindFromWord(word), qPrintable(word));
    }

    void aGuardSurvivesThePlan()
    {
        const QString signature = u"key=hash msg=0 state=a | b in=- lease=-"_s;
        const auto guard = guardFromText(guardText(Repair::Drop, signature));
        QVERIFY(guard.has_value());
        QVERIFY(guard->repair == Repair::Drop);
        QCOMPARE(guard->signature, signature);
        QVERIFY(!guardFromText(u"it looks bad"_s));
        QVERIFY(!guardFromText(u"explode | key=hash"_s));
    }

    /// Plans and records of other versions name them.
    void wordsOfRepairsNeverChange()
    {
        QStringList words;
        for (int number = 0; number <= static_cast<int>(Repair::Release); ++number)
            words += word(static_cast<Repair>(number));
        QCOMPARE(words.join(u' '),
                 u"none drop requeue unlease settle keep reattach free-lock introduce reopen status"
                 " release"_s);
    }

    void everyRepairHasItsWord()
    {
        for (int number = 0; number <= static_cast<int>(Repair::Release); ++number) {
            const auto repair = static_cast<Repair>(number);
            QVERIFY(repairFromWord(word(repair)) == std::optional(repair));
        }
    }

    void countsAreByKind()
    {
        ScanReport report;
        report.findings.resize(3);
        report.findings[2].kind = FindingKind::TrimmedOrphan;
        QCOMPARE(report.counts().value(FindingKind::StubHash), 2);
        QCOMPARE(report.counts().value(FindingKind::TrimmedOrphan), 1);
    }
};

} // namespace tst_finding

OUTBOX_TEST(tst_finding::TestFinding)
#include "tst_finding.moc"
