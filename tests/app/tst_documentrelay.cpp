// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay of documents over real stores: many entries in one write, several relays and writers on
// one document, messages that the queue refuses.
#include "app/designs/documentrelay.h"
#include "connectors/asynq/asynqqueue.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/queueserver.h"
#include "tests/support/redisqueue.h"
#include "tests/support/testprogram.h"

namespace tst_documentrelay {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

Databases databases;
PrivateRedis redis;
constexpr int many = 50;

} // namespace

class TestDocumentRelay : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        OUTBOX_START_DATABASES(databases);
        OUTBOX_START_SERVER(QueueStart{redis});
        QVERIFY_RESULT(openByHand(m_hand, redis));
        QVERIFY_RESULT(m_queue.open(RedisEndpoint::fromUrl(queueUrlOf(redis)).value(), u"test"_s));
    }

    void init()
    {
        QVERIFY_RESULT(m_hand.command({"FLUSHDB"}, u"flushing"_s));
        QFETCH(const int, dialect);
        m_url = databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession(m_url).run(u"CREATE TABLE entities (id text PRIMARY KEY, version bigint NOT"
                               u" NULL, document text)"_s);
        QVERIFY(open(m_store));
    }

    void manyEntriesAreOneWrite_data() { addDialects(); }
    void manyEntriesAreOneWrite()
    {
        const QStringList incoming = makeEntries();
        DocumentRelay relay({&m_store, &m_queue, nullptr, nullptr, {}}, Design::EntityState,
                            rules());
        const auto settled = relay.settle(u"e"_s, incoming);
        QVERIFY_RESULT(settled);
        for (const EntryOutcome &outcome : *settled)
            QCOMPARE(outcome.kind, EntryOutcome::Kind::Dispatched);
        const auto after = m_store.find(u"e"_s).value();
        QCOMPARE(after->version, u"2"_s);
        const auto state = OutboxState::read(after->json, m_store.shape());
        for (const OutboxEntry &entry : state->entries())
            QCOMPARE(entry.state, OutboxEntry::State::Dispatched);
        QCOMPARE(tasks(), many);
        QVERIFY(after->json.startsWith("{ \"Balance\": 12.50,"));

        const auto again = relay.settle(u"e"_s, incoming + QStringList{u"m-none"_s});
        QVERIFY_RESULT(again);
        for (const EntryOutcome &outcome : *again)
            QCOMPARE(outcome.kind, EntryOutcome::Kind::Nothing);
        QCOMPARE(m_store.find(u"e"_s).value()->version, u"2"_s);
    }

    void anEntryThatTheQueueRefusesStaysBesideTheOthers_data() { addDialects(); }
    void anEntryThatTheQueueRefusesStaysBesideTheOthers()
    {
        const QStringList incoming = makeEntries();
        EnqueueRequest other = sampleRequest(u"o-7"_s);
        other.payload = "another one";
        QVERIFY_RESULT(placeTask(m_hand, other, TaskState::Pending));
        DocumentRelay relay({&m_store, &m_queue, nullptr, nullptr, {}}, Design::EntityState,
                            rules());
        const auto settled = relay.settle(u"e"_s, incoming);
        QVERIFY_RESULT(settled);
        QCOMPARE(settled->at(7).kind, EntryOutcome::Kind::Left);
        QVERIFY(!settled->at(7).reason.isEmpty());
        const auto state = OutboxState::read(m_store.find(u"e"_s).value()->json, m_store.shape());
        for (int i = 0; i < many; ++i) {
            QCOMPARE(state->entries().at(i).state,
                     i == 7 ? OutboxEntry::State::Undispatched : OutboxEntry::State::Dispatched);
        }
    }

    void whereAKeyOfTheQueueIsBrokenAllStays_data() { addDialects(); }
    void whereAKeyOfTheQueueIsBrokenAllStays()
    {
        const QStringList incoming = makeEntries();
        QVERIFY_RESULT(
            m_hand.command({"SET", "asynq:{default}:pending", "no list"}, u"breaking"_s));
        const auto settle = [&] {
            return DocumentRelay({&m_store, &m_queue, nullptr, nullptr, {}}, Design::EntityState,
                                 rules())
                .settle(u"e"_s, incoming);
        };
        const auto refused = settle();
        QVERIFY_RESULT(refused);
        QCOMPARE(refused->size(), many);
        for (const EntryOutcome &outcome : *refused) {
            QCOMPARE(outcome.kind, EntryOutcome::Kind::Left);
            QVERIFY(outcome.reason.contains(u"WRONGTYPE"_s));
        }
        QCOMPARE(m_store.find(u"e"_s).value()->version, u"1"_s);

        QVERIFY_RESULT(m_hand.command({"DEL", "asynq:{default}:pending"}, u"repairing"_s));
        const auto settled = settle();
        QVERIFY_RESULT(settled);
        for (const EntryOutcome &outcome : *settled)
            QCOMPARE(outcome.kind, EntryOutcome::Kind::Dispatched);
        QCOMPARE(tasks(), many);
    }

    /// Each time the relay is about to write, somebody else has written.
    void whatWasWrittenMeanwhileIsNeitherLostNorSentTwice_data() { addDialects(); }
    void whatWasWrittenMeanwhileIsNeitherLostNorSentTwice()
    {
        const QStringList incoming = makeEntries();
        DocumentStore rival;
        QVERIFY(open(rival));
        int writes = 0;
        int sendings = 0;
        const auto meddle = [&](const char *point) {
            sendings += QByteArray(point) == "dispatched" ? 1 : 0;
            if (QByteArray(point) != "before clean-up" || writes == 3)
                return;
            const auto seen = rival.find(u"e"_s).value();
            const auto state = OutboxState::read(seen->json, rival.shape());
            const auto json = state->withNew(u"new-%1"_s.arg(++writes), "null");
            QVERIFY(rival.write(*seen, *json).value());
        };
        DocumentRelay relay({&m_store, &m_queue, nullptr, nullptr, meddle}, Design::EntityState,
                            rules());
        QVERIFY_RESULT(relay.settle(u"e"_s, incoming));
        QCOMPARE(writes, 3);
        QCOMPARE(sendings, 1);
        const auto state = OutboxState::read(m_store.find(u"e"_s).value()->json, m_store.shape());
        QCOMPARE(state->entries().size(), many + 3);
        for (const OutboxEntry &entry : state->entries())
            QCOMPARE(entry.state, OutboxEntry::State::Dispatched);
        QCOMPARE(tasks(), many);
    }

    void aDocumentThatIsWrittenWithoutEndIsLeft_data() { addDialects(); }
    void aDocumentThatIsWrittenWithoutEndIsLeft()
    {
        const QStringList incoming = makeEntries();
        DocumentStore rival;
        QVERIFY(open(rival));
        const auto meddle = [&rival](const char *point) {
            if (QByteArray(point) != "before clean-up")
                return;
            const auto seen = rival.find(u"e"_s).value();
            QVERIFY(rival.write(*seen, seen->json).value());
        };
        DocumentRelay relay({&m_store, &m_queue, nullptr, nullptr, meddle}, Design::EntityState,
                            rules());
        const auto settled = relay.settle(u"e"_s, incoming);
        QVERIFY_RESULT(settled);
        QCOMPARE(settled->first().kind, EntryOutcome::Kind::Changed);
        QCOMPARE(tasks(), many); // sent is sent: the next one finds them there
    }

    void aDocumentWithoutAVersionIsNotSent_data() { addDialects(); }
    void aDocumentWithoutAVersionIsNotSent()
    {
        SideSession side(m_url);
        side.all({u"DROP TABLE entities"_s,
                  u"CREATE TABLE entities (id text PRIMARY KEY, version bigint, document text)"_s});
        QVERIFY(open(m_store));
        const QStringList incoming = makeEntries();
        side.run(u"UPDATE entities SET version = NULL"_s);
        DocumentRelay relay({&m_store, &m_queue, nullptr, nullptr, {}}, Design::EntityState,
                            rules());
        const auto settled = relay.settle(u"e"_s, incoming);
        QVERIFY(!settled);
        QCOMPARE(settled.error().kind, Error::Kind::Invalid);
        QCOMPARE(tasks(), 0);
    }

    /// The queue is not there: nothing is nulled.
    void withoutAQueueNothingIsWritten_data() { addDialects(); }
    void withoutAQueueNothingIsWritten()
    {
        const QStringList incoming = makeEntries();
        AsynqQueue closed;
        DocumentRelay relay({&m_store, &closed, nullptr, nullptr, {}}, Design::EntityState,
                            rules());
        QVERIFY(!relay.settle(u"e"_s, incoming));
        QCOMPARE(m_store.find(u"e"_s).value()->version, u"1"_s);
    }

