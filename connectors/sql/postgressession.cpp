// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgressession.h"

#include "connectors/sql/outboxstore.h"
#include "connectors/sql/sqlerror.h"
#include "connectors/sql/sqlnames.h"

#include <QDeadlineTimer>
#include <QSqlDatabase>
#include <QSqlDriver>
#include <QSqlError>

#include <libpq-fe.h>
#include <poll.h>

#include <cerrno>
#include <vector>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Our side waits a little longer than the server, whose own message is the better one.
constexpr int serverGraceMs = 1500;

struct ClearResult
{
    void operator()(PGresult *result) const { PQclear(result); }
};
using ResultHandle = std::unique_ptr<PGresult, ClearResult>;

struct FreeNotify
{
    void operator()(PGnotify *notify) const { PQfreemem(notify); }
};

/// A value of a libpq connection string.
QString optionValue(const QString &value)
{
    QString inner = value;
    inner.replace(u'\\', u"\\\\"_s).replace(u'\'', u"\\'"_s);
    return u'\'' + inner + u'\'';
}

QString serverOptions(const StoreSettings &settings)
{
    QStringList words;
    const QString given = settings.url.options.value(u"options"_s);
    if (!given.isEmpty())
        words += given;
    const auto set = [&words](const QString &name, const QString &value) {
        words += u"-c "_s + name + u'=' + value;
    };
    set(u"statement_timeout"_s, QString::number(settings.statementTimeoutMs));
    set(u"lock_timeout"_s, QString::number(settings.lockTimeoutMs));
    if (settings.access == StoreAccess::Look) {
        set(u"default_transaction_read_only"_s, u"on"_s);
    } else {
        set(u"idle_in_transaction_session_timeout"_s,
            QString::number(settings.idleInTransactionTimeoutMs));
        set(u"default_transaction_isolation"_s, u"read\\ committed"_s);
    }
    return words.join(u' ');
}

QString connectOptions(const StoreSettings &settings)
{
    QMap<QString, QString> words = settings.url.options;
    words[u"options"_s] = serverOptions(settings);
    if (!settings.applicationName.isEmpty())
        words[u"application_name"_s] = settings.applicationName;
    // libpq counts in seconds and takes 1 for 2.
    words[u"connect_timeout"_s]
        = QString::number(qMax(2, (settings.connectTimeoutMs + 999) / 1000));
    words.insert({{u"keepalives"_s, u"1"_s},
                  {u"keepalives_idle"_s, u"10"_s},
                  {u"keepalives_interval"_s, u"5"_s},
                  {u"keepalives_count"_s, u"3"_s}});
    QStringList parts;
    for (auto word = words.cbegin(); word != words.cend(); ++word)
        parts += word.key() + u'=' + optionValue(word.value());
    return parts.join(u';');
}

QByteArray parameterText(const QVariant &value)
{
    if (value.typeId() == QMetaType::QStringList)
        return postgresArray(value.toStringList()).toUtf8();
    return value.toString().toUtf8();
}

} // namespace

PostgresSession::PostgresSession(SocketBreaker &breaker) : m_breaker(breaker)
{ }

PostgresSession::~PostgresSession()
{
    PostgresSession::close();
}

Result<void> PostgresSession::open(const StoreSettings &settings)
{
    const QString doing = u"connecting to "_s + settings.url.shown();
    close();
    if (!QSqlDatabase::isDriverAvailable(u"QPSQL"_s))
        return tl::unexpected(missingDriver(doing, u"QPSQL"_s));
    for (const QString &value : settings.url.options) {
        if (value.contains(u';')) // Qt would cut it in two
            return fail(Error::Kind::Invalid, doing, u"a connection option holds a semicolon"_s);
    }
    StoreSettings safe = settings;
    safe.applicationName.replace(u';', u',');

    m_name = uniqueConnectionName();
    QString said;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QPSQL"_s, m_name);
        database.setHostName(settings.url.host);
        if (settings.url.port > 0)
            database.setPort(settings.url.port);
        database.setDatabaseName(settings.url.database);
        database.setUserName(settings.url.user);
        database.setPassword(settings.url.password);
        database.setConnectOptions(connectOptions(safe));
        if (database.open()) {
            const QVariant handle = database.driver()->handle();
            const QByteArray type = handle.typeName(); // Qt 5 said PGconn*, Qt 6 sees through it
            if (type == "PGconn*" || type == "pg_conn*")
                m_connection = *static_cast<PGconn *const *>(handle.constData());
            else
                said = u"the driver hands out no PGconn"_s;
        } else {
            said = database.lastError().databaseText();
            if (said.trimmed().isEmpty())
                said = database.lastError().text();
        }
    }
    if (!m_connection) {
        close();
        return tl::unexpected(postgresConnectError(doing, said));
    }
    m_deadlineMs = settings.statementTimeoutMs + serverGraceMs;
    m_breaker.arm(PQsocket(m_connection));
    return {};
}

void PostgresSession::close()
{
    if (m_name.isEmpty())
        return;
    m_breaker.disarm();
    m_connection = nullptr;
    QSqlDatabase::removeDatabase(m_name);
    m_name.clear();
}

