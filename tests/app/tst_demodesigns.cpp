// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The demo in each of the other designs: it starts, its figures move, what was left is sent, and
// nothing stays behind.
#include "app/demo/demo.h"
#include "app/designs/documentstores.h"
#include "app/designs/documentreader.h"
#include "app/designs/tokenscan.h"
#include "connectors/asynq/observe/inspector.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/temporaryplace.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

namespace tst_demodesigns {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// What the console would see of a demo whose messages wait inside documents.
struct DocumentWatch
{
    DesignPlace place;
    DocumentStores person;
    AsynqInspector queues;

    [[nodiscard]] Result<void> open(const Demo &demo)
    {
        auto found = designPlaceOf(demo.profile(), {}, {}, u"test-look"_s);
        if (!found)
            return passOn(found);
        place = *found;
        if (auto opened = queues.open(*place.lookRedis, place.sessionName); !opened)
            return opened;
        return person.open(place, StoreAccess::ReadOnly);
    }
    [[nodiscard]] DocumentSummary summary()
    {
        return DocumentReader(person, place.design).summary(10'000).value_or(DocumentSummary());
    }
    [[nodiscard]] qsizetype tokens(TokenReach reach)
    {
        const auto report = scanTokens(person, &queues, 10'000);
        return !report ? 0
                       : std::count_if(report->tokens.begin(), report->tokens.end(),
                                       [reach](const auto &one) { return one.reach == reach; });
    }
};

} // namespace

class TestDemoDesigns : public QObject
{
    Q_OBJECT

    TemporaryPlace m_temporary; ///< ours alone, to see leftovers

