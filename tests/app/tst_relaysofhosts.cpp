// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Relays of several hosts are seen by somebody who is none of them: who they are, which of them is
// silent while rows wait, and which ended.
#include "app/relay/relaysession.h"
#include "tests/support/resultmacros.h"
#include "tests/support/runningrelay.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSysInfo>
#include <QTemporaryDir>
#include <QTest>

namespace tst_relaysofhosts {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestRelaysOfHosts : public QObject
{
    Q_OBJECT

    static constexpr int patienceMs = 30'000;
    PrivatePostgres m_postgres;
    PrivateRedis m_redis;

    [[nodiscard]] CtlRun ctl(const QString &command, const TestOutbox &fixture,
                             const QStringList &more = {}) const
    {
        return runCtl(QStringList{command, u"--database"_s, fixture.url(), u"--table"_s,
                                  fixture.table(), u"--redis"_s, m_redis.url()}
                      + more);
    }
    [[nodiscard]] QJsonArray relays(const TestOutbox &fixture) const
    {
        return ctl(u"status"_s, fixture, {u"--json"_s}).last().value("relays"_L1).toArray();
    }
    /// The one with batches of this size.
    [[nodiscard]] QJsonObject relayOf(const TestOutbox &fixture, int batch) const
    {
        const QJsonArray all = relays(fixture);
        for (const auto &one : all) {
            if (one.toObject().value("batch"_L1).toInt() == batch)
                return one.toObject();
        }
        return {};
    }
    /// As if its last batch had been so long ago.
    static void age(TestOutbox &fixture, const QJsonObject &relay, qint64 seconds)
    {
        const qint64 then = QDateTime::currentMSecsSinceEpoch() - seconds * 1000;
        QVERIFY_RESULT(fixture.plainRedis().command(
            {"HSET", "asynq:{default}:outboxdeck",
             "r:" + relay.value("relay"_L1).toString().toLatin1(), QByteArray::number(then * 1000)},
            u"turning back a clock"_s));
    }
    static Result<RelayTarget> targetOf(const TestOutbox &fixture, const QTemporaryDir &state)
    {
        const auto shape = fixture.takenShape();
        if (!shape)
            return passOn(shape);
        RelayTarget target;
        target.store = fixture.settings(StoreAccess::Relay);
        target.shape = *shape;
        target.redis = fixture.redis();
        target.rules.queue.text = u"default"_s;
        target.clientName = u"relay"_s;
        target.stateFolder = state.path();
        return target;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void twoProcessesAreSeenByAThirdAndTheOneThatDiedIsSilent()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                           m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(relays(fixture).isEmpty());
        QVERIFY(!ctl(u"status"_s, fixture).out.contains("relays   "));
        const QTemporaryDir states[2];
        RunningRelay dying(fixture);
        RunningRelay living(fixture);
        QVERIFY(dying.start(
            {u"--batch"_s, u"77"_s, u"--state-dir"_s, states[0].path(), u"--poll"_s, u"10ms"_s}));
        QVERIFY(living.start(
            {u"--batch"_s, u"88"_s, u"--state-dir"_s, states[1].path(), u"--poll"_s, u"10ms"_s}));
        QTRY_COMPARE_WITH_TIMEOUT(relays(fixture).size(), 2, patienceMs);
        for (const int batch : {77, 88}) {
            const QJsonObject relay = relayOf(fixture, batch);
            QCOMPARE(relay.value("host"_L1).toString(), QSysInfo::machineHostName());
            QVERIFY(!relay.value("version"_L1).toString().isEmpty());
            QCOMPARE(relay.value("worker"_L1).toInt(), 1);
            QCOMPARE(relay.value("state"_L1).toString(), u"working"_s);
            QVERIFY(QDateTime::fromString(relay.value("started"_L1).toString(), Qt::ISODateWithMs)
                        .isValid());
            QVERIFY(relay.value("last_batch_age_s"_L1).isDouble());
            QVERIFY(relay.value("ended"_L1).isNull());
        }
        QVERIFY(ctl(u"status"_s, fixture).out.contains("relays   2 ("));

        dying.process.kill();
        QVERIFY(dying.process.waitForFinished());
        living.send(SIGUSR1); // so that rows go on waiting
        QTRY_VERIFY_WITH_TIMEOUT(!living.event(u"paused"_s).isEmpty(), patienceMs);
        QVERIFY(fixture.insertRows(5));
        QVERIFY(fixture.exec(u"update outbox set created_at = now() - interval '10 minutes'"_s));
        age(fixture, relayOf(fixture, 77), 180);
        age(fixture, relayOf(fixture, 88), 1);
        QCOMPARE(relayOf(fixture, 77).value("state"_L1).toString(), u"silent"_s);
        QVERIFY(relayOf(fixture, 77).value("last_batch_age_s"_L1).toDouble() >= 180);
        QCOMPARE(relayOf(fixture, 88).value("state"_L1).toString(), u"working"_s);
        QVERIFY(ctl(u"status"_s, fixture).out.contains("silent for 3 min"));
        const CtlRun check = ctl(u"check"_s, fixture, {u"--json"_s});
        QVERIFY(check.exitCode != 0);
        const QString silent
            = u"Relay silent: %1 has sent nothing since "_s.arg(QSysInfo::machineHostName());
        QVERIFY2(check.out.contains(silent.toUtf8()), check.out.constData());
        // Whoever was at work long ago is no news.
        age(fixture, relayOf(fixture, 77), 3700);
        QVERIFY(!ctl(u"check"_s, fixture, {u"--json"_s}).out.contains("Relay silent"));

        living.send(SIGTERM);
        QTRY_VERIFY_WITH_TIMEOUT(living.hasEnded(), patienceMs);
        QCOMPARE(relayOf(fixture, 88).value("state"_L1).toString(), u"stopped"_s);
        QVERIFY(relayOf(fixture, 88).value("ended"_L1).isString());
    }

