// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reconciler's single cases on real servers: conditions, claims, what changed between plan and
// act, plans by id, and that looking needs no right to write.
#include "app/demo/demoworker.h"
#include "app/operations/reconcile/reconcile.h"
#include "app/operations/reconcile/reconciler.h"
#include "connectors/asynq/wire/keys.h"
#include "tests/support/patience.h"
#include "tests/support/queuedamage.h"
#include "tests/support/queueserver.h"
#include "tests/support/reconcileworld.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_reconcilecases {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int perKind = 100;

ScanOptions quickTerms()
{
    ScanOptions terms;
    terms.budgetMs = 0;
    terms.secondLookMs = 30;
    terms.leasePatienceMs = 1'000;
    return terms;
}

} // namespace

class TestReconcileCases : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    QTemporaryDir m_state;
    std::unique_ptr<ReconcileWorld> m_world;
    std::unique_ptr<OperatorSession> m_fixture;
    const asynq::QueueKeys m_keys{QueueName{u"default"_s}};

    RedisConnection &redis() { return m_world->fixture().plainRedis(); }

    qint64 integer(const RedisCommand &command)
    {
        const auto reply = redis().command(command, u"counting"_s);
        return reply ? reply->integer : -1;
    }

    QList<Finding> found(FindingKind kind, const ScanOptions &terms = quickTerms())
    {
        const auto report = reconciled(*m_fixture, terms);
        if (!report) {
            qWarning() << oneLine(report.error());
            return {};
        }
        QList<Finding> findings = report->findings;
        findings.removeIf([kind](const Finding &finding) { return finding.kind != kind; });
        return findings;
    }

    Result<Plan> planned(const Selection &selection)
    {
        return Reconcile(quickTerms()).plan(*m_fixture, selection);
    }

    Result<Receipt> carriedOut(const Plan &plan)
    {
        Consent consent;
        consent.secondExecution = true;
        consent.typed = textToType(plan);
        return Reconcile(quickTerms()).carryOut(*m_fixture, plan, consent, {});
    }

    /// Plans all of a kind and carries it out.
    Result<Receipt> repaired(FindingKind kind)
    {
        const auto plan = planned(allOf(kind));
        return plan ? carriedOut(*plan) : Result<Receipt>(passOn(plan));
    }

    static Selection allOf(FindingKind kind)
    {
        Selection selection;
        selection.meant = QList<FindingKind>{kind};
        return selection;
    }

    QString oneSeeded(FindingKind kind)
    {
        return m_world->expected().value(kind).values().value(0);
    }

    QString keyOf(const QString &task) { return task.section(u':', -1); }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(QueueStart{m_redis});
    }

    void init()
    {
        m_world = std::make_unique<ReconcileWorld>(m_postgres, m_redis);
        QVERIFY(m_world->setUp(100));
        m_fixture = std::make_unique<OperatorSession>();
        QVERIFY_RESULT(m_fixture->open(m_world->settings(m_state.path())));
    }

    void cleanup()
    {
        m_fixture.reset();
        m_world.reset();
    }

    void aSoundSystemAtRestIsServedByNobodyAndNothingElse()
    {
        const auto report = reconciled(*m_fixture, quickTerms());
        QVERIFY_RESULT(report);
        QVERIFY(report->complete);
        QCOMPARE(report->notes, QStringList());
        for (const Finding &finding : report->findings)
            QVERIFY2(finding.kind == FindingKind::ServedByNobody, qPrintable(finding.evidence));
        QCOMPARE(report->findings.size(), 1);
    }

    void queuesMissingFromTheListAreIntroduced()
    {
        ScanOptions terms = quickTerms();
        terms.queues = {{u"default"_s}};
        for (int number = 0; number < perKind; ++number) {
            const QByteArray name = "lost-" + QByteArray::number(number);
            const asynq::QueueKeys keys(QueueName{QString::fromUtf8(name)});
            QVERIFY_RESULT(redis().command({"SET", keys.paused(), "1"}, u"seeding"_s));
            terms.queues += QueueName{QString::fromUtf8(name)};
        }
        QCOMPARE(found(FindingKind::QueueNotListed, terms).size(), perKind);
        QCOMPARE(found(FindingKind::ServedByNobody, terms).size(), perKind + 1);
        const auto plan = Reconcile(terms).plan(*m_fixture, allOf(FindingKind::QueueNotListed));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), perKind);
        const auto receipt = carriedOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), perKind);
        QCOMPARE(found(FindingKind::QueueNotListed, terms).size(), 0);
        QCOMPARE(integer({"SCARD", asynq::allQueues}), perKind + 1);
    }

    void everyQueueIsLookedAtWithoutBeingNamed()
    {
        QVERIFY_RESULT(redis().command({"SADD", asynq::allQueues, "idle"}, u"seeding"_s));
        for (const QString &name : {u"unserved"_s, u"unlisted"_s}) {
            EnqueueRequest request = sampleRequest(u"of-"_s + name);
            request.queue = {name};
            QVERIFY(placeTask(redis(), request, TaskState::Pending));
        }
        QVERIFY_RESULT(redis().command({"SREM", asynq::allQueues, "unlisted"}, u"seeding"_s));
        const QList<Finding> missing = found(FindingKind::QueueNotListed);
        QCOMPARE(missing.size(), 1);
        QCOMPARE(missing.first().queue.text, u"unlisted"_s);
        QStringList unserved;
        for (const Finding &finding : found(FindingKind::ServedByNobody))
            unserved += finding.queue.text;
        unserved.sort();
        QCOMPARE(unserved, QStringList({u"default"_s, u"unlisted"_s, u"unserved"_s}));
    }

    void aFullArchiveIsToldBeforeTheAct()
    {
        QVERIFY(m_world->seed(FindingKind::OrphanHash, 20));
        const auto reattached = [](const Plan &plan, Outcome outcome) {
            return std::count_if(plan.items.begin(), plan.items.end(), [&](const PlanItem &item) {
                return item.expected == outcome && item.reason.contains(u"archive"_s);
            });
        };
        const auto before = planned(allOf(FindingKind::OrphanHash));
        QVERIFY_RESULT(before);
        const auto wanted = reattached(*before, Outcome::Done);
        QVERIFY(wanted > 2);

        const qint64 room = asynq::archiveLimit - integer({"ZCARD", m_keys.archived()});
        RedisCommand fill{"ZADD", m_keys.archived()};
        for (int number = 0; number < room - 1; ++number) {
            fill += {QByteArray::number(QDateTime::currentSecsSinceEpoch()),
                     "old-" + QByteArray::number(number)};
        }
        QVERIFY_RESULT(redis().command(fill, u"filling the archive"_s));
        const auto plan = planned(allOf(FindingKind::OrphanHash));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.size(), before->items.size());
        QCOMPARE(reattached(*plan, Outcome::Done), 1);
        QCOMPARE(reattached(*plan, Outcome::NotOffered), wanted - 1);
        const auto receipt = carriedOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Failed), 0);
    }

    void conditionsAreFoundOnce()
    {
        QVERIFY(m_world->seed(FindingKind::ShortRetention, 1));
        QList<RedisCommand> stale;
        for (int number = 0; number < 8'000; ++number)
            stale += {"ZADD", m_keys.archived(), "1000", "old-" + QByteArray::number(number)};
        QVERIFY_RESULT(redis().pipeline(stale));
        ScanOptions terms = quickTerms();
        terms.redisBefore = RedisMark{u"another process"_s, 50'000'000};
        const auto report = reconciled(*m_fixture, terms);
        QVERIFY_RESULT(report);
        const auto counts = report->counts();
        for (const FindingKind kind : {FindingKind::ShortRetention, FindingKind::ServedByNobody,
                                       FindingKind::ArchiveTooLarge, FindingKind::RedisLostData}) {
            QVERIFY2(counts.value(kind) == 1, qPrintable(word(kind)));
        }
        QVERIFY(!counts.contains(FindingKind::ClockSkew)); // one computer, one clock
    }

    void rowsHeldForTooLongNameTheirSession()
    {
        const QStringList before = m_world->fixture().insertedIds();
        QVERIFY(m_world->writeRows(perKind));
        const QStringList ids = m_world->fixture().insertedIds().mid(before.size());
        const auto url = DatabaseUrl::fromUrl(m_world->fixture().url());
        QVERIFY_RESULT(url);
        {
            QSqlDatabase holder = QSqlDatabase::addDatabase(u"QPSQL"_s, u"holder"_s);
            holder.setHostName(m_postgres.socketFolder());
            holder.setUserName(m_postgres.user());
            holder.setDatabaseName(url->database);
            QVERIFY(holder.open() && holder.transaction());
            QSqlQuery hold(holder);
            QVERIFY(hold.exec(u"select id from outbox where id between %1 and %2 for update"_s.arg(
                ids.first(), ids.last())));
            ScanOptions terms = quickTerms();
            terms.claimSeconds = 0;
            QTRY_COMPARE(found(FindingKind::DeadClaim, terms).size(), perKind);
            for (const Finding &finding : found(FindingKind::DeadClaim, terms)) {
                QVERIFY(finding.expected == Outcome::Claimed); // ending a session is not ours
                QVERIFY(ids.contains(finding.row.text));
            }
            terms.claimSeconds = 300;
            QCOMPARE(found(FindingKind::DeadClaim, terms).size(), 0);
            QVERIFY(holder.rollback());
        }
        QSqlDatabase::removeDatabase(u"holder"_s);
    }

    void leasesThatAreOverAreReleased()
    {
        TestOutbox &fixture = m_world->fixture();
        QVERIFY(
            fixture.exec(u"alter table outbox add locked_until timestamptz, add locked_by text"_s));
        const qsizetype before = fixture.insertedIds().size();
        QVERIFY(m_world->writeRows(perKind + 5));
        const QStringList ids = fixture.insertedIds().mid(before);
        QVERIFY(
            fixture.exec(u"update outbox set locked_by = 'relay-7', locked_until = now() "
                         "+ case when id < %2 then interval '-1 hour' else interval '1 hour' end "
                         "where id >= %1"_s.arg(ids.first(), ids.at(perKind))));
        OperatorSessionSettings settings = m_world->settings(m_state.path());
        settings.shape.use = OutboxShape::Use::Watch;
        settings.shape.lockedHow = OutboxShape::LockedHow::Until;
        settings.shape.leaseColumn = u"locked_until"_s;
        settings.shape.ownerColumn = u"locked_by"_s;
        QVERIFY_RESULT(m_fixture->open(settings));
        QCOMPARE(found(FindingKind::DeadClaim).size(), perKind);
        const auto receipt = repaired(FindingKind::DeadClaim);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), perKind);
        QCOMPARE(
            fixture.scalar(u"select count(*) from outbox where locked_by is not null"_s).toInt(),
            5);
        QCOMPARE(found(FindingKind::DeadClaim).size(), 0);
    }

    void aRowThatARelayHoldsIsLeftAloneWithItsTask()
    {
        QVERIFY(m_world->seed(FindingKind::StubHash, 4)); // two of them with a waiting row
        const auto plan = planned(allOf(FindingKind::StubHash));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), 4);
        QVERIFY(plan->exportsFirst);
        OutboxStore relay; // a relay with an open claim on every waiting row
        QVERIFY_RESULT(relay.open(m_world->fixture().settings(StoreAccess::Relay)));
        QVERIFY_RESULT(relay.use(m_world->shape()));
        const auto claimed = relay.claim(1'000, {});
        QVERIFY_RESULT(claimed);
        const auto receipt = carriedOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Claimed), 2);
        QCOMPARE(receipt->count(Outcome::Done), 2);
        for (const ReceiptItem &item : receipt->items) {
            const bool isThere = integer({"EXISTS", m_keys.task(item.task)}) == 1;
            QCOMPARE(isThere, item.outcome == Outcome::Claimed);
        }
        QVERIFY_RESULT(relay.rollback());
    }

    void whatChangedSinceThePlanIsLeftAlone()
    {
        QVERIFY(m_world->seed(FindingKind::TwoContainers, 2));
        QVERIFY(m_world->seed(FindingKind::ProcessedWithoutTask, 2));
        const auto plan = planned({});
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), 4);
        // One heals by itself, another is sent by somebody else.
        const QByteArray healed = oneSeeded(FindingKind::TwoContainers).toUtf8();
        QVERIFY_RESULT(redis().command({"ZREM", m_keys.completed(), healed}, u"healing"_s));
        const QString sent = oneSeeded(FindingKind::ProcessedWithoutTask);
        QVERIFY_RESULT(placeTask(redis(), sampleRequest(sent), TaskState::Pending));
        const auto receipt = carriedOut(*plan);
        QVERIFY_RESULT(receipt);
        for (const ReceiptItem &item : receipt->items) {
            const bool changed
                = item.task.text == QString::fromUtf8(healed) || item.task.text == sent;
            QVERIFY(!changed || item.outcome == Outcome::Changed);
        }
        QCOMPARE(
            m_world->fixture()
                .scalar(u"select completed_at is null from outbox where id = %1"_s.arg(keyOf(sent)))
                .toBool(),
            false);
    }

    void aTaskThatALiveWorkerRunsIsNotMoved()
    {
        DemoWorker worker;
        QVERIFY_RESULT(worker.open(m_world->fixture().redis(), {{u"default"_s, 1}}, 50));
        const auto task = worker.dequeue({u"default"_s});
        QVERIFY_RESULT(task);
        QVERIFY(task->has_value());
        QVERIFY_RESULT(worker.heartbeat());
        QVERIFY_RESULT(redis().command({"ZREM", m_keys.lease(), (*task)->id.text.toUtf8()},
                                       u"losing the lease"_s));
        const auto plan = planned(allOf(FindingKind::ActiveWithoutLease));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.size(), 1);
        QVERIFY(plan->items.first().expected == Outcome::InFlight);
    }

    void leasesAreGivenTheirTime()
    {
        QVERIFY(m_world->seed(FindingKind::ActiveWithoutLease, 3));
        ScanOptions terms = quickTerms();
        const auto early = reconciled(*m_fixture, terms);
        QVERIFY_RESULT(early);
        QVERIFY(!early->counts().contains(FindingKind::ActiveWithoutLease));
        QCOMPARE(early->watched.size(), 3);
        QVERIFY(!early->notes.isEmpty()); // it says so
        terms.watched = early->watched;
        QTRY_COMPARE(found(FindingKind::ActiveWithoutLease, terms).size(), 3);
    }

    void aPlanByIdLooksAtThoseAlone()
    {
        QVERIFY(m_world->seed(FindingKind::TrimmedOrphan, 8));
        QVERIFY(m_world->seed(FindingKind::ProcessedWithoutTask, 4));
        Selection selection;
        selection.tasks = {{oneSeeded(FindingKind::TrimmedOrphan)}};
        selection.rows = {{keyOf(oneSeeded(FindingKind::ProcessedWithoutTask))}};
        const auto plan = planned(selection);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.size(), 2);
        QCOMPARE(plan->acting(), 2);
        QVERIFY(!plan->commands.isEmpty());
        QVERIFY(!plan->statements.isEmpty());
        const auto receipt = carriedOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 2);
        QCOMPARE(found(FindingKind::TrimmedOrphan).size(), 7);
    }

    void whatIsRemovedIsInTheExport()
    {
        QVERIFY(m_world->seed(FindingKind::Undecodable, 4));
        const auto receipt = repaired(FindingKind::Undecodable);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 4);
        QFile file(receipt->exportFile);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        for (const QString &task : m_world->expected().value(FindingKind::Undecodable))
            QVERIFY2(text.contains(task.toUtf8()), qPrintable(task));
    }

    void everyChunkIsOnRecordBeforeItActs()
    {
        QVERIFY(m_world->fixture().exec(
            OutboxEditor::auditTableSql(DatabaseUrl::Dialect::PostgreSql).section(u"--"_s, 0, 0)));
        QVERIFY_RESULT(m_fixture->open(m_world->settings(m_state.path())));
        QVERIFY(m_world->seed(FindingKind::ProcessedWithoutTask, 3));
        const auto receipt = repaired(FindingKind::ProcessedWithoutTask);
        QVERIFY_RESULT(receipt);
        const auto entries = m_fixture->audit().read(receipt->operation);
        QVERIFY_RESULT(entries);
        QCOMPARE(entries->first().kind, AuditEntry::Kind::Begin);
        QCOMPARE(entries->last().kind, AuditEntry::Kind::End);
        QCOMPARE(m_world->fixture()
                     .scalar(u"select count(*) from outbox_audit where verb = 'reconcile'"_s)
                     .toInt(),
                 3);
    }

    void lookingNeedsNoRightToWrite()
    {
        QVERIFY(m_world->seed(FindingKind::OrphanHash, 4));
        OperatorSessionSettings settings = m_world->settings(m_state.path());
        settings.act.reset();
        QVERIFY_RESULT(m_fixture->open(settings));
        QCOMPARE(found(FindingKind::OrphanHash).size(), 4);
        const auto receipt = repaired(FindingKind::OrphanHash);
        QVERIFY(!receipt);
        QCOMPARE(receipt.error().kind, Error::Kind::Refused);
        QCOMPARE(found(FindingKind::OrphanHash).size(), 4);
    }

    void aStopIsHeardAndResumed()
    {
        QVERIFY(m_world->seed(FindingKind::OrphanHash, 8));
        std::stop_source stop;
        int told = 0;
        const auto stopSoon = [&](const QString &, qint64, qsizetype) {
            if (++told == 6)
                stop.request_stop();
        };
        const auto part = reconciled(*m_fixture, quickTerms(), stopSoon, stop.get_token());
        QVERIFY_RESULT(part);
        QVERIFY(!part->complete);
        QVERIFY(part->position.has_value());
        ScanOptions terms = quickTerms();
        terms.resume = *part;
        QCOMPARE(found(FindingKind::OrphanHash, terms).size(), 8);
    }
};

} // namespace tst_reconcilecases

OUTBOX_TEST(tst_reconcilecases::TestReconcileCases)
#include "tst_reconcilecases.moc"
