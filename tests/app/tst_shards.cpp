// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One outbox into eight queues: each row once, in the queue that a table from outside says, and
// looked for there by everybody; a queue that is broken holds up its own rows alone; other shards
// are not taken while tasks stand where the old ones put them.
#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/cluster/slots.h"
#include "tests/app/relayground.h"
#include "tests/support/clusterworld.h"
#include "tests/support/ctl.h"
#include "tests/support/filebytes.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QSet>
#include <QTest>

#include <functional>
#include <thread>

namespace tst_shards {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int shards = 8;
constexpr int rows = 2000;

/// The shard of the task ids "1" to "2000", by a program in another language.
constexpr char shardOfNumber[]
    = "22766376173337550611340033554636415315440450224117445652077131126456450420654775"
      "55712511576761031332515335346405736053360273333544406555001421172756511535625563"
      "66366177243374265120431642225562401336040472401136745115266027660565265046560045"
      "30160447510324306421127666770645624161133666712251527732166166231327740350336435"
      "32703276012257130531021334632635312070465215346741240647606456211212744662453277"
      "13054775032205606506570240740664572621151522611751104251764277225734522043064032"
      "44570660232103105645311042640056223542335755026324013716352152663415443677713716"
      "73631421733155375554276045346662375307022441350516652277111130124466021042544400"
      "33570565253206504042556331173114365730753643360246646553346776537336143766655253"
      "26556104576727174504025031131430124570621162754564011045226075327661126533365670"
      "34630571137107566466116772757771067055054604401405567271510450540110434631115253"
      "37567472637707533343054037442247444371123521173252611244333675635447235746670243"
      "20533360340420347243244211030056570766226504104300452301174745004221042370437721"
      "10355706526115476260454421011240224110150420633532301644004137177726570651732636"
      "56037730707744647217544565325466350534544364336123336052347734411014510315432644"
      "55026157155236323011031650735726156455453035350200734304313621733573671240665367"
      "64765031652361141256642511112244511175724661301264675210304333023770203634053441"
      "20173345011035266706356447571604504277304425053677470440401556044066644113056046"
      "25444112355370761727175271556406267176604766077524630660330067335505360110324533"
      "03206123662042170653470017440571735732413072250732032064276550574150104774220514"
      "24673231101734043370425531162523011744053504255543611516207115254356474017037326"
      "60762200372146025647636126765455325632107535450572104476706230227703457056033033"
      "74413112611327403536570240201357772522154665764526064540745102146326653751101225"
      "25503111174741127271162705435115147034706364634217350736307224003364004756067322"
      "51176720521622745530554153061204607653271156452565110325470675005442455555633110";
/// The same of "c0" to "c9".
constexpr char shardOfCustomer[] = "3304321007";

int shardOfRow(int id)
{
    return shardOfNumber[id - 1] - '0';
}

QueueName queueOf(int shard)
{
    return QueueName{u"mail-%1"_s.arg(shard)};
}

int rowsOfShard(int shard, int count)
{
    int found = 0;
    for (int id = 1; id <= count; ++id)
        found += shardOfRow(id) == shard ? 1 : 0;
    return found;
}

QByteArray listText(const RedisReply &list)
{
    QByteArrayList all;
    for (const RedisReply &one : list.elements)
        all += one.bytes;
    return all.join(' ');
}

OutboxShape shardedShape(const QString &queue = u"mail-{shard:8}"_s)
{
    OutboxShape shape = bytesShape();
    shape.queueShards = QueueShards::fromText(queue).value_or(QueueShards());
    return shape;
}

/// Asked of Redis by hand, by whatever way leads to the queue.
using Ask = std::function<Result<RedisReply>(const RedisCommand &)>;

/// Rows 1 to `count` wait, each once, in the queue that the table says.
void verifyPlaces(const Ask &ask, int count)
{
    QSet<int> seen;
    int waiting = 0;
    for (int shard = 0; shard < shards; ++shard) {
        const asynq::QueueKeys keys(queueOf(shard));
        const auto list = ask({"LRANGE", keys.pending(), "0", "-1"});
        QVERIFY_RESULT(list);
        for (const RedisReply &one : list->elements) {
            const int id = one.bytes.toInt();
            QVERIFY2(id >= 1 && id <= count, one.bytes.constData());
            QCOMPARE(shardOfRow(id), shard);
            const auto hash = ask({"EXISTS", keys.task(one.bytes)});
            QVERIFY_RESULT(hash);
            QCOMPARE(hash->integer, 1);
            seen += id;
            ++waiting;
        }
    }
    QCOMPARE(waiting, count);
    QCOMPARE(seen.size(), count);
    const auto queues = ask({"SMEMBERS", asynq::allQueues});
    QVERIFY_RESULT(queues);
    QCOMPARE(queues->elements.size(), shards);
}

} // namespace

