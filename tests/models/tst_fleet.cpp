// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Of two systems the one in more trouble comes first, whatever their names are; and how many are
// well.
#include "models/health/fleet.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>

namespace tst_fleet {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

FleetLine at(HealthLevel level, const QList<HealthReason> &reasons = {},
             std::optional<double> oldest = {}, qint64 dead = 0)
{
    FleetLine line;
    line.report.level = level;
    for (const HealthReason reason : reasons)
        line.report.causes += HealthCause{level, {}, {}, {}, reason};
    line.oldestPendingSeconds = oldest;
    line.dead = dead;
    return line;
}

FleetLine lineOf(const QString &name, HealthLevel level, const QDateTime &seen)
{
    FleetLine line = at(level);
    line.key = name;
    line.name = name;
    line.at = seen;
    return line;
}

QStringList keysOf(const QList<FleetLine> &lines)
{
    QStringList keys;
    for (const FleetLine &line : lines)
        keys += line.key;
    return keys;
}

} // namespace

class TestFleet : public QObject
{
    Q_OBJECT

private slots:
    /// Each row differs in one thing, and in all that counts less the other way round.
    void theWorseOneIsFirst_data()
    {
        using Level = HealthLevel;
        using enum HealthReason;
        QTest::addColumn<FleetLine>("worse");
        QTest::addColumn<FleetLine>("better");
        const FleetLine oldWatch = at(Level::Watch, {RedisLostRecords, RelayStopped}, 9'000, 50);
        QTest::newRow("broken, unknown")
            << at(Level::Broken) << at(Level::Unknown, {RedisLostRecords}, 900, 9);
        QTest::newRow("unknown, stalled") << at(Level::Unknown) << at(Level::Stalled, {}, 900, 9);
        QTest::newRow("stalled, watch") << at(Level::Stalled) << oldWatch;
        QTest::newRow("watch, ok") << at(Level::Watch) << at(Level::Ok, {}, 59, 9);
        QTest::newRow("lost data, stopped relay")
            << at(Level::Watch, {RedisLostRecords}) << at(Level::Watch, {RelayStopped}, 900, 9);
        for (const HealthReason reason : {RelayFailed, RelayBackingOff, RelayStopped, Stalled}) {
            QTest::addRow("stopped relay %d, age", static_cast<int>(reason))
                << at(Level::Watch, {ServedByNobody, reason}) << at(Level::Watch, {Behind}, 900, 9);
        }
        QTest::newRow("times of the limit, dead")
            << at(Level::Watch, {Behind}, 125) << at(Level::Watch, {Behind, Growing}, 65, 9);
        QTest::newRow("below the limit, dead") << at(Level::Watch, {DeadInQueue}, 1, 2)
                                               << at(Level::Watch, {DeadInQueue, Growing}, 59, 1);
        QTest::newRow("growing, age") << at(Level::Watch, {Growing}, 1) << at(Level::Watch, {}, 59);
        QTest::newRow("age") << at(Level::Ok, {}, 2) << at(Level::Ok, {}, 1);
        QTest::newRow("age, no age") << at(Level::Ok, {}, 1) << at(Level::Ok);
    }
    void theWorseOneIsFirst()
    {
        QFETCH(FleetLine, worse);
        QFETCH(FleetLine, better);
        worse.name = u"z"_s;
        better.name = u"a"_s;
        QVERIFY(comesBefore(worse, better));
        QVERIFY(!comesBefore(better, worse));
        QVERIFY(!comesBefore(worse, worse));
    }

    void alikeByName()
    {
        FleetLine one = at(HealthLevel::Watch, {HealthReason::Behind}, 61, 1);
        FleetLine other = one;
        one.name = u"a"_s;
        other.name = u"b"_s;
        QVERIFY(comesBefore(one, other));
        QVERIFY(!comesBefore(other, one));
    }

    void theLimitIsThatOfHealth()
    {
        HealthLimits patient;
        patient.oldestPending = 1'000;
        const FleetLine old = at(HealthLevel::Watch, {}, 125);
        const FleetLine dead = at(HealthLevel::Watch, {}, 1, 1);
        QVERIFY(comesBefore(old, dead));
        QVERIFY(!comesBefore(old, dead, patient));
    }

    void totals()
    {
        FleetTotals totals;
        QCOMPARE(totals.worst, HealthLevel::Unknown); // nobody was asked
        totals.add(HealthLevel::Ok);
        QCOMPARE(totals.worst, HealthLevel::Ok);
        totals.add(HealthLevel::Stalled);
        totals.add(HealthLevel::Unknown);
        QCOMPARE(totals.worst, HealthLevel::Unknown);
        totals.add(HealthLevel::Watch);
        totals.add(HealthLevel::Broken);
        totals.add(HealthLevel::Unknown);
        QCOMPARE(totals, (FleetTotals{6, 1, 1, 1, 1, 2, HealthLevel::Broken}));
    }

    /// The first change is shown at once, the next one ten seconds later.
    void theOrderOfAPageIsCalm()
    {
        using enum HealthLevel;
        const QDateTime start(QDate(2026, 1, 2), QTime(3, 4), Qt::UTC);
        FleetOrder order;
        const auto arranged
            = [&order, &start](int second, HealthLevel ofA, HealthLevel ofB, HealthLevel ofC) {
                  const QDateTime now = start.addSecs(second);
                  return keysOf(order.arranged({lineOf(u"a"_s, ofA, now), lineOf(u"b"_s, ofB, now),
                                                lineOf(u"c"_s, ofC, now)},
                                               now))
                      .join(QString());
              };
        QCOMPARE(arranged(0, Ok, Ok, Ok), u"abc"_s);
        QCOMPARE(arranged(1, Ok, Ok, Watch), u"cab"_s);
        QCOMPARE(arranged(2, Ok, Broken, Watch), u"cab"_s);
        QCOMPARE(arranged(10, Ok, Broken, Watch), u"cab"_s);
        QCOMPARE(arranged(11, Ok, Broken, Watch), u"bca"_s);
        QCOMPARE(arranged(12, Stalled, Ok, Ok), u"bca"_s);
    }

    /// Nothing is known of a system before its first look: it is neither well nor in trouble.
    void whoWasNotLookedAtIsLast()
    {
        const QDateTime now(QDate(2026, 1, 2), QTime(3, 4), Qt::UTC);
        FleetOrder order;
        const FleetLine unseen = lineOf(u"a"_s, HealthLevel::Unknown, {});
        const FleetLine well = lineOf(u"b"_s, HealthLevel::Ok, now);
        const FleetLine stalled = lineOf(u"c"_s, HealthLevel::Stalled, now);
        QCOMPARE(keysOf(order.arranged({unseen, well}, now)), (QStringList{u"b"_s, u"a"_s}));
        // Meanwhile each answer goes to its place.
        QCOMPARE(keysOf(order.arranged({unseen, well, stalled}, now)),
                 (QStringList{u"c"_s, u"b"_s, u"a"_s}));
    }

    void aFilterIsOfGroupAndText()
    {
        FleetLine line = lineOf(u"Orders"_s, HealthLevel::Watch, {});
        line.group = u"shop"_s;
        line.report.sentence = u"412 rows wait"_s;
        QVERIFY((FleetFilter{{}, {}}).fits(line));
        QVERIFY((FleetFilter{u"shop"_s, u"orders"_s}).fits(line));
        QVERIFY((FleetFilter{{}, u"412 ROWS"_s}).fits(line));
        QVERIFY((FleetFilter{{}, u"SHOP"_s}).fits(line));
        QVERIFY(!(FleetFilter{u"sho"_s, {}}).fits(line)); // a group is meant whole
        QVERIFY(!(FleetFilter{{}, u"mail"_s}).fits(line));
    }
};

} // namespace tst_fleet

OUTBOX_TEST(tst_fleet::TestFleet)
#include "tst_fleet.moc"
