// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where parked rows live: the file of the state folder and the table outbox_parked.
#include "app/relay/parking/outboxparking.h"
#include "app/relay/relaydriver.h"
#include "app/relay/relaysession.h"
#include "app/settings/privatefile.h"
#include "connectors/room.h"
#include "tests/support/filebytes.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testkinds.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>

namespace tst_parking {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestParking : public QObject
{
    Q_OBJECT

    TestPostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;
    QTemporaryDir m_state;

    static ParkedRow row(const QString &id, const QString &reason = u"the reason"_s)
    {
        return {{id}, reason, 2, QDateTime::currentDateTimeUtc()};
    }

    static QStringList idsOf(const Result<QList<ParkedRow>> &rows)
    {
        QStringList ids;
        if (!rows)
            return {oneLine(rows.error())};
        for (const ParkedRow &one : *rows)
            ids += one.id.text;
        return ids;
    }

    [[nodiscard]] FileParking file(const QString &outbox = u"public.outbox"_s) const
    {
        return {m_state.filePath(u"parked"_s),
                DatabaseUrl::fromUrl(u"postgresql://ana:secret@db-1/shop"_s).value(), outbox,
                u"test/ana"_s};
    }

    /// A role that may relay, and do with parked rows what `right` says.
    static bool makeRelayRole(TestOutbox &fixture, const QString &role, const QString &right)
    {
        return fixture.exec(u"drop role if exists "_s + role)
            && fixture.exec(u"create role %1 login"_s.arg(role))
            && fixture.exec(u"grant select, delete on outbox to "_s + role)
            && fixture.exec(u"grant %1 on outbox_parked to %2"_s.arg(right, role));
    }

    static bool makeTable(TestOutbox &fixture)
    {
        const auto dialect = fixture.dialect();
        return fixture.exec(ParkedTableAccess::sql(dialect));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        if (!isDatabasePooled())
            OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void aFileKeepsRowsForTheNextOneWhoOpensIt()
    {
        FileParking first = file(u"public.kept"_s);
        QCOMPARE(idsOf(first.rows()), QStringList());
        QVERIFY_RESULT(first.put({row(u"a"_s), row(u"b"_s)}));
        QVERIFY_RESULT(first.put({row(u"a"_s, u"a newer reason"_s)}));

        FileParking second = file(u"public.kept"_s);
        const auto rows = second.rows();
        QCOMPARE(idsOf(rows), (QStringList{u"b"_s, u"a"_s}));
        QCOMPARE(rows->last().reason, u"a newer reason"_s);
        QCOMPARE(rows->last().attempts, 2);
        QCOMPARE(rows->last().by, u"test/ana"_s);
        QVERIFY(rows->last().at.isValid());
        QCOMPARE(idsOf(file(u"public.other"_s).rows()), QStringList());

        const auto open
            = QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther;
        QVERIFY(!(QFileInfo(first.file()).permissions() & open));
        QFile written(first.file());
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(!written.readAll().contains("secret"));

        QVERIFY_RESULT(second.release({{u"b"_s}, {u"never there"_s}}));
        QCOMPARE(idsOf(first.rows()), QStringList{u"a"_s});
    }

    void twoWritersLoseNothingOfEachOther()
    {
        constexpr int each = 40;
        Room<FileParking> rooms[2]{Room<FileParking>(u"one"_s), Room<FileParking>(u"two"_s)};
        QList<QFuture<QString>> written;
        for (int who = 0; who < 2; ++who) {
            written += rooms[who].run([parking = file(u"public.shared"_s), who](FileParking &own) {
                own = parking;
                for (int i = 0; i < each; ++i) {
                    if (auto put = own.put({row(u"%1-%2"_s.arg(who).arg(i))}); !put)
                        return oneLine(put.error());
                }
                return QString();
            });
        }
        for (QFuture<QString> &one : written)
            QCOMPARE(one.result(), QString());
        QCOMPARE(idsOf(file(u"public.shared"_s).rows()).size(), 2 * each);
    }

    void aFileThatCannotBeUnderstoodIsAnErrorAndIsLeftAsItIs_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("torn") << QByteArray("{\"version\": 1, \"rows\": [{");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("a later version") << QByteArray("{\"version\": 2, \"rows\": []}");
        QTest::newRow("another outbox")
            << QByteArray("{\"version\": 1, \"outbox\": \"x\", \"rows\": []}");
    }
    void aFileThatCannotBeUnderstoodIsAnErrorAndIsLeftAsItIs()
    {
        QFETCH(QByteArray, content);
        FileParking parking = file(u"public.torn"_s);
        QVERIFY_RESULT(parking.put({row(u"a"_s)}));
        QVERIFY(writeFile(parking.file(), content));
        const auto rows = parking.rows();
        QVERIFY(!rows);
        QCOMPARE(rows.error().kind, Error::Kind::Invalid);
        QVERIFY(oneLine(rows.error()).contains(parking.file()));
        QVERIFY(!parking.put({row(u"b"_s)}));
        QVERIFY(!parking.release({{u"a"_s}}));
        QCOMPARE(fileBytes(parking.file()), content);
        QVERIFY(QFile::remove(parking.file()));
    }

