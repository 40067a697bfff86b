// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The catalogue of inconsistencies: complete, and its words can be read back.
#include "models/operations/finding.h"
#include "models/operations/scanreport.h"
#include "tests/support/testprogram.h"

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
