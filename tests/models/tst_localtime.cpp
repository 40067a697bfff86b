// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What local times mean: every minute around the changes of many zones, against the zone's own
// clock asked minute by minute.
#include "models/localtime.h"
#include "tests/support/testprogram.h"

#include <QDateTime>
#include <QMap>
#include <QTest>
#include <QTimeZone>

namespace tst_localtime {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 minute = 60'000'000; ///< microseconds

qint64 shown(qint64 moment, const QTimeZone &zone)
{
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(moment / 1000, Qt::UTC);
    return moment + qint64(zone.offsetFromUtc(at)) * 1'000'000;
}

} // namespace

class TestLocalTime : public QObject
{
    Q_OBJECT

private slots:
    void aLocalTimeIsWhatClocksShow_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name :
             {"Europe/Berlin", "America/New_York", "Australia/Adelaide", "Australia/Lord_Howe",
              "America/Sao_Paulo", "Africa/Casablanca", "Asia/Kathmandu", "Pacific/Apia"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void aLocalTimeIsWhatClocksShow()
    {
        QFETCH(QString, name);
        const QTimeZone zone(name.toLatin1());
        const QDateTime from(QDate(2024, 1, 1), QTime(0, 0), QTimeZone::utc());
        QList<qint64> middles{from.toMSecsSinceEpoch() * 1000};
        for (const auto &change : zone.transitions(from, from.addYears(2)))
            middles += change.atUtc.toMSecsSinceEpoch() * 1000;
        for (const qint64 middle : middles) {
            QMap<qint64, QList<qint64>> momentsOf;
            for (qint64 at = middle - 200 * minute; at <= middle + 200 * minute; at += minute) {
                momentsOf[shown(at, zone)] += at;
                QCOMPARE(localOf(at, name), shown(at, zone));
            }
            qint64 last = momentsOf.first().first();
            const qint64 begin = momentsOf.firstKey();
            for (qint64 local = begin; local <= begin + 320 * minute; local += minute) {
                const QList<qint64> moments = momentsOf.value(local);
                const qint64 earlier = momentOf(local, name, Reading::Earlier);
                const qint64 later = momentOf(local, name, Reading::Later);
                QVERIFY(earlier >= last); // what is later by the clock is never earlier
                last = earlier;
                if (moments.isEmpty()) { // the gap
                    QCOMPARE(earlier, middle);
                    QCOMPARE(later, local - (shown(middle - minute, zone) - middle + minute));
                    continue;
                }
                QCOMPARE(earlier, moments.first());
                QCOMPARE(later, moments.last());
                // From its first local time on, and no sooner, times are so late.
                const qint64 first = firstLocalOf(earlier, name);
                QVERIFY(momentOf(first, name, Reading::Earlier) >= earlier);
                QVERIFY(momentOf(first - 1, name, Reading::Earlier) < earlier);
            }
        }
    }

    void zonesAreNamedInOneWay_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        QTest::newRow("utc") << u"utc"_s << u"UTC"_s;
        QTest::newRow("Etc/UTC") << u"Etc/UTC"_s << u"UTC"_s;
        QTest::newRow("GMT") << u"GMT"_s << u"UTC"_s;
        QTest::newRow("name") << u" Europe/Berlin "_s << u"Europe/Berlin"_s;
        QTest::newRow("case") << u"america/new_york"_s << u"America/New_York"_s;
        QTest::newRow("offset") << u"+5:30"_s << u"UTC+05:30"_s;
        QTest::newRow("no offset") << u"+00:00"_s << u"UTC"_s;
        QTest::newRow("west") << u"UTC-3"_s << u"UTC-03:00"_s;
        QTest::newRow("city") << u"Berlin"_s << QString();
        QTest::newRow("nothing") << QString() << QString();
        QTest::newRow("too far") << u"+19:00"_s << QString();
        QTest::newRow("words") << u"local time'; --"_s << QString();
    }
    void zonesAreNamedInOneWay()
    {
        QFETCH(QString, text);
        QFETCH(QString, name);
        const auto zone = timeZoneNamed(text);
        QCOMPARE(zone.value_or(QString()), name);
        if (!zone)
            QVERIFY(!zone.error().hint.isEmpty());
        if (text == u"Berlin")
            QVERIFY(zone.error().hint.contains(u"Europe/Berlin"_s));
    }
};

} // namespace tst_localtime

OUTBOX_TEST(tst_localtime::TestLocalTime)
#include "tst_localtime.moc"
