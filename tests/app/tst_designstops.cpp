// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who looks at documents can be stopped: a server that stands still holds nobody who closes a
// window or drops a plan, and a plan keeps no payloads.
#include "app/system/designfeed.h"
#include "tests/app/designdesks.h"

#include <QSignalSpy>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int patienceMs = 15'000;
/// The server gives up waiting for a lock by itself in the end, which who is slow may meet. Who
/// waits for the server meets it each time.
constexpr int mostRounds = 5;

Databases databases;
PrivateRedis redis;

/// The store beside the documents, in the hands of somebody who does not let go of it.
class HeldStore
{
public:
    explicit HeldStore(const DesignWorld &world) : m_session(*DatabaseUrl::fromUrl(world.address()))
    {
        m_session.all({u"BEGIN"_s, u"LOCK TABLE done IN ACCESS EXCLUSIVE MODE"_s});
    }
    ~HeldStore() { m_session.run(u"ROLLBACK"_s); }

    /// How many sessions wait for it.
    [[nodiscard]] int waiters()
    {
        return m_session.one(u"SELECT count(*) FROM pg_locks WHERE NOT granted"_s).toInt();
    }

private:
    SideSession m_session;
};

} // namespace

class TestDesignStops : public QObject
{
    Q_OBJECT

    [[nodiscard]] static Profile profileOf(const DesignWorld &world)
    {
        Profile profile;
        profile.name = u"shop"_s;
        profile.environment = Environment::Development;
        profile.readOnly = false;
        profile.databaseUrl = world.address();
        profile.design.emplace();
        profile.design->design = world.place().design;
        profile.design->documents = world.place().shape;
        profile.design->doneTable = world.place().doneTable;
        return profile;
    }
    [[nodiscard]] static DesignWorld dedupWorld(DatabaseUrl::Dialect dialect)
    {
        return {databases, redis, {Design::DedupStore, dialect, false}};
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(databases.postgres);
        OUTBOX_START_SERVER(redis);
    }

    void aFeedDoesNotWaitForTheStoreBeside()
    {
        const DesignWorld world = dedupWorld(DatabaseUrl::Dialect::PostgreSql);
        for (int round = 0; round < mostRounds; ++round) {
            auto feed = std::make_unique<DesignFeed>(profileOf(world), Secrets());
            QSignalSpy taken(feed.get(), &DesignFeed::taken);
            feed->setRunning(true);
            QVERIFY(taken.wait(patienceMs));
            HeldStore held(world);
            feed->refreshNow();
            QTRY_COMPARE_WITH_TIMEOUT(held.waiters(), 1, patienceMs);
            feed.reset();
            if (held.waiters() == 1)
                return;
        }
        QFAIL("it waited for the server");
    }
};

QTEST_GUILESS_MAIN(TestDesignStops)
#include "tst_designstops.moc"