class TestShards : public QObject, protected RelayGround
{
    Q_OBJECT

    [[nodiscard]] RelayTarget target(const DatabaseUrl &url, const OutboxShape &shape) const
    {
        RelayTarget target = relayTarget(url, shape);
        target.rules.queueRestMs = 50;
        target.deepestQueue = 100'000;
        return target;
    }
    [[nodiscard]] Ask oneRedis()
    {
        return [this](const RedisCommand &words) -> Result<RedisReply> {
            if (!m_hand.isOpen()) {
                TRY(m_hand.open(redis(), RedisConnection::Access::Act, u"test"_s));
            }
            return m_hand.command(words, u"looking"_s);
        };
    }

    struct Told
    {
        QStringList errors;
        RelayTotals totals;
    };
    /// Until `left` rows are left; false when that takes too long.
    static bool work(RelaySession &pair, SideSession &side, int left, Told &told)
    {
        const std::stop_source stop;
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < patient(30'000)) {
            const RelayBurst burst
                = pair.work(100, 1'000'000, 50, 5, RelayAim::Drained, stop.get_token());
            for (const RelayStep &step : burst.steps) {
                told.totals.add(step);
                if (step.error)
                    told.errors += oneLine(*step.error);
            }
            if (side.one(u"SELECT count(*) FROM outbox"_s).toInt() == left)
                return true;
            if (burst.end == RelayBurst::End::Failed && !pair.ensureOpen())
                std::this_thread::yield();
        }
        return false;
    }

    RedisConnection m_hand;

private slots:
    void initTestCase()
    {
        OUTBOX_START_DATABASES(m_databases, {}, true);
        OUTBOX_START_SERVER(m_redis);
    }
    void init() { emptyRedis(); }

