// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Galera cluster of three MariaDB nodes, all named by one address: relays go where rows may be
// written, what another node undoes is sent again, and no row is lost or sent twice.
#include "app/relay/relaydriver.h"
#include "app/settings/opening.h"
#include "connectors/sql/driver/mariadbclient.h"
#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/session/databasesession.h"
#include "tests/support/galeraworld.h"
#include "tests/support/patience.h"
#include "tests/support/redishand.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

namespace tst_galera {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestGalera : public QObject
{
    Q_OBJECT

    static constexpr int rowsASecond = 300; ///< so that what strikes comes in the middle
    static constexpr int before = 60; ///< rows, that are delivered when it comes
    static constexpr int longMs = 120'000;

    PrivateRedis m_redis;
    std::unique_ptr<GaleraWorld> m_world;

    /// One relay, and what was heard of it.
    struct Driven
    {
        QTemporaryDir state;
        OutboxShape shape;
        RelayDriver driver;
        QSignalSpy finished{&driver, &RelayDriver::finished};
        QSignalSpy failed{&driver, &RelayDriver::failed};
        QSignalSpy backingOff{&driver, &RelayDriver::backingOff};

        /// Goes on until the outbox is empty.
        [[nodiscard]] Result<void> start(const QString &url, const PrivateRedis &redis)
        {
            StoreSettings store;
            store.url = TRY(DatabaseUrl::fromUrl(url));
            OutboxStore looks;
            TRY(looks.open(store));
            shape = TRY(takeShape(looks, Profile()));
            RelaySettings settings;
            settings.batch = 20;
            settings.pollMs = 20;
            settings.ratePerSecond = rowsASecond;
            settings.stateFolder = state.path();
            driver.start(store, shape, RedisEndpoint::fromUrl(redis.url()).value(), settings, true);
            return {};
        }
        [[nodiscard]] bool hasMet(QLatin1StringView code) const
        {
            return std::any_of(backingOff.cbegin(), backingOff.cend(),
                               [code](const QVariantList &told) {
                                   return told.first().value<Error>().code == code;
                               });
        }
        [[nodiscard]] QByteArray said() const
        {
            QStringList lines;
            for (const QSignalSpy *spy : {&backingOff, &failed}) {
                for (const QVariantList &told : *spy)
                    lines += oneLine(told.first().value<Error>());
            }
            return lines.join(u'\n').toUtf8();
        }
        /// Waits for the end; whether nothing was left to do.
        [[nodiscard]] bool hasDrained()
        {
            if (finished.isEmpty() && !finished.wait(patient(longMs)))
                return false;
            return finished.first().first().toString() == u"drained";
        }
    };

