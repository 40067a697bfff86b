// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/mariadbclient.h"

#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlerror.h"

#include <QCoreApplication>
#include <QDir>
#include <QHash>
#include <QLibrary>
#include <QRegularExpression>
#include <QSqlDriver>
#include <QVersionNumber>

#include <atomic>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The client library counts in seconds; 0 would be no deadline.
int secondsOf(int milliseconds)
{
    return qMax(1, (milliseconds + 999) / 1000);
}

/// The server is asked to speak TLS as soon as one of the words for it is there; this one changes
/// nothing else.
const QString anyCipher = u"DEFAULT"_s;

struct MariadbMeaning
{
    Error::Kind kind = Error::Kind::Protocol;
    QString hint;
};

const QHash<int, MariadbMeaning> &mariadbMeanings()
{
    static const QString ended = u"The server ended the session."_s;
    static const QString held = u"Another session holds a lock on the rows or the table."_s;
    static const QString deadline = u"The statement ran into its deadline or was cancelled."_s;
    static const QString readOnly = u"The session or the server is read-only."_s;
    static const QString rights = u"The user lacks a right: ask the owner for it."_s;
    static const QString login = u"Check user, password and TLS settings."_s;
    static const QString changed = u"The table is not what it was: probe it again."_s;
    static const QString larger
        = u"A value is larger than the server's max_allowed_packet; ask for a larger one."_s;
    static const QHash<int, MariadbMeaning> known{
        // gone, or never there
        {1040, {Error::Kind::Unreachable, u"The server has no connection left."_s}},
        {1047,
         {Error::Kind::Unreachable,
          u"The node is outside of its Galera cluster; another one may do."_s}},
        {1053, {Error::Kind::Unreachable, ended}},
        {1152, {Error::Kind::Unreachable, ended}},
        {1203, {Error::Kind::Unreachable, u"The user has no connection left."_s}},
        {1226, {Error::Kind::Unreachable, u"The user has no connection left."_s}},
        {1927, {Error::Kind::Unreachable, ended}},
        {2002, {Error::Kind::Unreachable, {}}},
        {2003, {Error::Kind::Unreachable, {}}},
        {2005, {Error::Kind::Unreachable, u"Check the name of the host."_s}},
        {2006, {Error::Kind::Unreachable, ended}},
        {2012, {Error::Kind::Unreachable, {}}},
        {2013, {Error::Kind::Unreachable, ended}},
        {2014, {Error::Kind::Unreachable, {}}},
        {2027, {Error::Kind::Unreachable, {}}},
        {2055, {Error::Kind::Unreachable, ended}},
        // late
        {1205, {Error::Kind::Timeout, held}},
        {3572, {Error::Kind::Timeout, held}},
        {1317, {Error::Kind::Timeout, deadline}},
        {1969, {Error::Kind::Timeout, deadline}},
        {3024, {Error::Kind::Timeout, deadline}},
        // not now
        {1020, {Error::Kind::Conflict, {}}},
        {1213,
         {Error::Kind::Conflict,
          u"The server rolled the transaction back to end a deadlock, or for another node's."_s}},
        // not allowed
        {1044, {Error::Kind::Refused, rights}},
        {1045, {Error::Kind::Refused, login}},
        {1049, {Error::Kind::Refused, u"Check the name of the database."_s}},
        {1130, {Error::Kind::Refused, u"The server takes no connections from this host."_s}},
        {1142, {Error::Kind::Refused, rights}},
        {1143, {Error::Kind::Refused, rights}},
        {1227, {Error::Kind::Refused, rights}},
        {1251, {Error::Kind::Refused, login}},
        {1290, {Error::Kind::Refused, readOnly}},
        {1370, {Error::Kind::Refused, rights}},
        {1698, {Error::Kind::Refused, login}},
        {1792, {Error::Kind::Refused, readOnly}},
        {1836, {Error::Kind::Refused, readOnly}},
        {2026, {Error::Kind::Refused, login}},
        {2059, {Error::Kind::Refused, login}},
        {1021, {Error::Kind::Refused, u"The disk of the server is full."_s}},
        {1114, {Error::Kind::Refused, u"The disk of the server is full."_s}},
        {1153, {Error::Kind::Refused, larger}},
        {2020, {Error::Kind::Refused, larger}},
        {1665, {Error::Kind::Refused, u"Set binlog_format to MIXED or ROW on the server."_s}},
        // against a rule of the table
        {1048, {Error::Kind::Constraint, {}}},
        {1062, {Error::Kind::Constraint, {}}},
        {1364, {Error::Kind::Constraint, {}}},
        {1451, {Error::Kind::Constraint, {}}},
        {1452, {Error::Kind::Constraint, {}}},
        {3819, {Error::Kind::Constraint, {}}},
        {4025, {Error::Kind::Constraint, {}}},
        // cannot be a value, or is no such name
        {1054, {Error::Kind::Invalid, changed}},
        {1064, {Error::Kind::Invalid, {}}},
        {1146, {Error::Kind::Invalid, changed}},
        {1175, {Error::Kind::Invalid, changed}},
        {1264, {Error::Kind::Invalid, {}}},
        {1265, {Error::Kind::Invalid, {}}},
        {1267, {Error::Kind::Invalid, {}}},
        {1292, {Error::Kind::Invalid, {}}},
        {1366, {Error::Kind::Invalid, {}}},
        {1406, {Error::Kind::Invalid, {}}},
        {1411, {Error::Kind::Invalid, {}}},
        {1178, {Error::Kind::Unsupported, {}}},
        {1235, {Error::Kind::Unsupported, {}}},
    };
    return known;
}

