// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sessions that were given up in the midst of a statement: the next one ends their backends, which
// PostgreSQL would keep, and no others.
#include "connectors/sql/driver/sessionage.h"
#include "connectors/sql/session/databasesession.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/patience.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/testprogram.h"

#include <QDeadlineTimer>
#include <QScopeGuard>

namespace tst_leftbackends {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestLeftBackends : public QObject
{
    Q_OBJECT

    PrivatePostgres m_server;
    PlainPostgres m_hand;

    [[nodiscard]] QString urlOf(const QString &user) const
    {
        return u"postgresql://%1@/postgres?host=%2"_s.arg(user, m_server.socketFolder());
    }
    /// On our side a statement is late 1.5 s later.
    [[nodiscard]] StoreSettings settingsOf(StoreAccess access,
                                           const QString &user = u"outbox"_s) const
    {
        StoreSettings settings = settingsFor(DatabaseUrl::fromUrl(urlOf(user)).value(), access);
        settings.statementTimeoutMs = patient(1500);
        settings.servers = std::make_shared<ServerMemory>();
        return settings;
    }

    /// In a transaction of its own.
    [[nodiscard]] static Result<void> writeRow(DatabaseSession &session)
    {
        const QString doing = u"writing a row"_s;
        TRY(session.ensureOpen());
        TRY(session->begin(doing));
        TRY(session->query({u"INSERT INTO business VALUES (1)"_s, {}}, doing));
        return session->commit(doing);
    }

    [[nodiscard]] qint64 counted(const QByteArray &from)
    {
        return m_hand.number("select count(*) from " + from).value_or(-1);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_server);
        QVERIFY_RESULT(m_hand.open(m_server));
        QVERIFY_RESULT(m_hand.run("create table business (id integer)"));
        QVERIFY_RESULT(m_hand.run("create role stranger login"));
    }