bool PostgresSession::isUp() const
{
    return m_connection && PQstatus(m_connection) == CONNECTION_OK;
}

bool PostgresSession::inTransaction() const
{
    const PGTransactionStatusType status = PQtransactionStatus(m_connection);
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
}

Error PostgresSession::lost(const QString &doing)
{
    const Error error = postgresError(
        doing, m_connection ? QString::fromUtf8(PQerrorMessage(m_connection)) : QString(), {});
    close(); // after any doubt a connection is dropped
    return error;
}

Result<SqlRows> PostgresSession::query(const SqlText &sql, const QString &doing)
{
    if (!isUp())
        return tl::unexpected(lost(doing));
    QList<QByteArray> texts;
    texts.reserve(sql.values.size());
    std::vector<const char *> values;
    for (const QVariant &value : sql.values)
        texts += value.isNull() ? QByteArray() : parameterText(value);
    for (qsizetype i = 0; i < texts.size(); ++i)
        values.push_back(sql.values.at(i).isNull() ? nullptr : texts.at(i).constData());
    constexpr int binary = 1; // text is text either way, and bytea comes without hex
    if (PQsendQueryParams(m_connection, sql.text.toUtf8().constData(),
                          static_cast<int>(values.size()), nullptr, values.data(), nullptr, nullptr,
                          binary)
        == 0) {
        return tl::unexpected(lost(doing));
    }
    return answer(doing);
}

Result<SqlRows> PostgresSession::answer(const QString &doing)
{
    QDeadlineTimer deadline(m_deadlineMs);
    ResultHandle last;
    ResultHandle failed;
    while (true) {
        while (PQisBusy(m_connection) != 0) {
            pollfd socket{PQsocket(m_connection), POLLIN, 0};
            const int ready = ::poll(&socket, 1, static_cast<int>(deadline.remainingTime()));
            if (ready < 0 && errno == EINTR)
                continue;
            if (ready == 0) {
                close(); // a late answer would be taken for that of the next question
                return fail(
                    Error::Kind::Timeout, doing, u"no answer within %1 ms"_s.arg(m_deadlineMs), {},
                    u"The server or the way to it stands still; the session was dropped."_s);
            }
            if (PQconsumeInput(m_connection) == 0)
                return tl::unexpected(lost(doing));
        }
        ResultHandle result(PQgetResult(m_connection));
        if (!result)
            break;
        const ExecStatusType status = PQresultStatus(result.get());
        (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK ? last : failed)
            = std::move(result);
    }
    if (failed) {
        const auto field = [&failed](int which) {
            return QString::fromUtf8(PQresultErrorField(failed.get(), which));
        };
        const Error error
            = postgresError(doing, field(PG_DIAG_MESSAGE_PRIMARY), field(PG_DIAG_SQLSTATE));
        if (!isUp()) {
            Error ended = lost(doing);
            if (!error.code.isEmpty())
                ended = error; // the server's farewell says more than the closed socket
            ended.kind = Error::Kind::Unreachable;
            return tl::unexpected(ended);
        }
        return tl::unexpected(error);
    }
    if (!last)
        return tl::unexpected(lost(doing));

    SqlRows rows;
    PGresult *result = last.get();
    rows.columns = PQnfields(result);
    rows.command = PQcmdStatus(result);
    rows.affected = QByteArray(PQcmdTuples(result)).toLongLong();
    const int count = PQntuples(result);
    const int columns = PQnfields(result);
    rows.cells.reserve(static_cast<qsizetype>(count) * columns);
    for (int row = 0; row < count; ++row) {
        for (int column = 0; column < columns; ++column) {
            rows.cells += PQgetisnull(result, row, column) != 0
                ? QByteArray()
                : QByteArray(PQgetvalue(result, row, column), PQgetlength(result, row, column));
        }
    }
    return rows;
}

Result<void> PostgresSession::plain(const QString &text, const QString &doing)
{
    if (auto done = query({text, {}}, doing); !done)
        return passOn(done);
    return {};
}

Result<void> PostgresSession::begin(const QString &doing)
{
    return plain(u"BEGIN"_s, doing);
}

Result<void> PostgresSession::commit(const QString &doing)
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

Result<void> PostgresSession::rollback(const QString &doing)
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

Result<void> PostgresSession::verifyTransaction(const QString &doing)
{
    if (!isUp())
        return tl::unexpected(lost(doing));
    if (PQtransactionStatus(m_connection) != PQTRANS_INTRANS)
        return fail(Error::Kind::Conflict, doing, u"no transaction is open"_s);
    return plain(u"SELECT"_s, doing); // the shortest statement there is: one round trip
}

Result<void> PostgresSession::listen(const QString &channel)
{
    return plain(u"LISTEN "_s + quotedName(channel), u"listening to "_s + channel);
}

bool PostgresSession::takeNotifications()
{
    bool any = false;
    while (std::unique_ptr<PGnotify, FreeNotify>(PQnotifies(m_connection)))
        any = true;
    return any;
}

Result<bool> PostgresSession::waitForChange(int milliseconds)
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

} // namespace outbox
