// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wrong with an id, told from its facts alone.
#include "connectors/asynq/observe/taskfacts.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_taskfacts {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

namespace {

std::optional<FindingKind> diagnosed(const TaskFacts &facts, bool hasLeases = true)
{
    return diagnose(facts, 10'000, 120, hasLeases);
}

TaskFacts sound(TaskState state)
{
    TaskFacts facts;
    facts.id = "a";
    facts.keyType = "hash";
    facts.messageBytes = 275;
    facts.digest = "0123456789abcdef";
    facts.state = word(state).toLatin1();
    facts.places = {Place{state, {}, {}}};
    if (state == TaskState::Active)
        facts.lease = "10030";
    else if (state == TaskState::Aggregating)
        facts.places = {Place{state, "9990", "asynq:{q}:g:mail"}};
    else if (state != TaskState::Pending)
        facts.places = {Place{state, "10100", {}}};
    return facts;
}

TaskFacts with(TaskFacts facts, const std::function<void(TaskFacts &)> &change)
{
    change(facts);
    return facts;
}

} // namespace

class TestTaskFacts : public QObject
{
    Q_OBJECT

private slots:
    void soundTasksHaveNoFinding_data()
    {
        QTest::addColumn<TaskState>("state");
        for (const TaskState state : soundTaskStates())
            QTest::addRow("%s", qPrintable(word(state))) << state;
    }
    void soundTasksHaveNoFinding()
    {
        QFETCH(TaskState, state);
        QCOMPARE(diagnosed(sound(state)), std::nullopt);
    }

    void nothingIsNoFinding() { QCOMPARE(diagnosed({}), std::nullopt); }

    void everyDamageHasItsKind_data()
    {
        QTest::addColumn<TaskFacts>("facts");
        QTest::addColumn<FindingKind>("expected");
        QTest::addColumn<bool>("watched");
        const auto row
            = [](const char *name, const TaskFacts &facts, FindingKind kind, bool watched = false) {
                  QTest::newRow(name) << facts << kind << watched;
              };
        using enum TaskState;
        const auto stub = [](TaskFacts &facts) { facts.messageBytes = 0; };
        const auto noHash = [](TaskFacts &facts) {
            facts.keyType = "none";
            facts.messageBytes = 0;
        };
        const auto nowhere = [](TaskFacts &facts) { facts.places.clear(); };
        row("stub, pending", with(sound(Pending), stub), FindingKind::StubHash);
        row("stub, active with a lease", with(sound(Active), stub), FindingKind::StubHash);
        row("member of pending", with(sound(Pending), noHash), FindingKind::MemberWithoutHash);
        row("member of retry", with(sound(Retry), noHash), FindingKind::MemberWithoutHash);
        row("member of a group", with(sound(Aggregating), noHash), FindingKind::MemberWithoutHash);
        row("no lease", with(sound(Active), [](TaskFacts &f) { f.lease = {}; }),
            FindingKind::ActiveWithoutLease, true);
        row("lease of a pending task", with(sound(Pending), [](TaskFacts &f) { f.lease = "1"; }),
            FindingKind::LeaseWithoutActive, true);
        row("lease of nothing", with({}, [](TaskFacts &f) { f.lease = "10030"; }),
            FindingKind::LeaseWithoutActive, true);
        row("state of another list", with(sound(Retry), [](TaskFacts &f) { f.state = "active"; }),
            FindingKind::StateDiffers);
        row("no state", with(sound(Pending), [](TaskFacts &f) { f.state = {}; }),
            FindingKind::StateDiffers);
        row("two lists",
            with(sound(Retry),
                 [](TaskFacts &f) {
                     f.places += Place{Completed, "10100", {}};
                 }),
            FindingKind::TwoContainers);
        row("active and completed, its lease over",
            with(sound(Active),
                 [](TaskFacts &f) {
                     f.places += Place{Completed, "10100", {}};
                     f.lease = "9999";
                 }),
            FindingKind::TwoContainers);
        row("orphan", with(sound(Pending), nowhere), FindingKind::OrphanHash);
        row("orphan of a failed completion",
            with(sound(Active),
                 [](TaskFacts &f) {
                     f.places.clear();
                     f.lease = {};
                 }),
            FindingKind::OrphanHash);
        row("trimmed", with(sound(Archived), nowhere), FindingKind::TrimmedOrphan);
        row("a list as its key", with({}, [](TaskFacts &f) { f.keyType = "list"; }),
            FindingKind::WrongType);
        row("undecodable", with(sound(Active), [](TaskFacts &f) { f.decodable = false; }),
            FindingKind::Undecodable);
        row("lease long over", with(sound(Active), [](TaskFacts &f) { f.lease = "9880"; }),
            FindingKind::LeaseNobodyRecovers);
        row("completed, long over",
            with(sound(Completed), [](TaskFacts &f) { f.places[0].score = "9880"; }),
            FindingKind::ExpiredNotPurged);
    }
    void everyDamageHasItsKind()
    {
        QFETCH(TaskFacts, facts);
        QFETCH(FindingKind, expected);
        QFETCH(bool, watched);
        QCOMPARE(diagnosed(facts), std::optional(expected));
        QCOMPARE(isWatched(expected), watched);
        QVERIFY(!evidenceOf(facts).isEmpty());
    }

