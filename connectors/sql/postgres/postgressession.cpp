// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A PostgreSQL session, through libpq: every statement has a deadline on our side, results come as
// plain bytes, and NOTIFY needs no event loop.
#include "connectors/sql/driver/postgresclient.h"
#include "connectors/sql/driver/sessionage.h"
#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/driver/storesettings.h"
#include "connectors/sql/postgres/postgresbackends.h"
#include "connectors/sql/postgres/postgrespipeline.h"
#include "connectors/sql/postgres/postgresservers.h"
#include "connectors/sql/postgres/postgrestexts.h"
#include "connectors/sql/postgres/postgresvalues.h"
#include "connectors/sql/session/neededrights.h"
#include "connectors/sql/session/sqlsession.h"
#include "connectors/sql/session/sqltraffic.h"
#include "connectors/sql/session/storedurability.h"

#include <QDeadlineTimer>

#include <libpq-fe.h>
#include <poll.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Our side waits a little longer than the server, whose own message is the better one.
constexpr int serverGraceMs = 1500;
const QString noRight = u"42501"_s;
/// Whether the server itself keeps the session read-only and to a deadline.
const QString guardOfSession = u"(current_setting('transaction_read_only') = 'on' AND"
                               " current_setting('default_transaction_read_only') = 'on' AND"
                               " current_setting('statement_timeout') <> '0')::text"_s;
const QString roleOfServer
    = u"SELECT pg_backend_pid()::text, pg_is_in_recovery()::text, "_s + guardOfSession;
const QString backendThere
    = u", (SELECT "_s + beginOfBackend + u" FROM pg_stat_get_activity(pg_backend_pid()) a)::text"_s;
const QString clusterThere = u", (SELECT system_identifier FROM pg_control_system())::text,"
                             " CASE WHEN NOT pg_is_in_recovery()"
                             " THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END"_s;

struct FreeNotify
{
    void operator()(PGnotify *notify) const { PQfreemem(notify); }
};

struct ClearResult
{
    void operator()(PGresult *result) const { PQclear(result); }
};
using ResultHandle = std::unique_ptr<PGresult, ClearResult>;

/// Behind a pooler each statement runs in a transaction that brings its parameters along, and
/// nothing outlives it there: the server's session is somebody else's behind it.
/// Errors: those of `SqlSession`; Refused, too, where the server keeps a looking session neither
/// read-only nor to a deadline.
class PostgresSession : public SqlSession
{
public:
    explicit PostgresSession(SocketBreaker &breaker) : m_breaker(breaker) { }
    ~PostgresSession() override { PostgresSession::close(); }

