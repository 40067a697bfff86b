// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the log of a relay tells of a trouble that lasts.
#include "app/cli/run/lastingtrouble.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_lastingtrouble {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

namespace {

Error errorOf(Error::Kind kind, const QString &code = {})
{
    return {kind, u"enqueueing"_s, u"it is away"_s, code, {}};
}

} // namespace

class TestLastingTrouble : public QObject
{
    Q_OBJECT

private slots:
    /// Two workers that try every second for two minutes and a half.
    void itIsToldOnceAMinute()
    {
        LastingTrouble trouble;
        const LastingTrouble::Time begin{1h};
        const Error error = errorOf(Error::Kind::Unreachable, u"NOPRIMARY"_s);
        QList<qint64> told;
        for (int second = 0; second < 150; ++second) {
            const LastingTrouble::Time now = begin + std::chrono::seconds(second);
            for (const int worker : {0, 1}) {
                trouble.failed(worker, error, now);
                if (trouble.isDue(u"backing_off"_s, error, now))
                    told += trouble.length(now).milliseconds;
            }
        }
        QCOMPARE(told, (QList<qint64>{0, 60'000, 120'000}));
        QVERIFY(trouble.error());
        QCOMPARE(trouble.length(begin + 150s).tries, 300);
    }

    void itIsOverWhenEveryWorkerWorks()
    {
        LastingTrouble trouble;
        const LastingTrouble::Time begin{1h};
        const Error error = errorOf(Error::Kind::Timeout);
        QVERIFY(!trouble.worksAgain(0, begin)); // nothing was wrong
        trouble.failed(0, error, begin);
        trouble.failed(1, error, begin + 1s);
        QVERIFY(trouble.isDue(u"backing_off"_s, error, begin));
        QVERIFY(!trouble.worksAgain(0, begin + 2s));
        QVERIFY(trouble.error());
        const auto over = trouble.worksAgain(1, begin + 3s);
        QVERIFY(over);
        QCOMPARE(over->tries, 2);
        QCOMPARE(over->milliseconds, 3000);
        QVERIFY(!trouble.error());
        QVERIFY(!trouble.worksAgain(1, begin + 4s)); // once
        QVERIFY(trouble.isDue(u"backing_off"_s, error, begin + 4s)); // the next one is new
    }

    void othersAreToldBesideIt()
    {
        LastingTrouble trouble;
        const LastingTrouble::Time now{1h};
        const Error away = errorOf(Error::Kind::Unreachable);
        QVERIFY(trouble.isDue(u"rolled_back"_s, away, now));
        QVERIFY(!trouble.isDue(u"rolled_back"_s, away, now));
        QVERIFY(trouble.isDue(u"backing_off"_s, away, now));
        const Error down = errorOf(Error::Kind::Unreachable, u"CLUSTERDOWN"_s);
        QVERIFY(trouble.isDue(u"rolled_back"_s, down, now));
        const Error ofRow = errorOf(Error::Kind::Constraint); // each may be another row's
        QVERIFY(trouble.isDue(u"rolled_back"_s, ofRow, now));
        QVERIFY(trouble.isDue(u"rolled_back"_s, ofRow, now));
    }
};

} // namespace tst_lastingtrouble

OUTBOX_TEST(tst_lastingtrouble::TestLastingTrouble)
#include "tst_lastingtrouble.moc"
