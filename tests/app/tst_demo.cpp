// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The demo lives, breaks, heals, and leaves nothing behind.
#include "app/demo/demo.h"
#include "app/demo/demoshift.h"
#include "app/demo/uuidsource.h"
#include "app/designs/designplace.h"
#include "app/designs/documentlook.h"
#include "app/designs/tokenlook.h"
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/inspector.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

Q_DECLARE_METATYPE(outbox::Demo::Kind)
Q_DECLARE_METATYPE(outbox::DemoDesign)

namespace {

const QueueName defaultQueue{u"default"_s};

qint64 pendingRows(OutboxStore &store)
{
    const auto snapshot = store.snapshot();
    return snapshot ? snapshot->pending.value_or(-1) : -1;
}

QueueSnapshot queueNow(AsynqInspector &inspector)
{
    const auto snapshot = inspector.snapshot({defaultQueue});
    return snapshot && snapshot->size() == 1 ? snapshot->first() : QueueSnapshot();
}

/// Some rows into the queue, as a relay would; answers how many.
Result<int> relay(OutboxStore &store, AsynqQueue &queue, int rows)
{
    const auto claimed = store.claim(rows, {});
    if (!claimed)
        return passOn(claimed);
    if (claimed->isEmpty())
        return 0;
    QList<EnqueueRequest> requests;
    for (const ClaimedMessage &message : *claimed) {
        EnqueueRequest request;
        request.id.text = message.id.text;
        request.queue = defaultQueue;
        request.type = message.type;
        request.payload = message.payload;
        request.retentionSeconds = 3600;
        requests += request;
    }
    const auto answers = queue.enqueue(requests);
    if (!answers)
        return passOn(answers);
    if (const auto committed = store.commit(); !committed)
        return passOn(committed);
    return static_cast<int>(claimed->size());
}

/// What the console would see of a demo whose messages wait inside documents.
struct DocumentWatch
{
    DesignPlace place;
    DesignDesk desk;
    AsynqInspector queues;

    [[nodiscard]] Result<void> open(const Demo &demo)
    {
        auto found = designPlaceOf(demo.profile(), {}, {}, u"test-look"_s);
        if (!found)
            return passOn(found);
        place = *found;
        if (auto opened = queues.open(*place.lookRedis, place.sessionName); !opened)
            return opened;
        return desk.open(place, StoreAccess::Look);
    }
    [[nodiscard]] DocumentSummary summary()
    {
        return DocumentLook(desk, place.design).summary(10'000).value_or(DocumentSummary());
    }
    [[nodiscard]] qsizetype tokens(TokenReach reach)
    {
        const auto report = TokenLook(desk, &queues).look(10'000);
        return !report ? 0
                       : std::count_if(report->tokens.begin(), report->tokens.end(),
                                       [reach](const auto &one) { return one.reach == reach; });
    }
};

} // namespace

class TestDemo : public QObject
{
    Q_OBJECT

    QTemporaryDir m_temporary{QDir::tempPath()
                              + u"/tst-XXXXXX"_s}; ///< ours alone, to see leftovers