/// The server names the right, the user and the table; what is left is to say it as a GRANT.
QString grantIn(const QString &said, int code)
{
    static const QRegularExpression onTable(
        u"^(?<right>[A-Z ]+) command denied to user (?<user>'[^']*'@'[^']*')"
        "(?: for column '(?<column>[^']*)' in)?(?: for)? table (?<table>.+)$"_s);
    static const QRegularExpression onServer(
        u"at least one of\\) the (?<right>[A-Z ]+) privilege"_s);
    if (code == 1227) {
        const auto found = onServer.match(said);
        return found.hasMatch() ? u"GRANT %1 ON *.*"_s.arg(found.captured(u"right")) : QString();
    }
    const auto found = onTable.match(said);
    if (!found.hasMatch())
        return {};
    const QString column = found.captured(u"column");
    return u"GRANT %1%2 ON %3 TO %4"_s.arg(
        found.captured(u"right"), column.isEmpty() ? QString() : u" (`%1`)"_s.arg(column),
        QString(found.captured(u"table")).replace(u'\'', u'`'), found.captured(u"user"));
}

} // namespace

Result<void> checkMariadbUrl(const DatabaseUrl &url, const QString &written, const QString &doing)
{
    const auto unread = [&doing](const QString &text, const QString &hint) {
        return fail(Error::Kind::Invalid, doing, text, {}, hint);
    };
    if (url.database.isEmpty()) {
        return unread(u"the URL names no database"_s,
                      u"write "_s + databaseOf(url.dialect).example);
    }
    if (url.host.contains(u'/')) {
        return unread(u"the URL names no host"_s,
                      u"A socket is named so: mysql:///database?unix_socket=/run/mysqld.sock"_s);
    }
    TRY(checkHostList(url, url.host.split(u','), doing));
    // The comma may be one of a password.
    if (url.hasSeveralHosts() && url.database.contains(u'@')) {
        return unread(u"the URL does not name its hosts"_s,
                      u"In a password write , : / ? # & @ % as %2C %3A %2F %3F %23 %26 %40 %25"_s);
    }
    if (!url.host.isEmpty() && url.options.contains(u"unix_socket"_s))
        return unread(u"the URL names a host and a socket"_s, u"Leave one of them out"_s);
    // Anything else the client library would pass over in silence.
    static const QStringList words{u"unix_socket"_s, u"ssl_mode"_s, u"ssl_ca"_s,    u"ssl_capath"_s,
                                   u"ssl_cert"_s,    u"ssl_key"_s,  u"ssl_cipher"_s};
    // Behind the question mark of a whole URL no @ follows, but in one with an odd password.
    const bool isOdd = written.section(u'?', 1).contains(u'@');
    for (const QString &name : url.options.keys()) {
        if (words.contains(name) || (name == u"port" && url.hasSeveralHosts()))
            continue;
        const QString which = isOdd || name.contains(u"pass"_s, Qt::CaseInsensitive)
            ? u"a parameter"_s
            : u"the parameter \"%1\""_s.arg(name);
        return unread(which + u" is not known"_s, u"known are "_s + words.join(u", "_s));
    }
    static const QStringList modes{u"required"_s, u"verify_ca"_s, u"verify_identity"_s,
                                   u"disabled"_s};
    const QString mode = url.options.value(u"ssl_mode"_s, modes.constLast()).toLower();
    if (!modes.contains(mode))
        return unread(u"this ssl_mode is not known"_s, u"known are "_s + modes.join(u", "_s));
    return {};
}

