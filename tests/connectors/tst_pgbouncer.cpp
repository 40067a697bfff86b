// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Behind a pgbouncer nothing of ours outlives a transaction: the pool's sessions stay as they were
// for the application that writes through them. OUTBOX_POOL_ROUNDS says how many looks and rows.
#include "connectors/sql/session/databasesession.h"
#include "models/filter/pagerequest.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/privatepgbouncer.h"
#include "tests/support/testprogram.h"

#include <QScopeGuard>

#include <libpq-fe.h>

#include <memory>

namespace tst_pgbouncer {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// An application that knows nothing of us: plain libpq, through the pool.
class Application
{
public:
    Application(const QString &host, const DatabaseUrl &url)
    {
        m_connection = PQconnectdb(
            u"host=%1 dbname=%2 user=%3 application_name=app"_s.arg(host, url.database, url.user)
                .toUtf8()
                .constData());
    }
    ~Application() { PQfinish(m_connection); }
    Application(const Application &) = delete;
    Application &operator=(const Application &) = delete;

    /// The first value; `failures` grows where there is none.
    QByteArray run(const QByteArray &sql)
    {
        PGresult *result = PQexec(m_connection, sql.constData());
        const ExecStatusType status = PQresultStatus(result);
        QByteArray value;
        if (status == PGRES_TUPLES_OK && PQntuples(result) > 0)
            value = PQgetvalue(result, 0, 0);
        if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
            ++failures;
            qWarning() << sql << PQerrorMessage(m_connection);
        }
        PQclear(result);
        return value;
    }
    /// All that a session of the server may be set to, as it stands now.
    QByteArray settings()
    {
        return run("SELECT md5(string_agg(name || '=' || setting, ';' ORDER BY name)) || "
                   "coalesce((SELECT string_agg(name || '=' || setting, ';') FROM pg_settings "
                   "WHERE source = 'session' AND name NOT IN ('application_name', "
                   "'client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings')), "
                   "'') || (SELECT count(*) FROM pg_prepared_statements) || "
                   "(SELECT count(*) FROM pg_listening_channels()) FROM pg_settings");
    }
    void write()
    {
        run("INSERT INTO business (note) VALUES ('x')");
        ++writes;
    }
    qint64 writes = 0;
    qint64 failures = 0;

private:
    PGconn *m_connection = nullptr;
};

} // namespace

class TestPgbouncer : public QObject
{
    Q_OBJECT

    Databases m_databases;

