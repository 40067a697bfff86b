// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The file of this machine and the table of the database as one list: generated records in which
// some operations stand in one of them, some in both, and some not alike.
#include "models/filter/activityfilter.h"
#include "models/operations/auditjoin.h"
#include "models/profile/profile.h"
#include "models/tables/auditmodel.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QSet>
#include <QTest>

#include <algorithm>

namespace tst_auditjoin {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Record = Activity::Record;

const QDateTime start = QDateTime::fromString(u"2026-01-02T03:04:05.000Z"_s, Qt::ISODateWithMs);
const QString me = u"ana@desk"_s;
const QString target = u"outbox @ pg/shop -> redis/0"_s;

/// How the two records differ about an operation.
enum class Difference { None, Count, Who, Verb, OnlyHere, OnlyThere };

struct World
{
    QList<Activity> here; ///< newest first
    AuditPage page;
    QHash<QString, Difference> differences;
};

/// Operations one after the other, an hour apart, of 1 to 9 rows each.
World worldOf(quint32 seed, int operations)
{
    QRandomGenerator random(seed);
    World world;
    for (int number = 0; number < operations; ++number) {
        const QString id = u"op-%1"_s.arg(number);
        const auto difference = static_cast<Difference>(random.bounded(6));
        world.differences.insert(id, difference);
        const bool isPurge = random.bounded(2) == 0;
        const int rows = 1 + int(random.bounded(9));
        const QDateTime at = start.addSecs(3600 * qint64(number));
        const bool isOthers = difference == Difference::OnlyThere;
        if (!isOthers) {
            Activity one;
            one.operation = id;
            one.at = at;
            one.who = me;
            one.target = target;
            one.verb = isPurge ? Verb::Purge : Verb::Replay;
            one.state = Activity::State::Done;
            one.counts = {{u"done"_s, rows}};
            one.count = rows;
            world.here.prepend(one);
        }
        if (difference == Difference::OnlyHere)
            continue;
        const int written = difference == Difference::Count ? rows + 1 : rows;
        for (int row = 0; row < written; ++row) {
            world.page.rows.prepend(
                {id, isOthers || difference == Difference::Who ? u"ben@laptop"_s : me,
                 u"outboxctl"_s,
                 word(difference == Difference::Verb ? Verb::Release
                          : isPurge                  ? Verb::Purge
                                                     : Verb::Replay),
                 QString::number(row), u"row=processed"_s, u"done"_s, u"%1 rows"_s.arg(written),
                 at.addMSecs(row)});
        }
    }
    return world;
}

} // namespace

class TestAuditJoin : public QObject
{
    Q_OBJECT

private slots:
    void eachOperationIsToldOnceAndWhereItWasRead()
    {
        int compared = 0;
        for (quint32 seed = 1; seed <= 200; ++seed) {
            const World world = worldOf(seed, 12);
            const QList<Activity> told = joined(world.here, world.page, me, target);
            if (world.page.rows.isEmpty()) {
                QCOMPARE(told, world.here);
                continue;
            }
            QCOMPARE(told.size(), world.differences.size());
            QSet<QString> seen;
            for (const Activity &one : told) {
                QVERIFY(!seen.contains(one.operation));
                seen += one.operation;
                const Difference difference = world.differences.value(one.operation);
                QCOMPARE(one.record,
                         difference == Difference::OnlyHere        ? Record::Here
                             : difference == Difference::OnlyThere ? Record::Database
                                                                   : Record::Both);
                ++compared;
            }
            QVERIFY(std::is_sorted(told.begin(), told.end(),
                                   [](const auto &a, const auto &b) { return a.at > b.at; }));
        }
        QVERIFY(compared > 2000);
    }

    void whatIsNotAlikeIsNamedAndNothingElse()
    {
        QHash<int, int> met;
        for (quint32 seed = 1; seed <= 200; ++seed) {
            const World world = worldOf(seed, 12);
            if (world.page.rows.isEmpty())
                continue;
            const QDateTime oldest = world.page.rows.constLast().at;
            for (const Activity &one : joined(world.here, world.page, me, target)) {
                const Difference difference = world.differences.value(one.operation);
                // What is older than the table may have been done before there was one.
                const bool isNamed = difference == Difference::Count
                    || difference == Difference::Who || difference == Difference::Verb
                    || (difference == Difference::OnlyHere && one.at > oldest.addSecs(300));
                QVERIFY2(one.mismatch.isEmpty() != isNamed, qPrintable(one.mismatch));
                ++met[int(difference)];
                if (difference == Difference::Who)
                    QVERIFY(one.mismatch.contains(u"ben@laptop"_s));
            }
        }
        QCOMPARE(met.size(), 6);
    }

    void aColleaguesOperationSaysWhatAndHowManyAndCannotBeUndoneHere()
    {
        const World world = worldOf(7, 60);
        bool isMet = false;
        for (const Activity &one : joined({}, world.page, me, target)) {
            if (one.who != u"ben@laptop"_s)
                continue;
            isMet = true;
            QVERIFY(one.verb);
            QCOMPARE(one.count, one.items.size());
            QCOMPARE(one.counts.value(u"done"_s), one.count);
            QCOMPARE(one.what, u"%1 rows"_s.arg(one.count));
            QCOMPARE(one.face, u"outboxctl"_s);
            QCOMPARE(one.target, target);
            QCOMPARE(one.items.constFirst().row, u"0"_s); // as they were written
            QVERIFY(undoObstacle(one).contains(u"another machine"_s));
        }
        QVERIFY(isMet);
    }

