// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `outboxctl documents` as a script runs it: what it shows, that a plan changes nothing, what it
// refuses and why, and that every write is on record.
#include "models/designs/outboxstate.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/ctl.h"
#include "tests/support/queueserver.h"
#include "tests/support/redisqueue.h"
#include "tests/support/testprogram.h"

namespace tst_ctldocuments {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

Databases databases;
PrivateRedis redis;

} // namespace

class TestCtlDocuments : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        OUTBOX_START_DATABASES(databases);
        OUTBOX_START_SERVER(QueueStart{redis});
    }

    void init()
    {
        QVERIFY_RESULT(openByHand(m_redis, redis));
        QVERIFY_RESULT(m_redis.command({"FLUSHDB"}, u"flushing"_s));
        m_state = std::make_unique<QTemporaryDir>();
    }

    void statusAndListSayWhatStandsThere_data() { addDialects(); }
    void statusAndListSayWhatStandsThere()
    {
        makeDocuments();
        const QJsonObject status = ctl({u"status"_s}).last();
        QCOMPARE(status[u"documents"_s].toInt(), 3);
        QCOMPARE(status[u"undispatched"_s].toInt(), 1);
        QCOMPARE(status[u"dispatched"_s].toInt(), 2);
        QCOMPARE(status[u"malformed"_s].toInt(), 1);
        QCOMPARE(status[u"largest"_s].toObject()[u"document"_s].toString(), u"c-1"_s);
        QVERIFY(status[u"leaked"_s].isNull()); // there is no other store: not 0
        QVERIFY(status[u"oldest_undispatched_s"_s].toDouble() > 86'400);
        QCOMPARE(status[u"exact"_s].toBool(), true);

        const CtlRun list = ctl({u"list"_s, u"--undispatched"_s});
        QCOMPARE(list.objects().size(), 3); // two documents and the cursor
        QCOMPARE(list.objects().at(1)[u"malformed"_s].toInt(), 1);
        QVERIFY(list.last()[u"cursor"_s].isNull());
        const CtlRun page = ctl({u"list"_s, u"--limit"_s, u"1"_s});
        QCOMPARE(page.last()[u"cursor"_s].toString(), u"c-1"_s);

        const CtlRun show = ctl({u"show"_s, u"c-1"_s});
        QCOMPARE(show.objects().size(), 2);
        QCOMPARE(show.objects().at(0)[u"kind"_s].toString(), u"K29"_s);
        QCOMPARE(show.objects().at(0)[u"messages"_s].toArray().size(), 2);
        QCOMPARE(ctl({u"show"_s, u"c-9"_s}).exitCode, 3);
    }

    void dispatchSendsUnderTheStoredIdsAndIsOnRecord_data() { addDialects(); }
    void dispatchSendsUnderTheStoredIdsAndIsOnRecord()
    {
        makeDocuments();
        const CtlRun plan = ctl({u"dispatch"_s});
        QCOMPARE(plan.exitCode, 0);
        const QJsonArray items = plan.last()[u"plan"_s].toObject()[u"items"_s].toArray();
        QCOMPARE(items.size(), 2);
        QCOMPARE(items.at(0).toObject()[u"expected"_s].toString(), u"done"_s);
        QCOMPARE(items.at(1).toObject()[u"expected"_s].toString(), u"not-offered"_s);
        QCOMPARE(entryOf(u"c-1"_s, u"m-1"_s).state, OutboxEntry::State::Undispatched);
        QCOMPARE(numberOf(m_redis, {"DBSIZE"}), 0);

        const CtlRun done = ctl({u"dispatch"_s, u"--yes"_s, u"--note"_s, u"INC-1"_s});
        const QJsonObject receipt = done.last()[u"receipt"_s].toObject();
        QVERIFY2(receipt[u"counts"_s].toObject()[u"done"_s].toInt() == 1,
                 QByteArray(done.out + done.err).constData());
        QCOMPARE(entryOf(u"c-1"_s, u"m-1"_s).state, OutboxEntry::State::Dispatched);
        QCOMPARE(entryOf(u"c-3"_s, u"m-4"_s).state, OutboxEntry::State::Malformed);
        QCOMPARE(numberOf(m_redis, {"EXISTS", "asynq:{default}:t:o-1"}), 1);
        QCOMPARE(numberOf(m_redis, {"EXISTS", "asynq:{mails}:t:o-2"}), 1);
        QCOMPARE(SideSession(m_url).one(u"SELECT version FROM customers WHERE id = 'c-1'"_s),
                 u"8"_s);

        const CtlRun audit = runCtl({u"audit"_s, u"--json"_s, u"--state-dir"_s, m_state->path()});
        QVERIFY2(audit.out.contains("INC-1") && audit.out.contains("reconcile"),
                 audit.out.constData());
    }

    void aNamedEntryThatIsNullIsRefusedInWords_data() { addDialects(); }
    void aNamedEntryThatIsNullIsRefusedInWords()
    {
        makeDocuments();
        const CtlRun run = ctl({u"dispatch"_s, u"c-2"_s, u"--incoming"_s, u"m-3"_s, u"--yes"_s});
        QVERIFY2(run.exitCode == 5, run.err.constData());
        QVERIFY2(run.out.contains("its messages are gone"), run.out.constData());
        QCOMPARE(numberOf(m_redis, {"DBSIZE"}), 0);
    }

    void onlyANullEntryPastTheRetentionIsPurged_data() { addDialects(); }
    void onlyANullEntryPastTheRetentionIsPurged()
    {
        makeDocuments();
        const QString entry = u"{\"OutgoingMessages\": null, \"at\": \"%1\"}"_s;
        const QString now = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
        SideSession(m_url).run(
            u"INSERT INTO customers VALUES ('c-4', 1, '{\"OutboxState\": {\"old\": %1, "
            u"\"new\": %2}, \"Rest\": 1.50}')"_s.arg(entry.arg(u"2026-01-01T00:00:00Z"_s),
                                                     entry.arg(now)));
        const CtlRun plan = ctl({u"purge"_s});
        const QJsonObject counts = plan.last()[u"plan"_s].toObject()[u"counts"_s].toObject();
        QCOMPARE(counts[u"done"_s].toInt(), 1);
        QCOMPARE(counts[u"not-offered"_s].toInt(), 3); // m-2, m-3 and new
        QVERIFY2(plan.out.contains("Nobody knows how old it is"), plan.out.constData());
        QVERIFY2(plan.out.contains("would run the business logic again"), plan.out.constData());
        const CtlRun done = ctl({u"purge"_s, u"--yes"_s});
        QVERIFY2(!hasEntry(u"c-4"_s, u"old"_s), QByteArray(done.out + done.err).constData());
        QVERIFY(hasEntry(u"c-4"_s, u"new"_s));
        QVERIFY(hasEntry(u"c-2"_s, u"m-3"_s));
        QVERIFY(SideSession(m_url)
                    .one(u"SELECT document FROM customers WHERE id = 'c-4'"_s)
                    .endsWith(u"\"Rest\": 1.50}"_s));

        const CtlRun lost = ctl({u"purge"_s, u"c-1"_s, u"--incoming"_s, u"m-1"_s, u"--yes"_s});
        QCOMPARE(lost.exitCode, 5);
        QVERIFY2(lost.out.contains("to purge it is to lose them"), lost.out.constData());
        QVERIFY(hasEntry(u"c-1"_s, u"m-1"_s));
    }

    void onlyWhatIsKnownToBeOldIsTaken_data() { addDialects(); }
    void onlyWhatIsKnownToBeOldIsTaken()
    {
        makeDocuments();
        const auto expected = [this](const QString &age) {
            const CtlRun run = ctl({u"reconcile"_s, u"c-1"_s, u"--older-than"_s, age});
            return run.last()[u"plan"_s].toObject()[u"items"_s].toArray().at(0).toObject();
        };
        QCOMPARE(expected(u"1h"_s)[u"expected"_s].toString(), u"done"_s);
        QCOMPARE(expected(u"9000d"_s)[u"expected"_s].toString(), u"not-offered"_s);
    }

    void aMessageThatTheQueueRefusesKeepsItsEntry_data() { addDialects(); }
    void aMessageThatTheQueueRefusesKeepsItsEntry()
    {
        makeDocuments();
        EnqueueRequest other = sampleRequest(u"o-1"_s);
        other.payload = "another one";
        QVERIFY_RESULT(placeTask(m_redis, other, TaskState::Pending));
        const CtlRun run = ctl({u"dispatch"_s, u"c-1"_s, u"--yes"_s});
        QVERIFY2(run.out.contains("another message owns this task id"), run.out.constData());
        QCOMPARE(entryOf(u"c-1"_s, u"m-1"_s).state, OutboxEntry::State::Undispatched);
        QVERIFY(run.exitCode != 0);
    }

    void whatLeakedIsRemovedAndWhatIsUndispatchedNever_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::addColumn<bool>("keys");
        QTest::newRow("PostgreSQL, table") << int(DatabaseUrl::Dialect::PostgreSql) << false;
        QTest::newRow("PostgreSQL, Redis keys") << int(DatabaseUrl::Dialect::PostgreSql) << true;
        QTest::newRow("SQLite, table") << int(DatabaseUrl::Dialect::Sqlite) << false;
        QTest::newRow("MariaDB, table") << int(DatabaseUrl::Dialect::MariaDb) << false;
    }
    void whatLeakedIsRemovedAndWhatIsUndispatchedNever()
    {
        QFETCH(const bool, keys);
        makeDocuments();
        SideSession side(m_url);
        side.all({u"CREATE TABLE done (id text PRIMARY KEY)"_s,
                  u"INSERT INTO done VALUES ('m-3'), ('m-4')"_s});
        for (const char *id : {"done:m-3", "done:m-4"})
            QVERIFY_RESULT(m_redis.command({"SET", id, "1"}, u"setting"_s));
        const QStringList store = QStringList{u"--design"_s, u"store"_s}
            + (keys ? QStringList{u"--done-prefix"_s, u"done:"_s}
                    : QStringList{u"--done-table"_s, u"done"_s});
        const QJsonObject status = ctl(QStringList{u"status"_s} + store).last();
        QCOMPARE(status[u"leaked"_s].toInt(), 1);
        QCOMPARE(status[u"store"_s].toObject()[u"holds"_s].toBool(), true);
        QVERIFY(!status[u"store"_s].toObject()[u"words"_s].toString().isEmpty());

        // Dispatching alone leaves leftovers where they are.
        const CtlRun sent = ctl(QStringList{u"dispatch"_s, u"--yes"_s} + store);
        QCOMPARE(entryOf(u"c-2"_s, u"m-3"_s).state, OutboxEntry::State::Dispatched);
        QVERIFY2(sent.out.contains("reconcile removes it"), sent.out.constData());
        QVERIFY(!hasEntry(u"c-1"_s, u"m-1"_s)); // dispatched, added, removed
        QCOMPARE(numberOf(m_redis, {"EXISTS", "asynq:{default}:t:o-1"}), 1);
        QCOMPARE(keys ? numberOf(m_redis, {"EXISTS", "done:m-1"})
                      : side.one(u"SELECT count(*) FROM done WHERE id = 'm-1'"_s).toLongLong(),
                 1);

        const CtlRun done = ctl(QStringList{u"reconcile"_s, u"--yes"_s} + store);
        QVERIFY2(!hasEntry(u"c-2"_s, u"m-3"_s), QByteArray(done.out + done.err).constData());
        QVERIFY(hasEntry(u"c-1"_s, u"m-2"_s)); // null, but the store has not its id
        QVERIFY(hasEntry(u"c-3"_s, u"m-4"_s)); // cannot be read
        QCOMPARE(ctl(QStringList{u"status"_s} + store).last()[u"leaked"_s].toInt(), 0);
    }

    void aStoreThatCannotBeReliedOnIsRefused()
    {
        const auto policy = [this](const char *name) {
            return m_redis.command({"CONFIG", "SET", "maxmemory-policy", name}, u"setting"_s);
        };
        makeDocuments(DatabaseUrl::Dialect::Sqlite);
        const QStringList store{u"--design"_s, u"store"_s, u"--done-prefix"_s, u"done:"_s};
        QVERIFY_RESULT(policy("volatile-lru"));
        const CtlRun refused = ctl(QStringList{u"reconcile"_s, u"--yes"_s} + store);
        QCOMPARE(ctl(QStringList{u"status"_s} + store).last()[u"store"_s].toObject()[u"holds"_s],
                 QJsonValue(false));
        QVERIFY_RESULT(policy("noeviction"));
        QCOMPARE(refused.exitCode, 5);
        QVERIFY2(refused.err.contains("may evict"), refused.err.constData());
        QCOMPARE(entryOf(u"c-1"_s, u"m-1"_s).state, OutboxEntry::State::Undispatched);
        // Without a store nothing is decided, and nothing can be carried out.
        QCOMPARE(ctl({u"reconcile"_s, u"--design"_s, u"store"_s, u"--yes"_s}).exitCode, 5);
        QCOMPARE(ctl(store + QStringList{u"status"_s, u"--done-ttl"_s, u"1h"_s}).exitCode, 2);
    }

    void aQueueThatMayLoseTasksIsRefused()
    {
        const auto policy = [this](const char *name) {
            return m_redis.command({"CONFIG", "SET", "maxmemory-policy", name}, u"setting"_s);
        };
        makeDocuments(DatabaseUrl::Dialect::Sqlite);
        QVERIFY_RESULT(policy("allkeys-lru"));
        const CtlRun refused = ctl({u"dispatch"_s, u"--yes"_s});
        QVERIFY_RESULT(policy("noeviction"));
        QCOMPARE(refused.exitCode, 5);
        QVERIFY2(refused.err.contains("evict"), refused.err.constData());
        QCOMPARE(ctl({u"dispatch"_s, u"--yes"_s, u"--retention"_s, u"0"_s}).exitCode, 5);
        QCOMPARE(entryOf(u"c-1"_s, u"m-1"_s).state, OutboxEntry::State::Undispatched);
    }

    void wrongWordsAreUsage()
    {
        const QString url = u"sqlite:///nowhere.db"_s;
        const QStringList base{u"documents"_s, u"--database"_s, url};
        QCOMPARE(runCtl(base + QStringList{u"erase"_s}).exitCode, 2);
        QCOMPARE(runCtl(base + QStringList{u"status"_s, u"--design"_s, u"x"_s}).exitCode, 2);
        QCOMPARE(runCtl({u"documents"_s, u"status"_s, u"--redis"_s, queueUrlOf(redis)}).exitCode,
                 2);
        QCOMPARE(runCtl(base + QStringList{u"status"_s}).exitCode, 4);
    }