    void patienceIsKept()
    {
        TaskFacts active = sound(TaskState::Active);
        active.lease = "9881"; // 119 s ago
        QCOMPARE(diagnosed(active), std::nullopt);
        TaskFacts completed = sound(TaskState::Completed);
        completed.places[0].score = "9881";
        QCOMPARE(diagnosed(completed), std::nullopt);
    }

    void whatAWorkerIsAtIsLeftAlone()
    {
        TaskFacts facts = sound(TaskState::Active);
        facts.places += Place{TaskState::Completed, "10100", {}};
        QCOMPARE(diagnosed(facts), std::nullopt);
    }

    void workersWithoutLeasesAreKnown()
    {
        TaskFacts facts = sound(TaskState::Active);
        facts.lease = {};
        QCOMPARE(diagnosed(facts, false), std::nullopt);
    }

    void aScoreThatIsNoNumberIsNotDue()
    {
        TaskFacts facts = sound(TaskState::Completed);
        facts.places[0].score = "-inf";
        QCOMPARE(diagnosed(facts), std::nullopt);
    }

    void signaturesTellEveryFactApart()
    {
        using enum TaskState;
        QCOMPARE(signatureOf(sound(Retry)),
                 "key=hash msg=275:0123456789abcdef state=retry in=retry@10100 lease=-");
        QCOMPARE(signatureOf(sound(Active)),
                 "key=hash msg=275:0123456789abcdef state=active in=active lease=10030");
        QCOMPARE(signatureOf(sound(Aggregating)),
                 "key=hash msg=275:0123456789abcdef state=aggregating in=group@9990 lease=- "
                 "group=asynq:{q}:g:mail");
        QCOMPARE(groupKeyIn(signatureOf(sound(Aggregating))), "asynq:{q}:g:mail");
        QVERIFY(groupKeyIn(signatureOf(sound(Retry))).isEmpty());
        QCOMPARE(messageIn(signatureOf(sound(Retry))), "275:0123456789abcdef");
        QCOMPARE(messageIn(signatureOfNothing()), messageText({}));
        QCOMPARE(messageText("abc"), "3:a9993e364706816a"); // SHA-1 of "abc"
        QCOMPARE(signatureOfNothing(), "key=none msg=0 state= in=- lease=-");
    }

    void whatWasSeenNamesTheDamage()
    {
        TaskFacts facts = sound(TaskState::Retry);
        QCOMPARE(seenOf(facts).state, TaskState::Retry);
        QCOMPARE(seenOf(facts).stamp, "10100");
        facts.places.clear();
        QCOMPARE(seenOf(facts).state, TaskState::Orphan);
        facts.messageBytes = 0;
        QCOMPARE(seenOf(facts).state, TaskState::Stub);
        QCOMPARE(seenOf(facts).payloadBytes, -1);
        facts.keyType = "set";
        QCOMPARE(seenOf(facts).state, TaskState::WrongType);
        QCOMPARE(seenOf({}).state, TaskState::None);
    }
};

} // namespace tst_taskfacts

OUTBOX_TEST(tst_taskfacts::TestTaskFacts)
#include "tst_taskfacts.moc"