    void aDamagedFileKeepsTheRelayFromStarting()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(3));
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        OutboxParking parking;
        QVERIFY_RESULT(parking.open(fixture.settings(StoreAccess::Relay), *shape, m_state.path()));
        QVERIFY_RESULT(parking.put({row(fixture.insertedIds().first())}));
        QFile torn(parking.inFile().file());
        QVERIFY(torn.open(QIODevice::WriteOnly | QIODevice::Truncate));
        torn.write("nonsense");
        torn.close();

        RelayDriver driver;
        QSignalSpy failed(&driver, &RelayDriver::failed);
        QSignalSpy finished(&driver, &RelayDriver::finished);
        RelaySettings settings;
        settings.stateFolder = m_state.path();
        driver.start(fixture.settings(StoreAccess::Relay), *shape, fixture.redis(), settings, true);
        QVERIFY(finished.wait(20'000));
        QCOMPARE(failed.size(), 1);
        QVERIFY(oneLine(failed.first().first().value<Error>()).contains(torn.fileName()));
        QCOMPARE(fixture.unprocessed(), 3);
        QVERIFY(torn.remove());
    }

    void theTableIsUsedWhereItIsAndNeverMade_data() { addKinds(); }
    void theTableIsUsedWhereItIsAndNeverMade()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::Payload, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(2));
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        const StoreSettings relay = fixture.settings(StoreAccess::Relay);

        OutboxParking before;
        QVERIFY_RESULT(before.open(relay, *shape, m_state.path()));
        QVERIFY(!before.isInTable());
        QVERIFY(before.place().contains(m_state.path()));
        QVERIFY_RESULT(before.put({row(fixture.insertedIds().at(0), u"from the file"_s)}));
        if (kind == TestOutbox::Kind::Postgres)
            QVERIFY(fixture.scalar(u"select to_regclass('outbox_parked')"_s).isNull());

