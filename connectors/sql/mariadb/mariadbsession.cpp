// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A MariaDB session through Qt's QMYSQL, with the first server of the address that will do; the
// socket beneath is watched for the end of the session.
#include "connectors/sql/driver/mariadbclient.h"
#include "connectors/sql/driver/sessionage.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/driver/storesettings.h"
#include "connectors/sql/mariadb/mariadbservers.h"
#include "connectors/sql/mariadb/mariadbtexts.h"
#include "connectors/sql/session/sqlsession.h"
#include "connectors/sql/session/sqltraffic.h"
#include "connectors/sql/session/storedurability.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QHash>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QSqlRecord>

#include <poll.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray mariadbCell(const QVariant &value)
{
    if (value.isNull())
        return {};
    if (value.typeId() == QMetaType::QByteArray) {
        const QByteArray bytes = value.toByteArray();
        return bytes.isNull() ? QByteArray("") : bytes; // empty is not NULL
    }
    if (value.typeId() == QMetaType::Double)
        return QByteArray::number(value.toDouble(), 'g', 17);
    const QByteArray text = value.toString().toUtf8();
    return text.isNull() ? QByteArray("") : text;
}

/// Only no value at all is NULL; Qt would take an empty text that was never set for it too.
QVariant mariadbParameter(const QVariant &value)
{
    if (value.typeId() == QMetaType::QByteArray && value.toByteArray().isNull())
        return QByteArray("");
    if (value.typeId() == QMetaType::QString && value.toString().isNull())
        return QString(u""_s);
    return value;
}

QString textOf(const QSqlError &error)
{
    return error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
}

/// The server keeps its own deadlines; ours is that of the socket, for a server that stands still.
/// Errors: those of `SqlSession`; Unsupported for a server whose rows cannot be claimed.
class MariadbSession : public SqlSession
{
public:
    /// `breaker` outlives the session; armed while it is up.
    explicit MariadbSession(SocketBreaker &breaker) : m_breaker(breaker) { }
    ~MariadbSession() override { MariadbSession::close(); }

