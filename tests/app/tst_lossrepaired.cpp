// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Redis comes back empty, and what it lost is repaired while a relay and a writer are at work: of
// rows that are kept nothing is lost and nothing runs twice; of rows that are deleted the relay
// tells at least how many went, and there is nothing to repair.
#include "app/operations/reconcile/reconcile.h"
#include "app/operations/reconcile/reconciler.h"
#include "tests/crash/ground.h"
#include "tests/support/ctl.h"
#include "tests/support/patience.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoperator.h"
#include "tests/support/testprogram.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_lossrepaired {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rows = 300;
constexpr int ran = 100; ///< of them before Redis is lost
constexpr int afterwards = 20; ///< rows that wait when it is back
constexpr int exitOfLoss = 6;

/// A row every 100 ms, each in a transaction of its own, until somebody says that it is enough. Not
/// more: Redis has lost its data only where it has less than half of its keys.
constexpr char writeOn[] = "do $$ begin while not exists (select from stopped) loop"
                           " insert into outbox (type, payload) values ('mail:deliver', '\\x00ff');"
                           " commit; perform pg_sleep(0.1); end loop; end $$";

ScanOptions quickTerms(const std::optional<RedisMark> &before = {})
{
    ScanOptions terms;
    terms.pauseMs = 0;
    terms.budgetMs = 0;
    terms.secondLookMs = 300;
    terms.redisBefore = before;
    return terms;
}

} // namespace