        QVERIFY(makeTable(fixture));
        OutboxParking parking;
        QVERIFY_RESULT(parking.open(relay, *shape, m_state.path()));
        QVERIFY(parking.isInTable());
        QVERIFY(parking.place().contains(u"outbox_parked"_s));
        QCOMPARE(idsOf(parking.inFile().rows()), QStringList()); // it moved
        QVERIFY_RESULT(parking.put({row(fixture.insertedIds().at(1), u"it's \"odd\""_s),
                                    row(fixture.insertedIds().at(1), u"it's \"odder\""_s)}));
        OutboxParking looking;
        QVERIFY_RESULT(
            looking.open(fixture.settings(StoreAccess::ReadOnly), *shape, m_state.path()));
        const auto rows = looking.rows();
        QVERIFY_RESULT(rows);
        QCOMPARE(rows->size(), 2);
        QCOMPARE(rows->first().reason, u"from the file"_s);
        QCOMPARE(rows->last().id.text, fixture.insertedIds().at(1));
        QCOMPARE(rows->last().reason, u"it's \"odder\""_s);
        QCOMPARE(rows->last().attempts, 2);
        QCOMPARE(rows->last().by, relay.applicationName);
        QVERIFY(qAbs(rows->last().at.secsTo(QDateTime::currentDateTimeUtc())) < 300);
        QCOMPARE(fixture.scalar(u"select count(*) from outbox_parked"_s).toInt(), 2);
        QVERIFY(fixture.exec(u"update outbox_parked set outbox = 'another'"_s));
        QCOMPARE(idsOf(parking.rows()), QStringList());
        QVERIFY_RESULT(parking.release({{fixture.insertedIds().at(1)}}));
        QCOMPARE(fixture.scalar(u"select count(*) from outbox_parked"_s).toInt(), 2);
    }

    void aTableThatMayNotBeWrittenIsLeftAlone()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        QVERIFY(makeTable(fixture));
        QVERIFY(makeRelayRole(fixture, u"parking_reader"_s, u"select"_s));
        StoreSettings relay = fixture.settings(StoreAccess::Relay);
        relay.url.user = u"parking_reader"_s;
        OutboxParking parking;
        QVERIFY_RESULT(parking.open(relay, *shape, m_state.path()));
        QVERIFY(!parking.isInTable());
        QVERIFY(parking.place().contains(u"may not write"_s));
        QVERIFY_RESULT(parking.put({row(u"a"_s)}));
        QCOMPARE(fixture.scalar(u"select count(*) from outbox_parked"_s).toInt(), 0);
        QCOMPARE(idsOf(parking.rows()), QStringList{u"a"_s});

        // A table of that name that is not ours is not touched either.
        QVERIFY(fixture.exec(u"alter table outbox_parked drop column reason"_s));
        OutboxParking other;
        QVERIFY_RESULT(other.open(fixture.settings(StoreAccess::Relay), *shape, m_state.path()));
        QVERIFY(!other.isInTable());
        QVERIFY(other.place().contains(u"reason"_s));
    }

    void aTableThatIsDroppedUnderARelayStopsNoOtherRow_data() { addKinds(); }
    void aTableThatIsDroppedUnderARelayStopsNoOtherRow()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::Payload, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(makeTable(fixture));
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        QTemporaryDir state;
        RelayTarget target{fixture.settings(StoreAccess::Relay),
                           *shape,
                           fixture.redis(),
                           {QueueName{u"default"_s}},
                           u"relay"_s,
                           {},
                           false,
                           false,
                           false,
                           0,
                           state.path(),
                           nullptr};
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target));
        QVERIFY(pair.parkingPlace().contains(u"the table"_s));
        const std::stop_source stop;
        const auto drained = [&] {
            const RelayBurst burst
                = pair.work(100, 1000, 20'000, 5, RelayAim::Drained, stop.get_token());
            if (burst.end == RelayBurst::End::Failed)
                qWarning() << oneLine(burst.error());
            return burst.end == RelayBurst::End::Drained;
        };
        const auto insertWithBad = [&] {
            if (!fixture.insertRows(3))
                return QString();
            const QString bad = fixture.insertedIds().last();
            return fixture.exec(u"update outbox set type = '' where %1 = '%2'"_s.arg(
                       fixture.keyText(u"id"_s), bad))
                ? bad
                : QString();
        };
        const QString first = insertWithBad();
        QVERIFY(!first.isEmpty());
        QVERIFY(drained());
        QCOMPARE(fixture.scalar(u"select count(*) from outbox_parked"_s).toInt(), 1);

        QVERIFY(fixture.exec(u"drop table outbox_parked"_s));
        const QString second = insertWithBad();
        QVERIFY(!second.isEmpty());
        QVERIFY(drained());
        QCOMPARE(fixture.unprocessed(), 2);
        QVERIFY(!pair.parkingPlace().contains(u"the table"_s));
        OutboxParking looking;
        QVERIFY_RESULT(looking.open(fixture.settings(StoreAccess::ReadOnly), *shape, state.path()));
        QVERIFY(idsOf(looking.rows()).contains(second));

        QVERIFY(fixture.exec(u"delete from outbox"_s));
    }

    void aRightThatIsTakenAwaySendsParkedRowsToTheFile()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        QVERIFY(makeTable(fixture));
        QVERIFY(makeRelayRole(fixture, u"parking_writer"_s, u"all"_s));
        StoreSettings relay = fixture.settings(StoreAccess::Relay);
        relay.url.user = u"parking_writer"_s;
        QTemporaryDir state;
        OutboxParking parking;
        QVERIFY_RESULT(parking.open(relay, *shape, state.path()));
        QVERIFY_RESULT(parking.put({row(u"a"_s)}));
        QVERIFY(parking.isInTable());
        QVERIFY(
            fixture.exec(u"revoke insert, update, delete on outbox_parked from parking_writer"_s));
        QVERIFY_RESULT(parking.put({row(u"b"_s)}));
        QVERIFY(!parking.isInTable());
        QStringList ids = idsOf(parking.rows());
        ids.sort();
        QCOMPARE(ids, (QStringList{u"a"_s, u"b"_s})); // what is in the table is still read
        QVERIFY(fixture.exec(u"revoke all on outbox_parked from parking_writer"_s));
        QCOMPARE(idsOf(parking.rows()), QStringList{u"b"_s});
    }

    void rowsThatAreGoneOrProcessedLeaveTheParking_data() { addKinds(); }
    void rowsThatAreGoneOrProcessedLeaveTheParking()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(3));
        QVERIFY(makeTable(fixture));
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        OutboxParking parking;
        QVERIFY_RESULT(parking.open(fixture.settings(StoreAccess::Relay), *shape, m_state.path()));
        const QStringList &ids = fixture.insertedIds();
        QVERIFY_RESULT(parking.put({row(ids.at(0)), row(ids.at(1)), row(ids.at(2))}));
        QVERIFY(fixture.exec(u"delete from outbox where id = "_s + ids.at(0)));
        QVERIFY(fixture.exec(u"update outbox set completed_at = current_timestamp where id = "_s
                             + ids.at(1)));
        OutboxStore store;
        QVERIFY_RESULT(store.open(fixture.settings(StoreAccess::ReadOnly)));
        QVERIFY_RESULT(store.use(*shape));
        QVERIFY_RESULT(forgetGoneRows(parking, store));
        QCOMPARE(idsOf(parking.rows()), QStringList{ids.at(2)});
    }

    /// Its keys are given again, and what was parked there was another row.
    void aDatabaseThatIsMadeAnewHasNoParkedRows_data() { addKinds(); }
    void aDatabaseThatIsMadeAnewHasNoParkedRows()
    {
        using Kind = TestOutbox::Kind;
        QFETCH(Kind, kind);
        constexpr int rows = 3;
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        const bool isPostgres = kind == Kind::Postgres;
        const bool isSqlite = kind == Kind::Sqlite;
        const QString key = isPostgres ? u"bigint generated by default as identity primary key"_s
            : isSqlite                 ? u"integer primary key autoincrement"_s
                                       : u"bigint auto_increment primary key"_s;
        const QString now = isPostgres ? u"timestamptz not null default clock_timestamp()"_s
            : isSqlite ? u"timestamp not null default (strftime('%Y-%m-%d %H:%M:%f', 'now'))"_s
                       : u"datetime(6) not null default utc_timestamp(6)"_s;
        const auto makeAnew = [&] {
            return fixture.exec(u"drop table outbox"_s)
                && fixture.exec(u"create table outbox (id "_s + key
                                + u", type varchar(50) not null, payload "_s
                                + (isPostgres ? u"bytea"_s : u"blob"_s)
                                + u" not null, created_at "_s + now + u')')
                && fixture.exec(
                    u"insert into outbox (type, payload) values ('a', 'x'), ('a', 'y'), ('a', 'z')"_s);
        };
        const auto left = [&] { return fixture.scalar(u"select count(*) from outbox"_s).toInt(); };
        QVERIFY(makeAnew());
        QVERIFY(fixture.exec(u"update outbox set created_at = '2020-01-01 00:00:00'"_s));
        const auto shape = fixture.takenShape(u"UTC"_s); // in which the rows are written
        QVERIFY_RESULT(shape);
        QTemporaryDir state;
        {
            OutboxParking parking;
            QVERIFY_RESULT(
                parking.open(fixture.settings(StoreAccess::Relay), *shape, state.path()));
            QVERIFY(!parking.isInTable());
            for (int id = 1; id <= rows; ++id) {
                ParkedRow parked = row(QString::number(id));
                parked.at = parked.at.addSecs(-60);
                QVERIFY_RESULT(parking.put({parked}));
            }
        }
        RelayTarget target;
        target.store = fixture.settings(StoreAccess::Relay);
        target.shape = *shape;
        target.redis = fixture.redis();
        target.rules.queue.text = u"default"_s;
        target.clientName = u"relay"_s;
        target.stateFolder = state.path();
        const std::stop_source stop;
        for (const bool isAnew : {false, true}) {
            if (isAnew)
                QVERIFY(makeAnew());
            RelaySession pair;
            QVERIFY_RESULT(pair.open(target));
            QCOMPARE(pair.work(100, 1000, 20'000, 5, RelayAim::Drained, stop.get_token()).end,
                     RelayBurst::End::Drained);
            QCOMPARE(left(), isAnew ? 0 : rows);
            QCOMPARE(fixture.pendingIds().size(), isAnew ? rows : 0);
        }
    }
};

} // namespace tst_parking

OUTBOX_TEST(tst_parking::TestParking)
#include "tst_parking.moc"
