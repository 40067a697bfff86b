// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reconciler on a real PostgreSQL and Redis: every kind of inconsistency among 10,000 sound
// messages, with a relay and a worker at work; nothing else is reported, and repairs lose nothing
// and run nothing twice.
#include "app/operations/reconcile/reconcile.h"
#include "app/operations/reconcile/reconciler.h"
#include "app/operations/transfer/exportfile.h"
#include "connectors/room.h"
#include "tests/support/findingtally.h"
#include "tests/support/patience.h"
#include "tests/support/queueserver.h"
#include "tests/support/reconcileworks.h"
#include "tests/support/resultmacros.h"
#include "tests/support/roomanswer.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

namespace tst_reconcile {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int healthy = 10'000;
constexpr int perKind = 100;
constexpr int patienceMs = 2'000;
constexpr int claimSeconds = 5;
const QList<QueueName> ownQueue{{QStringLiteral("default")}};
constexpr int slowSeconds = 3; ///< of the database's clock: more than K31 allows

/// All queues that rows name, unless only "default" is of interest.
ScanOptions testTerms(const QList<QueueName> &queues = {})
{
    ScanOptions terms;
    terms.queues = queues;
    terms.pauseMs = 0;
    terms.budgetMs = 0;
    terms.secondLookMs = 300;
    terms.leasePatienceMs = patienceMs;
    terms.waitsForLeases = true;
    terms.claimSeconds = claimSeconds;
    // What waits while this looks and repairs is not overdue, however slow the program is built.
    terms.overdueSeconds = patient(120'000) / 1000;
    return terms;
}

} // namespace

class TestReconcile : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    QTemporaryDir m_state;
    std::unique_ptr<ReconcileWorld> m_world;
    std::unique_ptr<ReconcileWorks> m_works;
    std::unique_ptr<Room<OperatorSession>> m_fixture;
    FindingTally m_tally;
    FindingNames m_seededBeside;
    QList<Finding> m_watched;
    std::optional<RedisMark> m_redisMark; ///< of the look before, as the desktop hands it on
    QSet<QString> m_exported;

    static QList<Finding> only(QList<Finding> findings, const QList<FindingKind> &kinds)
    {
        findings.removeIf([&](const Finding &finding) { return !kinds.contains(finding.kind); });
        return findings;
    }

    int waitingRows() { return static_cast<int>(m_world->fixture().unprocessed()); }

    Result<void> openSession(const OperatorSessionSettings &settings)
    {
        return answerOf(m_fixture->run(
            [settings](OperatorSession &session) { return session.open(settings); }));
    }

    Result<ScanReport> look(ScanOptions terms)
    {
        terms.redisBefore = m_redisMark;
        auto report = answerOf(m_fixture->run(
            [terms](OperatorSession &session) { return reconciled(session, terms); }));
        if (report)
            m_redisMark = report->redis;
        return report;
    }

    /// Plans all repairs and carries them out; answers how many were done, -1 after an error.
    qsizetype repairAll(ScanOptions terms)
    {
        terms.watched = m_watched;
        const auto plan = answerOf(m_fixture->run(
            [terms](OperatorSession &session) { return Reconcile(terms).plan(session, {}); }));
        if (!plan) {
            qWarning() << oneLine(plan.error());
            return -1;
        }
        if (plan->acting() == 0)
            return 0;
        Consent consent;
        consent.secondExecution = true;
        consent.typed = textToType(*plan);
        const Plan &frozen = *plan;
        const auto receipt
            = answerOf(m_fixture->run([terms, frozen, consent](OperatorSession &session) {
                  return Reconcile(terms).carryOut(session, frozen, consent, {});
              }));
        if (!receipt || receipt->error) {
            qWarning() << oneLine(receipt ? *receipt->error : receipt.error());
            return -1;
        }
        for (qsizetype i = 0; i < frozen.items.size(); ++i) {
            const ReceiptItem &item = receipt->items.at(i);
            if (item.outcome == Outcome::Done)
                m_tally.addRepaired(*frozen.items.at(i).kind);
            else if (frozen.items.at(i).isActedOn())
                qWarning() << word(frozen.items.at(i).kind) << item.task.text << item.row.text
                           << label(item.outcome) << item.reason;
        }
        return receipt->count(Outcome::Done);
    }