int mariadbPatienceMs(const StoreSettings &settings)
{
    constexpr int grace = 1500;
    return secondsOf(settings.statementTimeoutMs + grace) * 1000;
}

bool wantsTls(const DatabaseUrl &url)
{
    const QString mode = url.options.value(u"ssl_mode"_s).toLower();
    if (!mode.isEmpty())
        return mode != u"disabled";
    for (auto option = url.options.cbegin(); option != url.options.cend(); ++option) {
        if (option.key().startsWith(u"ssl_"_s))
            return true;
    }
    return false;
}

Result<QString> mariadbOptions(const StoreSettings &settings, const QString &doing)
{
    const DatabaseUrl &url = settings.url;
    const QString mode = url.options.value(u"ssl_mode"_s).toLower();
    if (mode == u"verify_identity") {
        return fail(Error::Kind::Unsupported, doing,
                    u"the Qt driver QMYSQL cannot be made to compare the server's name with its "
                    "certificate"_s,
                    {},
                    u"Write ssl_mode=verify_ca with an ssl_ca of your own, which signs nobody "
                    "else."_s);
    }
    // Where one is named, the client library takes no certificate that it does not sign.
    if (mode == u"verify_ca" && !url.options.contains(u"ssl_ca"_s)
        && !url.options.contains(u"ssl_capath"_s)) {
        return fail(Error::Kind::Invalid, doing, u"ssl_mode=verify_ca names no ssl_ca"_s);
    }
    const QString patience = QString::number(mariadbPatienceMs(settings) / 1000);
    QStringList parts{
        // What a guarded UPDATE finds is counted, not what it changes: the same value again is no
        // change.
        u"CLIENT_FOUND_ROWS=1"_s,
        u"MYSQL_OPT_CONNECT_TIMEOUT="_s + QString::number(secondsOf(settings.connectTimeoutMs)),
        u"MYSQL_OPT_READ_TIMEOUT="_s + patience, u"MYSQL_OPT_WRITE_TIMEOUT="_s + patience};
    if (url.options.contains(u"unix_socket"_s))
        parts += u"UNIX_SOCKET="_s + url.options.value(u"unix_socket"_s);
    if (wantsTls(url)) {
        for (const QString &word :
             {u"ssl_ca"_s, u"ssl_capath"_s, u"ssl_cert"_s, u"ssl_key"_s, u"ssl_cipher"_s}) {
            const QString value = url.options.value(word);
            if (!value.isEmpty())
                parts += word.toUpper() + u'=' + value;
        }
        if (!url.options.contains(u"ssl_cipher"_s))
            parts += u"SSL_CIPHER="_s + anyCipher;
    }
    for (const QString &part : std::as_const(parts)) {
        if (part.contains(u';')) // Qt would cut it in two
            return fail(Error::Kind::Invalid, doing, u"a connection option holds a semicolon"_s);
    }
    return parts.join(u';');
}

QStringList mariadbPreparation(const StoreSettings &settings)
{
    const bool looks = settings.access == StoreAccess::ReadOnly;
    const QString lockSeconds = QString::number(secondsOf(settings.lockTimeoutMs));
    QStringList sets{
        // Names are quoted as elsewhere; what does not fit is an error, never a warning; a key of 0
        // and dates that were stored once can be written again.
        u"sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES,"
        "NO_ENGINE_SUBSTITUTION'"_s,
        u"time_zone = '+00:00'"_s,
        u"autocommit = 1"_s,
        u"completion_type = 'NO_CHAIN'"_s,
        u"sql_auto_is_null = 0"_s,
        u"sql_select_limit = DEFAULT"_s,
        u"max_statement_time = "_s + QString::number(settings.statementTimeoutMs / 1000.0, 'f', 3),
        u"innodb_lock_wait_timeout = "_s + lockSeconds,
        u"lock_wait_timeout = "_s + lockSeconds};
    if (!looks) {
        sets += u"idle_transaction_timeout = "_s
            + QString::number(secondsOf(settings.idleInTransactionTimeoutMs));
    }
    // Under REPEATABLE READ a claim would lock the gaps between rows, and writers would wait.
    return {u"SET SESSION "_s + sets.join(u", SESSION "_s),
            u"SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ "_s
                + (looks ? u"ONLY"_s : u"WRITE"_s)};
}

