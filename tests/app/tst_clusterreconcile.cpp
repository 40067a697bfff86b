// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A look for inconsistencies, and repairs, in queues of three nodes of a Redis Cluster: each is
// found where it is, and what a node that is away would say is not known.
#include "app/operations/reconcile/reconcile.h"
#include "app/operations/reconcile/reconciler.h"
#include "connectors/asynq/observe/queuesurvey.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/cluster/slots.h"
#include "tests/support/clusterworld.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_clusterreconcile {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestClusterReconcile : public QObject
{
    Q_OBJECT

    std::unique_ptr<ClusterWorld> m_world;
    std::unique_ptr<OperatorSession> m_session;
    std::unique_ptr<QTemporaryDir> m_state;
    QList<QueueName> m_queues; ///< by node; that of the second one is on no list

    static ScanOptions quickTerms()
    {
        ScanOptions terms;
        terms.budgetMs = 0;
        terms.secondLookMs = 30;
        return terms;
    }

    [[nodiscard]] bool run(const RedisCommand &command)
    {
        const auto reply = m_world->ask(command);
        return reply && !reply->isError();
    }
    /// A sound task, one that stands in no list, one that stands in two, and a lock that no task
    /// holds.
    [[nodiscard]] bool fill(const QueueName &queue, bool isListed)
    {
        const asynq::QueueKeys keys(queue);
        for (const QString &id : {u"sound"_s, u"orphan"_s, u"twice"_s}) {
            EnqueueRequest request = sampleRequest(id);
            request.queue = queue;
            if (!run({"HSET", keys.task(request.id), "msg", *asynq::encode(messageOf(request)),
                      "state", id == u"twice"_s ? "scheduled" : "retry"}))
                return false;
        }
        return run({"ZADD", keys.retry(), "4000000000", "sound"})
            && run({"ZADD", keys.scheduled(), "4000000000", "twice"})
            && run({"ZADD", keys.completed(), "4000000000", "twice"})
            && run({"SET", keys.lockPrefix() + "stray", "nobody"})
            && (!isListed || run({"SADD", asynq::allQueues, queue.text.toUtf8()}));
    }
    /// The queues in which something of the kind was found.
    static QSet<QueueName> queuesWith(const ScanReport &report, FindingKind kind)
    {
        QSet<QueueName> found;
        for (const Finding &finding : report.findings) {
            if (finding.kind == kind)
                found += finding.queue;
        }
        return found;
    }
    [[nodiscard]] QSet<QueueName> all() const
    {
        return QSet<QueueName>(m_queues.cbegin(), m_queues.cend());
    }
    Result<Receipt> repaired(FindingKind kind)
    {
        ScanOptions terms = quickTerms();
        terms.queues = m_queues;
        Selection selection;
        selection.meant = QList<FindingKind>{kind};
        const auto plan = Reconcile(terms).plan(*m_session, selection);
        if (!plan)
            return passOn(plan);
        Consent consent;
        consent.secondExecution = true;
        consent.typed = textToType(*plan);
        return Reconcile(terms).carryOut(*m_session, *plan, consent, {});
    }

private slots:
    void init()
    {
        m_world = std::make_unique<ClusterWorld>();
        OUTBOX_START_SERVER(*m_world, 3);
        m_queues.clear();
        for (int node = 0; node < 3; ++node) {
            int number = 0;
            QueueName queue;
            do {
                queue.text = u"q%1"_s.arg(number++);
            } while (m_world->ownerOf(slotOf(queue.text.toLatin1())) != node);
            m_queues += queue;
            QVERIFY(fill(queue, node != 1));
        }
        m_state = std::make_unique<QTemporaryDir>();
        OperatorSessionSettings settings; // a queue is enough
        settings.profile.name = u"cluster"_s;
        settings.profile.environment = Environment::Demo;
        settings.profile.redisUrl = m_world->url();
        settings.act = ProfilePasswords();
        settings.stateFolder = m_state->path();
        settings.face = u"outboxctl"_s;
        m_session = std::make_unique<OperatorSession>();
        QVERIFY_RESULT(m_session->open(settings));
    }
    void cleanup()
    {
        m_session.reset();
        m_world.reset();
    }

    void whatDoesNotFitIsFoundAtEachNodeAndRepaired()
    {
        ScanOptions terms = quickTerms();
        terms.queues = m_queues;
        const auto report = reconciled(*m_session, terms);
        QVERIFY_RESULT(report);
        QVERIFY2(report->complete, qPrintable(report->notes.join(u'\n')));
        QCOMPARE(queuesWith(*report, FindingKind::OrphanHash), all());
        QCOMPARE(queuesWith(*report, FindingKind::TwoContainers), all());
        QCOMPARE(queuesWith(*report, FindingKind::LockWithoutTask), all());
        QCOMPARE(queuesWith(*report, FindingKind::QueueNotListed), QSet<QueueName>{m_queues.at(1)});

        for (const FindingKind kind : {FindingKind::TwoContainers, FindingKind::LockWithoutTask}) {
            const auto receipt = repaired(kind);
            QVERIFY_RESULT(receipt);
            QCOMPARE(receipt->count(Outcome::Done), 3);
        }
        const auto listed = repaired(FindingKind::QueueNotListed);
        QVERIFY_RESULT(listed);
        QCOMPARE(m_world->number({"SCARD", asynq::allQueues}), 3);
        for (const QueueName &queue : std::as_const(m_queues)) {
            const asynq::QueueKeys keys(queue);
            QCOMPARE(m_world->number({"ZCARD", keys.scheduled()}), 1);
            QCOMPARE(m_world->number({"EXISTS", keys.completed()}), 0);
            QCOMPARE(m_world->number({"EXISTS", keys.lockPrefix() + "stray"}), 0);
        }
    }

    /// Its name stands in keys of one node alone.
    void aQueueThatNobodyNamesIsFoundByTheWalkThroughAllNodes()
    {
        const auto report = reconciled(*m_session, quickTerms());
        QVERIFY_RESULT(report);
        QVERIFY2(report->complete, qPrintable(report->notes.join(u'\n')));
        QCOMPARE(queuesWith(*report, FindingKind::QueueNotListed), QSet<QueueName>{m_queues.at(1)});
    }

    void ofANodeThatIsAwayNothingIsSaid()
    {
        m_world->server(0).kill(); // the list of queues is there; servers and workers are not
        ScanOptions terms = quickTerms();
        terms.queues = m_queues;
        const auto report = reconciled(*m_session, terms);
        QVERIFY_RESULT(report);
        QVERIFY(!report->complete);
        QVERIFY(report->unread.has_value());
        const QSet<QueueName> others{m_queues.at(1), m_queues.at(2)};
        QCOMPARE(queuesWith(*report, FindingKind::OrphanHash), others);
        QCOMPARE(queuesWith(*report, FindingKind::QueueNotListed), QSet<QueueName>());
        const QString unread = u"queue "_s + m_queues.at(0).text + u" was not read"_s;
        QVERIFY2(report->notes.join(u'\n').contains(unread), qPrintable(report->notes.join(u'\n')));
    }

    /// Half of its keys are at another node: what is there passes for gone at the first one.
    void ofAQueueThatIsBeingMovedNothingIsSaid()
    {
        QVERIFY_RESULT(m_world->beginMove(slotOf(m_queues.at(0).text.toLatin1()), 2));
        QVERIFY_RESULT(m_world->moveKeys(2));
        ScanOptions terms = quickTerms();
        terms.queues = m_queues;
        const auto report = reconciled(*m_session, terms);
        QVERIFY_RESULT(report);
        QVERIFY(!report->complete);
        const QSet<QueueName> others{m_queues.at(1), m_queues.at(2)};
        QCOMPARE(queuesWith(*report, FindingKind::OrphanHash), others);
        QVERIFY(std::none_of(report->findings.cbegin(), report->findings.cend(),
                             [&](const Finding &finding) {
                                 return finding.queue == m_queues.at(0) && !finding.task.isEmpty();
                             }));
    }

    /// A step of SCAN is answered by any node: keys that left it would pass for none.
    void aWalkThroughKeysOfANodeNoticesThatTheyLeaveIt()
    {
        const QueueName queue = m_queues.at(0);
        asynq::QueueSurvey survey(m_world->hand(0), queue);
        const QString lastPhase = u"locks of "_s + queue.text;
        while (!survey.isDone() && survey.phaseText() != lastPhase)
            QVERIFY_RESULT(survey.next());
        QVERIFY(!survey.isDone());
        QVERIFY_RESULT(m_world->beginMove(slotOf(queue.text.toLatin1()), 2));
        QVERIFY_RESULT(m_world->moveKeys(1000));
        const auto page = survey.next();
        QVERIFY(!page);
        QCOMPARE(page.error().code, u"ASK"_s);
    }
};

} // namespace tst_clusterreconcile

OUTBOX_TEST(tst_clusterreconcile::TestClusterReconcile)
#include "tst_clusterreconcile.moc"