    void ourOwnOperationThatTheFileLacksIsNoticed()
    {
        World world = worldOf(3, 12);
        world.here.clear();
        for (const Activity &one : joined(world.here, world.page, me, target))
            QCOMPARE(one.mismatch.contains(u"does not have it"_s), one.who == me);
    }

    void theOldestOperationOfAPageThatIsCutIsNotCalledUnlike()
    {
        for (quint32 seed = 1; seed <= 100; ++seed) {
            World world = worldOf(seed, 12);
            if (world.page.rows.size() < 20)
                continue;
            world.page.rows.resize(world.page.rows.size() / 2);
            world.page.isWhole = false;
            const QString cut = world.page.rows.constLast().operation;
            for (const Activity &one : joined(world.here, world.page, me, target)) {
                const Difference difference = world.differences.value(one.operation);
                if (one.operation == cut
                    && (difference == Difference::None || difference == Difference::Count))
                    QVERIFY2(one.mismatch.isEmpty(), qPrintable(one.mismatch));
            }
        }
    }

    void aRelayOfAColleagueIsToldWithItsTotals()
    {
        AuditPage page;
        page.rows = {{u"r2"_s,
                      u"ben@laptop"_s,
                      u"outboxctl"_s,
                      u"relay"_s,
                      {},
                      {},
                      u"120 enqueued, 1 parked"_s,
                      u"Relay stopped (process 7): SIGTERM"_s,
                      start},
                     {u"r1"_s,
                      u"ben@laptop"_s,
                      u"outboxctl"_s,
                      u"relay"_s,
                      {},
                      {},
                      {},
                      u"Relay started (process 7)"_s,
                      start.addSecs(-60)}};
        const QList<Activity> told = joined({}, page, me, target);
        QCOMPARE(told.size(), 2);
        QCOMPARE(activityTitle(told.first()), u"Relay stopped (process 7): SIGTERM"_s);
        QCOMPARE(outcomeSentence(told.first()), u"120 enqueued, 1 parked"_s);
        QVERIFY(told.first().error.isEmpty());
        QCOMPARE(told.last().state, Activity::State::Noted);
        QVERIFY(told.last().mismatch.isEmpty());
    }

    void aFilterTellsTheRecordsApart()
    {
        const World world = worldOf(5, 40);
        const QList<Activity> told = joined(world.here, world.page, me, target);
        qsizetype sum = 0;
        for (const Record record : allActivityRecords()) {
            const auto filter = activityChecksOf(u"record:"_s + word(record), start);
            QVERIFY_RESULT(filter);
            const auto count = std::count_if(told.begin(), told.end(), [&](const Activity &one) {
                return matches(*filter, one);
            });
            QCOMPARE(count, std::count_if(told.begin(), told.end(), [record](const Activity &one) {
                         return one.record == record;
                     }));
            QVERIFY(count > 0);
            sum += count;
        }
        QCOMPARE(sum, told.size());
    }

    void anUnlockIsToldInWords()
    {
        AuditEntry unlock;
        unlock.kind = AuditEntry::Kind::Unlock;
        unlock.at = start;
        unlock.face = u"outboxdeck"_s;
        AuditEntry lock = unlock;
        lock.kind = AuditEntry::Kind::Lock;
        lock.what = u"its time was over"_s;
        AuditEntry headless = unlock;
        headless.face = u"outboxctl"_s;
        headless.what = u"INC-1"_s;
        const QList<Activity> told = activitiesOf({unlock, lock, headless});
        QCOMPARE(activityTitle(told.at(2)), u"Writing unlocked for 15 minutes"_s);
        QCOMPARE(activityTitle(told.at(1)), u"Writing locked: its time was over"_s);
        QCOMPARE(activityTitle(told.at(0)), u"Writing unlocked for one operation: INC-1"_s);
    }

    void aChangedProfileSaysWhatChangedAndNoPassword()
    {
        Profile before;
        before.name = u"shop"_s;
        before.databaseUrl = u"postgresql://ana@pg/shop"_s;
        Profile after = before;
        after.table = u"app.outbox"_s;
        after.databaseUrl = u"postgresql://ana:geheim@pg/shop2?password=geheim2"_s;
        after.shape = OutboxShape();
        after.shape->keyColumn = u"id"_s;
        const QString said = profileChange(before, after);
        for (const QString &text : {u"outbox -> app.outbox"_s, u"shop2"_s, u"shape."_s})
            QVERIFY2(said.contains(text), qPrintable(said));
        QVERIFY2(!said.contains(u"geheim"_s), qPrintable(said));
        QVERIFY(!said.contains(u"\"shop\""_s));
        QCOMPARE(profileChange(before, std::nullopt), u"Profile removed"_s);
        QVERIFY(profileChange(std::nullopt, before).startsWith(u"Profile added: "_s));
    }
};

} // namespace tst_auditjoin

OUTBOX_TEST(tst_auditjoin::TestAuditJoin)
#include "tst_auditjoin.moc"