    /// Its message is in the queue, or was exported before it was removed.
    bool isKept(const QString &task)
    {
        const QByteArray key = "asynq:{default}:t:" + task.toUtf8();
        const auto message
            = m_world->fixture().plainRedis().command({"HSTRLEN", key, "msg"}, u"looking"_s);
        if (message && message->integer > 0)
            return true;
        if (m_exported.isEmpty()) {
            const QDir folder(m_state.filePath(u"exports"_s));
            for (const QString &name : folder.entryList(QDir::Files)) {
                auto file = ExportReader::open(folder.filePath(name));
                if (!file)
                    qWarning() << oneLine(file.error());
                for (bool more = file.has_value(); more;) {
                    const auto item = file->next();
                    if (!item)
                        qWarning() << oneLine(item.error());
                    more = item && *item;
                    if (more && std::holds_alternative<StoredTask>(**item))
                        m_exported += std::get<StoredTask>(**item).id.text;
                }
            }
        }
        return m_exported.contains(task);
    }

    void seedBeside()
    {
        m_world = std::make_unique<ReconcileWorld>(m_postgres, m_redis);
        QVERIFY(m_world->setUp(healthy));
        using enum FindingKind;
        const QList<FindingKind> cases{DeadClaim,          StubHash,           MemberWithoutHash,
                                       ActiveWithoutLease, LeaseWithoutActive, StateDiffers,
                                       TwoContainers,      OrphanHash,         ProcessedWithoutTask,
                                       OtherMessage,       DeadWithRow,        WrongType,
                                       TrimmedOrphan,      Undecodable,        LeaseNobodyRecovers,
                                       ExpiredNotPurged,   LockWithoutTask,    PoisonRow,
                                       EffectDisagrees,    TaskWithoutRow,     QueueNotListed,
                                       ServedByNobody};
        for (const FindingKind kind : cases)
            QVERIFY2(m_world->seed(kind, perKind), qPrintable(word(kind)));
        for (const FindingKind condition : {ShortRetention, ArchiveTooLarge})
            QVERIFY2(m_world->seed(condition, 1), qPrintable(word(condition)));
        QVERIFY(m_world->addQueues(perKind / 10));
        QVERIFY(m_world->setDatabaseClock(0));

        m_fixture = std::make_unique<Room<OperatorSession>>(u"operator"_s);
        QVERIFY_RESULT(openSession(m_world->settings(m_state.path())));
        m_works = std::make_unique<ReconcileWorks>(*m_world, m_state.path());
        m_works->start(m_world->served());
        m_works->write(true);
        QTRY_VERIFY_WITH_TIMEOUT(m_works->ran().size() > 100, 30'000); // they are at work
        QTRY_VERIFY_WITH_TIMEOUT(m_world->heldSeconds() > claimSeconds + slowSeconds + 1, 30'000);
    }

    void findAllAtOnce()
    {
        const auto report = look(testTerms());
        QVERIFY_RESULT(report);
        qInfo("look: %lld rows, %lld tasks, %lld keys in %.1f s",
              static_cast<long long>(report->rows), static_cast<long long>(report->tasks),
              static_cast<long long>(report->keys), report->tookMs / 1000);
        QVERIFY2(report->complete, qPrintable(report->notes.join(u'\n')));
        QVERIFY(m_tally.compare(report->findings, m_world->expected()));
        m_watched = report->watched;
    }

    /// Stopped again and again, it finds the same. Meanwhile the database's clock is slow.
    void findAllInPieces()
    {
        QVERIFY(m_world->setDatabaseClock(-slowSeconds));
        FindingNames expected = m_world->expected();
        expected[FindingKind::ClockSkew] = {u"clocks"_s};
        ScanOptions pieces = testTerms();
        pieces.budgetMs = patient(700);
        int parts = 0;
        do {
            const auto part = look(pieces);
            QVERIFY_RESULT(part);
            pieces.resume = *part;
            QVERIFY(++parts < 200);
        } while (!pieces.resume->complete);
        QVERIFY(parts > 2);
        QVERIFY(m_tally.compare(pieces.resume->findings, expected));
        QVERIFY(m_world->setDatabaseClock(0));
    }

    /// With relay and worker still at work. Ending a session is left to people, and starting a
    /// worker.
    void repairBeside()
    {
        QVERIFY(repairAll(testTerms()) > 0);
        m_works->write(false);
        QVERIFY(m_world->letGo());
        // Asked once: the rows that were let go may fill the list again behind an answer.
        QVERIFY(QTest::qWaitFor([this] { return m_world->fixture().pendingIds().isEmpty(); },
                                patient(60'000)));
        m_works->stop();
        QVERIFY(m_works->isSound());
        // A lease that is over is repaired only when no worker is about.
        QVERIFY(repairAll(testTerms(ownQueue)) > 0);
        m_seededBeside = m_world->expected();
        m_world->forgetExpected();
    }

    /// Leases of relays that died, in the rows.
    void repairLeases()
    {
        QVERIFY(m_world->seedAtRest(FindingKind::DeadClaim, perKind));
        OperatorSessionSettings settings = m_world->settings(m_state.path());
        settings.shape.use = OutboxShape::Use::Watch;
        settings.shape.lockedHow = OutboxShape::LockedHow::Until;
        settings.shape.leaseColumn = u"locked_until"_s;
        settings.shape.ownerColumn = u"locked_by"_s;
        QVERIFY_RESULT(openSession(settings));
        ScanOptions terms = testTerms(ownQueue);
        terms.scansQueue = false;
        terms.scansRows = false;
        const auto report = look(terms);
        QVERIFY_RESULT(report);
        QVERIFY(
            m_tally.compare(only(report->findings, {FindingKind::DeadClaim}), m_world->expected()));
        QCOMPARE(repairAll(terms), perKind);
        QVERIFY_RESULT(openSession(m_world->settings(m_state.path())));
        m_world->forgetExpected();
    }

    /// What a relay heals or a worker takes up is seen when both are gone.
    void repairAtRest()
    {
        using enum FindingKind;
        for (const FindingKind kind :
             {MemberWithoutHash, TwoContainers, PendingWithTask, OverdueRow})
            QVERIFY2(m_world->seedAtRest(kind, perKind), qPrintable(word(kind)));
        const auto atRest = look(testTerms(ownQueue));
        QVERIFY_RESULT(atRest);
        const FindingNames &expected = m_world->expected();
        QVERIFY(m_tally.compare(only(atRest->findings, expected.keys()), expected));
        while (const qsizetype done = repairAll(testTerms(ownQueue)))
            QVERIFY(done > 0);
    }

    /// A worker for the queues that had none comes too.
    void runAll()
    {
        m_works->start(m_world->served() + m_world->unserved());
        QTRY_COMPARE_WITH_TIMEOUT(waitingRows(), perKind * 2, 60'000); // K10 and K25 stay
        QTRY_VERIFY_WITH_TIMEOUT(m_world->fixture().pendingIds().isEmpty(), 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(m_works->toRun(), QStringList(), 60'000);

        // Nothing that could be repaired is left, and no queue without a worker.
        const auto last = look(testTerms());
        QVERIFY_RESULT(last);
        for (const Finding &finding : last->findings) {
            QVERIFY2(!finding.isRepairable() && finding.kind != FindingKind::ServedByNobody
                         && finding.kind != FindingKind::DeadClaim
                         && finding.kind != FindingKind::ClockSkew,
                     qPrintable(word(finding.kind) + finding.evidence));
        }
        m_works->stop();
        QVERIFY(m_works->isSound());
    }

    void countEffects()
    {
        const QHash<QString, int> ran = m_works->ran();
        const qsizetype lost = m_works->toRun().size();
        const auto twice = std::count_if(ran.begin(), ran.end(), [](int runs) { return runs > 1; });
        qInfo("effects: %lld to come, %lld ran, %lld lost, %lld ran twice",
              static_cast<long long>(m_world->toRun().size()), static_cast<long long>(ran.size()),
              static_cast<long long>(lost), static_cast<long long>(twice));
        QCOMPARE(lost, 0);
        QCOMPARE(twice, 0);
        QCOMPARE(ran.size(), m_world->toRun().size());

        // What did not run is still in the queue, or in an export.
        using enum FindingKind;
        for (const FindingKind kind :
             {ActiveWithoutLease, LeaseWithoutActive, StateDiffers, TwoContainers, OrphanHash,
              TrimmedOrphan, Undecodable, LeaseNobodyRecovers, ExpiredNotPurged}) {
            for (const QString &task : m_seededBeside.value(kind))
                QVERIFY2(ran.contains(task) || isKept(task), qPrintable(word(kind) + u' ' + task));
        }
    }

    /// The last of all, since nothing is left of the queue: Redis dies and comes back empty; the
    /// relay says so, and then it and the worker go on.
    void loseRedis()
    {
        const QVariant before = m_world->fixture().scalar(u"select now()::text"_s);
        m_redis.kill();
        QVERIFY_RESULT(QueueStart{m_redis}.start());
        QVERIFY(m_world->writeRows(perKind));
        m_works->start(m_world->served() + m_world->unserved());
        QTRY_VERIFY(m_works->hasRelayFailed()); // it says what was lost, and goes on when told to
        m_works->stop();
        m_works->start(m_world->served() + m_world->unserved());
        QTRY_COMPARE_WITH_TIMEOUT(m_works->toRun(), QStringList(), 60'000);
        const auto report = look(testTerms());
        QVERIFY_RESULT(report);
        QVERIFY(m_tally.compare(only(report->findings, {FindingKind::RedisLostData}),
                                {{FindingKind::RedisLostData, {report->redis->first}}}));
        // Every row whose effect is not known to have happened is a case of K8 now.
        const QString unknown = u"select count(*) from outbox o left join mail_status m using (id) "
                                "where o.completed_at between now() - interval '1 day' and '%1' "
                                "and m.status is distinct from 'sent'"_s.arg(before.toString());
        const qlonglong rows = m_world->fixture().scalar(unknown).toLongLong();
        QVERIFY(rows > healthy / 2);
        QCOMPARE(report->counts().value(FindingKind::ProcessedWithoutTask), rows);
        QStringList kinds;
        for (const FindingKind kind : report->counts().keys())
            kinds += word(kind);
        QCOMPARE(kinds.join(u' '), u"K8 K25 K30"_s);
        m_works->stop();
        QVERIFY(m_works->isSound());
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(QueueStart{m_redis});
    }

    void everyKindIsFoundAndRepairedBesideARelayAndAWorker()
    {
        for (const auto step :
             {&TestReconcile::seedBeside, &TestReconcile::findAllAtOnce,
              &TestReconcile::findAllInPieces, &TestReconcile::repairBeside,
              &TestReconcile::repairLeases, &TestReconcile::repairAtRest, &TestReconcile::runAll,
              &TestReconcile::countEffects, &TestReconcile::loseRedis}) {
            (this->*step)();
            if (QTest::currentTestFailed())
                break;
        }
        m_tally.print();
    }

    void cleanupTestCase()
    {
        m_works.reset();
        m_fixture.reset();
        m_world.reset();
    }
};

} // namespace tst_reconcile

OUTBOX_TEST(tst_reconcile::TestReconcile)
#include "tst_reconcile.moc"