    void eachWorkerOfAProcessIsOne()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        const QTemporaryDir state;
        RunningRelay relay(fixture);
        QVERIFY(relay.start({u"--workers"_s, u"3"_s, u"--state-dir"_s, state.path()}));
        QTRY_COMPARE_WITH_TIMEOUT(relays(fixture).size(), 3, patienceMs);
        const QJsonArray all = relays(fixture);
        for (int i = 0; i < all.size(); ++i)
            QCOMPARE(all.at(i).toObject().value("worker"_L1).toInt(), i + 1);
    }

    /// Two versions at once are how every upgrade goes: a word, and no fault.
    void hostsAndVersionsAreTold()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        const QTemporaryDir states[2];
        RelaySession sessions[2];
        for (size_t i = 0; i < 2; ++i) {
            auto target = targetOf(fixture, states[i]);
            QVERIFY_RESULT(target);
            target->about.host = i == 0 ? u"web1"_s : u"web2"_s;
            target->about.version = i == 0 ? u"0.9.0"_s : u"0.8.0"_s;
            QVERIFY_RESULT(sessions[i].open(*target));
        }
        const CtlRun status = ctl(u"status"_s, fixture);
        QVERIFY2(status.out.contains("relays   2 (web1 0.9.0 since "), status.out.constData());
        QVERIFY2(status.out.contains("; web2 0.8.0 since "), status.out.constData());
        const QJsonObject health = ctl(u"check"_s, fixture, {u"--json"_s}).last();
        const QJsonArray causes = health.value("causes"_L1).toArray();
        int notes = 0;
        for (const auto &cause : causes) {
            if (!cause.toObject().value("text"_L1).toString().startsWith(
                    u"Relays of 2 versions are at work: 0.8.0 (web2), 0.9.0 (web1)."_s))
                continue;
            ++notes;
            QCOMPARE(cause.toObject().value("level"_L1).toString(), u"OK"_s);
        }
        QCOMPARE(notes, 1);
        for (RelaySession &session : sessions)
            session.close();
        const QJsonArray ended = relays(fixture);
        QCOMPARE(ended.size(), 2);
        for (const auto &one : ended)
            QCOMPARE(one.toObject().value("state"_L1).toString(), u"stopped"_s);
    }
};

} // namespace tst_relaysofhosts

OUTBOX_TEST(tst_relaysofhosts::TestRelaysOfHosts)
#include "tst_relaysofhosts.moc"
