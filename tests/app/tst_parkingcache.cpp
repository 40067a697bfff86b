// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a relay reads the parked rows again, and when it writes down those that it parked.
#include "app/relay/parking/parkingcache.h"

#include "tests/support/memoryparking.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_parkingcache {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// Rows in memory, in a place that can be closed.
class ClosableParking : public MemoryParking
{
public:
    [[nodiscard]] Result<QList<ParkedRow>> rows() override
    {
        ++readings;
        return mayRead ? MemoryParking::rows() : fail(Error::Kind::Refused, {}, u"closed"_s);
    }
    [[nodiscard]] Result<void> put(const QList<ParkedRow> &rows) override
    {
        ++writings;
        return mayWrite ? MemoryParking::put(rows) : fail(Error::Kind::Refused, {}, u"closed"_s);
    }
    bool mayRead = true;
    bool mayWrite = true;
    int readings = 0;
    int writings = 0;
};

ParkedRow parkedRow(const QString &id)
{
    return {MessageId{id}, u"no type"_s, 0, {}};
}

} // namespace

class TestParkingCache : public QObject
{
    Q_OBJECT

private slots:
    void isReadAgainAfterFiveSeconds_data()
    {
        QTest::addColumn<QList<int>>("atMs");
        QTest::addColumn<int>("readings");
        QTest::newRow("the first time") << QList<int>{0} << 1;
        QTest::newRow("once for many claims") << QList<int>{0, 1, 100, 4999, 5000} << 1;
        QTest::newRow("again when it is old") << QList<int>{0, 5001} << 2;
        QTest::newRow("counted from the last reading") << QList<int>{0, 5001, 10'001, 10'002} << 3;
    }

    void isReadAgainAfterFiveSeconds()
    {
        QFETCH(QList<int>, atMs);
        QFETCH(int, readings);
        ClosableParking place;
        ParkingCache cache(place);
        for (const int ms : std::as_const(atMs)) {
            const int before = place.readings;
            const auto read = cache.refresh(ParkingCache::Time{1h + std::chrono::milliseconds(ms)});
            QVERIFY(read);
            QCOMPARE(*read, place.readings > before);
        }
        QCOMPARE(place.readings, readings);
    }

    void aRowIsKnownAtOnceAndWrittenDownLater()
    {
        ClosableParking place;
        ParkingCache cache(place);
        QVERIFY(cache.refresh({}));
        cache.add(parkedRow(u"1"_s));
        cache.add(parkedRow(u"2"_s));
        QVERIFY(cache.contains(MessageId{u"1"_s}));
        QCOMPARE(cache.ids(), (QList{MessageId{u"1"_s}, MessageId{u"2"_s}}));
        QCOMPARE(place.writings, 0);
        QVERIFY(cache.write());
        QVERIFY(cache.write());
        QCOMPARE(place.writings, 1);
        QCOMPARE(*place.rows(), cache.rows());
    }

    void whatOthersReleaseIsForgottenWithTheNextReading()
    {
        ClosableParking place;
        ParkingCache cache(place);
        QVERIFY(place.put({parkedRow(u"1"_s), parkedRow(u"2"_s)}));
        QVERIFY(cache.refresh({}));
        cache.add(parkedRow(u"3"_s));
        QVERIFY(place.release({MessageId{u"1"_s}}));
        QVERIFY(cache.contains(MessageId{u"1"_s}));
        QVERIFY(cache.refresh(ParkingCache::Time{6s}));
        QCOMPARE(cache.ids(), (QList{MessageId{u"2"_s}, MessageId{u"3"_s}}));
    }

    void rowsThatCannotBeWrittenStayKnownAndDue()
    {
        ClosableParking place;
        place.mayWrite = false;
        ParkingCache cache(place);
        QVERIFY(cache.refresh({}));
        cache.add(parkedRow(u"1"_s));
        const auto read = cache.refresh(ParkingCache::Time{6s});
        QVERIFY(read);
        QVERIFY(!*read);
        QCOMPARE(place.readings, 1);
        QVERIFY(cache.contains(MessageId{u"1"_s}));
        QVERIFY(!cache.write());
        place.mayWrite = true;
        QVERIFY(cache.write());
        QCOMPARE(place.rows()->size(), 1);
    }

    void nothingGoesOnBeforeTheFirstReading()
    {
        ClosableParking place;
        place.mayRead = false;
        ParkingCache cache(place);
        QVERIFY(!cache.refresh({}));
        place.mayRead = true;
        place.mayWrite = false;
        cache.add(parkedRow(u"1"_s));
        QVERIFY(!cache.refresh({}));
        QCOMPARE(place.readings, 1);
    }
};

} // namespace tst_parkingcache

OUTBOX_TEST(tst_parkingcache::TestParkingCache)
#include "tst_parkingcache.moc"
