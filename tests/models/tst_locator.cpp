// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a typed text is taken for, in which order; and the places that one can go back to.
#include "models/filter/rowfilter.h"
#include "models/system/locator.h"
#include "models/system/placehistory.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_locator {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Kind = LocatorEntry::Kind;

LocatorOffer ordinaryOffer()
{
    LocatorOffer offer;
    offer.named = {{Kind::Profile, u"orders-2"_s, u"Production"_s},
                   {Kind::Action, u"Refresh now"_s, u"View, F5"_s, 0},
                   {Kind::Action, u"Theme: dark"_s, u"View"_s, 1},
                   {Kind::SavedFilter, u"Stuck mail"_s, u"state:pending age>5m"_s, 0},
                   {Kind::Page, u"Dedup"_s, u"Ctrl+4"_s, 3},
                   {Kind::Page, u"Queue"_s, u"Ctrl+3"_s, 2}};
    offer.aboutIds = u"everywhere"_s;
    offer.subject = FilterSubject::Rows;
    return offer;
}

/// "Page: Queue" and so on.
QStringList found(const QString &typed, const LocatorOffer &offer = ordinaryOffer())
{
    QStringList lines;
    const LocatorFindings findings
        = located(typed, offer, QDateTime::fromSecsSinceEpoch(1'763'700'000, Qt::UTC));
    for (const LocatorEntry &one : findings.entries)
        lines += label(one.kind) + u": "_s + one.name;
    return lines;
}

WindowPlace on(int page, const QString &filter = {})
{
    return {page, filter, {}};
}

} // namespace

class TestLocator : public QObject
{
    Q_OBJECT

private slots:
    void kindsHaveTheirOrder()
    {
        QCOMPARE(found({}),
                 QStringList({u"Page: Dedup"_s, u"Page: Queue"_s, u"Action: Refresh now"_s,
                              u"Action: Theme: dark"_s, u"Saved filter: Stuck mail"_s,
                              u"Profile: orders-2"_s}));
        // What begins with the text comes first in its kind.
        QCOMPARE(found(u"d"_s),
                 QStringList({u"Page: Dedup"_s, u"Action: Theme: dark"_s, u"Profile: orders-2"_s}));
        QCOMPARE(found(u"2"_s), QStringList({u"Message id: 2"_s, u"Profile: orders-2"_s}));
    }

    void namesHaveAllWords()
    {
        QCOMPARE(found(u"  DARK theme "_s), QStringList{u"Action: Theme: dark"_s});
        QCOMPARE(found(u"queue"_s), QStringList{u"Page: Queue"_s});
    }

    void idsAreWhatIsNoFilterAndNoName()
    {
        for (const QString &id : {u"7e57d004-2b97-4e7a-8000-00000000002a"_s, u"42"_s,
                                  u"shop:42:x1"_s, u"nobody"_s, u"outbox/7"_s})
            QCOMPARE(found(u' ' + id + u'\n'), QStringList{u"Message id: "_s + id});
        QCOMPARE(found(QString(513, u'1')), QStringList());
        LocatorOffer closed = ordinaryOffer();
        closed.aboutIds.clear();
        QCOMPARE(found(u"42"_s, closed), QStringList());
    }

    void filtersAreThoseOfThePage()
    {
        for (const QString &filter :
             {u"state:pending age>5m"_s, u"id=42"_s, u"-type:mail"_s, u"a or b"_s, u"mail slow"_s,
              u"\"two words\""_s, u"\"mail\""_s})
            QCOMPARE(found(filter), QStringList{u"Filter: "_s + filter});
        LocatorOffer tasks = ordinaryOffer();
        tasks.subject = FilterSubject::Tasks;
        QCOMPARE(found(u"state:archived"_s, tasks), QStringList{u"Filter: state:archived"_s});
        LocatorOffer none = ordinaryOffer();
        none.subject.reset();
        QCOMPARE(found(u"state:pending"_s, none), QStringList()); // and it is no id
        QCOMPARE(found(u"age>"_s), QStringList()); // not whole yet
    }

    void aCrowdIsCutAndCounted()
    {
        LocatorOffer offer;
        for (int i = 0; i < 200; ++i)
            offer.named += LocatorEntry{Kind::Profile, u"system %1"_s.arg(i), {}};
        const LocatorFindings all = located({}, offer, {});
        QCOMPARE(all.entries.size(), LocatorFindings::mostOfKind);
        QCOMPARE(all.more, 200 - LocatorFindings::mostOfKind);
        QCOMPARE(found(u"system 199"_s, offer), QStringList{u"Profile: system 199"_s});
    }

    void hugeTextFindsNothing()
    {
        QCOMPARE(found(QString(1024 * 1024, u'7')), QStringList());
        QCOMPARE(found(u"<b>x\n"_s.repeated(200'000)), QStringList());
    }

    void aFilterMayAskForOneIdAlone()
    {
        const auto asked = [](const QString &text) { return idAlone(*Filter::fromText(text)); };
        QCOMPARE(asked(u"id=42"_s), std::optional(MessageId{u"42"_s}));
        QCOMPARE(asked(u"id=\"a*b\""_s), std::optional(MessageId{u"a*b"_s}));
        QCOMPARE(asked(u"id:7e57"_s), std::optional(MessageId{u"7e57"_s}));
        QCOMPARE(asked(u"id:7e*"_s), std::nullopt);
        QCOMPARE(asked(u"type=42"_s), std::nullopt);
        QCOMPARE(asked(u"id!=42"_s), std::nullopt);
        QCOMPARE(asked(u"id=42 age>5m"_s), std::nullopt);
    }

    void oneGoesBackAndForward()
    {
        PlaceHistory history;
        QVERIFY(!history.here() && !history.hasBack() && !history.hasForward());
        history.visit(on(0));
        history.visit(on(1, u"state:pending"_s));
        history.choose(u"42"_s);
        history.visit(on(1, u"state:pending"_s)); // where they are
        QCOMPARE(history.here()->chosen, u"42"_s);
        history.visit(on(2));
        QCOMPARE(history.goBack(), (WindowPlace{1, u"state:pending"_s, u"42"_s}));
        QCOMPARE(history.goBack(), on(0));
        QVERIFY(!history.hasBack() && history.hasForward());
        QCOMPARE(history.goForward().page, 1);
        history.visit(on(4)); // what lay ahead is forgotten
        QVERIFY(!history.hasForward());
        QCOMPARE(history.goBack().page, 1);
        history.forget();
        QVERIFY(!history.here() && !history.hasBack() && !history.hasForward());
    }

    void fiftyStepsAreKept()
    {
        PlaceHistory history;
        for (int page = 0; page < 200; ++page)
            history.visit(on(page));
        int steps = 0;
        for (; history.hasBack(); ++steps)
            history.goBack();
        QCOMPARE(steps, int(PlaceHistory::mostSteps));
        QCOMPARE(history.here()->page, 199 - steps);
    }

    /// No step may lead from a place to itself.
    void aPageThatGoesTakesItsPlaces()
    {
        PlaceHistory history;
        for (const int page : {0, 6, 0, 6, 1, 6})
            history.visit(on(page));
        history.goBack(); // to page 1
        history.leaveOut(6);
        QCOMPARE(history.here()->page, 1);
        QVERIFY(!history.hasForward());
        QCOMPARE(history.goBack().page, 0);
        QVERIFY(!history.hasBack());
        history.leaveOut(0);
        QVERIFY(!history.here());
        history.visit(on(2));
        QCOMPARE(history.here()->page, 2);
        QVERIFY(!history.hasBack() && !history.hasForward());
    }
};

} // namespace tst_locator

OUTBOX_TEST(tst_locator::TestLocator)
#include "tst_locator.moc"