    /// After a while: the oldest is younger again. Tokens of a first attempt stay behind.
    static void whatTheDeadLeftIsSent(DocumentWatch &watch)
    {
        const auto oldest
            = [&watch] { return watch.summary().oldestUndispatchedSeconds.value_or(0); };
        QTRY_VERIFY_WITH_TIMEOUT(oldest() > 11, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(oldest() < 11, 30'000);
        if (watch.place.design == Design::Tokens)
            QTRY_VERIFY(watch.tokens(TokenReach::Garbage) > 0);
    }

private slots:
    void initTestCase() { m_temporary.use(); }

    void documentsLiveAndLeaveNothing_data()
    {
        QTest::addColumn<Demo::Kind>("kind");
        QTest::addColumn<DemoDesign>("design");
        for (const DemoDesign design :
             {DemoDesign::Entity, DemoDesign::DedupStore, DemoDesign::Tokens}) {
            const std::string name = word(design).toStdString();
            QTest::newRow((name + ", SQLite").c_str()) << Demo::Kind::Sqlite << design;
            QTest::newRow((name + ", PostgreSQL").c_str()) << Demo::Kind::Postgres << design;
        }
    }

    void documentsLiveAndLeaveNothing()
    {
        QFETCH(Demo::Kind, kind);
        QFETCH(DemoDesign, design);
        auto demo = std::make_unique<Demo>();
        QElapsedTimer clock;
        clock.start();
        OUTBOX_START_SERVER(*demo, kind, design);
        qInfo("started after %lld ms", clock.elapsed());
        QCOMPARE(demo->design(), design);
        QSignalSpy troubled(demo.get(), &Demo::troubled);
        QVERIFY(!demo->profile().shape.has_value());

        {
            DocumentWatch watch;
            QVERIFY_RESULT(watch.open(*demo));
            const DocumentSummary first = watch.summary();
            QVERIFY(first.documents > 5);
            QVERIFY(first.undispatched > 0); // some handlers have died already
            QVERIFY(first.oldestUndispatchedSeconds.has_value());
            if (design == DemoDesign::Entity)
                QVERIFY(first.dispatched > 20);
            else
                QCOMPARE(first.leaked, std::optional<qint64>(3));
            if (design != DemoDesign::Entity)
                QVERIFY(first.store && first.store->holds);
            if (design == DemoDesign::Tokens)
                QTRY_VERIFY(watch.tokens(TokenReach::Carried) > 5);
            QTRY_VERIFY_WITH_TIMEOUT(watch.summary().documents > first.documents, 30'000);
            QTRY_VERIFY_WITH_TIMEOUT(demo->workedOff() > 20, 30'000);
            if (kind == Demo::Kind::Sqlite)
                whatTheDeadLeftIsSent(watch);
            QCOMPARE(troubled.size(), 0);
        }
        demo.reset();
        QCOMPARE(m_temporary.leftovers(), QStringList());
    }

    void aStoppedDispatchPilesUp()
    {
        Demo demo;
        OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite, DemoDesign::Entity);
        demo.breakThing(u"stop-relay"_s);
        QVERIFY(demo.isBroken(u"stop-relay"_s));
        DocumentWatch watch;
        QVERIFY_RESULT(watch.open(demo));
        QTRY_VERIFY_WITH_TIMEOUT(watch.summary().oldestUndispatchedSeconds.value_or(0) > 15,
                                 30'000);
        demo.healThing(u"stop-relay"_s);
        QTRY_VERIFY(watch.summary().oldestUndispatchedSeconds.value_or(0) < 15);
    }

    void documentsOutliveAKilledRedis()
    {
        Demo demo;
        OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite, DemoDesign::DedupStore);
        QSignalSpy troubled(&demo, &Demo::troubled);
        demo.breakThing(u"kill-redis"_s);
        QTRY_VERIFY(!troubled.isEmpty());
        demo.healThing(u"kill-redis"_s);
        QTRY_VERIFY(!demo.isBroken(u"kill-redis"_s));
        const qint64 written = demo.written();
        QTRY_VERIFY_WITH_TIMEOUT(demo.written() > written + 5, 30'000);
    }

    void thePoisonRowIsSetAsideAndTheOthersPass_data()
    {
        QTest::addColumn<Demo::Kind>("kind");
        QTest::newRow("SQLite") << Demo::Kind::Sqlite;
        QTest::newRow("PostgreSQL") << Demo::Kind::Postgres;
    }
    void thePoisonRowIsSetAsideAndTheOthersPass()
    {
        QFETCH(Demo::Kind, kind);
        auto demo = std::make_unique<Demo>();
        OUTBOX_START_SERVER(*demo, kind, DemoDesign::ProcessedDate);
        auto relay = std::make_unique<RelayDriver>();
        RelaySettings settings = demo->relaySettings();
        settings.stateFolder = demo->stateFolder();
        QStringList reasons;
        connect(relay.get(), &RelayDriver::stepsTaken, relay.get(),
                [&reasons](const QList<RelayStep> &steps) {
                    for (const RelayStep &step : steps) {
                        for (const ParkedRow &row : step.parked)
                            reasons += row.reason;
                    }
                });
        QSignalSpy finished(relay.get(), &RelayDriver::finished);
        relay->start(demo->relayStore(), *demo->profile().shape, demo->redis(), settings);
        QTRY_COMPARE(reasons.size(), 1);
        QVERIFY2(reasons.first().contains(u"no type"_s), qPrintable(reasons.first()));

        StoreSettings look = demo->relayStore();
        look.access = StoreAccess::ReadOnly;
        OutboxStore store;
        QVERIFY_RESULT(store.open(look));
        QVERIFY_RESULT(store.use(*demo->profile().shape));
        const auto processed = [&store] {
            const auto snapshot = store.snapshot();
            return snapshot ? snapshot->processed.value_or(0) : 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(processed() > 20, 30'000); // rows stay, with their date
        const auto head = store.find(MessageId{u"00000000-0000-7000-8000-000000000001"_s});
        QVERIFY_RESULT(head);
        QVERIFY(head->has_value()); // the poison is still there
        QCOMPARE((*head)->state, MessageState::Pending);
        relay->abandon();
        QTRY_COMPARE(finished.size(), 1);
        relay.reset();
        store.close();
        demo.reset();
        QCOMPARE(m_temporary.leftovers(), QStringList());
    }

    void designsHaveNames()
    {
        for (const DemoDesign design : demoDesigns()) {
            QCOMPARE(demoDesignFromWord(word(design)), std::optional(design));
            QVERIFY(!label(design).isEmpty() && !description(design).isEmpty());
            for (const Breakage &breakage : breakages(design))
                QVERIFY(!breakage.happens.isEmpty() && !breakage.heals.isEmpty());
        }
        QVERIFY(!demoDesignFromWord(u"sqlite"));
    }
};

} // namespace tst_demodesigns

OUTBOX_TEST(tst_demodesigns::TestDemoDesigns)
#include "tst_demodesigns.moc"
