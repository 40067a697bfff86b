// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An id is answered wherever it is, also when its row is gone: generated keys in several queues,
// with several lives each, purged, parked and delivered, on all three databases.
#include "app/audit/audittrail.h"
#include "app/settings/folders.h"
#include "connectors/sql/edit/outboxeditor.h"
#include "tests/support/ctl.h"
#include "tests/support/filebytes.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testkinds.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QSet>
#include <QTest>
#include <QUuid>

namespace tst_idplaces {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Kind = TestOutbox::Kind;
using KeyForm = OutboxShape::KeyForm;

/// Keys that are parts of each other, and hold what patterns and templates are made of.
QStringList keysOf(KeyForm form, int count, QRandomGenerator &random)
{
    static const QString hard = u":%*?[]\\{}'\" aA_é"_s;
    QSet<QString> seen;
    QStringList keys;
    while (keys.size() < count) {
        QString key;
        if (form == KeyForm::Integer) {
            key = QString::number(1 + random.bounded(keys.size() < 3 ? 12 : 1'000'000));
        } else if (form == KeyForm::Text) {
            const int length = 1 + int(random.bounded(6));
            for (int i = 0; i < length; ++i)
                key += hard.at(int(random.bounded(int(hard.size()))));
            key = u"k"_s + key + u"z"_s; // not trimmed anywhere
        } else {
            key = QUuid::createUuidV5(QUuid(), QString::number(random.generate64()))
                      .toString(QUuid::WithoutBraces);
        }
        // Where letters of both cases are one key, the second would not go in.
        if (seen.contains(key.toLower()))
            continue;
        seen += key.toLower();
        keys += key;
    }
    return keys;
}

} // namespace

