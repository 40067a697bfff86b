// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A SQLite session through Qt's QSQLITE.
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/driver/storesettings.h"
#include "connectors/sql/session/sqlsession.h"
#include "connectors/sql/session/sqltraffic.h"
#include "connectors/sql/session/storedurability.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QSqlRecord>

#include <poll.h>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int lookBusyMs = 1000;
constexpr int changePollMs = 10;

/// What a function makes of a value is the row's fault, and has the code of a wrong name.
bool isOfValue(const QString &said)
{
    static const QStringList words{u"malformed JSON"_s, u"bad JSON path"_s,
                                   u"JSON cannot hold BLOB values"_s, u"integer overflow"_s};
    return std::any_of(words.begin(), words.end(),
                       [&said](const QString &one) { return said.contains(one); });
}

/// `code` is SQLite's result code, perhaps an extended one.
Error sqliteError(const QString &doing, const QString &text, const QString &code)
{
    using Kind = Error::Kind;
    // Qt joins its own sentence and SQLite's; SQLite's comes last.
    const QString said = firstLineSaid(text);
    switch (code.toInt() & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
        return {Kind::Conflict, doing, u"another writer holds the file: "_s + said, code,
                u"SQLite lets one session write at a time; try again."_s};
    case 8: // SQLITE_READONLY
        return {Kind::Refused, doing, said, code, u"The session or the file is read-only."_s};
    case 3: // SQLITE_PERM
    case 23: // SQLITE_AUTH
        return {Kind::Refused, doing, said, code, {}};
    case 14: // SQLITE_CANTOPEN
        return {Kind::Unreachable, doing, said, code, u"Check the path and its rights."_s};
    case 10: // SQLITE_IOERR
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
        return {Kind::Unreachable, doing, said, code, u"The file cannot be read as a database."_s};
    case 13: // SQLITE_FULL
        return {Kind::Refused, doing, said, code, u"The disk is full."_s};
    case 19: // SQLITE_CONSTRAINT
        return {Kind::Constraint, doing, said, code, {}};
    case 9: // SQLITE_INTERRUPT
        return {Kind::Timeout, doing, said, code, {}};
    case 1: // SQLITE_ERROR: names and syntax, and what functions say of a value
        if (isOfValue(said))
            return {Kind::Constraint, doing, said, code, {}};
        return {Kind::Invalid, doing, said, code,
                u"The table is not what it was: probe it again."_s};
    default:
        return {Kind::Protocol, doing, said, code, {}};
    }
}

Error errorOf(const QString &doing, const QSqlError &error)
{
    const QString text = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    return sqliteError(doing, text, error.nativeErrorCode());
}

QByteArray sqliteCell(const QVariant &value)
{
    if (value.isNull())
        return {};
    if (value.typeId() == QMetaType::QByteArray)
        return value.toByteArray();
    if (value.typeId() == QMetaType::Double)
        return QByteArray::number(value.toDouble(), 'g', 17);
    const QByteArray text = value.toString().toUtf8();
    return text.isNull() ? QByteArray("") : text; // empty is not NULL
}

/// Of values, told apart where they would run into each other.
class Digest
{
public:
    void add(const QByteArray &value)
    {
        m_hash.addData(value.isNull() ? QByteArray("-:") : QByteArray::number(value.size()) + ':');
        m_hash.addData(value);
    }
    [[nodiscard]] QByteArray take()
    {
        constexpr qsizetype digits = 32; // nobody meets 128 bits by chance, nor by trying
        QByteArray digest = m_hash.result().toHex().first(digits);
        m_hash.reset();
        return digest;
    }

private:
    QCryptographicHash m_hash{QCryptographicHash::Blake2b_256};
};

QVariant sqliteParameter(const QVariant &value)
{
    if (value.typeId() != QMetaType::QStringList)
        return value;
    return QString::fromUtf8(QJsonDocument(QJsonArray::fromStringList(value.toStringList()))
                                 .toJson(QJsonDocument::Compact));
}

/// In SQLite the transaction is the claim: it begins IMMEDIATE and holds the only write lock.
/// Errors: those of `SqlSession`; Conflict where another process keeps the file.
class SqliteSession : public SqlSession
{
public:
    ~SqliteSession() override { SqliteSession::close(); }

