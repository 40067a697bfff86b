// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the state buttons read from a filter and write into it, and the way through pages.
#include "models/tables/keysetpager.h"
#include "models/tables/statefilter.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_statefilter {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestStateFilter : public QObject
{
    Q_OBJECT

private slots:
    void readsStates()
    {
        QCOMPARE(statesInFilter(u"type:a state:Pending,failed id"_s),
                 QStringList({u"pending"_s, u"failed"_s}));
        QCOMPARE(statesInFilter(u"type:\"state:x y\""_s), QStringList());
        QCOMPARE(statesInFilter({}), QStringList());
    }

    void writesStates()
    {
        QCOMPARE(filterWithStates(u"type:a  age>5m"_s, {u"locked"_s}),
                 u"state:locked type:a  age>5m"_s);
        QCOMPARE(filterWithStates(u"type:a or type:b"_s, {u"locked"_s}),
                 u"state:locked (type:a or type:b)"_s);
        QCOMPARE(filterWithStates(u"-state:failed"_s, {u"locked"_s}),
                 u"state:locked -state:failed"_s);
        QCOMPARE(filterWithStates(u"type:a state:x age>5m"_s, {u"failed"_s, u"parked"_s}),
                 u"type:a state:failed,parked age>5m"_s);
        QCOMPARE(filterWithStates(u"state:x type:\"a b\""_s, {}), u"type:\"a b\""_s);
        QCOMPARE(filterWithStates({}, {}), QString());
    }

    void narrowsAFilterToTheValueOfACell()
    {
        QCOMPARE(termFor(u"type"_s, u"email:deliver"_s), u"type=email:deliver"_s);
        QCOMPARE(termFor(u"type"_s, u"a*\"b"_s), u"type=\"a*\\\"b\""_s);
        QVERIFY(termFor(u"error"_s, {}).isEmpty());
        QVERIFY(termFor(u"error"_s, u"a"_s + QChar(0)).isEmpty());
        QVERIFY(termFor(u"error"_s, QString(5000, u'x')).isEmpty());
        QCOMPARE(filterNarrowedTo({}, u"type=a"_s), u"type=a"_s);
        QCOMPARE(filterNarrowedTo(u"type:b age>5m"_s, u"type=a"_s), u"age>5m type=a"_s);
        QCOMPARE(filterNarrowedTo(u"type:b or age>5m"_s, u"type=a"_s),
                 u"(type:b or age>5m) type=a"_s);
        QCOMPARE(filterNarrowedTo(u"age>"_s, u"type=a"_s), u"age>"_s);
    }

    void remembersTheWayBack()
    {
        KeysetPager pager;
        pager.toNext();
        QVERIFY(pager.here().isEmpty());
        pager.setNext(u"a"_s);
        pager.toNext();
        QCOMPARE(pager.here(), u"a"_s);
        QVERIFY(!pager.hasNext());
        pager.setNext(u"b"_s);
        pager.toNext();
        QCOMPARE(pager.number(), 2);
        pager.toPrevious();
        QCOMPARE(pager.here(), u"a"_s);
        QVERIFY(pager.hasNext());
        pager.toPrevious();
        QVERIFY(pager.here().isEmpty());
        QVERIFY(!pager.hasPrevious());
        pager.restart();
        QVERIFY(!pager.hasNext());
    }
};

} // namespace tst_statefilter

OUTBOX_TEST(tst_statefilter::TestStateFilter)
#include "tst_statefilter.moc"