    void everyRowIsInItsQueueOnce_data() { addColumnOfDialects(); }
    void everyRowIsInItsQueueOnce()
    {
        QFETCH(int, dialect);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(rows, u"n, 'a', 'x'"_s, u"outbox"_s));
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, shardedShape())));
        Told told;
        QVERIFY(work(pair, side, 0, told));
        QVERIFY2(told.errors.isEmpty(), qPrintable(told.errors.join(u'\n')));
        QCOMPARE(told.totals.enqueued, rows);
        verifyPlaces(oneRedis(), rows);
    }

    /// All tasks of one customer stand in one queue, in the order of their rows.
    void aColumnKeepsItsRowsTogether_data() { addColumnOfDialects(); }
    void aColumnKeepsItsRowsTogether()
    {
        QFETCH(int, dialect);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(classicTable(u", customer text"_s));
        side.run(numbered(500, u"n, 'a', 'x', 'c' || (n % 10)"_s, u"outbox"_s));
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, shardedShape(u"mail-{shard:8 by:customer}"_s))));
        Told told;
        QVERIFY(work(pair, side, 0, told));
        QVERIFY2(told.errors.isEmpty(), qPrintable(told.errors.join(u'\n')));
        int waiting = 0;
        for (int shard = 0; shard < shards; ++shard) {
            const auto list
                = oneRedis()({"LRANGE", asynq::QueueKeys(queueOf(shard)).pending(), "0", "-1"});
            QVERIFY_RESULT(list);
            int before = 501; // the newest stands first
            for (const RedisReply &one : list->elements) {
                const int id = one.bytes.toInt();
                QCOMPARE(shardOfCustomer[id % 10] - '0', shard);
                QVERIFY2(id < before, listText(*list).constData());
                before = id;
                ++waiting;
            }
        }
        QCOMPARE(waiting, 500);
    }

    void overAClusterEveryRowIsInItsQueueOnce()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(rows, u"n, 'a', 'x'"_s, u"outbox"_s));
        RelayTarget relayed = target(url, shardedShape());
        relayed.redis = RedisEndpoint::fromUrl(world.url()).value();
        RelaySession pair;
        QVERIFY_RESULT(pair.open(relayed));
        Told told;
        QVERIFY(work(pair, side, 0, told));
        QCOMPARE(told.totals.delivered(), rows);
        verifyPlaces([&world](const RedisCommand &words) { return world.ask(words); }, rows);
        int used = 0; // nodes
        for (int node = 0; node < world.primaries(); ++node) {
            const auto keys
                = world.hand(node).command({"KEYS", "asynq:{mail-*}:t:*"}, u"looking"_s);
            QVERIFY_RESULT(keys);
            used += keys->elements.isEmpty() ? 0 : 1;
        }
        QVERIFY(used > 1);
    }

    /// No statement can leave its rows out; they wait all the same, and no other row does.
    void aBrokenQueueHoldsUpItsOwnRowsAlone_data() { addColumnOfDialects(); }
    void aBrokenQueueHoldsUpItsOwnRowsAlone()
    {
        QFETCH(int, dialect);
        constexpr int broken = 3;
        command({"SET", asynq::QueueKeys(queueOf(broken)).pending(), "somebody's"});
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(rows, u"n, 'a', 'x'"_s, u"outbox"_s));
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, shardedShape())));
        Told told;
        const int waiting = rowsOfShard(broken, rows);
        QVERIFY(work(pair, side, waiting, told));
        QCOMPARE(told.totals.enqueued, rows - waiting);
        QCOMPARE(told.totals.parked, 0);
        QVERIFY(!told.errors.isEmpty());
        for (const QString &error : std::as_const(told.errors))
            QVERIFY2(error.contains(u"WRONGTYPE"_s), qPrintable(error));

        command({"DEL", asynq::QueueKeys(queueOf(broken)).pending()});
        QVERIFY(work(pair, side, 0, told));
        QCOMPARE(told.totals.enqueued, rows);
        QCOMPARE(told.totals.parked, 0);
        verifyPlaces(oneRedis(), rows);
    }

    /// The relay does not back off for it, and blames no row.
    void aNodeThatRefusesHoldsUpItsShardsAlone()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const auto ownerOf = [&world](int shard) {
            return world.ownerOf(slotOf(asynq::QueueKeys(queueOf(shard)).pending()));
        };
        const int ofList = world.ownerOf(slotOf(asynq::allQueues)); // each batch needs that one
        int away = 0;
        while (away < shards - 1 && ownerOf(away) == ofList)
            ++away;
        const int refusing = ownerOf(away);
        QVERIFY(refusing != ofList);
        int waiting = 0;
        for (int shard = 0; shard < shards; ++shard)
            waiting += ownerOf(shard) == refusing ? rowsOfShard(shard, rows) : 0;
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(rows, u"n, 'a', 'x'"_s, u"outbox"_s));
        RelayTarget relayed = target(url, shardedShape());
        relayed.redis = RedisEndpoint::fromUrl(world.url()).value();
        RelaySession pair;
        QVERIFY_RESULT(pair.open(relayed));

        const auto setMemory = [&](const QByteArray &most) {
            return world.hand(refusing).command({"CONFIG", "SET", "maxmemory", most}, u"staging"_s);
        };
        QVERIFY_RESULT(setMemory("1"));
        Told told;
        QVERIFY(work(pair, side, waiting, told));
        QVERIFY2(told.errors.isEmpty(), qPrintable(told.errors.join(u'\n')));
        QCOMPARE(told.totals.delivered(), rows - waiting);
        QVERIFY_RESULT(setMemory("0"));
        QVERIFY(work(pair, side, 0, told));
        QCOMPARE(told.totals.delivered(), rows);
        QCOMPARE(told.totals.parked, 0);
        verifyPlaces([&world](const RedisCommand &words) { return world.ask(words); }, rows);
    }

    /// A row that came back could be sent to a queue that does not know its id.
    void otherShardsAreRefusedWhileTasksStandInTheOld()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.run(classicTable(u", customer text"_s));
        side.run(numbered(40, u"n, 'a', 'x', 'c'"_s, u"outbox"_s));
        const OutboxShape eight = shardedShape();
        const OutboxShape sixteen = shardedShape(u"mail-{shard:16}"_s);
        {
            RelaySession pair;
            QVERIFY_RESULT(pair.open(target(url, eight)));
            Told told;
            QVERIFY(work(pair, side, 0, told));
            pair.close();
            QVERIFY_RESULT(pair.open(target(url, eight))); // the same ones are no change
        }
        for (const OutboxShape &other : {sixteen, shardedShape(u"mail-{shard:4}"_s),
                                         shardedShape(u"mail-{shard:8 by:customer}"_s)}) {
            RelaySession pair;
            const auto opened = pair.open(target(url, other));
            QVERIFY(!opened);
            QCOMPARE(opened.error().kind, Error::Kind::Refused);
            QVERIFY2(opened.error().text.contains(u"mail-{shard:8}"_s),
                     qPrintable(opened.error().text));
            QVERIFY(opened.error().hint.contains(u"--shards-changed"_s));
        }
        {
            RelayTarget vouched = target(url, sixteen);
            vouched.shardsChanged = true;
            RelaySession pair;
            QVERIFY_RESULT(pair.open(vouched));
            pair.close();
            QVERIFY_RESULT(pair.open(target(url, sixteen))); // it is on record now
        }
        QVERIFY(!RelaySession().open(target(url, eight)));
        // Workers ran all of them, and their retention is over.
        for (int shard = 0; shard < shards; ++shard) {
            const asynq::QueueKeys keys(queueOf(shard));
            const auto list = oneRedis()({"LRANGE", keys.pending(), "0", "-1"});
            QVERIFY_RESULT(list);
            for (const RedisReply &one : list->elements)
                command({"DEL", keys.task(one.bytes)});
            command({"DEL", keys.pending()});
        }
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, eight)));
    }

    /// Outboxes whose tables have one name in several databases share the queues, and no record.
    void whoeverVouchesDoesSoForOneTable()
    {
        const OutboxShape eight = shardedShape();
        const OutboxShape sixteen = shardedShape(u"mail-{shard:16}"_s);
        QList<DatabaseUrl> urls;
        for (int database = 0; database < 2; ++database) {
            urls += m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
            SideSession side(urls.last());
            side.run(classicTable());
            side.run(u"INSERT INTO outbox (id, type, payload) VALUES (%1, 'a', 'x')"_s.arg(database
                                                                                           + 1));
            RelaySession pair;
            QVERIFY_RESULT(pair.open(target(urls.last(), eight)));
            Told told;
            QVERIFY(work(pair, side, 0, told));
        }
        RelayTarget vouched = target(urls.first(), sixteen);
        vouched.shardsChanged = true;
        QVERIFY_RESULT(RelaySession().open(vouched));
        const auto opened = RelaySession().open(target(urls.last(), sixteen));
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Refused);
        QVERIFY_RESULT(RelaySession().open(target(urls.last(), eight)));
    }

    /// What looks at a row, and what acts on it, asks the queue in which its task is.
    void everybodyLooksInTheRightQueue()
    {
        constexpr int count = 40;
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.run(classicTable(u", done_at timestamp"_s));
        side.run(numbered(count, u"n, 'a', 'x', NULL"_s, u"outbox"_s));
        OutboxShape shape = shardedShape();
        shape.name = u"shards"_s;
        shape.processedHow = OutboxShape::ProcessedHow::Time;
        shape.processedColumn = u"done_at"_s;
        shape.confirmed = u"by the test"_s;
        QTemporaryDir folder;
        const QString file = folder.filePath(u"shape.json"_s);
        QVERIFY(writeFile(file, QJsonDocument(shape.toJson()).toJson()));
        const auto ctl = [&](const QStringList &arguments, const QStringList &behind = {}) {
            return runCtl(arguments
                          + QStringList{u"--database"_s, m_databases.addressOf(url), u"--redis"_s,
                                        m_redis.url(), u"--shape"_s, file, u"--state-dir"_s,
                                        folder.filePath(u"state"_s), u"--json"_s}
                          + behind);
        };
        const CtlRun named = ctl({u"relay"_s, u"--drain"_s, u"--ids-never-return"_s},
                                 {u"--queue"_s, u"mail-{shard:8}"_s});
        QVERIFY(named.exitCode != 0);
        QVERIFY2(QByteArray(named.err + named.out).contains("in the mapping"),
                 named.err.constData());
        const CtlRun relay = ctl({u"relay"_s, u"--drain"_s, u"--ids-never-return"_s});
        QVERIFY2(relay.exitCode == 0, relay.err.constData());
        verifyPlaces(oneRedis(), count);

        // What is about a queue does not guess which of them.
        for (const QStringList &words :
             {QStringList{u"tasks"_s}, QStringList{u"pause"_s}, QStringList{u"run"_s, u"1"_s},
              QStringList{u"enqueue"_s, u"a"_s}}) {
            const CtlRun run = ctl(words);
            QVERIFY(run.exitCode != 0);
            QVERIFY2(QByteArray(run.err + run.out).contains("no queue is named"),
                     run.err.constData());
        }
        const CtlRun tasks = ctl({u"tasks"_s, u"--queue"_s, u"mail-3"_s});
        QVERIFY2(tasks.exitCode == 0, tasks.err.constData());

        const CtlRun list = ctl({u"list"_s, u"--filter"_s, u"queue:mail-3"_s});
        QVERIFY2(list.exitCode == 0, list.err.constData());
        int found = 0;
        for (const QJsonObject &row : list.objects()) {
            if (!row.contains("id"_L1))
                continue; // the cursor
            QCOMPARE(shardOfRow(row.value("id"_L1).toString().toInt()), 3);
            ++found;
        }
        QCOMPARE(found, rowsOfShard(3, count));

        for (const int id : {1, 7, 19}) {
            const QString queue = queueOf(shardOfRow(id)).text;
            const QJsonObject shown = ctl({u"show"_s, QString::number(id)}).last();
            QCOMPARE(shown.value("queue"_L1).toString(), queue);
            QCOMPARE(shown.value("task"_L1).toObject().value("queue"_L1).toString(), queue);
            const CtlRun replay = ctl({u"replay"_s, QString::number(id)});
            const QJsonObject item = replay.last()
                                         .value("plan"_L1)
                                         .toObject()
                                         .value("items"_L1)
                                         .toArray()
                                         .first()
                                         .toObject();
            QCOMPARE(item.value("queue"_L1).toString(), queue);
            QCOMPARE(item.value("task_seen"_L1).toObject().value("state"_L1).toString(),
                     u"pending"_s);
        }
        const CtlRun reconcile = ctl({u"reconcile"_s});
        QVERIFY2(reconcile.exitCode == 0 || reconcile.exitCode == 3, reconcile.err.constData());
        const QJsonArray items
            = reconcile.last().value("plan"_L1).toObject().value("items"_L1).toArray();
        for (const QJsonValue &item : items) // that nobody serves the queues may be told
            QVERIFY2(item.toObject().value("row"_L1).isNull(), reconcile.out.constData());

        const QJsonObject own = ctl({u"status"_s}).last().value("queue"_L1).toObject();
        QCOMPARE(own.value("name"_L1).toString(), u"mail-{shard:8}"_s);
        QCOMPARE(own.value("pending"_L1).toInteger(), count);

        side.run(u"DELETE FROM outbox WHERE id = 7"_s);
        const QJsonObject gone = ctl({u"show"_s, u"7"_s}).last();
        QVERIFY(gone.value("row"_L1).isNull());
        QCOMPARE(gone.value("task"_L1).toObject().value("queue"_L1).toString(),
                 queueOf(shardOfRow(7)).text);
    }

private:
    static void addColumnOfDialects()
    {
        QTest::addColumn<int>("dialect");
        for (const TestWords &words : allTestWords())
            QTest::newRow(words.name) << int(words.dialect);
    }
};

} // namespace tst_shards

OUTBOX_TEST(tst_shards::TestShards)
#include "tst_shards.moc"