private:
    void makeDocuments()
    {
        QFETCH(const int, dialect);
        makeDocuments(static_cast<DatabaseUrl::Dialect>(dialect));
    }
    void makeDocuments(DatabaseUrl::Dialect kind)
    {
        m_url = databases.fresh(kind);
        const bool isSqlite = kind == DatabaseUrl::Dialect::Sqlite;
        m_urlText = databases.addressOf(m_url);
        const QString insert = u"INSERT INTO customers VALUES ('%1', 7, '%2')"_s;
        SideSession(m_url).all(
            {u"CREATE TABLE customers (id text PRIMARY KEY, version integer NOT NULL,"
             u" document %1 NOT NULL)"_s.arg(isSqlite ? u"text"_s : u"json"_s),
             insert.arg(u"c-1"_s,
                        u"{\"Balance\": 12.50, \"OutboxState\": {\"m-1\": {\"OutgoingMessages\":"
                        u" [{\"id\":\"o-1\",\"type\":\"paid\",\"payload\":{\"b\":1,\"a\":2}},"
                        u" {\"id\":\"o-2\",\"type\":\"mail\",\"queue\":\"mails\"}],"
                        u" \"at\": \"2026-01-01T00:00:00Z\"}, \"m-2\": null}}"_s),
             insert.arg(u"c-2"_s, u"{\"OutboxState\": {\"m-3\": null}}"_s),
             insert.arg(u"c-3"_s, u"{\"OutboxState\": {\"m-4\": 5}}"_s)});
    }

    CtlRun ctl(const QStringList &arguments) const
    {
        return runCtl(QStringList{u"documents"_s} + arguments
                      + QStringList{u"--database"_s, m_urlText, u"--table"_s, u"customers"_s,
                                    u"--redis"_s, queueUrlOf(redis), u"--time-member"_s, u"at"_s,
                                    u"--state-dir"_s, m_state->path(), u"--json"_s});
    }

    bool hasEntry(const QString &document, const QString &incoming) const
    {
        return !entryOf(document, incoming).incoming.isEmpty();
    }

    OutboxEntry entryOf(const QString &document, const QString &incoming) const
    {
        const QByteArray json
            = SideSession(m_url)
                  .one(u"SELECT document FROM customers WHERE id = '%1'"_s.arg(document))
                  .toUtf8();
        const auto state = OutboxState::read(json, {});
        const OutboxEntry *entry = state ? state->entry(incoming) : nullptr;
        return entry ? *entry : OutboxEntry();
    }

    DatabaseUrl m_url;
    QString m_urlText;
    RedisConnection m_redis;
    std::unique_ptr<QTemporaryDir> m_state;
};

} // namespace tst_ctldocuments

OUTBOX_TEST(tst_ctldocuments::TestCtlDocuments)
#include "tst_ctldocuments.moc"