QString whyNotMariadb(const QString &version)
{
    static const QVersionNumber oldest(10, 6);
    if (!version.contains(u"MariaDB"_s, Qt::CaseInsensitive))
        return u"this is no MariaDB but version %1 of another server"_s.arg(version);
    // Old clients were told "5.5.5-" before the version itself.
    const QString own = version.startsWith(u"5.5.5-"_s) ? version.mid(6) : version;
    if (QVersionNumber::fromString(own) < oldest)
        return u"MariaDB %1 has no SKIP LOCKED"_s.arg(own.section(u'-', 0, 0));
    return {};
}

Error mariadbError(const QString &doing, const QString &text, const QString &code)
{
    const QString said = firstLineSaid(text);
    if (code.isEmpty() || code == u"0") {
        return {Error::Kind::Unreachable,
                doing,
                said.isEmpty() ? u"the connection was lost"_s : said,
                {},
                {}};
    }
    MariadbMeaning meaning = mariadbMeanings().value(code.toInt());
    if (const QString grant = grantIn(said, code.toInt()); !grant.isEmpty())
        meaning.hint = u"An owner gives the right: "_s + grant;
    return {meaning.kind, doing, said, code, meaning.hint};
}

bool isOfReadOnlyServer(const Error &error)
{
    // The first one also names other options of the server.
    return error.code == "1836"_L1
        || (error.code == "1290"_L1 && error.text.contains("read-only"_L1));
}

bool endsMariadbSession(const QString &code)
{
    // After a packet that is too large the server closes the line as well.
    static const QList<int> numbers{1047, 1053, 1152, 1153, 1927, 2002, 2003, 2005,
                                    2006, 2012, 2013, 2014, 2020, 2027, 2055};
    return code.isEmpty() || numbers.contains(code.toInt());
}

} // namespace outbox

namespace outbox::mariadb {

using namespace Qt::Literals::StringLiterals;

namespace {

/// One at a time may pass, for the length of a few lines.
class Doorway
{
public:
    Doorway()
    {
        while (isTaken.test_and_set(std::memory_order_acquire))
            isTaken.wait(true, std::memory_order_relaxed);
    }
    ~Doorway()
    {
        isTaken.clear(std::memory_order_release);
        isTaken.notify_one();
    }
    Doorway(const Doorway &) = delete;
    Doorway &operator=(const Doorway &) = delete;

private:
    static inline std::atomic_flag isTaken;
};

/// A function of the client library that the plugin itself uses, whichever that is: looked up
/// through the plugin, so that nothing has to be linked.
QFunctionPointer clientFunction(const char *name)
{
    const QStringList folders = QCoreApplication::libraryPaths();
    for (const QString &folder : folders) {
        const QDir drivers(folder + u"/sqldrivers"_s);
        for (const QString &file : drivers.entryList({u"*mysql*"_s}, QDir::Files)) {
            if (const auto function = QLibrary::resolve(drivers.filePath(file), name))
                return function;
        }
    }
    return nullptr;
}

/// MYSQL *, as the plugin holds it.
void *handleOf(const QSqlDatabase &database)
{
    const QVariant handle = database.driver()->handle();
    const QByteArray type = handle.typeName();
    if (type != "MYSQL*" && type != "st_mysql*")
        return nullptr;
    return *static_cast<void *const *>(handle.constData());
}

} // namespace

QSqlDatabase addConnection(const QString &name)
{
    const QString driver = databaseOf(DatabaseUrl::Dialect::MariaDb).driver;
    const Doorway here;
    static const bool kept
        = QSqlDatabase::addDatabase(driver, u"outbox-mariadb-keeper"_s).isValid();
    Q_UNUSED(kept)
    return QSqlDatabase::addDatabase(driver, name);
}

void removeConnection(const QString &name)
{
    QSqlDatabase::database(name, false).close(); // says farewell to the server, which may take time
    const Doorway here;
    QSqlDatabase::removeDatabase(name);
}

int socketOf(const QSqlDatabase &database)
{
    using Function = int (*)(void *);
    static const auto ask = reinterpret_cast<Function>(clientFunction("mysql_get_socket"));
    void *handle = handleOf(database);
    return ask && handle ? ask(handle) : -1;
}

} // namespace outbox::mariadb
