// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Eight operators, each a process, replay the same 10,000 rows at once while a relay runs: each row
// is replayed exactly once, and all others are told what happened.
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "connectors/sql/edit/outboxeditor.h"
#include "tests/support/filebytes.h"
#include "tests/support/patience.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoperator.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QSet>
#include <QTest>

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace tst_operators {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestOperators : public QObject
{
    Q_OBJECT

    static constexpr int operators = 8;

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    static QString stateOf(const QTemporaryDir &folder, int number)
    {
        return folder.filePath(u"state%1"_s.arg(std::max(1, number)));
    }

    /// Eight plan an edit of the same row or task, then all of them carry it out. What each was
    /// told, and who did it.
    void editAtOnce(const TestOutbox &fixture, Verb verb, const QString &id, QStringList &winners,
                    QMap<QByteArray, int> &told)
    {
        QTemporaryDir folder;
        const QString ids = folder.filePath(u"ids"_s);
        QVERIFY(writeFile(ids, id.toUtf8()));
        std::vector<std::unique_ptr<QProcess>> persons;
        for (int number = 0; number < operators; ++number) {
            auto person = std::make_unique<QProcess>();
            person->start(QStringLiteral(OPERATORCHILD),
                          {fixture.url(), fixture.table(), fixture.redisUrl(),
                           folder.filePath(u"operator-%1"_s.arg(number)), word(verb), ids, u"1"_s});
            QVERIFY(person->waitForStarted());
            persons.push_back(std::move(person));
        }
        for (const auto &person : persons) { // all have seen the row before one of them acts
            QTRY_VERIFY_WITH_TIMEOUT(person->canReadLine(), 30'000);
            QCOMPARE(person->readLine(), "planned\n");
        }
        for (const auto &person : persons) {
            person->write("go\n");
            QVERIFY(person->waitForBytesWritten(5000));
        }
        for (int number = 0; number < operators; ++number) {
            QProcess &person = *persons.at(static_cast<std::size_t>(number));
            QVERIFY(person.waitForFinished(patient(50'000)));
            QVERIFY2(person.exitCode() == 0, person.readAllStandardError().constData());
            const QByteArray line = person.readAllStandardOutput().trimmed();
            ++told[line];
            if (line == "done 1")
                winners += u"operator-%1"_s.arg(number);
        }
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void eachRowIsReplayedOnceAndTheOthersAreTold_data()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::newRow("PostgreSQL") << TestOutbox::Kind::Postgres;
        QTest::newRow("MariaDB") << TestOutbox::Kind::MariaDb;
    }
    void eachRowIsReplayedOnceAndTheOthersAreTold()
    {
        QFETCH(TestOutbox::Kind, kind);
        constexpr int rows = 10'000;
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(rows));
        QVERIFY(fixture.exec(OutboxEditor::auditTableSql(fixture.dialect())));
        QVERIFY(
            fixture.exec(u"update outbox set completed_at = timestamp '2026-01-02 03:04:05'"_s));

        QTemporaryDir folder;
        QProcess relay;
        relay.start(QStringLiteral(OUTBOXCTL),
                    {u"relay"_s, u"--poll"_s, u"20ms"_s, u"--database"_s, fixture.url(),
                     u"--table"_s, fixture.table(), u"--redis"_s, fixture.redisUrl()});
        QVERIFY(relay.waitForStarted());

        std::vector<std::unique_ptr<QProcess>> stores;
        for (int number = 0; number < operators; ++number) {
            // Each begins elsewhere: then all of them get some, and all run into each other.
            QStringList turned = fixture.insertedIds();
            std::rotate(turned.begin(), turned.begin() + number * rows / operators, turned.end());
            const QString ids = folder.filePath(u"ids%1"_s.arg(number));
            QVERIFY(writeFile(ids, turned.join(u'\n').toUtf8()));
            auto person = std::make_unique<QProcess>();
            person->start(QStringLiteral(OPERATORCHILD),
                          {fixture.url(), fixture.table(), fixture.redisUrl(),
                           stateOf(folder, number), u"replay"_s, ids, u"125"_s});
            QVERIFY(person->waitForStarted());
            stores.push_back(std::move(person));
        }
        for (const auto &person : stores) { // all have seen the rows before one of them acts
            QTRY_VERIFY_WITH_TIMEOUT(person->canReadLine(), 30'000);
            QCOMPARE(person->readLine(), "planned\n");
        }
        QElapsedTimer clock;
        clock.start();
        for (const auto &person : stores) {
            person->write("go\n");
            QVERIFY(person->waitForBytesWritten(5000));
        }

        QMap<QByteArray, qint64> told;
        int busy = 0;
        for (const auto &person : stores) {
            QVERIFY(person->waitForFinished(patient(50'000)));
            QVERIFY2(person->exitCode() == 0, person->readAllStandardError().constData());
            qint64 own = 0;
            for (const QByteArray &line : person->readAllStandardOutput().split('\n')) {
                if (line.isEmpty())
                    continue;
                const QList<QByteArray> words = line.split(' ');
                told[words.first()] += words.last().toLongLong();
                own += words.first() == "done" ? words.last().toLongLong() : 0;
            }
            busy += own > 0 ? 1 : 0;
        }
        const qint64 tookMs = clock.elapsed();
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, 20'000);
        relay.terminate();
        QVERIFY(relay.waitForFinished(10'000));
        QCOMPARE(relay.exitCode(), 0);

        std::printf("%d operators, %d rows, %lld ms; %d operators got some;", operators, rows,
                    static_cast<long long>(tookMs), busy);
        for (auto count = told.cbegin(); count != told.cend(); ++count)
            std::printf(" %s %lld", count.key().constData(), static_cast<long long>(count.value()));
        std::printf("\n");
        QCOMPARE(told.value("done"), rows);
        QVERIFY(busy > 1);
        const qint64 others
            = told.value("changed") + told.value("claimed") + told.value("in-flight");
        QCOMPARE(told.value("done") + others, qint64(rows) * operators);

        // By the database's own record, and by the queue.
        QCOMPARE(
            fixture.scalar(u"select count(*) from outbox_audit where verb = 'replay'"_s).toInt(),
            rows);
        QCOMPARE(fixture
                     .scalar(u"select count(distinct message_id) from outbox_audit"
                             " where verb = 'replay'"_s)
                     .toInt(),
                 rows); // the relay stands there, too
        const QStringList pending = fixture.pendingIds();
        QCOMPARE(pending.size(), rows);
        QCOMPARE(QSet<QString>(pending.begin(), pending.end()).size(), rows);

        // Two stores share a record: its chain holds. Nothing is open in any of them.
        for (int number = 1; number < operators; ++number) {
            TestOperator person(stateOf(folder, number));
            QVERIFY_RESULT(person.open(fixture));
            const auto chain = person.session().audit().verify();
            QVERIFY_RESULT(chain);
            QVERIFY2(!chain->brokenAt, qPrintable(chain->text));
            const QList<Activity> activities = person.activities();
            QCOMPARE(activities.size(), number == 1 ? 2 : 1);
            for (const Activity &activity : activities)
                QVERIFY(activity.doubtful.isEmpty());
        }
    }

    void oneOfEightEditsARow_data()
    {
        eachRowIsReplayedOnceAndTheOthersAreTold_data();
        QTest::newRow("SQLite") << TestOutbox::Kind::Sqlite;
    }
    void oneOfEightEditsARow()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(1));
        QStringList winners;
        QMap<QByteArray, int> told;
        editAtOnce(fixture, Verb::Edit, fixture.insertedIds().first(), winners, told);
        QCOMPARE(winners.size(), 1);
        QCOMPARE(told.value("changed 1") + told.value("claimed 1"), operators - 1);
        QCOMPARE(fixture.scalar(u"select type from outbox"_s).toString(), winners.first());
        QCOMPARE(fixture.scalar(u"select payload from outbox"_s).toByteArray(),
                 winners.first().toUtf8());
    }

    void oneOfEightEditsATask()
    {
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis,
                           nullptr);
        QVERIFY(fixture.setUp());
        RedisConnection &redis = fixture.plainRedis();
        for (const TaskState state : {TaskState::Archived, TaskState::Retry}) {
            const QString id = u"task-"_s + word(state);
            QVERIFY_RESULT(placeTask(redis, sampleRequest(id), state));
            QStringList winners;
            QMap<QByteArray, int> told;
            editAtOnce(fixture, Verb::EditTask, id, winners, told);
            QCOMPARE(winners.size(), 1);
            QCOMPARE(told.value("changed 1"), operators - 1);
            const QByteArray key = asynq::QueueKeys({u"default"_s}).task(id.toUtf8());
            const auto stored = redis.command({"HGET", key, "msg"}, u"looking"_s);
            QVERIFY_RESULT(stored);
            const auto message = asynq::decode(stored->bytes);
            QVERIFY_RESULT(message);
            QCOMPARE(message->type, winners.first());
            QCOMPARE(message->payload, winners.first().toUtf8());
            QCOMPARE(containersOf(redis, id.toUtf8()).size(), 1);
        }
    }
};

} // namespace tst_operators

OUTBOX_TEST(tst_operators::TestOperators)
#include "tst_operators.moc"