    [[nodiscard]] Result<void> open(const StoreSettings &settings) override
    {
        const QString doing = u"connecting to "_s + settings.url.shown();
        close();
        m_deadlineMs = settings.statementTimeoutMs + serverGraceMs;
        m_role = settings.url.user;
        m_parameters = postgresParameters(settings);
        m_begin = settings.access == StoreAccess::ReadOnly
            ? u"BEGIN READ ONLY"_s
            : u"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"_s;
        m_servers = settings.servers ? settings.servers : std::make_shared<ServerMemory>();
        TRY(connectTo(settings, doing));
        if (m_isPooled)
            m_pipeline.keepNothing();
        Result<void> ready;
        if (settings.access == StoreAccess::Relay)
            ready = takeTextsAsBytes(doing);
        else if (settings.access == StoreAccess::ReadOnly && !m_isPooled)
            ready = guard(settings, doing);
        if (ready)
            ready = endLeftBackends(*this, *m_servers, m_met.name);
        if (!ready)
            close();
        return ready;
    }
    void close() override
    {
        if (!m_connection)
            return;
        // Of a socket that was shut libpq does not tell whether a statement is under way.
        if (PQtransactionStatus(m_connection) == PQTRANS_ACTIVE || m_breaker.wasShut())
            leaveBackend(*m_servers, m_met);
        m_breaker.disarm();
        m_pipeline.start(nullptr);
        PQfinish(std::exchange(m_connection, nullptr));
        m_isPooled = false;
    }
    [[nodiscard]] bool isUp() const override
    {
        // Where another session of this thread found that its server stands still, or that another
        // one was promoted, so does this.
        return m_connection && PQstatus(m_connection) == CONNECTION_OK
            && !m_servers->hung.contains(m_met.name)
            && !(m_met.mustBeLatest && isEarlier(m_met, *m_servers));
    }
    [[nodiscard]] Error explained(Error error) override
    {
        if (error.code != noRight || m_denied.isEmpty() || !isUp() || m_pipeline.underWay() > 0
            || inTransaction())
            return error;
        // What is asked now may be refused as well, and is not to be explained in its turn.
        const QString hint = missingRightsHint(*this, std::exchange(m_denied, {}));
        if (!hint.isEmpty())
            error.hint = hint;
        return error;
    }
    [[nodiscard]] Result<SqlRows> query(const SqlText &sql, const QString &doing) override
    {
        if (m_pipeline.underWay() > 0)
            return fail(Error::Kind::Conflict, doing, u"an earlier answer was not taken yet"_s);
        // A farewell that is waiting names the reason; after a failed write it would be lost.
        if (!isUp() || !readWaiting())
            return tl::unexpected(lost(doing));
        if (m_isPooled && !inTransaction())
            return queryPooled(sql, doing);
        m_asked = sql.text;
        const PostgresValues values(sql.values);
        if (!values.canBeSent())
            return fail(Error::Kind::Invalid, doing, u"a value is larger than 2 GB"_s);
        if (PQsendQueryParams(m_connection, sql.text.toUtf8().constData(), values.count(), nullptr,
                              values.values(), values.lengths(), values.formats(),
                              PostgresValues::binary)
            == 0) {
            return tl::unexpected(lost(doing));
        }
        return answer(doing);
    }
    [[nodiscard]] bool sendsAhead() const override { return true; }
    [[nodiscard]] Result<void> send(const QList<SqlText> &statements, const QString &doing) override
    {
        if (!isUp() || (m_pipeline.underWay() == 0 && !readWaiting()))
            return tl::unexpected(lost(doing));
        m_aliveNs = nowNs(); // before the answer, so that one that lay about is not taken for news
        if (!m_pipeline.send(withParameters(statements)))
            return tl::unexpected(lost(doing));
        return {};
    }
    [[nodiscard]] Result<SqlRows> receive(const QString &doing) override
    {
        if (!isUp())
            return tl::unexpected(lost(doing));
        return m_pipeline.underWay() > 0 ? answer(doing) : SqlSession::receive(doing);
    }
    [[nodiscard]] int underWay() const override { return m_pipeline.underWay(); }
    [[nodiscard]] Result<void> begin(const QString &doing) override
    {
        if (!m_isPooled)
            return plain(u"BEGIN"_s, doing);
        TRY(send({{u"BEGIN"_s, {}}}, doing));
        TRY(receive(doing));
        return {};
    }
    [[nodiscard]] Result<void> commit(const QString &doing) override
    {
        const auto done = query({u"COMMIT"_s, {}}, doing);
        if (!done) {
            close(); // whether it was committed is not known
            return passOn(done);
        }
        if (done->command
            != "COMMIT") { // COMMIT of a failed transaction answers ROLLBACK, without an error
            return fail(Error::Kind::Conflict, doing, u"the server rolled the transaction back"_s);
        }
        return {};
    }
    [[nodiscard]] Result<void> rollback(const QString &doing) override
    {
        if (!isUp())
            return {}; // the server does it when the session ends
        if (!inTransaction())
            return {};
        auto done = plain(u"ROLLBACK"_s, doing);
        if (!done)
            close();
        return done;
    }
    [[nodiscard]] Result<void> verifyTransaction(const QString &doing) override
    {
        if (!isUp() || !readWaiting())
            return tl::unexpected(lost(doing));
        if (PQtransactionStatus(m_connection) != PQTRANS_INTRANS)
            return fail(Error::Kind::Conflict, doing, u"no transaction is open"_s);
        const qint64 asked = nowNs();
        if (asked - m_aliveNs < youngNs)
            return {};
        auto alive = plain(u"SELECT"_s, doing); // the shortest statement there is: one round trip
        if (alive)
            m_aliveNs = asked;
        return alive;
    }
    [[nodiscard]] bool isPooled() const override { return m_isPooled; }
    [[nodiscard]] std::optional<StandbyState> standby() override
    {
        if (!m_met.isStandby)
            return std::nullopt;
        auto state = askStandby(*this);
        m_met.isStandby = state.has_value();
        return state;
    }
    [[nodiscard]] Result<void> leaveEarlierPrimary(const StoreSettings &settings) override
    {
        return m_isPooled ? Result<void>() : seekLaterPrimary(settings, m_met, *m_servers);
    }
    [[nodiscard]] bool isSecondBest() const override
    {
        return m_met.isStandby && m_met.hasOthers && !m_met.isWanted;
    }
    [[nodiscard]] Result<void> setParameter(const QString &name, const QString &value,
                                            const QString &doing) override
    {
        m_parameters.removeIf([&name](const auto &known) { return known.first == name; });
        m_parameters += {name, value};
        if (m_isPooled)
            return {};
        TRY(query({u"SELECT set_config($1::text, $2::text, false)"_s, {name, value}}, doing));
        return {};
    }
    [[nodiscard]] Result<void> limitStatements(int milliseconds, const QString &doing) override
    {
        return setParameter(QStringLiteral("statement_timeout"), QString::number(milliseconds),
                            doing);
    }
    [[nodiscard]] Result<void> listen(const QString &channel) override
    {
        if (m_isPooled) {
            return fail(Error::Kind::Refused, u"listening to "_s + channel,
                        u"a pooler stands before the server, and passes no notifications on"_s, {},
                        u"Connect to the server itself, or leave --notify out: polling goes on"_s);
        }
        return plain(u"LISTEN "_s + quotedName(channel), u"listening to "_s + channel);
    }
    [[nodiscard]] Result<bool> waitForChange(int milliseconds) override
    {
        const QString doing = u"waiting for a notification"_s;
        if (!isUp())
            return tl::unexpected(lost(doing));
        QDeadlineTimer deadline(milliseconds);
        while (true) {
            if (takeNotifications())
                return true;
            pollfd socket{PQsocket(m_connection), POLLIN, 0};
            const int ready = ::poll(&socket, 1, static_cast<int>(deadline.remainingTime()));
            if (ready < 0 && errno == EINTR)
                continue;
            if (ready == 0)
                return false;
            if (PQconsumeInput(m_connection) == 0 || !isUp())
                return tl::unexpected(lost(doing));
        }
    }

private:
    /// Connects to the first server of the address that is what is wanted.
    [[nodiscard]] Result<void> connectTo(const StoreSettings &settings, const QString &doing)
    {
        const int usualMs = m_deadlineMs;
        PostgresSearch search(settings, *m_servers, doing);
        while (pg_conn *connection = search.next()) {
            m_connection = connection;
            m_met = {};
            m_farewell = {};
            PQsetNoticeReceiver(m_connection, &PostgresSession::takeNotice, this);
            m_pipeline.start(m_connection);
            m_breaker.arm(PQsocket(m_connection));
            // A look at the only server there is compares it with nothing.
            const bool isCompared = settings.access != StoreAccess::ReadOnly || search.hasOthers();
            m_deadlineMs = search.meetingMs(usualMs);
            const auto met = meet(search.name(), isCompared, doing);
            m_deadlineMs = usualMs;
            if (met && search.takes(*met)) {
                m_met = *met;
                m_met.hasOthers = search.hasOthers();
                m_met.isWanted = search.wants(*met);
                m_met.mustBeLatest = search.mustBeLatest() && !m_isPooled;
                auto remembered = search.remember(*met);
                if (!remembered)
                    close();
                return remembered;
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
    /// Asks the server what it is, with `isCompared` also which, and finds out whether its session
    /// is another one than that which was connected to.
    [[nodiscard]] Result<MetServer> meet(const QString &name, bool isCompared, const QString &doing)
    {
        QStringList questions{roleOfServer + backendThere, roleOfServer};
        if (isCompared) {
            questions = QStringList{roleOfServer + backendThere + clusterThere,
                                    roleOfServer + u", NULL::text"_s + clusterThere}
                + questions;
        }
        auto told = query({questions.takeFirst(), {}}, doing);
        // The role may not ask for sessions, or for the names of the cluster.
        while (!told && isUp() && !questions.isEmpty())
            told = query({questions.takeFirst(), {}}, doing);
        const SqlRows rows = TRY(std::move(told));
        if (rows.size() != 1)
            return fail(Error::Kind::Protocol, doing, u"the server does not say what it is"_s);
        MetServer met;
        met.pid = PQbackendPID(m_connection);
        m_isPooled = rows.text(0, 0).toInt() != met.pid;
        met.name = name;
        met.isStandby = rows.bytes(0, 1) == "true";
        met.isGuarded = rows.bytes(0, 2) == "true";
        if (rows.columns > 3 && !m_isPooled)
            met.begun = rows.text(0, 3);
        if (rows.columns > 4) {
            met.system = rows.text(0, 4);
            met.timeline = rows.text(0, 5).toInt(nullptr, 16);
        }
        return met;
    }
    /// The statement in a transaction of its own, with the parameters.
    [[nodiscard]] Result<SqlRows> queryPooled(const SqlText &sql, const QString &doing)
    {
        TRY(send({{u"BEGIN"_s, {}}, sql}, doing));
        // Both are on their way at once: one round trip. Behind an error the COMMIT rolls back.
        TRY(send({{u"COMMIT"_s, {}}}, doing));
        auto rows = receive(doing);
        if (!rows && !isUp())
            return rows;
        const auto committed = receive(doing);
        if (!rows)
            return rows;
        if (!committed)
            return passOn(committed);
        if (committed->command != "COMMIT")
            return fail(Error::Kind::Conflict, doing, u"the server rolled the transaction back"_s);
        rows->standbyWarning = committed->standbyWarning;
        return rows;
    }
    /// Behind a pooler, the parameters behind a BEGIN.
    [[nodiscard]] QList<SqlText> withParameters(const QList<SqlText> &statements) const
    {
        if (!m_isPooled || statements.isEmpty() || statements.first().text != "BEGIN"_L1)
            return statements;
        QList<SqlFragment> calls;
        for (const auto &[name, value] : m_parameters) {
            if (name.startsWith("default_transaction_"_L1))
                continue; // the transaction itself begins with these
            calls += u"set_config('"_s + name + u"', "_s + SqlFragment::of(value, u"text"_s)
                + u", true)"_s;
        }
        const SqlText set = u"SELECT "_s + SqlFragment::joined(calls, u", "_s);
        return QList<SqlText>{{m_begin, {}}, set} + statements.mid(1);
    }
    [[nodiscard]] Result<void> plain(const QString &text, const QString &doing)
    {
        TRY(query({text, {}}, doing));
        return {};
    }
    /// Asks a server that keeps texts of any encoding to give them as they are.
    [[nodiscard]] Result<void> takeTextsAsBytes(const QString &doing)
    {
        // A server that does not know the encoding of its texts would else check them for us, and
        // fail whole answers for one of them.
        const char *encoding = PQparameterStatus(m_connection, "server_encoding");
        if (qstrcmp(encoding, "SQL_ASCII") != 0)
            return {};
        auto taken = plain(u"SET client_encoding TO 'SQL_ASCII'"_s, doing);
        if (!taken)
            close();
        return taken;
    }
    /// Makes sure that the server itself keeps a looking session read-only and to a deadline.
    [[nodiscard]] Result<void> guard(const StoreSettings &settings, const QString &doing)
    {
        if (m_met.isGuarded)
            return {};
        // Something in between dropped the options of the startup; the session is ours all the
        // same.
        TRY(query({u"SELECT set_config('default_transaction_read_only', 'on', false),"
                   " set_config('statement_timeout', $1::text, false),"
                   " set_config('jit', 'off', false)"_s,
                   {QString::number(settings.statementTimeoutMs)}},
                  doing));
        const auto now = TRY(query({u"SELECT "_s + guardOfSession, {}}, doing));
        if (now.size() != 1 || now.bytes(0, 0) != "true") {
            return fail(
                Error::Kind::Refused, doing,
                u"the server keeps the session neither read-only nor to a deadline"_s, {},
                u"A pooler may drop the session's settings: connect to the server itself, or"
                " through a pool of sessions."_s);
        }
        return {};
    }
    /// All results of one statement, or of what was sent ahead first.
    [[nodiscard]] Result<SqlRows> answer(const QString &doing)
    {
        const QDeadlineTimer deadline(m_deadlineMs);
        const bool ahead = m_pipeline.underWay() > 0;
        m_standbyWarning.clear();
        ResultHandle last;
        ResultHandle failed;
        while (true) {
            const Wait wait = waitForResult(deadline);
            if (wait == Wait::Late) {
                if (m_met.hasOthers) // the next search begins with another one
                    m_servers->hung += m_met.name;
                close(); // a late answer would be taken for that of the next question
                return fail(
                    Error::Kind::Timeout, doing, u"no answer within %1 ms"_s.arg(m_deadlineMs), {},
                    u"The server or the way to it stands still; the session was dropped."_s);
            }
            if (wait == Wait::Lost && !failed)
                return tl::unexpected(lost(doing));
            if (wait == Wait::Lost)
                break;
            ResultHandle result(PQgetResult(m_connection));
            if (ahead ? m_pipeline.endsWith(result.get()) : !result)
                break;
            if (!result)
                continue;
            const ExecStatusType status = PQresultStatus(result.get());
            if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
                last = std::move(result);
            else if (!failed) // what follows an error was left out because of it
                failed = std::move(result);
        }
        if (failed) {
            Error error = errorOf(failed.get(), doing);
            if (ahead)
                m_pipeline.learnFrom(error);
            if (error.code == noRight) {
                m_denied = ahead ? m_pipeline.failed() : m_asked;
                const QString hint = grantHint(neededRights(m_denied), m_role);
                if (!hint.isEmpty())
                    error.hint = hint;
            }
            return tl::unexpected(explained(error));
        }
        if (!last)
            return tl::unexpected(lost(doing));
        SqlRows rows = postgresRows(last.get());
        rows.standbyWarning = std::exchange(m_standbyWarning, {});
        return counted(std::move(rows));
    }
    enum class Wait { Ready, Late, Lost };
    [[nodiscard]] Wait waitForResult(const QDeadlineTimer &deadline)
    {
        while (PQisBusy(m_connection) != 0) {
            pollfd socket{PQsocket(m_connection), POLLIN, 0};
            const int ready = ::poll(&socket, 1, static_cast<int>(deadline.remainingTime()));
            if (ready < 0 && errno == EINTR)
                continue;
            if (ready == 0)
                return Wait::Late;
            if (PQconsumeInput(m_connection) == 0)
                return Wait::Lost;
        }
        return isUp() ? Wait::Ready : Wait::Lost;
    }
    [[nodiscard]] Error errorOf(const PGresult *failed, const QString &doing)
    {
        const auto field
            = [failed](int which) { return QString::fromUtf8(PQresultErrorField(failed, which)); };
        Error error = postgresError(doing, field(PG_DIAG_MESSAGE_PRIMARY), field(PG_DIAG_SQLSTATE));
        // A row that a policy's WITH CHECK turns away, whatever language the server speaks: the
        // code is that of a missing right, which concerns all rows.
        if (error.code == noRight && field(PG_DIAG_SOURCE_FUNCTION) == u"ExecWithCheckOptions")
            error.kind = Error::Kind::Constraint;
        if (isUp())
            return error;
        Error ended = lost(doing);
        if (!error.code.isEmpty())
            ended = error; // the server's farewell says more than the closed socket
        ended.kind = Error::Kind::Unreachable;
        return ended;
    }
    static void takeNotice(void *session, const pg_result *notice)
    {
        // Without a receiver libpq would write to stderr, which belongs to the log.
        const auto field
            = [notice](int which) { return QString::fromUtf8(PQresultErrorField(notice, which)); };
        const QString severity = field(PG_DIAG_SEVERITY_NONLOCALIZED);
        auto *self = static_cast<PostgresSession *>(session);
        // Extensions warn of other things, and each server in its own language.
        if (severity == "WARNING"_L1 && field(PG_DIAG_SOURCE_FUNCTION).startsWith("SyncRep"_L1))
            self->m_standbyWarning = field(PG_DIAG_MESSAGE_PRIMARY);
        if (severity == "FATAL"_L1 || severity == "PANIC"_L1)
            self->m_farewell = {field(PG_DIAG_MESSAGE_PRIMARY), field(PG_DIAG_SQLSTATE)};
    }
    [[nodiscard]] Error lost(const QString &doing)
    {
        if (m_breaker.wasShut()) {
            close();
            return givenUp(doing);
        }
        QString text = m_farewell.first;
        if (text.isEmpty() && m_connection)
            text = QString::fromUtf8(PQerrorMessage(m_connection));
        Error error = postgresError(doing, text, m_farewell.second);
        error.kind = Error::Kind::Unreachable;
        close(); // after any doubt a connection is dropped
        return error;
    }
    [[nodiscard]] bool inTransaction() const
    {
        const PGTransactionStatusType status = PQtransactionStatus(m_connection);
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
    }
    [[nodiscard]] bool takeNotifications()
    {
        bool any = false;
        while (std::unique_ptr<PGnotify, FreeNotify>(PQnotifies(m_connection)))
            any = true;
        return any;
    }
    /// Reads what came unasked; false when the session turns out to be over.
    [[nodiscard]] bool readWaiting()
    {
        pollfd socket{PQsocket(m_connection), POLLIN, 0};
        const bool read = ::poll(&socket, 1, 0) <= 0 || PQconsumeInput(m_connection) != 0;
        PQisBusy(m_connection); // takes apart what was read, now or behind an earlier answer
        return read && isUp() && m_farewell.first.isEmpty();
    }

    SocketBreaker &m_breaker;
    pg_conn *m_connection = nullptr; ///< nullptr = closed
    bool m_isPooled = false;
    QString m_begin; ///< how a transaction begins behind a pooler
    QList<QPair<QString, QString>> m_parameters; ///< that each of them brings along
    PostgresPipeline m_pipeline;
    MetServer m_met; ///< the server of the session; it has no name before it was taken
    std::shared_ptr<ServerMemory> m_servers = std::make_shared<ServerMemory>();
    QString m_role; ///< as the settings name it
    QString m_asked; ///< the statement of the last `query`
    QString m_denied; ///< the statement that was refused for want of a right
    int m_deadlineMs = 0;
    qint64 m_aliveNs = 0; ///< when an open transaction was last known to be there
    /// What the server said when it ended a session that asked nothing: it comes as a notice.
    std::pair<QString, QString> m_farewell; ///< and its SQLSTATE
    QString m_standbyWarning; ///< what the server warned of its standbys, while it answered
};

} // namespace

std::unique_ptr<SqlSession> makePostgresSession(SocketBreaker &breaker)
{
    return std::make_unique<PostgresSession>(breaker);
}

Result<StoreDurability> postgresDurability(SqlSession &session, const StoreSettings &settings)
{
    const QString doing = u"asking whether the server is a standby"_s;
    const auto rows = TRY(session.query(
        {u"SELECT pg_is_in_recovery()::text, current_setting('synchronous_commit')"_s, {}}, doing));
    if (rows.text(0, 0) == u"true") {
        return StoreDurability{false,
                               u"This PostgreSQL is a standby: what it answers may be stale, and a "
                               "message could run twice"_s};
    }
    const StoreDurability trust{
        true, u"PostgreSQL, primary server: every read sees what was committed before"_s};
    if (settings.access == StoreAccess::ReadOnly || rows.text(0, 1) != u"off")
        return trust;
    // A record that its server forgets is one that was never there.
    const auto set = session.setParameter(u"synchronous_commit"_s, u"on"_s, doing);
    return set ? Result<StoreDurability>(trust) : Result<StoreDurability>(passOn(set));
}

} // namespace outbox
