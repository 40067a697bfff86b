// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reconciler on a real PostgreSQL and Redis: every kind of inconsistency among 10,000 sound
// messages, with a relay and a worker at work; nothing else is reported, and repairs lose nothing
// and run nothing twice.
#include "app/operations/exportfile.h"
#include "app/operations/reconcile.h"
#include "app/operations/reconciler.h"
#include "app/relay/relaydriver.h"
#include "connectors/answer.h"
#include "connectors/room.h"
#include "tests/support/queuedamage.h"
#include "tests/support/reconcileworld.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int healthy = 10'000;
constexpr int perKind = 100;
constexpr int patienceMs = 2'000;

/// Waits for a room's answer, with the event loop running.
template <typename T> T answerOf(QFuture<T> future)
{
    if (!QTest::qWaitFor([&] { return future.isFinished(); }, 120'000))
        qFatal("a room did not answer");
    return future.result();
}

LookTerms testTerms()
{
    LookTerms terms;
    terms.budgetMs = 0;
    terms.secondLookMs = 300;
    terms.leasePatienceMs = patienceMs;
    terms.waitsForLeases = true;
    terms.claimSeconds = 5;
    return terms;
}

/// A relay and a worker at work in rooms of their own, and an application that writes rows.
class Works : public QObject
{
public:
    explicit Works(ReconcileWorld &world) : m_world(world)
    {
        QObject::connect(&m_turns, &QTimer::timeout, this, [this] { step(); });
        QObject::connect(&m_writes, &QTimer::timeout, this,
                         [this] { m_isSound = m_isSound && m_world.writeRows(5); });
    }

    void start()
    {
        const RedisEndpoint redis = m_world.bench().redis();
        m_isSound = answerOf(m_room.run([redis](CountingWorker &worker) {
                        return worker.open(redis);
                    })).has_value();
        m_relay = std::make_unique<RelayDriver>();
        RelaySettings settings;
        settings.pollMs = 50;
        m_relay->start(m_world.bench().settings(StoreAccess::Relay), m_world.shape(), redis,
                       settings);
        m_turns.start(10);
    }
    void write(bool on) { on ? m_writes.start(100) : m_writes.stop(); }
    void stop()
    {
        m_turns.stop();
        m_relay->stop();
        if (!QTest::qWaitFor([this] { return m_relay->state() == RelayState::Stopped; }, 10'000))
            qFatal("the relay did not stop");
        const auto left
            = answerOf(m_room.run([](CountingWorker &worker) { return worker.leave(); }));
        m_isSound = m_isSound && left.has_value();
    }
    [[nodiscard]] QHash<QString, int> ran()
    {
        return answerOf(m_room.run([](CountingWorker &worker) { return worker.ran; }));
    }
    [[nodiscard]] bool isSound() const { return m_isSound; }

private:
    void step()
    {
        if (m_isBusy)
            return;
        m_isBusy = true;
        answerTo(this, m_room.run([](CountingWorker &worker) { return worker.step(); }),
                 [this](const Result<int> &ended) {
                     m_isBusy = false;
                     m_isSound = m_isSound && ended.has_value();
                 });
    }

    ReconcileWorld &m_world;
    Room<CountingWorker> m_room{u"worker"_s};
    std::unique_ptr<RelayDriver> m_relay;
    QTimer m_turns;
    QTimer m_writes;
    bool m_isBusy = false;
    bool m_isSound = true;
};

struct Tally
{
    qsizetype seeded = 0;
    qsizetype found = 0;
    qsizetype wrong = 0;
    qsizetype repaired = 0;
    QString offered;
};

} // namespace

class TestReconcile : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    QTemporaryDir m_state;
    std::unique_ptr<Room<Workbench>> m_bench;
    QMap<FindingKind, Tally> m_tallies;

    QList<WatchedTask> m_watched;
    QSet<QString> m_exported;

    using Names = QMap<FindingKind, QSet<QString>>;

    static QList<Finding> only(QList<Finding> findings, const QList<FindingKind> &kinds)
    {
        findings.removeIf([&](const Finding &finding) { return !kinds.contains(finding.kind); });
        return findings;
    }

    static int waitingRows(ReconcileWorld &world)
    {
        return static_cast<int>(world.bench().unprocessed());
    }

    static Names namesOf(const QList<Finding> &findings)
    {
        Names names;
        for (const Finding &finding : findings)
            names[finding.kind] += ReconcileWorld::nameOf(finding);
        return names;
    }

    Result<LookReport> look(const LookTerms &terms)
    {
        return answerOf(
            m_bench->run([terms](Workbench &bench) { return Reconciler::look(bench, terms); }));
    }

    /// Counts what was found against what was seeded; prints the first differences.
    bool compare(const QList<Finding> &findings, const Names &expected)
    {
        bool isSame = true;
        Names found = namesOf(findings);
        for (const FindingKind kind : allFindingKinds()) {
            const QSet<QString> missed = expected.value(kind) - found.value(kind);
            const QSet<QString> wrong = found.value(kind) - expected.value(kind);
            if (!missed.isEmpty() || !wrong.isEmpty()) {
                qWarning() << word(kind) << "missed" << missed.size() << missed.values().mid(0, 3)
                           << "wrong" << wrong.size() << wrong.values().mid(0, 3);
                isSame = false;
            }
            if (expected.contains(kind) || found.contains(kind)) {
                Tally &tally = m_tallies[kind];
                tally.seeded = std::max(tally.seeded, expected.value(kind).size());
                tally.found = std::max(tally.found, expected.value(kind).size() - missed.size());
                tally.wrong += wrong.size();
            }
        }
        return isSame;
    }

    /// Plans all repairs and carries them out; answers how many were done, -1 after an error.
    qsizetype repairAll()
    {
        LookTerms terms = testTerms();
        terms.watched = m_watched;
        const auto plan = answerOf(
            m_bench->run([terms](Workbench &bench) { return Reconcile(terms).plan(bench, {}); }));
        if (!plan) {
            qWarning() << oneLine(plan.error());
            return -1;
        }
        if (plan->acting() == 0)
            return 0;
        Consent consent;
        consent.secondExecution = true;
        consent.typed = textToType(*plan);
        const Plan frozen = *plan;
        const auto receipt = answerOf(m_bench->run([terms, frozen, consent](Workbench &bench) {
            return Reconcile(terms).carryOut(bench, frozen, consent, {});
        }));
        if (!receipt || receipt->error) {
            qWarning() << oneLine(receipt ? *receipt->error : receipt.error());
            return -1;
        }
        for (qsizetype i = 0; i < frozen.items.size(); ++i) {
            const ReceiptItem &item = receipt->items.at(i);
            const auto kind = findingKindFromWord(frozen.items.at(i).kind);
            if (item.outcome == Outcome::Done)
                ++m_tallies[*kind].repaired;
            else if (frozen.items.at(i).isActedOn())
                qWarning() << frozen.items.at(i).kind << item.task.text << item.row.text
                           << label(item.outcome) << item.reason;
        }
        return receipt->count(Outcome::Done);
    }

    /// Its message is in the queue, or was exported before it was removed.
    bool isKept(ReconcileWorld &world, const QString &task)
    {
        const QByteArray key = "asynq:{default}:t:" + task.toUtf8();
        const auto message
            = world.bench().plainRedis().command({"HSTRLEN", key, "msg"}, u"looking"_s);
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

    void printTable()
    {
        qInfo("kind  seeded  found  false  repaired  title");
        for (auto tally = m_tallies.cbegin(); tally != m_tallies.cend(); ++tally) {
            qInfo("%-4s  %6lld  %5lld  %5lld  %8lld  %s", qPrintable(word(tally.key())),
                  static_cast<long long>(tally->seeded), static_cast<long long>(tally->found),
                  static_cast<long long>(tally->wrong), static_cast<long long>(tally->repaired),
                  qPrintable(textOf(tally.key()).title));
        }
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void cleanup() { m_bench.reset(); }

    void everyKindIsFoundAndMendedBesideARelayAndAWorker()
    {
        ReconcileWorld world(m_postgres, m_redis);
        QVERIFY(world.setUp(healthy));
        using enum FindingKind;
        const QList<FindingKind> besideThem{
            StubHash,        MemberWithoutHash, ActiveWithoutLease,  LeaseWithoutActive,
            StateDiffers,    TwoContainers,     OrphanHash,          ProcessedWithoutTask,
            OtherMessage,    DeadWithRow,       ShortRetention,      WrongType,
            TrimmedOrphan,   Undecodable,       LeaseNobodyRecovers, ExpiredNotPurged,
            LockWithoutTask, PoisonRow,         EffectDisagrees,     TaskWithoutRow};
        for (const FindingKind kind : besideThem)
            QVERIFY2(world.seed(kind, perKind), qPrintable(word(kind)));

        m_bench = std::make_unique<Room<Workbench>>(u"operator"_s);
        const WorkbenchSettings settings = world.settings(m_state.path());
        QVERIFY_RESULT(
            answerOf(m_bench->run([settings](Workbench &bench) { return bench.open(settings); })));
        Works works(world);
        works.start();
        works.write(true);
        QTRY_VERIFY_WITH_TIMEOUT(works.ran().size() > 100, 30'000); // they are at work

        const auto first = look(testTerms());
        QVERIFY_RESULT(first);
        qInfo("look: %lld rows, %lld tasks, %lld keys in %.1f s",
              static_cast<long long>(first->rows), static_cast<long long>(first->tasks),
              static_cast<long long>(first->keys), first->tookMs / 1000);
        QVERIFY2(first->complete, qPrintable(first->notes.join(u'\n')));
        QVERIFY(compare(first->findings, world.expected()));

        // Stopped again and again, it finds the same.
        LookTerms pieces = testTerms();
        pieces.budgetMs = 700;
        int parts = 0;
        do {
            const auto part = look(pieces);
            QVERIFY_RESULT(part);
            pieces.resume = *part;
            QVERIFY(++parts < 200);
        } while (!pieces.resume->complete);
        QVERIFY(parts > 2);
        QVERIFY(compare(pieces.resume->findings, world.expected()));

        // Repairs, with relay and worker still at work.
        m_watched = first->watched;
        QVERIFY(repairAll() > 0);
        works.write(false);
        QTRY_VERIFY_WITH_TIMEOUT(world.bench().pendingIds().isEmpty(), 60'000);
        works.stop();
        QVERIFY(works.isSound());

        // What a relay heals or a worker takes up is seen when both are gone; a lease that is over
        // is mended only then.
        QVERIFY(repairAll() > 0);
        const Names seededBeside = world.expected();
        world.forgetExpected();
        for (const FindingKind kind :
             {MemberWithoutHash, TwoContainers, PendingWithTask, OverdueRow})
            QVERIFY2(world.seedAtRest(kind, perKind), qPrintable(word(kind)));
        const auto atRest = look(testTerms());
        QVERIFY_RESULT(atRest);
        QVERIFY(compare(only(atRest->findings, world.expected().keys()), world.expected()));
        while (const qsizetype done = repairAll())
            QVERIFY(done > 0);

        works.start();
        QTRY_COMPARE_WITH_TIMEOUT(waitingRows(world), perKind * 2, 60'000); // K10 and K25 stay
        QTRY_VERIFY_WITH_TIMEOUT(world.bench().pendingIds().isEmpty(), 60'000);
        works.stop();
        QVERIFY(works.isSound());
        const QHash<QString, int> ran = works.ran();
        qsizetype lost = 0;
        for (const QString &task : world.toRun())
            lost += ran.value(task) == 0 ? 1 : 0;
        const auto twice = std::count_if(ran.begin(), ran.end(), [](int runs) { return runs > 1; });
        qInfo("effects: %lld to come, %lld ran, %lld lost, %lld ran twice",
              static_cast<long long>(world.toRun().size()), static_cast<long long>(ran.size()),
              static_cast<long long>(lost), static_cast<long long>(twice));
        QCOMPARE(lost, 0);
        QCOMPARE(twice, 0);
        QCOMPARE(ran.size(), world.toRun().size());

        // What did not run is still in the queue, or in an export.
        for (const FindingKind kind :
             {ActiveWithoutLease, LeaseWithoutActive, StateDiffers, TwoContainers, OrphanHash,
              TrimmedOrphan, Undecodable, LeaseNobodyRecovers, ExpiredNotPurged}) {
            for (const QString &task : seededBeside.value(kind))
                QVERIFY2(ran.contains(task) || isKept(world, task),
                         qPrintable(word(kind) + u' ' + task));
        }

        // Nothing that could be mended is left.
        const auto last = look(testTerms());
        QVERIFY_RESULT(last);
        for (const Finding &finding : last->findings)
            QVERIFY2(!finding.isRepairable(), qPrintable(word(finding.kind) + finding.evidence));
        printTable();
    }
};

QTEST_GUILESS_MAIN(TestReconcile)
#include "tst_reconcile.moc"