    [[nodiscard]] QStringList leftovers() const
    {
        return QDir(m_temporary.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
    }

private slots:
    void initTestCase()
    {
        QFile::setPermissions(m_temporary.path(), // PostgreSQL may run as another user
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner
                                  | QFile::ExeGroup | QFile::ExeOther);
        qputenv("TMPDIR", QFile::encodeName(m_temporary.path()));
    }

    void livesAndLeavesNothing_data()
    {
        QTest::addColumn<Demo::Kind>("kind");
        QTest::newRow("SQLite") << Demo::Kind::Sqlite;
        QTest::newRow("PostgreSQL") << Demo::Kind::Postgres;
    }

    void livesAndLeavesNothing()
    {
        QFETCH(Demo::Kind, kind);
        auto demo = std::make_unique<Demo>();
        OUTBOX_START_SERVER(*demo, kind);
        QVERIFY(!leftovers().isEmpty());

        const Profile profile = demo->profile();
        QCOMPARE(profile.environment, Environment::Demo);
        QVERIFY(!profile.readOnly);
        const auto url = DatabaseUrl::fromUrl(profile.databaseUrl);
        QVERIFY_RESULT(url);
        StoreSettings look;
        look.url = *url;
        OutboxStore store;
        QVERIFY_RESULT(store.open(look));
        QVERIFY(profile.shape.has_value());
        QVERIFY_RESULT(store.use(*profile.shape));
        QTRY_VERIFY(pendingRows(store) > 3);

        OutboxStore claiming;
        QVERIFY_RESULT(claiming.open(demo->relayStore()));
        QVERIFY_RESULT(claiming.use(*profile.shape));
        AsynqQueue queue;
        QVERIFY_RESULT(queue.open(demo->redis(), u"test relay"_s));
        const auto moved = relay(claiming, queue, 100);
        QVERIFY_RESULT(moved);
        QVERIFY(*moved > 3);
        QTRY_VERIFY(demo->workedOff() > 3);

        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(demo->redis(), u"test look"_s));
        QTRY_VERIFY(queueNow(inspector).completed > 3);
        const auto servers = inspector.servers();
        QVERIFY_RESULT(servers);
        QCOMPARE(servers->size(), 1);
        inspector.close();
        queue.close();
        store.close();
        claiming.close();
        demo.reset();
        QCOMPARE(leftovers(), QStringList());
    }

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
            QTRY_VERIFY(watch.summary().bytes > first.bytes); // it goes on
            QTRY_VERIFY(demo->workedOff() > 20);
            // What the dead left is sent after a while: the oldest is younger again.
            QTRY_VERIFY_WITH_TIMEOUT(watch.summary().oldestUndispatchedSeconds.value_or(0) > 11,
                                     30'000);
            QTRY_VERIFY_WITH_TIMEOUT(watch.summary().oldestUndispatchedSeconds.value_or(0) < 11,
                                     30'000);
            if (design == DemoDesign::Tokens)
                QTRY_VERIFY(watch.tokens(TokenReach::Garbage) > 0);
            QCOMPARE(troubled.size(), 0);
        }
        demo.reset();
        QCOMPARE(leftovers(), QStringList());
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

    void thePoisonRowIsSetAsideAndTheOthersPass_data() { livesAndLeavesNothing_data(); }
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
        QVERIFY2(reasons.first().contains(u"blank"_s), qPrintable(reasons.first()));

        StoreSettings look = demo->relayStore();
        look.access = StoreAccess::Look;
        OutboxStore store;
        QVERIFY_RESULT(store.open(look));
        QVERIFY_RESULT(store.use(*demo->profile().shape));
        const auto processed = [&store] {
            const auto snapshot = store.snapshot();
            return snapshot ? snapshot->processed.value_or(0) : 0;
        };
        QTRY_VERIFY(processed() > 20); // rows stay, with their date
        QVERIFY(pendingRows(store) >= 1); // the poison is still there
        relay->abandon();
        QTRY_COMPARE(finished.size(), 1);
        relay.reset();
        store.close();
        demo.reset();
        QCOMPARE(leftovers(), QStringList());
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

    void aKilledRedisComesBackWithItsTasks()
    {
        Demo demo;
        OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite);
        AsynqQueue queue;
        QVERIFY_RESULT(queue.open(demo.redis(), u"test relay"_s));
        EnqueueRequest request;
        request.id.text = u"7e57"_s;
        request.queue = defaultQueue;
        request.type = u"email:deliver"_s;
        request.payload = "{}";
        request.retentionSeconds = 3600;
        QVERIFY_RESULT(queue.enqueue({request}));
        QTRY_VERIFY(demo.workedOff() == 1);

        QSignalSpy changed(&demo, &Demo::brokenChanged);
        QSignalSpy troubled(&demo, &Demo::troubled);
        demo.breakThing(u"kill-redis"_s);
        QVERIFY(demo.isBroken(u"kill-redis"_s));
        QTRY_VERIFY(!troubled.isEmpty()); // the worker notices
        QVERIFY(!queue.enqueue({request}).has_value());
        const qint64 written = demo.written();
        QTRY_VERIFY(demo.written() > written); // the application does not
        demo.healThing(u"kill-redis"_s);
        QTRY_VERIFY(!demo.isBroken(u"kill-redis"_s)); // it comes up beside us
        QCOMPARE(changed.size(), 2);

        QVERIFY_RESULT(queue.connection().ensureOpen());
        auto again = queue.enqueue({request}); // it may still be reading its file
        QTRY_VERIFY(again || (again = queue.enqueue({request})));
        QCOMPARE(again->first().kind, EnqueueAnswer::Kind::Exists); // the append-only file kept it
        request.id.text = u"7e58"_s;
        QVERIFY_RESULT(queue.enqueue({request}));
        QTRY_VERIFY(demo.workedOff() >= 2);
    }