    [[nodiscard]] Result<void> open(const StoreSettings &settings) override
    {
        const QString doing = u"connecting to "_s + settings.url.shown();
        close();
        const SqlDatabase &database = databaseOf(settings.url.dialect);
        if (!QSqlDatabase::isDriverAvailable(database.driver))
            return tl::unexpected(missingDriver(doing, database));
        m_mayWrite = settings.access != StoreAccess::ReadOnly;
        m_servers = settings.servers ? settings.servers : std::make_shared<ServerMemory>();
        auto opened = connectTo(settings, doing);
        if (opened)
            opened = prepare(settings, doing);
        if (!opened)
            close();
        return opened;
    }
    void close() override
    {
        m_inTransaction = false;
        m_isRolledBack = false;
        if (m_name.isEmpty())
            return;
        m_breaker.disarm();
        m_socket = -1;
        mariadb::removeConnection(m_name); // the server rolls back what is open
        m_name.clear();
    }
    [[nodiscard]] bool isUp() const override
    {
        // Where another session of this thread found that its server stands still, so does this;
        // and no two of them are to work on different nodes.
        return m_socket >= 0 && m_departures == m_servers->departures
            && !m_servers->hung.contains(m_met.name);
    }
    [[nodiscard]] Result<SqlRows> query(const SqlText &sql, const QString &doing) override
    {
        if (!isUp())
            return fail(Error::Kind::Unreachable, doing, u"the database is not connected"_s);
        if (m_isRolledBack) // it would run alone, and commit itself
            return tl::unexpected(rolledBack(doing));
        QElapsedTimer clock;
        clock.start();
        // The query ends before the session may: it belongs to the connection.
        const auto run = [&]() -> tl::expected<SqlRows, QSqlError> {
            // Not forward only: where the plugin reads row by row, a line that breaks looks like
            // the last row.
            QSqlQuery query(QSqlDatabase::database(m_name, false));
            query.setNumericalPrecisionPolicy(QSql::HighPrecision);
            // Always prepared: the plugin lets a plain text hold several statements.
            if (!query.prepare(sql.text))
                return tl::unexpected(query.lastError());
            for (const QVariant &value : sql.values)
                query.addBindValue(mariadbParameter(value));
            if (!query.exec())
                return tl::unexpected(query.lastError());
            SqlRows rows;
            rows.affected = query.numRowsAffected();
            if (!query.isSelect())
                return rows;
            const QSqlRecord record = query.record();
            rows.columns = record.count();
            while (query.next()) {
                for (int column = 0; column < rows.columns; ++column)
                    rows.cells += mariadbCell(query.value(column));
            }
            if (query.lastError().isValid())
                return tl::unexpected(query.lastError());
            return rows;
        };
        auto rows = run();
        if (!rows)
            return tl::unexpected(failed(doing, rows.error(), clock.elapsed()));
        return counted(std::move(*rows));
    }
    [[nodiscard]] Result<void> begin(const QString &doing) override
    {
        const qint64 asked = nowNs();
        auto begun = plain(u"START TRANSACTION"_s, doing);
        m_inTransaction = begun.has_value();
        m_isRolledBack = false;
        m_aliveNs = asked;
        return begun;
    }
    [[nodiscard]] Result<void> commit(const QString &doing) override
    {
        if (std::exchange(m_isRolledBack, false)) { // it would succeed, with nothing in it
            m_inTransaction = false;
            return tl::unexpected(rolledBack(doing));
        }
        auto done = plain(u"COMMIT"_s, doing);
        if (!done && done.error().code != rolledBackCode)
            close(); // whether it was committed is not known
        m_inTransaction = false;
        m_isRolledBack = false;
        return done;
    }
    [[nodiscard]] Result<void> rollback(const QString &doing) override
    {
        m_isRolledBack = false;
        if (!isUp() || !m_inTransaction)
            return {}; // the server does it when the session ends
        auto done = plain(u"ROLLBACK"_s, doing);
        if (!done && done.error().code == rolledBackCode) // the server was first
            done = Result<void>();
        if (!done)
            close();
        m_inTransaction = false;
        m_isRolledBack = false;
        return done;
    }
    [[nodiscard]] Result<void> verifyTransaction(const QString &doing) override
    {
        if (!isUp())
            return fail(Error::Kind::Unreachable, doing, u"the database is not connected"_s);
        if (!m_inTransaction)
            return fail(Error::Kind::Conflict, doing, u"no transaction is open"_s);
        if (m_isRolledBack)
            return tl::unexpected(rolledBack(doing));
        const qint64 asked = nowNs();
        if (!isEnded(0) && asked - m_aliveNs < youngNs)
            return {};
        auto alive = plain(u"DO 0"_s, doing); // it has no session without the transaction
        if (alive)
            m_aliveNs = asked;
        return alive;
    }
    [[nodiscard]] std::optional<StandbyState> standby() override
    {
        auto behind = lagOf(*this, m_met);
        m_met.isWanted = m_met.isWanted && !behind; // another one may be the primary by now
        return behind;
    }
    [[nodiscard]] bool isSecondBest() const override { return m_met.hasOthers && !m_met.isWanted; }
    [[nodiscard]] Result<void> limitStatements(int milliseconds, const QString &doing) override
    {
        TRY(query(
            {u"SET SESSION max_statement_time = %1"_s.arg(milliseconds / 1000.0, 0, 'f', 3), {}},
            doing));
        return {};
    }
    /// MariaDB tells nobody of a change: Unsupported.
    [[nodiscard]] Result<void> listen(const QString &channel) override
    {
        return fail(Error::Kind::Unsupported, u"listening to "_s + channel,
                    u"MariaDB has no NOTIFY"_s, {},
                    u"Leave the channel out: the table is polled."_s);
    }
    [[nodiscard]] Result<bool> waitForChange(int milliseconds) override
    {
        const QString doing = u"waiting for a change"_s;
        if (!isUp())
            return fail(Error::Kind::Unreachable, doing, u"the database is not connected"_s);
        if (!isEnded(milliseconds))
            return false;
        auto alive = plain(u"DO 0"_s, doing); // hears the farewell
        return alive ? Result<bool>(true) : Result<bool>(passOn(alive));
    }

private:
    [[nodiscard]] Result<void> plain(const QString &text, const QString &doing)
    {
        if (!isUp())
            return fail(Error::Kind::Unreachable, doing, u"the database is not connected"_s);
        QElapsedTimer clock;
        clock.start();
        QSqlError error;
        {
            QSqlQuery query(QSqlDatabase::database(m_name, false));
            if (!query.exec(text)) // our own words, in one round trip
                error = query.lastError();
        }
        if (error.isValid())
            return tl::unexpected(failed(doing, error, clock.elapsed()));
        return {};
    }
    /// Connects to the first server of the address that is what is wanted.
    [[nodiscard]] Result<void> connectTo(const StoreSettings &settings, const QString &doing)
    {
        m_met = {};
        m_departures = m_servers->departures;
        MariadbSearch search(settings, *m_servers, doing);
        while (search.next()) {
            const StoreSettings here = search.settings();
            QElapsedTimer clock;
            clock.start();
            if (const auto connected = connect(here, doing); !connected) {
                // The client library counts in seconds, and so do these.
                const bool isLate = search.hasOthers() && clock.elapsed() >= here.connectTimeoutMs;
                close();
                search.unmet(connected.error(), isLate);
                continue;
            }
            const auto met = meet(doing);
            if (met && search.takes(*met)) {
                m_met = *met;
                m_met.name = search.name();
                m_met.hasOthers = search.hasOthers();
                m_met.isWanted = MariadbSearch::wants(*met);
                return search.remember(m_met);
            }
            const bool isGivenUp = m_breaker.wasShut();
            close();
            if (!met && isGivenUp)
                return passOn(met);
            if (!met)
                search.failed(met.error());
        }
        return tl::unexpected(search.error());
    }
    /// Makes sure that the server is one whose rows can be claimed, and asks it what it is.
    [[nodiscard]] Result<MetMariadb> meet(const QString &doing)
    {
        const auto version = query({u"SELECT version()"_s, {}}, doing);
        if (!version && version.error().code == nodeNotReadyCode)
            return nodeOutside();
        if (!version)
            return passOn(version);
        if (const QString why = whyNotMariadb(version->text(0, 0)); !why.isEmpty()) {
            return fail(Error::Kind::Unsupported, doing, why, {},
                        u"This version speaks to MariaDB 10.6 and later."_s);
        }
        return meetMariadb(*this, doing);
    }
    [[nodiscard]] Result<void> connect(const StoreSettings &settings, const QString &doing)
    {
        const auto options = TRY(mariadbOptions(settings, doing));
        m_name = uniqueConnectionName();
        m_deadlineMs = mariadbPatienceMs(settings);
        QSqlDatabase database = mariadb::addConnection(m_name);
        // The client library takes this name for the usual socket, whatever the port says.
        const bool viaPort = settings.url.host == u"localhost" && settings.url.port > 0;
        database.setHostName(viaPort ? u"127.0.0.1"_s : settings.url.host);
        if (settings.url.port > 0)
            database.setPort(settings.url.port);
        database.setDatabaseName(settings.url.database);
        database.setUserName(settings.url.user);
        database.setPassword(settings.url.password);
        database.setConnectOptions(options);
        if (!database.open()) {
            const QSqlError error = database.lastError();
            return tl::unexpected(mariadbError(doing, textOf(error), error.nativeErrorCode()));
        }
        m_socket = mariadb::socketOf(database);
        if (m_socket < 0) {
            return fail(Error::Kind::Unsupported, doing,
                        u"the driver does not give the socket of its connection away"_s);
        }
        m_breaker.arm(m_socket);
        return {};
    }
    /// Sets what a session needs.
    [[nodiscard]] Result<void> prepare(const StoreSettings &settings, const QString &doing)
    {
        const QStringList preparation = mariadbPreparation(settings);
        for (const QString &text : preparation) {
            TRY(plain(text, doing));
        }
        if (wantsTls(settings.url)) {
            const auto cipher = TRY(query({u"SHOW SESSION STATUS LIKE 'Ssl_cipher'"_s, {}}, doing));
            if (cipher.size() != 1 || cipher.bytes(0, 1).isEmpty())
                return fail(Error::Kind::Refused, doing, u"the server does not speak TLS"_s);
        }
        // A node that another one of these sessions has not worked with answers by what was
        // committed there; a look for people does not wait for that.
        if (m_met.isNode && (m_mayWrite || settings.isForChange)) {
            TRY(plain(u"SET SESSION wsrep_sync_wait = 1"_s, doing));
        }
        if (m_mayWrite)
            return {};
        const auto guarded = TRY(
            query({u"SELECT @@session.tx_read_only = 1 AND @@session.max_statement_time > 0"_s, {}},
                  doing));
        if (guarded.bytes(0, 0) != "1") {
            return fail(
                Error::Kind::Refused, doing,
                u"the server keeps the session neither read-only nor to a deadline"_s, {},
                u"A proxy may drop the session's settings: connect to the server itself."_s);
        }
        return {};
    }
    [[nodiscard]] Error failed(const QString &doing, const QSqlError &said, qint64 afterMs)
    {
        const QString code = said.nativeErrorCode();
        Error error = mariadbError(doing, textOf(said), code);
        m_isRolledBack = m_isRolledBack || (m_inTransaction && code == rolledBackCode);
        const bool isOutside
            = code == nodeNotReadyCode || (m_met.isNode && code == commitFailedCode);
        const bool isReadOnly = m_mayWrite && m_met.hasOthers && isOfReadOnlyServer(error);
        if (isOutside || isReadOnly) {
            if (!m_met.name.isEmpty())
                ++m_servers->departures;
            close(); // the next search finds one that may be worked with
            // A read-only server runs nothing that it refuses so, and rolls back at a COMMIT.
            const auto effect = isReadOnly ? std::optional(Error::Effect::None) : std::nullopt;
            return {Error::Kind::Unreachable, doing, error.text, code, error.hint, -1, effect};
        }
        if (!endsMariadbSession(code))
            return error;
        close(); // after any doubt a connection is dropped
        if (m_breaker.wasShut())
            return givenUp(doing);
        if (error.kind == Error::Kind::Unreachable && afterMs >= m_deadlineMs) {
            if (m_met.hasOthers) // the next search begins with another one
                m_servers->hung += m_met.name;
            return {Error::Kind::Timeout,
                    doing,
                    u"no answer within %1 ms"_s.arg(m_deadlineMs),
                    {},
                    u"The server or the way to it stands still; the session was dropped."_s};
        }
        return error;
    }
    [[nodiscard]] static Error rolledBack(const QString &doing)
    {
        return {Error::Kind::Conflict,
                doing,
                u"the server rolled the transaction back"_s,
                rolledBackCode,
                {}};
    }
    /// True where the server has something to say that nobody asked for: its farewell.
    [[nodiscard]] bool isEnded(int milliseconds) const
    {
        const QDeadlineTimer deadline(milliseconds);
        while (true) {
            pollfd socket{m_socket, POLLIN | POLLRDHUP, 0};
            const int ready = ::poll(&socket, 1, static_cast<int>(deadline.remainingTime()));
            if (ready >= 0 || errno != EINTR)
                return ready != 0;
        }
    }

