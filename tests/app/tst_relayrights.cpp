// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A relay with just the rights that the README gives it in Redis: it delivers, keeps its fence, and
// the server has refused it nothing, as its own log of refusals says.
#include "tests/support/ctl.h"
#include "tests/support/filebytes.h"
#include "tests/support/freeport.h"
#include "tests/support/redisprograms.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_relayrights {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestRelayRights : public QObject
{
    Q_OBJECT

    /// The command that makes the user; empty where the page has none.
    [[nodiscard]] static RedisCommand commandOfReadme()
    {
        for (const QByteArray &line : fileBytes(QStringLiteral(README)).split('\n')) {
            if (!line.startsWith("ACL SETUSER deck_relay "))
                continue;
            RedisCommand words = line.simplified().split(' ');
            for (QByteArray &word : words) {
                if (word.startsWith('>'))
                    word = ">secret";
            }
            return words;
        }
        return {};
    }

private slots:
    void initTestCase()
    {
        PrivateRedis asked;
        OUTBOX_START_SERVER(asked);
    }

    void whatTheReadmeGivesIsEnough_data() { addRedisPrograms(); }
    void whatTheReadmeGivesIsEnough()
    {
        QFETCH(QString, program);
        constexpr int rows = 20;
        const RedisProgram servers(program);
        const QString port = QString::number(freePort());
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis, {u"--port"_s, port});
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::Payload, nullptr, redis);
        QVERIFY(fixture.setUp());
        const RedisCommand user = commandOfReadme();
        QVERIFY(user.size() > 10);
        QVERIFY_RESULT(fixture.plainRedis().command(user, u"making a user"_s));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"REDIS_PASSWORD"_s, u"secret"_s);
        const QTemporaryDir state;
        for (int round = 1; round <= 2; ++round) { // the second one knows the fence
            QVERIFY(fixture.insertRows(rows));
            const CtlRun run = runCtl({u"relay"_s, u"--drain"_s, u"--database"_s, fixture.url(),
                                       u"--table"_s, fixture.table(), u"--redis"_s,
                                       u"redis://deck_relay@127.0.0.1:%1/0"_s.arg(port),
                                       u"--state-dir"_s, state.path()},
                                      60'000, {}, environment);
            QVERIFY2(run.exitCode == 0, run.err.constData());
            QCOMPARE(fixture.pendingIds().size(), round * rows);
        }
        QCOMPARE(fixture.unprocessed(), 0);
        QVERIFY(numberOf(fixture.plainRedis(), {"HLEN", "asynq:{default}:outboxdeck"}) >= 3);
        const auto refusals = fixture.plainRedis().command({"ACL", "LOG"}, u"looking"_s);
        QVERIFY_RESULT(refusals);
        for (const RedisReply &one : refusals->elements) {
            QByteArrayList words;
            for (const RedisReply &word : one.elements)
                words += word.bytes;
            QFAIL(words.join(' ').constData());
        }
    }
};

} // namespace tst_relayrights

OUTBOX_TEST(tst_relayrights::TestRelayRights)
#include "tst_relayrights.moc"