class TestIdPlaces : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;
    std::unique_ptr<QTemporaryDir> m_folder;
    OutboxShape m_shape;

    [[nodiscard]] bool isPostgres() const { return m_fixture->kind() == Kind::Postgres; }
    [[nodiscard]] bool isSqlite() const { return m_fixture->kind() == Kind::Sqlite; }

    [[nodiscard]] bool setUp(Kind kind, KeyForm form)
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_fixture = std::make_unique<TestOutbox>(kind, BenchShape::Payload, &m_postgres, m_redis,
                                                 &m_mariadb);
        if (!m_fixture->setUp() || !m_fixture->exec(u"drop table outbox"_s))
            return false;
        const QString key = form == KeyForm::Integer ? u"bigint primary key"_s
            : form == KeyForm::Text && !isPostgres() && !isSqlite()
            ? u"varchar(100) collate utf8mb4_bin primary key"_s
            : form == KeyForm::Text || isSqlite() ? u"text primary key"_s
                                                  : u"uuid primary key"_s;
        const QString time = isPostgres() ? u"timestamptz not null default clock_timestamp()"_s
            : isSqlite() ? u"timestamp not null default (strftime('%Y-%m-%d %H:%M:%f', 'now'))"_s
                         : u"datetime(6) not null default utc_timestamp(6)"_s;
        if (!m_fixture->exec(u"create table outbox (id %1 not null, type varchar(50) not null, "
                             "payload %2 not null, queue varchar(50), created_at %3)"_s.arg(
                                 key, isPostgres() ? u"bytea"_s : u"blob"_s, time)))
            return false;
        m_shape = {};
        m_shape.name = u"test"_s;
        m_shape.use = OutboxShape::Use::Relay;
        m_shape.table = TableName::fromText(u"outbox"_s);
        m_shape.keyColumn = u"id"_s;
        m_shape.keyForm = form == KeyForm::Uuid && isSqlite() ? KeyForm::UuidText : form;
        m_shape.taskId = u"{source}:{id}:{born}"_s;
        m_shape.source = u"src%*"_s;
        m_shape.typeColumn = u"type"_s;
        m_shape.payloadColumn = u"payload"_s;
        m_shape.queueColumn = u"queue"_s;
        m_shape.createdColumn = u"created_at"_s;
        m_shape.order = QStringList{u"created_at"_s};
        m_shape.orderIs = OutboxShape::OrderIs::Time;
        m_shape.confirmed = u"by the test"_s;
        return writeFile(m_folder->filePath(u"shape.json"_s),
                         QJsonDocument(m_shape.toJson()).toJson());
    }
    /// As somebody whose files are in the folder `who`.
    [[nodiscard]] CtlRun as(const QString &who, const QStringList &arguments) const
    {
        const QStringList system{u"--database"_s,  m_fixture->url(),
                                 u"--redis"_s,     m_redis.url(),
                                 u"--shape"_s,     m_folder->filePath(u"shape.json"_s),
                                 u"--state-dir"_s, m_folder->filePath(who)};
        // Behind a "--" every argument is an id.
        return runCtl(arguments.first(1) + system + arguments.mid(1));
    }
    [[nodiscard]] bool write(const QString &key, const QString &queue)
    {
        QString quoted = key;
        quoted.replace(u'\'', u"''"_s);
        if (m_fixture->kind() == Kind::MariaDb)
            quoted.replace(u'\\', u"\\\\"_s);
        return m_fixture->exec(
            u"insert into outbox (id, type, payload, queue) values ('%1', 'mail', "
            "'x', '%2')"_s.arg(quoted, queue));
    }
    [[nodiscard]] bool relayAll()
    {
        const CtlRun run = as(u"relay"_s, {u"relay"_s, u"--drain"_s, u"--ids-never-return"_s});
        if (run.exitCode != 0)
            qWarning("%s", run.err.constData());
        return run.exitCode == 0
            && m_fixture->scalar(u"select count(*) from outbox"_s).toInt() == 0;
    }
    [[nodiscard]] QJsonObject show(const QString &id, const QString &who, int *exitCode = nullptr)
    {
        const CtlRun run = as(who, {u"show"_s, u"--json"_s, u"--"_s, id});
        if (exitCode)
            *exitCode = run.exitCode;
        return run.last();
    }
    /// How often each place is told, by its word.
    static QHash<QString, int> placesIn(const QJsonObject &shown)
    {
        QHash<QString, int> places;
        for (const QJsonValue &place : shown.value("places"_L1).toArray())
            ++places[place.toObject().value("place"_L1).toString()];
        return places;
    }

    void addWorlds()
    {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<KeyForm>("form");
        const QList<std::pair<const char *, KeyForm>> forms{
            {"numbers", KeyForm::Integer}, {"texts", KeyForm::Text}, {"uuids", KeyForm::Uuid}};
        for (const auto &[kindName, kind] : allKinds()) {
            for (const auto &[formName, form] : forms)
                QTest::addRow("%s, %s", kindName, formName) << kind << form;
        }
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }
    void cleanup() { m_fixture.reset(); }

    void everyLifeOfADeliveredKeyIsToldInEveryQueue_data() { addWorlds(); }
    void everyLifeOfADeliveredKeyIsToldInEveryQueue()
    {
        QFETCH(Kind, kind);
        QFETCH(KeyForm, form);
        QVERIFY(setUp(kind, form));
        QRandomGenerator random(20260101 + int(kind) * 10 + int(form));
        const QStringList keys = keysOf(form, 6, random);
        QHash<QString, QStringList> queuesOf; // of the lives of each key
        for (int life = 0; life < 3; ++life) {
            for (const QString &key : keys) {
                if (life > 0 && random.bounded(2) == 0)
                    continue;
                const QString queue = u"q%1"_s.arg(random.bounded(3));
                queuesOf[key] += queue;
                QVERIFY(write(key, queue));
            }
            QVERIFY(relayAll());
        }
        for (const QString &key : keys) {
            QStringList typed{key};
            if (form == KeyForm::Uuid && !isSqlite())
                typed += key.toUpper();
            for (const QString &id : std::as_const(typed)) {
                int exitCode = -1;
                const QJsonObject shown = show(id, u"nobody"_s, &exitCode);
                QVERIFY2(exitCode == 0, qPrintable(id));
                QVERIFY(shown.value("row"_L1).isNull());
                QJsonArray lives = shown.value("lives"_L1).toArray();
                lives.prepend(shown.value("task"_L1));
                QStringList queues;
                QSet<QString> tasks;
                for (const QJsonValue &life : std::as_const(lives)) {
                    queues += life.toObject().value("queue"_L1).toString();
                    const QString task = life.toObject().value("id"_L1).toString();
                    QVERIFY2(task.startsWith(u"src%*:"_s + key + u':'), qPrintable(task));
                    tasks += task;
                }
                QCOMPARE(tasks.size(), queuesOf.value(key).size());
                queues.sort();
                QStringList wanted = queuesOf.value(key);
                wanted.sort();
                QCOMPARE(queues, wanted);
            }
        }
        // A task's own id is answered with that task; a key that never was with nothing.
        const QString whole = show(keys.constFirst(), u"nobody"_s)
                                  .value("task"_L1)
                                  .toObject()
                                  .value("id"_L1)
                                  .toString();
        QCOMPARE(show(whole, u"nobody"_s).value("task_id"_L1).toString(), whole);
        int exitCode = -1;
        static_cast<void>(
            show(form == KeyForm::Integer ? u"77777777"_s : u"never"_s, u"nobody"_s, &exitCode));
        QCOMPARE(exitCode, 3);
    }

    void whatWasPurgedIsToldByRecordTableAndExport_data() { addWorlds(); }
    void whatWasPurgedIsToldByRecordTableAndExport()
    {
        QFETCH(Kind, kind);
        QFETCH(KeyForm, form);
        QVERIFY(setUp(kind, form));
        QVERIFY(
            m_fixture->exec(OutboxEditor::auditTableSql(m_fixture->dialect()).section(u';', 0, 0)));
        QRandomGenerator random(20260102 + int(kind) * 10 + int(form));
        const QStringList keys = keysOf(form, 4, random);
        for (const QString &key : keys)
            QVERIFY(write(key, {}));
        for (const QString &key : keys.first(2)) {
            const CtlRun purge = as(u"ana"_s, {u"purge"_s, u"--yes"_s, u"--json"_s, u"--"_s, key});
            QVERIFY2(purge.exitCode == 0, purge.err.constData());
            // What stands in the queue now is the purge's own record of the id.
            const QJsonObject own = show(key, u"ana"_s);
            QCOMPARE(placesIn(own).value(u"record"_s), 1);
            QCOMPARE(placesIn(own).value(u"export"_s), 1);
            QCOMPARE(placesIn(own).value(u"database"_s), 0); // the same operation, told once
            const QJsonObject other = show(key, u"ben"_s);
            QCOMPARE(placesIn(other), (QHash<QString, int>{{u"database"_s, 1}}));
            const QString said
                = other.value("places"_L1).toArray().first().toObject().value("text"_L1).toString();
            QVERIFY2(said.contains(u"Purge"_s), qPrintable(said));
        }
        for (const QString &key : keys.mid(2)) {
            int exitCode = -1;
            QVERIFY(placesIn(show(key, u"ana"_s, &exitCode)).isEmpty());
            QCOMPARE(exitCode, 0); // its row is there
        }
    }

    void aParkedRowThatIsGoneIsStillAnswered_data() { addWorlds(); }
    void aParkedRowThatIsGoneIsStillAnswered()
    {
        QFETCH(Kind, kind);
        QFETCH(KeyForm, form);
        QVERIFY(setUp(kind, form));
        QRandomGenerator random(20260103 + int(kind) * 10 + int(form));
        const QString key = keysOf(form, 1, random).constFirst();
        QVERIFY(write(key, {}));
        const CtlRun park = as(u"ana"_s, {u"park"_s, u"--yes"_s, u"--"_s, key});
        QVERIFY2(park.exitCode == 0, QByteArray(park.err + park.out).constData());
        QVERIFY(m_fixture->exec(u"delete from outbox"_s));
        int exitCode = -1;
        const QJsonObject shown = show(key, u"ana"_s, &exitCode);
        QCOMPARE(exitCode, 0);
        QCOMPARE(placesIn(shown).value(u"parked"_s), 1);
        QCOMPARE(placesIn(shown).value(u"record"_s), 1);
        QVERIFY2(shown.value("sentence"_L1).toString().contains(u"No row and no task now"_s),
                 qPrintable(shown.value("sentence"_L1).toString()));
    }
};

} // namespace tst_idplaces

OUTBOX_TEST(tst_idplaces::TestIdPlaces)
#include "tst_idplaces.moc"