    SocketBreaker &m_breaker;
    QString m_name; ///< of the QSqlDatabase; empty = closed
    int m_socket = -1; ///< owned by the client library
    bool m_inTransaction = false;
    bool m_isRolledBack = false; ///< that transaction, by the server, before its end was asked for
    bool m_mayWrite = false;
    MetMariadb m_met; ///< the server of the session; it has no name before it was taken
    std::shared_ptr<ServerMemory> m_servers = std::make_shared<ServerMemory>();
    int m_departures = 0; ///< of all, when the session was opened
    int m_deadlineMs = 0;
    qint64 m_aliveNs = 0; ///< when an open transaction was last known to be there
};

} // namespace

std::unique_ptr<SqlSession> makeMariadbSession(SocketBreaker &breaker)
{
    return std::make_unique<MariadbSession>(breaker);
}

Result<StoreDurability> mariadbDurability(SqlSession &session, const StoreSettings & /*settings*/)
{
    const auto rows = TRY(session.query(
        {u"SELECT VARIABLE_NAME, GLOBAL_VALUE FROM information_schema.SYSTEM_VARIABLES"
         " WHERE VARIABLE_NAME IN ('READ_ONLY', 'INNODB_FLUSH_LOG_AT_TRX_COMMIT', 'WSREP_ON',"
         " 'WSREP_SYNC_WAIT')"_s,
         {}},
        u"asking whether the server is a replica"_s));
    QHash<QString, QString> set;
    for (qsizetype row = 0; row < rows.size(); ++row)
        set.insert(rows.text(row, 0).toUpper(), rows.text(row, 1).toUpper());
    if (set.value(u"READ_ONLY"_s) != u"OFF") {
        return StoreDurability{
            false,
            u"This MariaDB is read-only, as a replica is: what it answers may be "
            "stale, and a message could run twice"_s};
    }
    const bool waits = (set.value(u"WSREP_SYNC_WAIT"_s).toInt() & 1) != 0;
    if (set.value(u"WSREP_ON"_s) == u"ON" && !waits) {
        return StoreDurability{false,
                               u"This MariaDB is one of a cluster and does not wait for the others "
                               "(wsrep_sync_wait): what it answers may be stale"_s};
    }
    const QString flush = set.value(u"INNODB_FLUSH_LOG_AT_TRX_COMMIT"_s);
    if (flush == u"0") {
        return StoreDurability{
            false,
            u"This MariaDB forgets the last second of its records when it dies "
            "(innodb_flush_log_at_trx_commit = 0), and a message could run twice"_s};
    }
    // Whether it copies another one only a right that lookers lack would tell.
    const QString seen
        = u"MariaDB that may be written: every read sees what was committed on this server"_s;
    // No session can ask for more: the setting is the server's.
    return StoreDurability{
        true, flush == u"1" ? seen : seen + u"; a host that dies forgets the last second"_s};
}

} // namespace outbox