    [[nodiscard]] Result<void> makeOutbox(int rows)
    {
        TRY(m_world->makeOutbox(0));
        return m_world->run(
            0,
            {u"INSERT INTO shop.outbox (type, payload) SELECT 'mail', CONCAT('p', seq)"
             " FROM shop.seq_1_to_%1"_s.arg(rows)});
    }
    /// Rows that are left, as the last node sees them.
    [[nodiscard]] QString left()
    {
        const auto told = m_world->askInStep(2, u"SELECT COUNT(*) FROM shop.outbox"_s);
        return told ? told->value(0) : oneLine(told.error());
    }
    [[nodiscard]] Result<QStringList> ids()
    {
        return m_world->ask(0, u"SELECT id FROM shop.outbox ORDER BY id"_s);
    }
    /// The rows whose tasks wait in the queue, in order; a task that is there twice counts twice.
    [[nodiscard]] Result<QStringList> sent() const
    {
        RedisConnection redis;
        TRY(openByHand(redis, m_redis));
        const RedisReply pending
            = TRY(redis.command({"LRANGE", "asynq:{default}:pending", "0", "-1"}, u"reading"_s));
        QStringList rows;
        for (const RedisReply &task : pending.elements) // {source}:{id}:{born}
            rows += QString::fromUtf8(task.bytes).section(u':', 1, 1);
        std::sort(rows.begin(), rows.end(), [](const QString &one, const QString &other) {
            return one.toLongLong() < other.toLongLong();
        });
        return rows;
    }
    [[nodiscard]] static StoreSettings settingsOf(const QString &url, StoreAccess access)
    {
        StoreSettings settings;
        settings.url = DatabaseUrl::fromUrl(url).value();
        settings.access = access;
        return settings;
    }
    /// The port of the node that such a session gets, or why it gets none.
    [[nodiscard]] static QString portFor(const QString &url, StoreAccess access)
    {
        DatabaseSession session;
        if (const auto opened = session.open(settingsOf(url, access)); !opened)
            return opened.error().code + u' ' + oneLine(opened.error());
        const auto told = session->query({u"SELECT CAST(@@port AS char)"_s, {}}, u"testing"_s);
        return told ? told->text(0, 0) : oneLine(told.error());
    }
    [[nodiscard]] QString port(int node) const { return QString::number(m_world->portOf(node)); }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_redis); }
    void init()
    {
        RedisConnection redis;
        QVERIFY_RESULT(openByHand(redis, m_redis));
        QVERIFY_RESULT(redis.command({"FLUSHALL"}, u"emptying"_s));
        m_world = std::make_unique<GaleraWorld>();
        OUTBOX_START_SERVER(*m_world);
    }
    void cleanup() { m_world.reset(); }

    /// Ids of tasks are the same whichever node a relay works on, or each row would be sent twice
    /// where one relay gives up what another one has sent.
    void twoRelaysOnTwoNodesSendEachRowOnce()
    {
        constexpr int rows = 300;
        QVERIFY_RESULT(makeOutbox(rows));
        const auto all = ids();
        QVERIFY_RESULT(all);
        QCOMPARE(all->size(), rows);
        Driven first;
        Driven second;
        QVERIFY_RESULT(first.start(m_world->url({0, 1, 2}), m_redis));
        QVERIFY_RESULT(second.start(m_world->url({1, 2, 0}), m_redis));
        QVERIFY(!first.shape.source.isEmpty());
        QCOMPARE(second.shape.source, first.shape.source);
        QVERIFY2(first.hasDrained(), first.said().constData());
        QVERIFY2(second.hasDrained(), second.said().constData());
        QCOMPARE(left(), u"0"_s);
        const auto tasks = sent();
        QVERIFY_RESULT(tasks);
        QCOMPARE(*tasks, *all);
        QCOMPARE(first.driver.totals().parked + second.driver.totals().parked, 0);
    }

    void theNextHostIsUsedWhereANodeIsGone_data()
    {
        QTest::addColumn<bool>("isKilled");
        QTest::newRow("killed") << true;
        QTest::newRow("cut off, 1047") << false;
    }
    void theNextHostIsUsedWhereANodeIsGone()
    {
        QFETCH(bool, isKilled);
        constexpr int rows = 1500; // five seconds
        QVERIFY_RESULT(makeOutbox(rows));
        const auto all = ids();
        QVERIFY_RESULT(all);
        QCOMPARE(portFor(m_world->url(), StoreAccess::Relay), port(0));
        Driven relay;
        QVERIFY_RESULT(relay.start(m_world->url(), m_redis));
        QTRY_VERIFY2_WITH_TIMEOUT(relay.driver.totals().delivered() >= before,
                                  relay.said().constData(), patient(longMs));
        if (isKilled)
            m_world->node(0).kill();
        else
            QVERIFY_RESULT(m_world->isolate(0));
        QVERIFY2(relay.driver.totals().delivered() < rows, "it came too late");
        QVERIFY2(relay.hasDrained(), relay.said().constData());
        QCOMPARE(left(), u"0"_s);
        const auto tasks = sent();
        QVERIFY_RESULT(tasks);
        QCOMPARE(*tasks, *all);
        QVERIFY(!relay.backingOff.isEmpty());
        QCOMPARE(relay.driver.totals().parked, 0);
        QCOMPARE(portFor(m_world->url(), StoreAccess::Relay), port(1));
        QCOMPARE(portFor(m_world->url(), StoreAccess::ReadOnly), port(1));
        if (isKilled)
            return;
        const QString alone = portFor(m_world->url({0}), StoreAccess::Relay);
        QVERIFY2(alone.startsWith(noPrimaryCode), qPrintable(alone));
        const QString look = portFor(m_world->url({0}), StoreAccess::ReadOnly);
        QVERIFY2(look.startsWith(nodeNotReadyCode), qPrintable(look));
        QVERIFY_RESULT(m_world->letBack(0));
        QCOMPARE(portFor(m_world->url(), StoreAccess::Relay), port(0));
    }

    void whatAnotherNodeUndoesIsSentAgain()
    {
        constexpr int rows = 600;
        constexpr qsizetype enough = 5;
        QVERIFY_RESULT(makeOutbox(rows));
        const auto all = ids();
        QVERIFY_RESULT(all);
        Driven relay;
        QVERIFY_RESULT(relay.start(m_world->url(), m_redis));
        // A second writer of the rows that are claimed next, at another node.
        const auto strike = [this] {
            return m_world->run(
                1, {u"UPDATE shop.outbox SET metadata = UUID() ORDER BY id LIMIT 60"_s});
        };
        // Each makes the relay wait longer; behind some of them it is let be.
        const auto isStruck = [&] {
            static_cast<void>(strike());
            return !relay.finished.isEmpty() || relay.backingOff.size() >= enough;
        };
        QVERIFY2(QTest::qWaitFor(isStruck, patient(longMs)), relay.said().constData());
        QVERIFY2(relay.hasDrained(), relay.said().constData());
        QVERIFY2(relay.hasMet(rolledBackCode), "no transaction was undone");
        QVERIFY(relay.driver.totals().rollbacks > 0);
        QCOMPARE(relay.driver.totals().inDoubt, 0); // it is known how each of them ended
        QCOMPARE(relay.driver.totals().parked, 0);
        QCOMPARE(left(), u"0"_s);
        const auto tasks = sent();
        QVERIFY_RESULT(tasks);
        QCOMPARE(*tasks, *all);
    }

    /// Without the word of the session itself the second COMMIT would succeed with nothing in it.
    void nothingIsCommittedBehindATransactionThatWasUndone()
    {
        QVERIFY_RESULT(makeOutbox(2));
        DatabaseSession session;
        QVERIFY_RESULT(session.open(settingsOf(m_world->url(), StoreAccess::Relay)));
        const SqlText remove{u"DELETE FROM outbox ORDER BY id LIMIT 1"_s, {}};
        QVERIFY_RESULT(session->begin(u"testing"_s));
        QVERIFY_RESULT(session->query(remove, u"testing"_s));
        QVERIFY_RESULT(m_world->run(1, {u"UPDATE shop.outbox SET metadata = 'mine'"_s}));
        // The node applies it, and undoes what stands in its way; then each statement is refused.
        const auto isUndone = [&session] {
            const auto asked = session->query({u"SELECT '1'"_s, {}}, u"testing"_s);
            return !asked && asked.error().code == rolledBackCode;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isUndone(), patient(longMs));
        QVERIFY(!session->query(remove, u"testing"_s)); // it would commit itself
        QVERIFY(!session->verifyTransaction(u"testing"_s));
        const auto committed = session->commit(u"testing"_s);
        QVERIFY(!committed);
        QCOMPARE(committed.error().code, QString(rolledBackCode));
        QVERIFY(session.isUp());
        QCOMPARE(left(), u"2"_s);
        QVERIFY_RESULT(session->begin(u"testing"_s));
        QVERIFY_RESULT(session->query(remove, u"testing"_s));
        QVERIFY_RESULT(session->commit(u"testing"_s));
        QCOMPARE(left(), u"1"_s);

        QVERIFY_RESULT(session->begin(u"testing"_s));
        QVERIFY_RESULT(session->query(remove, u"testing"_s));
        QVERIFY_RESULT(m_world->run(1, {u"UPDATE shop.outbox SET metadata = 'mine again'"_s}));
        const auto isHere = [this] {
            const auto note = m_world->ask(0, u"SELECT metadata FROM shop.outbox"_s);
            return note && note->value(0) == u"mine again";
        };
        QTRY_VERIFY_WITH_TIMEOUT(isHere(), patient(longMs));
        QVERIFY_RESULT(session->rollback(u"testing"_s)); // which the server did before
        QVERIFY(session.isUp());
        QCOMPARE(left(), u"1"_s);
    }

    void aReadOnlyNodeIsLookedAtAndNotWrittenTo()
    {
        QVERIFY_RESULT(makeOutbox(5));
        DatabaseSession relay;
        QVERIFY_RESULT(relay.open(settingsOf(m_world->url(), StoreAccess::Relay)));
        QVERIFY_RESULT(m_world->run(0, {u"SET GLOBAL read_only = 1"_s}));
        const SqlText remove{u"DELETE FROM outbox ORDER BY id LIMIT 1"_s, {}};
        const auto refused = relay->query(remove, u"testing"_s);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Error::Kind::Unreachable);
        QVERIFY(!relay.isUp());
        QVERIFY_RESULT(relay.ensureOpen()); // with the next host
        QVERIFY_RESULT(relay->query(remove, u"testing"_s));

        QCOMPARE(portFor(m_world->url(), StoreAccess::Relay), port(1));
        QCOMPARE(portFor(m_world->url(), StoreAccess::Act), port(1));
        QCOMPARE(portFor(m_world->url(), StoreAccess::ReadOnly), port(1)); // it is the better one
        QCOMPARE(portFor(m_world->url({0}), StoreAccess::ReadOnly), port(0));
        const QString alone = portFor(m_world->url({0, 0}), StoreAccess::Relay);
        QVERIFY2(alone.startsWith(noPrimaryCode) && alone.contains(u"is read-only"_s),
                 qPrintable(alone));

        QVERIFY_RESULT(m_world->askInStep(0, u"SELECT 1"_s)); // it has the DELETE by now
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsOf(m_world->url({0}), StoreAccess::ReadOnly)));
        QVERIFY_RESULT(takeShape(store, Profile()));
        const auto there = store.snapshot();
        QVERIFY_RESULT(there);
        QVERIFY(there->standby.has_value());
        QCOMPARE(there->standby->lagSeconds, std::optional<double>(0.0));
        QCOMPARE(there->pending, 4);
        QVERIFY_RESULT(m_world->run(0, {u"SET GLOBAL read_only = 0"_s}));
        const auto again = store.snapshot();
        QVERIFY_RESULT(again);
        QVERIFY(!again->standby);
    }

    void whatAChangeIsMadeByWaitsForTheOtherNodes_data()
    {
        QTest::addColumn<StoreAccess>("access");
        QTest::addColumn<bool>("isForChange");
        QTest::addColumn<bool>("waits");
        QTest::newRow("a look") << StoreAccess::ReadOnly << false << false;
        QTest::newRow("a plan") << StoreAccess::ReadOnly << true << true;
        QTest::newRow("a verb") << StoreAccess::Act << false << true;
        QTest::newRow("a relay") << StoreAccess::Relay << false << true;
    }
    void whatAChangeIsMadeByWaitsForTheOtherNodes()
    {
        QFETCH(StoreAccess, access);
        QFETCH(bool, isForChange);
        QFETCH(bool, waits);
        StoreSettings settings = settingsOf(m_world->url(), access);
        settings.isForChange = isForChange;
        DatabaseSession session;
        QVERIFY_RESULT(session.open(settings));
        const auto told
            = session->query({u"SELECT CAST(@@wsrep_sync_wait AS char)"_s, {}}, u"testing"_s);
        QVERIFY_RESULT(told);
        QCOMPARE(told->text(0, 0), waits ? u"1"_s : u"0"_s);
    }
};

} // namespace tst_galera

OUTBOX_TEST(tst_galera::TestGalera)
#include "tst_galera.moc"
