// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `outboxctl tokens` as a script runs it: what refers to each token, that nothing is ever deleted,
// and that a second execution must be asked for and is on record.
#include "tests/connectors/sqlfixture.h"
#include "tests/support/ctl.h"
#include "tests/support/queueserver.h"
#include "tests/support/redisqueue.h"
#include "tests/support/testprogram.h"

namespace tst_ctltokens {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

Databases databases;
PrivateRedis redis;

} // namespace

class TestCtlTokens : public QObject
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

    void onlyWhatNothingRefersToIsGarbage_data() { addStores(); }
    void onlyWhatNothingRefersToIsGarbage()
    {
        makeWorld();
        const QJsonObject status = ctl({u"status"_s}).last();
        QCOMPARE(status[u"tokens"_s].toInt(), 5);
        for (const char *reach : {"held", "carried", "attempt", "losing", "garbage"})
            QVERIFY2(status[QLatin1String(reach)].toInt() == 1, reach);
        QCOMPARE(status[u"unknown"_s].toInt(), 0);

        const CtlRun list = ctl({u"list"_s, u"--reach"_s, u"garbage"_s});
        QCOMPARE(list.objects().size(), 1);
        QCOMPARE(list.last()[u"token"_s].toString(), u"t-garbage"_s);
        QCOMPARE(list.last()[u"kind"_s].toString(), u"K16"_s);
        QVERIFY(list.last()[u"age_s"_s].toDouble() > 86'400);
        QCOMPARE(tokens(), 5);
    }

    void whatWasNotReadIsNoProof_data() { addStores(); }
    void whatWasNotReadIsNoProof()
    {
        makeWorld();
        SideSession(m_url).run(
            u"INSERT INTO entities VALUES ('broken', 1, '{\"OutboxState\": 7}')"_s);
        const CtlRun run = ctl({u"status"_s});
        QCOMPARE(run.last()[u"garbage"_s].toInt(), 0);
        QCOMPARE(run.last()[u"unknown"_s].toInt(), 1);
        QVERIFY(!run.last()[u"notes"_s].toArray().isEmpty());
    }

    void aSecondExecutionIsAskedForAndOnRecord_data() { addStores(); }
    void aSecondExecutionIsAskedForAndOnRecord()
    {
        makeWorld();
        const QStringList force{u"force"_s, u"t-gone"_s, u"--yes"_s, u"--note"_s, u"INC-7"_s};
        const CtlRun refused = ctl(force);
        QCOMPARE(refused.exitCode, 5);
        QVERIFY2(refused.out.contains("Forced execution"), refused.out.constData());
        QCOMPARE(tokens(), 5);
        const CtlRun done = ctl(force + QStringList{u"--allow-second-execution"_s});
        QVERIFY2(done.exitCode == 0, QByteArray(done.out + done.err).constData());
        QCOMPARE(tokens(), 6);
        const CtlRun audit = runCtl({u"audit"_s, u"--json"_s, u"--state-dir"_s, m_state->path()});
        QVERIFY2(audit.out.contains("forced execution") && audit.out.contains("INC-7"),
                 audit.out.constData());
        // A token that is there needs no force.
        ctl({u"force"_s, u"t-held"_s, u"--yes"_s, u"--allow-second-execution"_s});
        QCOMPARE(tokens(), 6);
    }

    /// Of a Cluster, where the set and the attempts lie in two slots.
    void whatCannotBeWrittenInOneStepIsRefusedInWords()
    {
        if (!isQueueOfCluster())
            QSKIP("one server has no slots");
        m_url = databases.fresh(DatabaseUrl::Dialect::Sqlite);
        m_urlText = databases.addressOf(m_url);
        SideSession(m_url).run(u"CREATE TABLE entities (id text PRIMARY KEY, version bigint NOT"
                               u" NULL, document text)"_s);
        QVERIFY_RESULT(m_redis.command({"SADD", "bare", "t"}, u"setting"_s));
        const QStringList bare{u"--done-prefix"_s, u"bare"_s};
        QCOMPARE(withStore(u"tokens"_s, {u"status"_s}, bare).last()[u"tokens"_s].toInt(), 1);
        const CtlRun refused = withStore(
            u"tokens"_s, {u"force"_s, u"x"_s, u"--yes"_s, u"--allow-second-execution"_s}, bare);
        QCOMPARE(refused.exitCode, 5);
        QVERIFY2(refused.err.contains("in two slots") && refused.err.contains("{bare}"),
                 refused.err.constData());
        QCOMPARE(numberOf(m_redis, {"SCARD", "bare"}), 1);
    }

    void aLeftoverIsToldByTheTokenThatIsGone_data() { addStores(); }
    void aLeftoverIsToldByTheTokenThatIsGone()
    {
        makeWorld();
        const auto status = [this] {
            return run(u"documents"_s, {u"status"_s, u"--design"_s, u"tokens"_s}).last();
        };
        QCOMPARE(status()[u"leaked"_s].toInt(), 1);
        const CtlRun done
            = run(u"documents"_s, {u"reconcile"_s, u"--design"_s, u"tokens"_s, u"--yes"_s});
        QVERIFY2(status()[u"leaked"_s].toInt() == 0, QByteArray(done.out + done.err).constData());
        // Whose incoming message is not known, nobody can tell: these stay.
        QCOMPARE(status()[u"undispatched"_s].toInt(), 2);
    }

    /// An entry whose incoming message has its token is finished without its receiver.
    void whatIsUndispatchedGetsItsTokensAndGoes_data() { addStores(); }
    void whatIsUndispatchedGetsItsTokensAndGoes()
    {
        makeWorld();
        const QString entry = u"{\"OutboxState\":{\"m-5\":{\"OutgoingMessages\":[{\"id\":"
                              u"\"o-5\",\"type\":\"t\"}],\"token\":\"t-garbage\"}}}"_s;
        SideSession(m_url).run(u"INSERT INTO entities VALUES ('f', 1, '%1')"_s.arg(entry));
        const CtlRun done
            = run(u"documents"_s, {u"dispatch"_s, u"f"_s, u"--design"_s, u"tokens"_s, u"--yes"_s});
        QVERIFY2(done.exitCode == 0, QByteArray(done.out + done.err).constData());
        QCOMPARE(tokens(), 5); // that of m-5 is consumed, that of o-5 is made
        QCOMPARE(numberOf(m_redis, {"LLEN", "asynq:{default}:pending"}), 1);
        QCOMPARE(run(u"documents"_s, {u"show"_s, u"f"_s}).exitCode, 3); // no entry is left
        QCOMPARE(ctl({u"list"_s, u"--reach"_s, u"carried"_s}).objects().size(), 2);
    }

private:
    static void addStores()
    {
        QTest::addColumn<int>("dialect");
        QTest::addColumn<bool>("set");
        QTest::newRow("PostgreSQL, table") << int(DatabaseUrl::Dialect::PostgreSql) << false;
        QTest::newRow("PostgreSQL, Redis set") << int(DatabaseUrl::Dialect::PostgreSql) << true;
        QTest::newRow("SQLite, table") << int(DatabaseUrl::Dialect::Sqlite) << false;
        QTest::newRow("MariaDB, table") << int(DatabaseUrl::Dialect::MariaDb) << false;
    }

    /// Five tokens, one for each thing that may refer to one, and an entry that leaked.
    void makeWorld()
    {
        QFETCH(const int, dialect);
        QFETCH(const bool, set);
        m_isSet = set;
        const auto kind = static_cast<DatabaseUrl::Dialect>(dialect);
        m_url = databases.fresh(kind);
        m_urlText = databases.addressOf(m_url);
        const QString entry = u"{\"OutgoingMessages\":[{\"id\":\"o\",\"type\":\"t\"%1}]%2}"_s;
        const QString held = entry.arg(u",\"token\":\"t-held\""_s, u""_s);
        const QString undecided = entry.arg(u""_s, u""_s);
        const QString leaked = entry.arg(u""_s, u",\"token\":\"t-gone\""_s);
        SideSession side(m_url);
        side.all({u"CREATE TABLE entities (id text PRIMARY KEY, version bigint NOT NULL,"
                  u" document %1)"_s.arg(testWords(kind).jsonType),
                  u"CREATE TABLE tokens (id text PRIMARY KEY, attempt text, incoming text,"
                  u" at timestamp)"_s,
                  u"INSERT INTO entities VALUES ('e', 1, '{\"OutboxState\":{\"m-1\":%1,"
                  u"\"m-2\":%2,\"m-3\":%3}}')"_s.arg(held, undecided, leaked)});
        const QList<QStringList> all{{u"t-held"_s, u"a-1"_s, u"m-1"_s},
                                     {u"t-losing"_s, u"a-2"_s, u"m-1"_s},
                                     {u"t-attempt"_s, u"a-3"_s, u"m-2"_s},
                                     {u"t-carried"_s, u"a-4"_s, u"m-9"_s},
                                     {u"t-garbage"_s, u"a-5"_s, u"m-9"_s}};
        for (const QStringList &one : all) {
            side.run(u"INSERT INTO tokens VALUES ('%1', '2026-01-01')"_s.arg(one.join(u"', '"_s)));
            const QString record = u"[\"%1\",\"%2\",1767225600000]"_s.arg(one.at(1), one.at(2));
            for (const RedisCommand &command :
                 {RedisCommand{"SADD", tokenSetName(), one.at(0).toUtf8()},
                  RedisCommand{"HSET", tokenSetName() + ":attempts", one.at(0).toUtf8(),
                               record.toUtf8()}})
                QVERIFY_RESULT(m_redis.command(command, u"setting"_s));
        }
        QVERIFY_RESULT(placeTask(m_redis, sampleRequest(u"t-carried"_s), TaskState::Archived));
        QVERIFY_RESULT(m_redis.command({"SADD", "asynq:queues", "default"}, u"setting"_s));
    }

    qint64 tokens()
    {
        return m_isSet ? numberOf(m_redis, {"SCARD", tokenSetName()})
                       : SideSession(m_url).one(u"SELECT count(*) FROM tokens"_s).toLongLong();
    }

    CtlRun run(const QString &command, const QStringList &arguments) const
    {
        const QStringList store = m_isSet
            ? QStringList{u"--done-prefix"_s, QString::fromLatin1(tokenSetName())}
            : QStringList{
                u"--done-table"_s,     u"tokens"_s,  u"--done-time-column"_s, u"at"_s,
                u"--attempt-column"_s, u"attempt"_s, u"--incoming-column"_s,  u"incoming"_s};
        return withStore(command, arguments, store);
    }
    CtlRun withStore(const QString &command, const QStringList &arguments,
                     const QStringList &store) const
    {
        return runCtl(QStringList{command} + arguments + store
                      + QStringList{u"--database"_s, m_urlText, u"--table"_s, u"entities"_s,
                                    u"--redis"_s, queueUrlOf(redis), u"--state-dir"_s,
                                    m_state->path(), u"--json"_s});
    }
    CtlRun ctl(const QStringList &arguments) const { return run(u"tokens"_s, arguments); }

    DatabaseUrl m_url;
    QString m_urlText;
    bool m_isSet = false;
    RedisConnection m_redis;
    std::unique_ptr<QTemporaryDir> m_state;
};

} // namespace tst_ctltokens

OUTBOX_TEST(tst_ctltokens::TestCtlTokens)
#include "tst_ctltokens.moc"