    [[nodiscard]] static int rounds()
    {
        return std::max(100, qEnvironmentVariableIntValue("OUTBOX_POOL_ROUNDS"));
    }
    static StoreSettings through(const PrivatePgbouncer &pool, const DatabaseUrl &url,
                                 StoreAccess access)
    {
        StoreSettings settings = settingsFor(url, access);
        settings.url.host = pool.host();
        settings.statementTimeoutMs = 4000;
        return settings;
    }
    static void addPools()
    {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<int>("size");
        QTest::addColumn<QString>("ignored");
        for (const char *mode : {"transaction", "session"}) {
            // In a pool of sessions each client holds one.
            const QList<int> sizes = qstrcmp(mode, "session") == 0 ? QList{6} : QList{1, 2};
            for (const int size : sizes) {
                for (const char *ignored : {"options", "extra_float_digits"})
                    QTest::addRow("%s, %d, ignores %s", mode, size, ignored)
                        << QString::fromLatin1(mode) << size << QString::fromLatin1(ignored);
            }
        }
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_databases.postgres); }

    void thePoolStaysAsItWas_data() { addPools(); }
    void thePoolStaysAsItWas()
    {
        QFETCH(QString, mode);
        QFETCH(int, size);
        QFETCH(QString, ignored);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        {
            SideSession side(url);
            side.run(classicTable());
            side.run(u"CREATE TABLE business (id bigserial, note text)"_s);
            side.run(numbered(rounds(), u"n, 'mail', 'x'"_s, u"outbox"_s));
        }
        PrivatePgbouncer pool;
        const auto started = pool.start(m_databases.postgres, mode, size, ignored);
        if (!started && started.error().kind == Error::Kind::Unsupported
            && !qEnvironmentVariableIsSet("OUTBOX_REQUIRE_SERVERS"))
            QSKIP(qPrintable(oneLine(started.error())));
        QVERIFY_RESULT(started);
        Application app(pool.host(), url);
        const QByteArray before = app.settings();
        QVERIFY(!before.isEmpty());
        const auto isUnchanged = [&app, &before] {
            app.write();
            return app.settings() == before;
        };

        OutboxStore look;
        QVERIFY_RESULT(look.open(through(pool, url, StoreAccess::ReadOnly)));
        QVERIFY(isUnchanged());
        QVERIFY_RESULT(look.use(classicShape()));
        QVERIFY(isUnchanged());
        for (int i = 0; i < rounds(); ++i) {
            const auto seen = look.snapshot();
            QVERIFY_RESULT(seen);
            QCOMPARE(seen->pending, rounds());
            PageRequest page;
            page.limit = 5;
            QVERIFY_RESULT(look.page(page));
            QVERIFY2(isUnchanged(), qPrintable(u"after look %1"_s.arg(i)));
        }
        OutboxStore relay;
        QVERIFY_RESULT(relay.open(through(pool, url, StoreAccess::Relay)));
        QVERIFY_RESULT(relay.use(classicShape()));
        QVERIFY(isUnchanged());
        for (int left = rounds(); left > 0;) {
            const auto rows = relay.claim(50, {});
            QVERIFY_RESULT(rows);
            left -= int(rows->size());
            QVERIFY_RESULT(commitTaken(relay));
            QVERIFY(isUnchanged());
        }
        const auto none = relay.claim(50, {});
        QVERIFY_RESULT(none);
        QVERIFY(none->isEmpty());
        QVERIFY(isUnchanged());
        QCOMPARE(app.failures, 0);
        QCOMPARE(app.run("SELECT count(*) FROM business").toLongLong(), app.writes);
        qInfo() << "looks" << rounds() << "rows" << rounds() << "writes" << app.writes;
    }

    void aLookCannotWriteAndHasADeadline_data() { addPools(); }
    void aLookCannotWriteAndHasADeadline()
    {
        QFETCH(QString, mode);
        QFETCH(int, size);
        QFETCH(QString, ignored);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession(url).run(classicTable());
        PrivatePgbouncer pool;
        QVERIFY_RESULT(pool.start(m_databases.postgres, mode, size, ignored));
        StoreSettings settings = through(pool, url, StoreAccess::ReadOnly);
        settings.statementTimeoutMs = 300;
        DatabaseSession session;
        QVERIFY_RESULT(session.open(settings));
        QVERIFY(session->isPooled());
        const auto written = session->query({u"DELETE FROM outbox"_s, {}}, u"testing"_s);
        QVERIFY(!written);
        QCOMPARE(written.error().code, u"25006"_s);
        const auto slow = session->query({u"SELECT pg_sleep(20)::text"_s, {}}, u"testing"_s);
        QVERIFY(!slow);
        QCOMPARE(slow.error().code, u"57014"_s); // by the server, not by our side
        QCOMPARE(session->listen(u"outbox"_s).error().kind, Error::Kind::Refused);
    }

    /// The pool lets everybody in, and nothing is answered behind it. A look that waited for an
    /// answer as long as for any other would have no time left for the second host, at each try.
    void aPoolWhoseServerStandsStillIsAskedLast()
    {
        PrivatePostgres still;
        OUTBOX_START_SERVER(still);
        PrivatePgbouncer pool;
        QVERIFY_RESULT(pool.start(still, u"transaction"_s, 1, u"options"_s));
        StoreSettings settings;
        settings.url = DatabaseUrl::fromUrl(
                           u"postgresql://%1@/postgres?host=%2,%3"_s.arg(
                               still.user(), pool.host(), m_databases.postgres.socketFolder()))
                           .value();
        settings.servers = std::make_shared<ServerMemory>();
        {
            DatabaseSession first; // from here on the pool knows how its server greets
            QVERIFY_RESULT(first.open(settings));
            QVERIFY(first->isPooled());
        }
        still.freeze();
        const auto thaw = qScopeGuard([&still] { still.thaw(); });
        DatabaseSession second;
        QVERIFY_RESULT(second.open(settings));
        QVERIFY(!second->isPooled());
        QCOMPARE(settings.servers->hung, QStringList{pool.host()});
    }

    void aRelayThatStandsStillHoldsNoRow()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(10, u"n, 'mail', 'x'"_s, u"outbox"_s));
        PrivatePgbouncer pool;
        QVERIFY_RESULT(pool.start(m_databases.postgres, u"transaction"_s, 2, u"options"_s));
        StoreSettings settings = through(pool, url, StoreAccess::Relay);
        settings.idleInTransactionTimeoutMs = 300;
        OutboxStore relay;
        QVERIFY_RESULT(openOutbox(relay, settings));
        QVERIFY_RESULT(relay.claim(10, {}));
        // Nothing more is heard of it.
        QTRY_COMPARE(
            side.one(u"SELECT count(*) FROM (SELECT FROM outbox FOR UPDATE SKIP LOCKED) r"_s),
            u"10"_s);
        QVERIFY(!commitTaken(relay));
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"10"_s);
    }

    void runsOfAJobAreRefused()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession(url).run(classicTable());
        PrivatePgbouncer pool;
        QVERIFY_RESULT(pool.start(m_databases.postgres, u"transaction"_s, 2, u"options"_s));
        OutboxStore relay;
        QVERIFY_RESULT(relay.open(through(pool, url, StoreAccess::Relay)));
        QVERIFY_RESULT(relay.use(classicShape()));
        const auto lock = relay.takeJobLock();
        QVERIFY(!lock);
        QCOMPARE(lock.error().kind, Error::Kind::Refused);
        QVERIFY2(lock.error().hint.contains(u"server itself"_s), qPrintable(lock.error().hint));
    }
};

} // namespace tst_pgbouncer

OUTBOX_TEST(tst_pgbouncer::TestPgbouncer)
#include "tst_pgbouncer.moc"
