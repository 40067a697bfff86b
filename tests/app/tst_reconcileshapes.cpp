// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reconciler over every shape, on PostgreSQL and on SQLite: rows that are kept or deleted, keys
// of every form, rows locked or not.
#include "app/operations/reconcile/reconcile.h"
#include "app/operations/reconcile/reconciler.h"
#include "app/settings/opening.h"
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/wire/keys.h"
#include "tests/support/onelanerelay.h"
#include "tests/support/queuedamage.h"
#include "tests/support/queueserver.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testkinds.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_reconcileshapes {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestReconcileShapes : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;
    QTemporaryDir m_state;
    std::unique_ptr<TestOutbox> m_world;
    std::unique_ptr<OperatorSession> m_fixture;
    OutboxShape m_shape;

    static ScanOptions terms()
    {
        ScanOptions terms;
        terms.budgetMs = 0;
        terms.secondLookMs = 20;
        return terms;
    }

    [[nodiscard]] Result<void> open(const QString &queue = u"default"_s)
    {
        OutboxStore store;
        if (auto opened = store.open(m_world->settings(StoreAccess::ReadOnly)); !opened)
            return opened;
        OperatorSessionSettings settings;
        settings.profile.table = m_world->table();
        settings.profile.timeZone = u"UTC"_s; // in which the world writes
        settings.profile.queue = queue;
        const auto shape = takeShape(store, settings.profile);
        if (!shape)
            return passOn(shape);
        m_shape = *shape;
        settings.profile.databaseUrl = m_world->url();
        settings.profile.redisUrl = queueUrlOf(m_redis);
        settings.shape = m_shape;
        settings.act.emplace();
        settings.stateFolder = m_state.path();
        m_fixture = std::make_unique<OperatorSession>();
        return m_fixture->open(settings);
    }

    EnqueueRequest requestFor(const QString &id)
    {
        EnqueueRequest request = sampleRequest(m_world->taskId(m_shape, id));
        request.type = m_world->expectedType(id);
        request.payload = m_world->expectedPayload(id);
        return request;
    }

    /// Delivers what waits, as a relay that was started anew.
    Result<int> relayed()
    {
        OutboxStore store;
        if (auto opened = store.open(m_world->settings(StoreAccess::Relay)); !opened)
            return passOn(opened);
        if (auto used = store.use(m_shape); !used)
            return passOn(used);
        AsynqQueue queue;
        if (auto opened = queue.open(m_world->redis(), u"relay"_s); !opened)
            return passOn(opened);
        OneLaneRelay relay(store, queue, RelayRules{{u"default"_s}});
        int enqueued = 0;
        RelayStep step;
        do { // a step that sets a row aside is rolled back, and the next goes on without it
            step = relay.step(100);
            enqueued += step.committed ? static_cast<int>(step.enqueued) : 0;
        } while (step.claimed > 0 && !step.error);
        return enqueued;
    }

    QMap<FindingKind, qsizetype> found()
    {
        const auto report = reconciled(*m_fixture, terms());
        if (!report || !report->complete) {
            qWarning() << (report ? report->notes.join(u' ') : oneLine(report.error()));
            return {};
        }
        QMap<FindingKind, qsizetype> counts = report->counts();
        counts.remove(FindingKind::ServedByNobody);
        counts.remove(FindingKind::OverdueRow); // the rows of one shape are old from the start
        return counts;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(QueueStart{m_redis});
    }

    void cleanup()
    {
        m_fixture.reset();
        m_world.reset();
    }

    void everyShapeIsRepaired_data() { addKindsAndShapes(allBenchShapes()); }
    void everyShapeIsRepaired()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        m_world = std::make_unique<TestOutbox>(kind, shape, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(m_world->setUp());
        QVERIFY(m_world->insertRows(12, 80));
        QVERIFY_RESULT(open());
        const QStringList ids = m_world->insertedIds();
        RedisConnection &redis = m_world->plainRedis();
        // Waiting rows behind a stub, an orphan with their message, and an orphan with another.
        for (int number = 0; number < 4; ++number) {
            QVERIFY_RESULT(damage(redis, FindingKind::StubHash, requestFor(ids.at(number)), 0));
            QVERIFY_RESULT(
                damage(redis, FindingKind::OrphanHash, requestFor(ids.at(4 + number)), 0));
        }
        EnqueueRequest other = requestFor(ids.at(8));
        other.type += u'!';
        QVERIFY_RESULT(damage(redis, FindingKind::OrphanHash, other, 0));
        const QMap<FindingKind, qsizetype> seeded{{FindingKind::StubHash, 4},
                                                  {FindingKind::OrphanHash, 5}};
        QCOMPARE(found(), seeded);

        const auto plan = Reconcile(terms()).plan(*m_fixture, {});
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), 9);
        Consent consent;
        consent.typed = textToType(*plan);
        const auto receipt = Reconcile(terms()).carryOut(*m_fixture, *plan, consent, {});
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 9);

        // The other message is kept in the archive, where it still refuses its row.
        const QMap<FindingKind, qsizetype> left{{FindingKind::OtherMessage, 1},
                                                {FindingKind::DeadWithRow, 1}};
        QCOMPARE(found(), left);
        const auto delivered = relayed();
        QVERIFY_RESULT(delivered);
        QCOMPARE(m_world->pendingIds().size(), 11);
        QCOMPARE(m_world->unprocessed(), 1);
        QCOMPARE(found(), left);
    }

    void keptRowsWithoutATaskAreSentAgain_data()
    {
        addKindsAndShapes({BenchShape::CompletedAt, BenchShape::ProcessedDate});
    }
    void keptRowsWithoutATaskAreSentAgain()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        m_world = std::make_unique<TestOutbox>(kind, shape, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(m_world->setUp());
        QVERIFY(m_world->insertRows(12, 80));
        QVERIFY_RESULT(open());
        QVERIFY_RESULT(relayed());
        QCOMPARE((found()), (QMap<FindingKind, qsizetype>()));
        QVERIFY_RESULT(m_world->plainRedis().command({"FLUSHALL"}, u"losing all"_s));
        const auto plan = Reconcile(terms()).plan(*m_fixture, {});
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->counts().value(Outcome::SecondExecution), 12);
        Consent consent;
        consent.typed = textToType(*plan);
        const auto without = Reconcile(terms()).carryOut(*m_fixture, *plan, consent, {});
        QVERIFY(!without); // not without consent to a second execution
        consent.secondExecution = true;
        const auto receipt = Reconcile(terms()).carryOut(*m_fixture, *plan, consent, {});
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 12);
        const auto delivered = relayed();
        QVERIFY_RESULT(delivered);
        QCOMPARE(*delivered, 12);
        QCOMPARE((found()), (QMap<FindingKind, qsizetype>()));
    }

    void aRowThatNamesNoQueueGoesToThatOfTheProfile()
    {
        m_world = std::make_unique<TestOutbox>(TestOutbox::Kind::Postgres, BenchShape::CompletedAt,
                                               &m_postgres, m_redis);
        QVERIFY(m_world->setUp());
        QVERIFY(m_world->insertRows(2, 80));
        QVERIFY_RESULT(open(u"mail"_s));
        RedisConnection &redis = m_world->plainRedis();
        const QStringList ids = m_world->insertedIds();
        EnqueueRequest here = requestFor(ids.at(0));
        here.queue.text = u"mail"_s;
        QVERIFY_RESULT(damage(redis, FindingKind::StubHash, here, 0));
        QVERIFY_RESULT(damage(redis, FindingKind::StubHash, requestFor(ids.at(1)), 0));
        ScanOptions both = terms();
        both.queues = {here.queue, {u"default"_s}};
        const auto plan = Reconcile(both).plan(*m_fixture, {});
        QVERIFY_RESULT(plan);
        int stubs = 0;
        for (const PlanItem &item : plan->items) {
            if (item.kind != FindingKind::StubHash)
                continue;
            ++stubs;
            const bool isItsQueue = item.queue == here.queue;
            QCOMPARE(item.expected, isItsQueue ? Outcome::Done : Outcome::NotOffered);
            QCOMPARE(item.reason.contains(u"another queue"_s), !isItsQueue);
        }
        QCOMPARE(stubs, 2);
    }

    void nonsenseIsRefused()
    {
        m_world = std::make_unique<TestOutbox>(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt,
                                               nullptr, m_redis);
        QVERIFY(m_world->setUp());
        QVERIFY_RESULT(open());
        Selection selection;
        selection.filter = u"state:pending"_s;
        QCOMPARE(Reconcile(terms()).plan(*m_fixture, selection).error().kind, Error::Kind::Invalid);
    }
};

} // namespace tst_reconcileshapes

OUTBOX_TEST(tst_reconcileshapes::TestReconcileShapes)
#include "tst_reconcileshapes.moc"
