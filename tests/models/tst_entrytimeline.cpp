// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The line of time of entries of documents and of tokens, in each design: what is known, in order,
// and no time that nobody told.
#include "models/journeys/entrytimeline.h"
#include "tests/support/sampledesign.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>

namespace tst_entrytimeline {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime now(QDate(2026, 11, 21), QTime(14, 3, 0), Qt::UTC);

/// "written@-90, now@0 [2 min undispatched], dispatched?+": as in tst_timeline.
QString drawn(const QList<TimelinePoint> &line)
{
    QStringList texts;
    for (const TimelinePoint &point : line) {
        QString text = word(point.kind);
        text += point.at ? QString(u'@' + QString::number(now.secsTo(*point.at))) : u"?"_s;
        text += point.isFuture ? u"+"_s : QString();
        texts += text;
    }
    return texts.join(u", "_s);
}

} // namespace

class TestEntryTimeline : public QObject
{
    Q_OBJECT

private slots:
    void tellsWhatIsKnownInOrder_data()
    {
        QTest::addColumn<Design>("design");
        QTest::addColumn<QString>("incoming");
        QTest::addColumn<QStringList>("done");
        QTest::addColumn<QString>("expected");
        const QString waits = u"written@-90, claimed?, now@0, dispatched?+"_s;
        QTest::newRow("an entity that waits")
            << Design::EntityState << u"m-1"_s << QStringList() << waits;
        QTest::newRow("an entity that is null") << Design::EntityState << u"m-2"_s << QStringList()
                                                << u"written?, dispatched?, now@0, kept-until?+"_s;
        QTest::newRow("an entry that nobody can read")
            << Design::EntityState << u"m-3"_s << QStringList() << u"written?, now@0"_s;
        QTest::newRow("beside a store, it waits")
            << Design::DedupStore << u"m-1"_s << QStringList() << waits;
        QTest::newRow("beside a store, it leaked")
            << Design::DedupStore << u"m-1"_s << QStringList{u"m-1"_s}
            << u"written@-90, dispatched?, done-mark?, now@0, kept-until?+"_s;
        QTest::newRow("with tokens, it waits")
            << Design::Tokens << u"m-1"_s << QStringList()
            << u"written@-90, token-taken?, claimed?, now@0, dispatched?+"_s;
        QTest::newRow("with tokens, it leaked")
            << Design::Tokens << u"m-1"_s << QStringList{u"m-1"_s}
            << u"written@-90, token-taken?, dispatched?, done-mark?, now@0, kept-until?+"_s;
    }
    void tellsWhatIsKnownInOrder()
    {
        QFETCH(Design, design);
        QFETCH(QString, incoming);
        QFETCH(QStringList, done);
        QFETCH(QString, expected);
        const auto entries = entriesIn(u"order-1"_s, sampleDocument(now), now, design, done);
        const auto found
            = std::find_if(entries.cbegin(), entries.cend(), [&incoming](const SeenEntry &one) {
                  return one.entry.incoming == incoming;
              });
        QVERIFY(found != entries.cend());
        const auto line = timelineOf(*found, design, now);
        QCOMPARE(drawn(line), expected);
        for (qsizetype i = 0; i < line.size(); ++i) {
            const TimelinePoint &point = line.at(i);
            // What is not known says why; a gap is named, or is not known.
            QVERIFY2(point.at || !point.note.isEmpty(), qPrintable(word(point.kind)));
            QCOMPARE(point.gap.isEmpty(), i == 0);
        }
    }

    /// The database's clock knows best how old an entry is; where it contradicts ours both stay.
    void clocksMayDiffer()
    {
        auto seen = entriesIn(u"order-1"_s, sampleDocument(now), now, Design::EntityState).first();
        seen.ageSeconds = 600;
        const auto line = timelineOf(seen, Design::EntityState, now);
        QCOMPARE(line.at(2).gapSeconds.value_or(-1), 600.0);
        QVERIFY(line.at(2).gap.contains(u"undispatched"_s));
        seen.ageSeconds = -30;
        const auto ahead = timelineOf(seen, Design::EntityState, now);
        QVERIFY(!ahead.at(2).gapSeconds);
        QVERIFY(ahead.at(2).gap.contains(u"clock differs"_s));
    }

    void aTokenHasTheTimeOfItsStore()
    {
        JudgedToken token;
        token.token.id = u"t-1"_s;
        QCOMPARE(drawn(timelineOf(token, now)), u"token-taken?, now@0"_s);
        token.token.made = now.addSecs(-40);
        token.ageSeconds = 40;
        const auto line = timelineOf(token, now);
        QCOMPARE(drawn(line), u"token-taken@-40, now@0"_s);
        QCOMPARE(line.last().gapSeconds.value_or(-1), 40.0);
    }
};

} // namespace tst_entrytimeline

OUTBOX_TEST(tst_entrytimeline::TestEntryTimeline)
#include "tst_entrytimeline.moc"