class TestLossRepaired : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;

    /// Looks, and may act, with the table in which the worker notes what it did.
    [[nodiscard]] static Result<void> openOperator(OperatorSession &session,
                                                   const TestOutbox &fixture,
                                                   const OutboxShape &shape, const QString &state)
    {
        OperatorSessionSettings settings;
        settings.profile.name = u"loss"_s;
        settings.profile.environment = Environment::Development;
        settings.profile.databaseUrl = fixture.url();
        settings.profile.table = fixture.table();
        settings.profile.timeZone = u"UTC"_s; // in which the fixture writes
        settings.profile.redisUrl = fixture.redisUrl();
        settings.profile.status
            = StatusTable{TableName{{}, u"mail_status"_s}, u"id"_s, u"status"_s};
        settings.shape = shape;
        settings.act.emplace();
        settings.stateFolder = state;
        settings.face = u"tst_lossrepaired"_s;
        return session.open(settings);
    }
    [[nodiscard]] static qint64 countRows(TestOutbox &fixture)
    {
        return fixture.scalar(u"select count(*) from outbox"_s).toLongLong();
    }
    [[nodiscard]] static Result<void> start(crash::RelayProcess &relay, const TestOutbox &fixture,
                                            const QTemporaryDir &state)
    {
        return relay.startCtl(
            fixture,
            {u"--poll"_s, u"5ms"_s, u"--batch"_s, u"50"_s, u"--state-dir"_s, state.path()});
    }
    /// Redis dies with all that it has, and rows are written when it is back.
    [[nodiscard]] bool loseRedis(TestOutbox &fixture, crash::CountingWorker &worker)
    {
        m_redis.kill();
        return m_redis.start() && worker.open(fixture.redis()) && fixture.plainRedis().ensureOpen()
            && fixture.insertRows(afterwards);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void ofKeptRowsNothingIsLostAndNothingRunsTwice()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                           m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.exec(u"create table mail_status (id bigint primary key, status text)"_s));
        QVERIFY(fixture.exec(u"create table stopped (at int)"_s));
        QVERIFY(fixture.insertRows(rows));
        const auto shape = fixture.takenShape(u"UTC"_s);
        QVERIFY_RESULT(shape);
        const auto taskOf
            = [&fixture, &shape](const QString &id) { return fixture.taskId(*shape, id); };
        const QTemporaryDir states[2];
        crash::RelayProcess first;
        QVERIFY_RESULT(start(first, fixture, states[0]));
        QTRY_COMPARE(fixture.unprocessed(), 0);
        crash::CountingWorker worker;
        QVERIFY_RESULT(worker.open(fixture.redis()));
        const auto consumed = worker.consume(ran);
        QVERIFY_RESULT(consumed);
        QCOMPARE(*consumed, ran);
        QStringList done;
        for (const QString &id : fixture.insertedIds()) {
            if (worker.runs().contains(taskOf(id)))
                done += u"(%1, 'sent')"_s.arg(id);
        }
        QCOMPARE(done.size(), ran);
        QVERIFY(fixture.exec(u"insert into mail_status values "_s + done.join(u", "_s)));

        OperatorSession session;
        QVERIFY_RESULT(openOperator(session, fixture, *shape, states[1].path()));
        const auto before = reconciled(session, quickTerms());
        QVERIFY_RESULT(before);
        QVERIFY(loseRedis(fixture, worker));
        QVERIFY2(first.heard("has lost what it was given", patient(20'000)),
                 first.complaints().constData());
        QCOMPARE(first.end(), exitOfLoss);
        QCOMPARE(fixture.unprocessed(), afterwards);

        // Somebody accepts it, and repairs beside the relay.
        crash::RelayProcess second;
        QVERIFY_RESULT(start(second, fixture, states[0]));
        PlainPostgres writer;
        QVERIFY_RESULT(writer.open(fixture.url()));
        QVERIFY_RESULT(writer.send(writeOn));
        const auto after = reconciled(session, quickTerms(before->redis));
        QVERIFY_RESULT(after);
        QCOMPARE(after->counts().value(FindingKind::RedisLostData), 1);
        QCOMPARE(after->counts().value(FindingKind::ProcessedWithoutTask), rows - ran);
        Selection lost;
        lost.meant = QList<FindingKind>{FindingKind::ProcessedWithoutTask};
        const qint64 written = countRows(fixture);
        const Reconcile repair(quickTerms());
        const auto plan = repair.plan(session, lost);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), rows - ran);
        const auto receipt = repair.carryOut(session, *plan, fullConsent(*plan), {});
        QVERIFY_RESULT(receipt);
        QVERIFY2(!receipt->error,
                 qPrintable(receipt->error ? oneLine(*receipt->error) : QString()));
        QVERIFY(countRows(fixture) > written); // while it was repaired
        QVERIFY(fixture.exec(u"insert into stopped values (1)"_s));
        QVERIFY_RESULT(writer.take());

        QTRY_COMPARE(fixture.unprocessed(), 0);
        QVERIFY_RESULT(worker.consume());
        second.tell(SIGTERM);
        QCOMPARE(second.end(), 0);
        QVERIFY_RESULT(worker.consume());
        const QStringList all = fixture.scalar(u"select string_agg(id::text, ',') from outbox"_s)
                                    .toString()
                                    .split(u',');
        QVERIFY(all.size() > rows + afterwards);
        const crash::Tally tally = crash::tallyOf(all, fixture.unprocessedIds(), worker, taskOf);
        QVERIFY2(tally.isClean(), qPrintable(words(tally)));
    }

    void ofDeletedRowsIsToldHowManyWent()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(rows));
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        const QTemporaryDir state;
        crash::RelayProcess first;
        QVERIFY_RESULT(start(first, fixture, state));
        QTRY_COMPARE(fixture.unprocessed(), 0);
        crash::CountingWorker worker;
        QVERIFY_RESULT(worker.open(fixture.redis()));
        QVERIFY_RESULT(worker.consume(ran));
        QVERIFY(loseRedis(fixture, worker));
        QCOMPARE(first.end(), exitOfLoss);
        const QString said = QString::fromUtf8(first.complaints());
        static const QRegularExpression count(u"of this run ([0-9]+) rows"_s);
        const QRegularExpressionMatch told = count.match(said);
        QVERIFY2(told.hasMatch(), qPrintable(said));
        QCOMPARE(told.captured(1).toInt(), rows); // it knows of no worker
        QCOMPARE(fixture.unprocessed(), afterwards);

        crash::RelayProcess second;
        QVERIFY_RESULT(start(second, fixture, state));
        const CtlRun repair
            = runCtl({u"reconcile"_s, u"--kind"_s, u"K8"_s, u"--json"_s, u"--yes"_s,
                      u"--database"_s, fixture.url(), u"--table"_s, fixture.table(), u"--redis"_s,
                      fixture.redisUrl(), u"--state-dir"_s, state.path()});
        QCOMPARE(repair.exitCode, 3); // no table holds what is lost
        QVERIFY(fixture.insertRows(afterwards));
        QTRY_COMPARE(fixture.unprocessed(), 0);
        second.tell(SIGTERM);
        QCOMPARE(second.end(), 0);
        QVERIFY_RESULT(worker.consume());
        const crash::Tally tally = crash::tallyOf(
            fixture.insertedIds(), fixture.unprocessedIds(), worker,
            [&fixture, &shape](const QString &id) { return fixture.taskId(*shape, id); });
        QCOMPARE(tally.messages, rows + 2 * afterwards);
        QCOMPARE(tally.lost, rows - ran); // what waited in Redis, and no other
        QCOMPARE(tally.duplicates, 0);
        QCOMPARE(tally.left, 0);
        QCOMPARE(tally.ghosts, 0);
    }
};

} // namespace tst_lossrepaired

OUTBOX_TEST(tst_lossrepaired::TestLossRepaired)
#include "tst_lossrepaired.moc"