    void aLateCommitLeavesOneBackendAtMost()
    {
        const QByteArray waiting = "pg_stat_activity where wait_event = 'SyncRep'";
        QVERIFY_RESULT(m_hand.run("alter system set synchronous_standby_names = 'nobody'"));
        QVERIFY_RESULT(m_hand.run("select pg_reload_conf()"));
        const auto reset = qScopeGuard([this] {
            static_cast<void>(m_hand.run("alter system reset synchronous_standby_names"));
            static_cast<void>(m_hand.run("select pg_reload_conf()"));
        });
        DatabaseSession session;
        session.setSettings(settingsOf(StoreAccess::Relay));
        int written = 0;
        int late = 0;
        const QDeadlineTimer deadline(patient(60'000));
        while (late < 3 && !deadline.hasExpired()) {
            const auto committed = writeRow(session);
            ++written;
            if (committed)
                continue; // the server does not know its new settings yet
            QCOMPARE(committed.error().kind, Error::Kind::Timeout);
            QCOMPARE(committed.error().code, QString()); // of our own
            ++late;
        }
        QCOMPARE(late, 3);
        QTRY_COMPARE(counted(waiting), 1);
        QVERIFY_RESULT(session.ensureOpen());
        QTRY_COMPARE(counted(waiting), 0);
        QTRY_COMPARE(counted("business"), written); // such a COMMIT was done, on this server
    }

    void theNextSessionEndsWhatIsStillAtWork_data()
    {
        QTest::addColumn<StoreAccess>("access");
        QTest::addColumn<bool>("isInterrupted");
        QTest::newRow("a look is late") << StoreAccess::ReadOnly << false;
        QTest::newRow("a relay is late") << StoreAccess::Relay << false;
        QTest::newRow("an operator is late") << StoreAccess::Act << false;
        QTest::newRow("a look is interrupted") << StoreAccess::ReadOnly << true;
    }
    void theNextSessionEndsWhatIsStillAtWork()
    {
        QFETCH(StoreAccess, access);
        QFETCH(bool, isInterrupted);
        const QByteArray atWork
            = "pg_stat_activity where state = 'active' and query like 'SELECT pg_sleep%'";
        const StoreSettings settings = settingsOf(access);
        DatabaseSession session;
        QVERIFY_RESULT(session.open(settings));
        QVERIFY_RESULT(session->query({u"SET statement_timeout = 0"_s, {}}, u"testing"_s));
        QVERIFY_RESULT(session->send({{u"SELECT pg_sleep(600)::text"_s, {}}}, u"testing"_s));
        QTRY_COMPARE(counted(atWork), 1);
        if (isInterrupted)
            session.interrupt();
        const auto slept = session->receive(u"testing"_s);
        QVERIFY(!slept);
        QCOMPARE(slept.error().kind,
                 isInterrupted ? Error::Kind::Unreachable : Error::Kind::Timeout);
        QCOMPARE(counted(atWork), 1);
        QCOMPARE(settings.servers->left.size(), 1);
        QVERIFY_RESULT(session.ensureOpen());
        QTRY_COMPARE(counted(atWork), 0);
        QCOMPARE(settings.servers->left.size(), 0);
    }

    void noOtherBackendIsEnded_data()
    {
        QTest::addColumn<QString>("user");
        QTest::addColumn<QString>("server"); ///< empty: that of the session
        QTest::addColumn<int>("later");
        QTest::addColumn<int>("leftBefore"); ///< its last statement, in seconds
        QTest::addColumn<bool>("isEnded");
        const QString own = m_server.user();
        QTest::newRow("that one") << own << QString() << 0 << 0 << true;
        QTest::newRow("began a microsecond later") << own << QString() << 1 << 0 << false;
        QTest::newRow("of another role") << u"stranger"_s << QString() << 0 << 0 << false;
        QTest::newRow("on another server") << own << u"db-2:5432"_s << 0 << 0 << false;
        QTest::newRow("used by somebody else") << own << QString() << 0 << 60 << false;
    }
    void noOtherBackendIsEnded()
    {
        QFETCH(QString, user);
        QFETCH(QString, server);
        QFETCH(int, later);
        QFETCH(int, leftBefore);
        QFETCH(bool, isEnded);
        PlainPostgres other;
        QVERIFY_RESULT(other.open(urlOf(user)));
        const auto pid = other.number("select pg_backend_pid()");
        QVERIFY_RESULT(pid);
        const auto begun
            = other.number("select (extract(epoch from backend_start) * 1000000)::bigint"
                           " from pg_stat_activity where pid = pg_backend_pid()");
        QVERIFY_RESULT(begun);
        const StoreSettings settings = settingsOf(StoreAccess::ReadOnly);
        settings.servers->left += LeftBackend{
            server.isEmpty() ? m_server.socketFolder() : server, static_cast<int>(*pid),
            QString::number(*begun + later), nowNs() - leftBefore * 1'000'000'000LL};
        DatabaseSession session;
        QVERIFY_RESULT(session.open(settings));
        QCOMPARE(other.run("select 1").has_value(), !isEnded);
        QCOMPARE(settings.servers->left.size(), server.isEmpty() ? 0 : 1); // asked for once
    }

    void aRoleThatMayNotAskForSessionsOpensAllTheSame()
    {
        QVERIFY_RESULT(
            m_hand.run("revoke execute on function pg_stat_get_activity(integer) from public"));
        const auto granted = qScopeGuard([this] {
            static_cast<void>(
                m_hand.run("grant execute on function pg_stat_get_activity(integer) to public"));
        });
        const StoreSettings settings = settingsOf(StoreAccess::Relay, u"stranger"_s);
        settings.servers->left += LeftBackend{m_server.socketFolder(), 1, u"1"_s, nowNs()};
        DatabaseSession session;
        QVERIFY_RESULT(session.open(settings));
        QVERIFY(session.isUp());
        QCOMPARE(settings.servers->left.size(), 0); // the refusal is not asked for again
        QVERIFY(!settings.servers->system.isEmpty()); // it may ask which cluster that is
    }
};

} // namespace tst_leftbackends

OUTBOX_TEST(tst_leftbackends::TestLeftBackends)
#include "tst_leftbackends.moc"