    void aFrozenRedisThawsByItself()
    {
        Demo demo;
        OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite);
        QSignalSpy changed(&demo, &Demo::brokenChanged);
        QElapsedTimer clock;
        clock.start();
        demo.breakThing(u"freeze-redis"_s);
        QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 2, 10'000);
        QVERIFY(clock.elapsed() >= 4'900);
        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(demo.redis(), u"test look"_s));
        QVERIFY_RESULT(inspector.facts());
    }

    void endsAtOnceWhileRedisIsFrozen()
    {
        QElapsedTimer clock;
        {
            Demo demo;
            OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite);
            demo.breakThing(u"freeze-redis"_s);
            clock.start();
        }
        QVERIFY2(clock.elapsed() < 2'000, qPrintable(QString::number(clock.elapsed())));
    }

    void aFailingTypeEndsDead()
    {
        Demo demo;
        OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite);
        demo.breakThing(u"fail-type"_s);
        AsynqQueue queue;
        QVERIFY_RESULT(queue.open(demo.redis(), u"test relay"_s));
        EnqueueRequest request;
        request.id.text = u"7e57"_s;
        request.queue = defaultQueue;
        request.type = u"email:deliver"_s;
        request.payload = "{}";
        request.retentionSeconds = 3600;
        QVERIFY_RESULT(queue.enqueue({request}));
        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(demo.redis(), u"test look"_s));
        QTRY_COMPARE(queueNow(inspector).retry, 1);
        QTRY_COMPARE_WITH_TIMEOUT(queueNow(inspector).archived, 1, 20'000);
        demo.healThing(u"fail-type"_s);
        QVERIFY(!demo.isBroken(u"fail-type"_s));
        request.id.text = u"7e58"_s;
        QVERIFY_RESULT(queue.enqueue({request}));
        QTRY_COMPARE_WITH_TIMEOUT(queueNow(inspector).completed, 1, 20'000);
    }

    void aBurstIsWrittenInChunks_data() { livesAndLeavesNothing_data(); }

    void aBurstIsWrittenInChunks()
    {
        QFETCH(Demo::Kind, kind);
        Demo demo;
        OUTBOX_START_SERVER(demo, kind);
        demo.breakThing(u"burst"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!demo.isBroken(u"burst"_s), 60'000);
        QVERIFY(demo.written() >= 50'000);
        OutboxStore store;
        StoreSettings look = demo.relayStore();
        look.access = StoreAccess::Look;
        QVERIFY_RESULT(store.open(look));
        QVERIFY_RESULT(store.use(demo.profile().shape.value()));
        QVERIFY(pendingRows(store) >= 50'000);
    }

    void asksTheRelayForItsPart()
    {
        Demo demo;
        QSignalSpy stop(&demo, &Demo::relayStopAsked);
        QSignalSpy lose(&demo, &Demo::loseAnswerAsked);
        demo.breakThing(u"stop-relay"_s);
        demo.breakThing(u"lose-answer"_s);
        QCOMPARE(stop.size(), 1);
        QCOMPARE(lose.size(), 1);
        QCOMPARE(breakages().size(), 6);
    }

    void idsSortByTime()
    {
        UuidSource source;
        QString last;
        for (int i = 0; i < 20'000; ++i) {
            const QUuid id = source.next();
            const QString text = id.toString(QUuid::WithoutBraces);
            QVERIFY2(text > last, qPrintable(last + u' ' + text));
            QCOMPARE(text.at(14), QChar(u'7'));
            QCOMPARE(id.variant(), QUuid::DCE);
            last = text;
        }
    }
};

QTEST_GUILESS_MAIN(TestDemo)
#include "tst_demo.moc"
