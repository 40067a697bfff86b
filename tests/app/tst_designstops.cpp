// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who looks at documents can be stopped: a server that stands still holds nobody who closes a
// window or drops a plan, and a plan keeps no payloads.
#include "app/designs/designoperations.h"
#include "app/designs/documentreader.h"
#include "app/operations/operationdriver.h"
#include "app/system/designfeed.h"
#include "models/operations/designselection.h"
#include "tests/app/teststores.h"
#include "tests/support/peakmemory.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>

namespace tst_designstops {

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

    QTemporaryDir m_folder;

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
    [[nodiscard]] std::unique_ptr<OperationDriver> driverOf(const DesignWorld &world) const
    {
        OperatorSessionSettings settings;
        settings.profile = profileOf(world);
        settings.stateFolder = m_folder.path();
        settings.face = u"outboxdeck"_s;
        auto driver = std::make_unique<OperationDriver>(settings);
        driver->setOperations(designOperationFor);
        driver->open(documentsAsShape(*settings.profile.design));
        return driver;
    }
    [[nodiscard]] static DesignWorld dedupWorld(DatabaseUrl::Dialect dialect)
    {
        return {databases, redis, {Design::DedupStore, dialect, false}};
    }
    [[nodiscard]] static OperationRequest everything()
    {
        OperationRequest request{Verb::Reconcile, {}, {}};
        request.selection.meant = DocumentPart::Unsettled;
        return request;
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
            auto feed = std::make_unique<DesignFeed>(profileOf(world), ProfilePasswords());
            QSignalSpy taken(feed.get(), &DesignFeed::viewTaken);
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

    void aDroppedPlanHoldsNobody()
    {
        const DesignWorld world = dedupWorld(DatabaseUrl::Dialect::PostgreSql);
        for (int round = 0; round < mostRounds; ++round) {
            const auto driver = driverOf(world);
            const QSignalSpy planned(driver.get(), &OperationDriver::planned);
            const QSignalSpy failed(driver.get(), &OperationDriver::planFailed);
            QSignalSpy armed(driver.get(), &OperationDriver::armingChanged);
            HeldStore held(world);
            driver->plan(everything());
            QTRY_COMPARE_WITH_TIMEOUT(held.waiters(), 1, patienceMs);
            driver->dropPlan();
            driver->unlock({{}, {}, {}, u"clean-up"_s}); // comes to its turn behind the plan
            QVERIFY(armed.wait(patienceMs));
            const int waiters = held.waiters();
            QVERIFY(planned.isEmpty() && failed.isEmpty());
            if (waiters == 1)
                return;
        }
        QFAIL("the operator waited for the server");
    }

    void aDriverDoesNotWaitForItsPlan()
    {
        const DesignWorld world = dedupWorld(DatabaseUrl::Dialect::PostgreSql);
        for (int round = 0; round < mostRounds; ++round) {
            auto driver = driverOf(world);
            HeldStore held(world);
            driver->plan(everything());
            QTRY_COMPARE_WITH_TIMEOUT(held.waiters(), 1, patienceMs);
            driver.reset();
            if (held.waiters() == 1)
                return;
        }
        QFAIL("it waited for the server");
    }

    void aPlanThatWasStoppedIsNone()
    {
        const DesignWorld world = dedupWorld(DatabaseUrl::Dialect::Sqlite);
        TestStores stores(world);
        const std::unique_ptr<const Operation> settle = makeSettleEntries(world.place(), true);
        const std::unique_ptr<const Operation> purge = makePurgeEntries(world.place());
        const DesignCell cell = world.cells().constLast();
        for (const Operation *operation : {settle.get(), purge.get()}) {
            Selection all;
            all.meant = DocumentPart::Entries;
            Selection named = all;
            named.rows += MessageId{cell.document()};
            for (const Selection &selection : {all, named}) {
                stores.session().setStop({});
                QVERIFY_RESULT(operation->plan(stores.session(), selection));
                std::stop_source stopper;
                stopper.request_stop();
                stores.session().setStop(stopper.get_token());
                const auto plan = operation->plan(stores.session(), selection);
                QVERIFY(!plan);
                QCOMPARE(plan.error().kind, Error::Kind::Cancelled);
            }
        }
    }

    void aLookEndsAtTheDocumentInHand()
    {
        const DesignWorld world = dedupWorld(DatabaseUrl::Dialect::Sqlite);
        DocumentStores person;
        QVERIFY_RESULT(person.open(world.place(), StoreAccess::ReadOnly));
        std::stop_source stopper;
        QSet<QString> documents;
        const auto isWhole = DocumentReader(person, world.place().design, stopper.get_token())
                                 .eachUnsettled([&](const SeenEntry &seen) -> Result<bool> {
                                     documents += seen.document;
                                     stopper.request_stop();
                                     return true;
                                 });
        QVERIFY_RESULT(isWhole);
        QVERIFY(!*isWhole);
        QCOMPARE(documents.size(), 1);
    }

    void aPlanKeepsNoPayloads()
    {
        constexpr int documents = 1200; // pages of them
        constexpr qint64 payload = 200'000;
        const DesignWorld world = dedupWorld(DatabaseUrl::Dialect::Sqlite);
        SideSession(*DatabaseUrl::fromUrl(world.address()))
            .run(numbered(
                documents,
                u"'b-' || n, 1, '{\"OutboxState\": {\"big-' || n || '\":"
                " {\"OutgoingMessages\": [{\"id\": \"big-' || n || '\", \"type\":"
                " \"paid\", \"payload\": \"' || hex(zeroblob(%1)) || '\"}]}}}'"_s.arg(payload / 2),
                u"entities"_s));
        TestStores stores(world);
        const std::unique_ptr<const Operation> settle = makeSettleEntries(world.place(), true);
        const qint64 before = peakMemory(true);
        const auto plan = settle->plan(stores.session(), everything().selection);
        const qint64 needed = peakMemory() - before;
        QVERIFY_RESULT(plan);
        QCOMPARE(std::count_if(plan->items.begin(), plan->items.end(),
                               [](const PlanItem &item) {
                                   return item.row.text.startsWith(u"b-"_s)
                                       && item.expected == Outcome::Done;
                               }),
                 documents);
        QVERIFY2(needed < documents * payload / 2, qPrintable(QString::number(needed)));
    }
};

} // namespace tst_designstops

OUTBOX_TEST(tst_designstops::TestDesignStops)
#include "tst_designstops.moc"