    [[nodiscard]] Result<void> open(const StoreSettings &settings) override
    {
        const QString doing = u"opening "_s + settings.url.shown();
        close();
        const SqlDatabase &facts = databaseOf(settings.url.dialect);
        if (!QSqlDatabase::isDriverAvailable(facts.driver))
            return tl::unexpected(missingDriver(doing, facts));
        if (!QFileInfo(settings.url.database).isFile()) { // SQLite would make an empty file
            return fail(Error::Kind::Unreachable, doing, u"there is no such file"_s, {},
                        u"Check the path."_s);
        }
        const bool looks = settings.access == StoreAccess::ReadOnly;
        m_name = uniqueConnectionName();
        std::optional<Error> failed;
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(facts.driver, m_name);
            database.setDatabaseName(settings.url.database);
            database.setConnectOptions(
                looks ? u"QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=%1"_s.arg(lookBusyMs)
                      : u"QSQLITE_BUSY_TIMEOUT=%1"_s.arg(settings.lockTimeoutMs));
            if (!database.open())
                failed = errorOf(doing, database.lastError());
        }
        if (!failed) { // the file is not read before the first statement
            if (const auto read = version(); !read)
                failed = read.error();
            else
                m_version = *read;
        }
        if (failed) {
            close();
            failed->doing = doing;
            return tl::unexpected(*failed);
        }
        return {};
    }
    void close() override
    {
        if (m_name.isEmpty())
            return;
        QSqlDatabase::removeDatabase(m_name); // rolls back what is open
        m_name.clear();
        m_inTransaction = false;
    }
    [[nodiscard]] bool isUp() const override { return !m_name.isEmpty(); }
    [[nodiscard]] Result<SqlRows> query(const SqlText &sql, const QString &doing) override
    {
        if (!isUp())
            return fail(Error::Kind::Unreachable, doing, u"the database is not open"_s);
        QSqlQuery query(QSqlDatabase::database(m_name, false));
        query.setForwardOnly(true);
        if (!query.prepare(sql.text))
            return tl::unexpected(errorOf(doing, query.lastError()));
        for (const QVariant &value : sql.values)
            query.addBindValue(sqliteParameter(value));
        if (!query.exec())
            return tl::unexpected(errorOf(doing, query.lastError()));
        SqlRows rows;
        const QSqlRecord record = query.record();
        const int first = record.indexOf(sqlite::digestColumn);
        int last = first;
        while (first >= 0 && last + 1 < record.count()
               && record.fieldName(last + 1) == sqlite::digestColumn)
            ++last;
        rows.columns = record.count() - (last - first);
        Digest digest;
        while (query.next()) {
            for (int column = 0; column < record.count(); ++column) {
                const QByteArray value = sqliteCell(query.value(column));
                if (first < 0 || column < first || column > last) {
                    rows.cells += value;
                    continue;
                }
                digest.add(value);
                if (column == last)
                    rows.cells += digest.take();
            }
        }
        if (query.lastError().isValid()) // stepping can fail too, and next() only says false
            return tl::unexpected(errorOf(doing, query.lastError()));
        rows.affected = query.numRowsAffected();
        return counted(std::move(rows));
    }
    [[nodiscard]] Result<void> begin(const QString &doing) override
    {
        m_version = TRY(version());
        auto begun = plain(u"BEGIN IMMEDIATE"_s, doing);
        m_inTransaction = begun.has_value();
        return begun;
    }
    [[nodiscard]] Result<void> commit(const QString &doing) override
    {
        auto done = plain(u"COMMIT"_s, doing);
        if (!done)
            close(); // rolls back: a busy COMMIT would leave the transaction open
        m_inTransaction = false;
        return done;
    }
    [[nodiscard]] Result<void> rollback(const QString &doing) override
    {
        if (!isUp() || !m_inTransaction)
            return {};
        auto done = plain(u"ROLLBACK"_s, doing);
        if (!done)
            close();
        m_inTransaction = false;
        return done;
    }
    [[nodiscard]] Result<void> verifyTransaction(const QString &doing) override
    {
        if (!isUp() || !m_inTransaction)
            return fail(Error::Kind::Conflict, doing, u"no transaction is open"_s);
        return {};
    }
    [[nodiscard]] Result<void> listen(const QString &) override
    {
        return {}; // the file itself tells
    }
    [[nodiscard]] Result<bool> waitForChange(int milliseconds) override
    {
        QDeadlineTimer deadline(milliseconds);
        while (true) {
            const auto now = TRY(version());
            if (now != m_version) {
                m_version = now;
                return true;
            }
            const qint64 left = deadline.remainingTime();
            if (left <= 0)
                return false;
            ::poll(nullptr, 0, static_cast<int>(qMin<qint64>(left, changePollMs)));
        }
    }

private:
    [[nodiscard]] Result<void> plain(const QString &text, const QString &doing)
    {
        TRY(query({text, {}}, doing));
        return {};
    }
    [[nodiscard]] Result<qint64> version()
    {
        const QString doing = u"asking whether the file changed"_s;
        const auto rows = TRY(query({u"PRAGMA data_version"_s, {}}, doing));
        return rows.size() == 1 ? rows.integer(0, 0).value_or(0) : 0;
    }

    QString m_name; ///< of the QSqlDatabase; empty = closed
    bool m_inTransaction = false;
    qint64 m_version = -1; ///< PRAGMA data_version before the last claim
};

} // namespace

std::unique_ptr<SqlSession> makeSqliteSession(SocketBreaker & /*breaker*/)
{
    return std::make_unique<SqliteSession>();
}

Result<StoreDurability> sqliteDurability(SqlSession & /*session*/,
                                         const StoreSettings & /*settings*/)
{
    return StoreDurability{true,
                           u"SQLite: every reader of the file sees what was committed before"_s};
}

} // namespace outbox
