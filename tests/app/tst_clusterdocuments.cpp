// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Documents whose messages go to queues at several nodes of a Redis Cluster: a queue that moves, or
// whose node is away, concerns the entries of its messages alone, and none of them is given up.
#include "app/designs/designoperations.h"
#include "app/designs/tokenscan.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/cluster/slots.h"
#include "tests/app/teststores.h"
#include "tests/support/clusterworld.h"
#include "tests/support/testprogram.h"

namespace tst_clusterdocuments {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

QueueName queueAt(const ClusterWorld &world, int node, const QByteArray &name)
{
    return QueueName{QString::fromLatin1(world.keyAt(node, name))};
}

} // namespace

class TestClusterDocuments : public QObject
{
    Q_OBJECT

    ClusterWorld m_world;
    Databases m_databases;
    DatabaseUrl m_url;
    DesignPlace m_place;
    QueueName m_moving; ///< of the message of document "a"
    QueueName m_still; ///< of that of document "b"
    std::unique_ptr<TestStores> m_stores;

    [[nodiscard]] DesignPlace placeAt(const ClusterWorld &world) const
    {
        DesignPlace place;
        place.shape.table = TableName::fromText(u"entities"_s);
        place.rules.queue.text = u"default"_s; // where a message names none
        place.look = settingsFor(m_url, StoreAccess::ReadOnly);
        place.act = settingsFor(m_url, StoreAccess::Act);
        place.sessionName = u"cluster"_s;
        place.lookRedis = RedisEndpoint::fromUrl(world.url()).value();
        place.actRedis = place.lookRedis;
        return place;
    }
    void makeDocument(const QString &name, const QueueName &queue)
    {
        SideSession(m_url).run(
            u"INSERT INTO entities VALUES ('%1', 1, '{\"OutboxState\": {\"m\": {"
            u"\"OutgoingMessages\": [{\"id\": \"o-%1\", \"type\": \"t\", \"queue\": \"%2\"}]}}}')"_s
                .arg(name, queue.text));
    }
    [[nodiscard]] int versionOf(const QString &name) const
    {
        return SideSession(m_url)
            .one(u"SELECT version FROM entities WHERE id = '%1'"_s.arg(name))
            .toInt();
    }
    /// How many tasks wait in the queue, that of the document's message among them.
    [[nodiscard]] qint64 waiting(const QueueName &queue, const QByteArray &document)
    {
        const asynq::QueueKeys keys(queue);
        return m_world.number({"EXISTS", keys.task("o-" + document)}) == 1
            ? m_world.number({"LLEN", keys.pending()})
            : 0;
    }
    [[nodiscard]] Result<Plan> planned() const
    {
        Selection all;
        all.meant = DocumentPart::Undispatched;
        return makeSettleEntries(m_place, false)->plan(m_stores->session(), all);
    }
    [[nodiscard]] Result<Receipt> carriedOut(const Plan &plan) const
    {
        return m_stores->carryOut(*makeSettleEntries(m_place, false), plan);
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_world, 3); }

    void init()
    {
        for (int node = 0; node < m_world.primaries(); ++node)
            QVERIFY_RESULT(m_world.hand(node).command({"FLUSHALL"}, u"clearing"_s));
        m_moving = queueAt(m_world, 0, "moving");
        m_still = queueAt(m_world, 1, "still");
        m_url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession(m_url).all({u"CREATE TABLE entities (id text PRIMARY KEY, version bigint NOT"
                                u" NULL, document text)"_s,
                                u"CREATE TABLE tokens (id text PRIMARY KEY)"_s});
        makeDocument(u"a"_s, m_moving);
        makeDocument(u"b"_s, m_still);
        m_place = placeAt(m_world);
        m_stores = std::make_unique<TestStores>(m_databases.addressOf(m_url));
    }

    void entriesGoToTheQueuesOfAllNodes()
    {
        const auto plan = planned();
        QVERIFY_RESULT(plan);
        const auto receipt = carriedOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 2);
        QCOMPARE(waiting(m_moving, "a"), 1);
        QCOMPARE(waiting(m_still, "b"), 1);
        QCOMPARE(m_world.number({"SCARD", asynq::allQueues}), 2);
    }

    void aQueueThatMovesHoldsUpItsOwnEntries()
    {
        QVERIFY_RESULT(m_world.beginMove(slotOf(m_moving.text.toLatin1()), 2));
        const auto plan = planned();
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.size(), 2);
        QCOMPARE(plan->items.at(0).expected, Outcome::Unknown);
        QVERIFY2(plan->items.at(0).reason.contains(m_moving.text),
                 qPrintable(plan->items.at(0).reason));
        QCOMPARE(plan->items.at(1).expected, Outcome::Done);
        const auto receipt = carriedOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 1);
        QCOMPARE(versionOf(u"a"_s), 1);
        QCOMPARE(versionOf(u"b"_s), 2);
        QCOMPARE(waiting(m_still, "b"), 1);

        QVERIFY_RESULT(m_world.finishMove());
        const auto rest = planned();
        QVERIFY_RESULT(rest);
        const auto done = carriedOut(*rest);
        QVERIFY_RESULT(done);
        QCOMPARE(done->count(Outcome::Done), 1);
        QCOMPARE(versionOf(u"a"_s), 2);
        QCOMPARE(waiting(m_moving, "a"), 1);
    }

    /// The entry is not given up for a message that no node has answered for.
    void aQueueThatMovesBehindThePlanLeavesItsEntryInDoubt()
    {
        const auto plan = planned();
        QVERIFY_RESULT(plan);
        QVERIFY_RESULT(m_world.beginMove(slotOf(m_moving.text.toLatin1()), 2));
        const auto receipt = carriedOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.size(), 2);
        QCOMPARE(receipt->items.at(0).outcome, Outcome::InDoubt);
        QVERIFY2(receipt->items.at(0).reason.contains(m_moving.text),
                 qPrintable(receipt->items.at(0).reason));
        QCOMPARE(receipt->items.at(1).outcome, Outcome::Cancelled);
        QCOMPARE(versionOf(u"a"_s), 1);
        QCOMPARE(versionOf(u"b"_s), 1);

        QVERIFY_RESULT(m_world.finishMove());
        const auto again = planned();
        QVERIFY_RESULT(again);
        const auto done = carriedOut(*again);
        QVERIFY_RESULT(done);
        QCOMPARE(done->count(Outcome::Done), 2);
        QCOMPARE(waiting(m_moving, "a"), 1); // once
        QCOMPARE(waiting(m_still, "b"), 1);
    }

    /// A node that may lose tasks is none to give up entries for.
    void aNodeThatMayEvictIsRefused()
    {
        const auto policy = [this](const char *name) {
            return m_world.hand(2).command({"CONFIG", "SET", "maxmemory-policy", name},
                                           u"setting"_s);
        };
        const auto plan = planned();
        QVERIFY_RESULT(plan);
        QVERIFY_RESULT(policy("allkeys-lru"));
        const auto refused = carriedOut(*plan);
        QVERIFY_RESULT(policy("noeviction"));
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Error::Kind::Refused);
        QVERIFY2(refused.error().text.contains(u"evict"_s), qPrintable(oneLine(refused.error())));
        QCOMPARE(versionOf(u"a"_s), 1);
    }

    /// Its message may be in the queue that nobody could read.
    void aQueueThatWasNotReadMakesNoTokenGarbage()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const QueueName away = queueAt(world, 2, "away");
        QVERIFY_RESULT(world.ask({"SADD", asynq::allQueues, away.text.toLatin1()}));
        SideSession(m_url).run(u"INSERT INTO tokens VALUES ('t')"_s);
        DesignPlace place = placeAt(world);
        place.design = Design::Tokens;
        place.doneTable.emplace();
        place.doneTable->table = TableName::fromText(u"tokens"_s);
        DocumentStores stores;
        QVERIFY_RESULT(stores.open(place, StoreAccess::ReadOnly));
        AsynqInspector queues;
        QVERIFY_RESULT(queues.open(*place.lookRedis, place.sessionName));
        const auto whole = scanTokens(stores, &queues, 10);
        QVERIFY_RESULT(whole);
        QCOMPARE(whole->tokens.value(0).reach, TokenReach::Garbage);

        world.server(2).kill();
        const auto part = scanTokens(stores, &queues, 10);
        QVERIFY_RESULT(part);
        QCOMPARE(part->tokens.value(0).reach, TokenReach::Unknown);
        QVERIFY2(part->notes.join(u'\n').contains(away.text), qPrintable(part->notes.join(u'\n')));
    }
};

} // namespace tst_clusterdocuments

OUTBOX_TEST(tst_clusterdocuments::TestClusterDocuments)
#include "tst_clusterdocuments.moc"
