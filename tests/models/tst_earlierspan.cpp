// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The same span a day or a week earlier: the same time of the clock on the wall, in other zones
// too, and never more points than are told.
#include "models/system/earlierspan.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

#include <ctime>

namespace tst_earlierspan {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestEarlierSpan : public QObject
{
    Q_OBJECT

    QByteArray m_zone;

    static void useZone(const QByteArray &zone)
    {
        qputenv("TZ", zone);
        ::tzset();
    }

private slots:
    void initTestCase() { m_zone = qgetenv("TZ"); }
    void cleanup()
    {
        if (m_zone.isEmpty())
            qunsetenv("TZ");
        else
            qputenv("TZ", m_zone);
        ::tzset();
    }

    /// With 24 hours for a day nine o'clock would stand over eight or ten.
    void aDayIsThatOfTheClockOnTheWall()
    {
        useZone("Europe/Berlin");
        const QDateTime spring(QDate(2026, 3, 29), QTime(12, 0), Qt::LocalTime); // put forward
        const QDateTime autumn(QDate(2026, 10, 25), QTime(12, 0), Qt::LocalTime);
        QVERIFY2(spring.offsetFromUtc() != spring.addDays(-1).offsetFromUtc(),
                 "this system has no zones: apt-get install tzdata");
        constexpr qint64 hour = 3'600'000;
        QCOMPARE(earlierByMs(Earlier::Day, spring.toUTC()), 23 * hour);
        QCOMPARE(earlierByMs(Earlier::Day, autumn.toUTC()), 25 * hour);
        QCOMPARE(earlierByMs(Earlier::Day, spring.addDays(3).toUTC()), 24 * hour);
        QCOMPARE(earlierByMs(Earlier::Week, autumn.addDays(3).toUTC()), 7 * 24 * hour + hour);
        QCOMPARE(earlierByMs(Earlier::Nothing, spring), 0);
    }

    void whatIsAskedForHoldsTheSpan()
    {
        QRandomGenerator random(1);
        for (int trial = 0; trial < 5'000; ++trial) {
            const qint64 end = 1'763'700'000'000 + qint64(random.bounded(2'000'000'000));
            const qint64 span = 10'000 + qint64(random.bounded(2'592'000)) * 1'000;
            const qint64 by = earlierByMs(trial % 2 == 0 ? Earlier::Day : Earlier::Week,
                                          QDateTime::fromMSecsSinceEpoch(end, Qt::UTC));
            const EarlierQuestion asked
                = earlierQuestion(QDateTime::fromMSecsSinceEpoch(end - span, Qt::UTC),
                                  QDateTime::fromMSecsSinceEpoch(end, Qt::UTC), by);
            QVERIFY(asked.from * 1'000 <= end - span - by && asked.to * 1'000 > end - by);
            const qint64 points = (asked.to - asked.from) / factsOf(asked.tier).width;
            QVERIFY2(points <= 3'100, QByteArray::number(points).constData());
        }
    }

    /// A chart that goes on asks once in a quarter of an hour, not twice a second.
    void aSpanThatGoesOnAsksSeldom()
    {
        QList<EarlierQuestion> asked;
        for (int second = 0; second < 3'600; ++second) {
            const QDateTime to = QDateTime::fromSecsSinceEpoch(1'763'700'000 + second, Qt::UTC);
            const EarlierQuestion one = earlierQuestion(to.addSecs(-900), to, 86'400'000);
            if (asked.isEmpty() || asked.last() != one)
                asked += one;
        }
        QVERIFY2(asked.size() <= 10, QByteArray::number(asked.size()).constData());
    }

    void wordsAreKept()
    {
        for (const Earlier one : {Earlier::Nothing, Earlier::Day, Earlier::Week})
            QCOMPARE(earlierFromWord(word(one)), std::optional(one));
        QVERIFY(!earlierFromWord(u"<b>"));
        const LineSegment line{QPointF(1, 2), QPointF(3, 4)};
        const QList<LineSegment> lines = laterBy(QList<LineSegment>{line}, 10);
        QCOMPARE(lines.first().last(), QPointF(13, 4));
    }
};

} // namespace tst_earlierspan

OUTBOX_TEST(tst_earlierspan::TestEarlierSpan)
#include "tst_earlierspan.moc"