private:
    static DispatchRules rules() { return {{u"default"_s}, 3600}; }

    bool open(DocumentStore &store) const
    {
        DocumentShape shape;
        shape.table = TableName::fromText(u"entities"_s);
        return store.open(settingsFor(m_url, StoreAccess::Relay), shape).has_value();
    }

    QStringList makeEntries()
    {
        QStringList incoming;
        QByteArrayList entries;
        for (int i = 0; i < many; ++i) {
            const QByteArray number = QByteArray::number(i);
            incoming += u"m-%1"_s.arg(i);
            entries += "\"m-" + number + "\": {\"OutgoingMessages\": [{\"id\": \"o-" + number
                + "\", \"type\": \"t\", \"payload\": {}}]}";
        }
        const QByteArray json
            = "{ \"Balance\": 12.50, \"OutboxState\": {" + entries.join(", ") + "}}";
        if (!m_store.insert(u"e"_s, json).value_or(false))
            qFatal("the document cannot be made");
        return incoming;
    }

    int tasks()
    {
        const auto keys = m_hand.command({"KEYS", "asynq:{default}:t:*"}, u"counting"_s);
        return keys ? int(keys->elements.size()) : -1;
    }

    AsynqQueue m_queue;
    RedisConnection m_hand;
    DatabaseUrl m_url;
    DocumentStore m_store;
};

} // namespace tst_documentrelay

OUTBOX_TEST(tst_documentrelay::TestDocumentRelay)
#include "tst_documentrelay.moc"
