// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The command line on a database whose zone is not UTC: what is due, leased and how old is right
// once the zone is known, and nothing is done by a time of a zone that nobody said.
#include "tests/support/ctl.h"
#include "tests/support/servers.h"

#include <QFile>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestCtlZones : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    QTemporaryDir m_folder;
    QString m_database;

    QStringList run(const QString &sql, const QString &database)
    {
        QStringList values;
        {
            QSqlDatabase session = QSqlDatabase::addDatabase(u"QPSQL"_s, u"side"_s);
            session.setHostName(m_postgres.socketFolder());
            session.setUserName(m_postgres.user());
            session.setDatabaseName(database);
            if (!session.open())
                qFatal("%s", qPrintable(session.lastError().text()));
            QSqlQuery query(session);
            if (!query.exec(sql))
                qFatal("%s: %s", qPrintable(sql), qPrintable(query.lastError().text()));
            while (query.next())
                values += query.value(0).toString();
        }
        QSqlDatabase::removeDatabase(u"side"_s);
        return values;
    }
    QStringList run(const QString &sql) { return run(sql, m_database); }

    CtlRun ctl(const QStringList &arguments) const
    {
        return runCtl(arguments
                      + QStringList{u"--database"_s, m_postgres.url(m_database), u"--redis"_s,
                                    m_redis.url(), u"--config-dir"_s, m_folder.path(),
                                    u"--state-dir"_s, m_folder.path()});
    }

    static void addZones()
    {
        QTest::addColumn<QString>("zone");
        QTest::newRow("New York") << u"America/New_York"_s;
        QTest::newRow("Berlin") << u"Europe/Berlin"_s;
        QTest::newRow("Kolkata") << u"Asia/Kolkata"_s;
        QTest::newRow("UTC") << u"UTC"_s;
    }

    /// A database of that zone, with a table whose times have none.
    void makeTable(const QString &zone)
    {
        static int number = 0;
        m_database = u"zone%1"_s.arg(++number);
        run(u"CREATE DATABASE "_s + m_database, u"postgres"_s);
        run(u"ALTER DATABASE %1 SET timezone = '%2'"_s.arg(m_database, zone), u"postgres"_s);
        run(u"CREATE TABLE outbox (id uuid DEFAULT gen_random_uuid() PRIMARY KEY, type text NOT "
            u"NULL,"
            " payload text NOT NULL, created_at timestamp NOT NULL DEFAULT now(),"
            " available_at timestamp, locked_until timestamp, locked_by text)"_s);
    }

    /// The mapping, as a person gives it who does not think of zones.
    QString mapping() const
    {
        const QString path = m_folder.filePath(u"shape.json"_s);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no shape");
        file.write(R"({"shape":1,"name":"orders","use":"relay","table":"public.outbox",
            "key":[{"column":"id","form":"uuid"}],"type":{"column":"type"},
            "payload":{"column":"payload","form":"text"},"created":"created_at",
            "due":"available_at","processed":{"how":"deleted"},
            "locked":{"how":"until","column":"locked_until","owner":"locked_by"},
            "order":["id"],"order_is":"none"})");
        return path;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void whatIsNotDueStays_data() { addZones(); }
    void whatIsNotDueStays()
    {
        QFETCH(QString, zone);
        makeTable(zone);
        run(u"INSERT INTO outbox (type, payload, available_at) VALUES"
            " ('later', 'x', now() + interval '3 hours'), ('soon', 'x', now() + interval '5 min'),"
            " ('due', 'x', now()), ('always', 'x', NULL)"_s);
        const QStringList relay{u"relay"_s, u"--drain"_s, u"--shape"_s, mapping()};

        const CtlRun refused = ctl(relay);
        QVERIFY2(refused.exitCode == 5, refused.err.constData());
        QVERIFY2(refused.err.contains("--time-zone"), refused.err.constData());
        QVERIFY2(refused.err.contains("time zone of \"locked_until\""), refused.err.constData());
        QCOMPARE(run(u"SELECT count(*) FROM outbox"_s), QStringList{u"4"_s});

        const CtlRun sent = ctl(relay + QStringList{u"--time-zone"_s, zone});
        QVERIFY2(sent.exitCode == 0, QByteArray(sent.err + sent.out).constData());
        QCOMPARE(run(u"SELECT type FROM outbox ORDER BY type"_s),
                 QStringList({u"later"_s, u"soon"_s}));
    }

    void aLeaseOfAnotherIsLeft_data() { addZones(); }
    void aLeaseOfAnotherIsLeft()
    {
        QFETCH(QString, zone);
        makeTable(zone);
        run(u"INSERT INTO outbox (type, payload, locked_until, locked_by) VALUES"
            " ('held', 'x', now() + interval '5 minutes', 'other'),"
            " ('over', 'x', now() - interval '5 minutes', 'gone')"_s);
        const auto typesIn = [&](const QString &state, const QStringList &more) {
            QStringList types;
            const CtlRun list = ctl(
                QStringList{u"list"_s, u"--json"_s, u"--state"_s, state, u"--shape"_s, mapping()}
                + more);
            for (const QJsonObject &row : list.objects()) {
                if (row.contains("type"_L1)) // the last line is about them all
                    types += row.value("type"_L1).toString();
            }
            return types.join(u',');
        };
        const QStringList known{u"--time-zone"_s, zone};
        QCOMPARE(typesIn(u"locked"_s, known), u"held"_s);
        QCOMPARE(typesIn(u"pending"_s, known), u"over"_s);
        QCOMPARE(typesIn(u"locked"_s, {}), QString());
        QCOMPARE(typesIn(u"pending"_s, {}), QString());
        const CtlRun release = ctl(
            {u"release"_s, u"--shape"_s, mapping(), u"--filter"_s, u"type:over"_s, u"--yes"_s});
        QVERIFY2(release.exitCode == 5, QByteArray(release.err + release.out).constData());
        QVERIFY2(release.err.contains("--time-zone"), release.err.constData());
    }

    void anAgeIsThatOfTheZone_data() { addZones(); }
    void anAgeIsThatOfTheZone()
    {
        QFETCH(QString, zone);
        makeTable(zone);
        run(u"INSERT INTO outbox (type, payload, created_at) VALUES"
            " ('a', 'x', now() - interval '2 minutes')"_s);
        // The zone is found by the newest row, and told with its reason.
        const QJsonObject found = ctl({u"probe"_s, u"--json"_s}).last();
        const QString form = found.value("shape"_L1)
                                 .toObject()
                                 .value("times"_L1)
                                 .toObject()
                                 .value("*"_L1)
                                 .toString();
        QCOMPARE(form, zone == u"UTC" ? u"utc"_s : u"local:"_s + zone);
        QVERIFY(found.value("found"_L1).toObject().contains("times"_L1));
        const auto oldest = [&](const QStringList &more) {
            const CtlRun status = ctl(QStringList{u"status"_s, u"--json"_s} + more);
            return status.last().value("outbox"_L1).toObject();
        };
        const double age = oldest({}).value("oldest_pending_s"_L1).toDouble(-1);
        QVERIFY2(age >= 120 && age < 300, qPrintable(QString::number(age)));

        // A mapping that says nothing has no ages, and says why; one that says it has.
        const QJsonObject undecided = oldest({u"--shape"_s, mapping()});
        QVERIFY(undecided.value("oldest_pending_s"_L1).isNull());
        const QString note
            = undecided.value("notes"_L1).toObject().value("oldest_pending_s"_L1).toString();
        QVERIFY2(note.contains(u"time zone"_s), qPrintable(note));
        const double said = oldest({u"--shape"_s, mapping(), u"--time-zone"_s, zone})
                                .value("oldest_pending_s"_L1)
                                .toDouble(-1);
        QVERIFY2(said >= 120 && said < 300, qPrintable(QString::number(said)));

        // A table that stands still cannot tell: it is asked.
        run(u"UPDATE outbox SET created_at = now() - interval '3 days 20 minutes'"_s);
        const QJsonObject idle = ctl({u"probe"_s, u"--json"_s}).last();
        const QString asked = idle.value("questions"_L1).toArray().first().toString();
        QVERIFY2(asked.startsWith(u"In which time zone"_s) && asked.contains(u"--time-zone"_s),
                 qPrintable(asked));
        QVERIFY(oldest({}).value("oldest_pending_s"_L1).isNull());
    }

    void aFilterByAnUntoldTimeIsRefused()
    {
        makeTable(u"America/New_York"_s);
        run(u"INSERT INTO outbox (type, payload) VALUES ('a', 'x')"_s);
        const QStringList list{u"list"_s, u"--shape"_s, mapping(), u"--filter"_s, u"age<1h"_s};
        const CtlRun refused = ctl(list);
        QVERIFY(refused.exitCode != 0);
        QVERIFY2(refused.err.contains("time zone of \"created_at\""), refused.err.constData());
        const CtlRun listed = ctl(list + QStringList{u"--time-zone"_s, u"America/New_York"_s});
        QVERIFY2(listed.exitCode == 0, listed.err.constData());
    }

    void aTextThatIsNoZoneIsRefused()
    {
        makeTable(u"UTC"_s);
        const CtlRun slip = ctl({u"status"_s, u"--time-zone"_s, u"Berlin"_s});
        QCOMPARE(slip.exitCode, 78);
        QVERIFY2(slip.err.contains("Europe/Berlin"), slip.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestCtlZones)
#include "tst_ctlzones.moc"
