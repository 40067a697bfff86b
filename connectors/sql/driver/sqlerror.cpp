// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/sqlerror.h"

#include <QHash>
#include <QStringList>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct StateMeaning
{
    Error::Kind kind = Error::Kind::Protocol;
    QString hint;
};

QString firstLine(const QString &text)
{
    const QString trimmed = text.trimmed();
    return trimmed.section(u'\n', 0, 0).simplified();
}

StateMeaning meaningOf(const QString &state)
{
    using Kind = Error::Kind;
    if (state == u"25006") {
        return {Kind::Refused,
                u"The session is read-only: the role is kept so (default_transaction_read_only), or"
                " the server is a standby."_s};
    }
    if (state == u"42501") {
        return {Kind::Refused,
                u"The role lacks a right, or a policy of the table stands against it."_s};
    }
    if (state == u"57014")
        return {Kind::Timeout, u"The statement ran into its deadline or was cancelled."_s};
    if (state == u"55P03")
        return {Kind::Timeout, u"Another session holds a lock on the table."_s};
    if (state == u"57P01" || state == u"57P02" || state == u"57P03" || state == u"57P05"
        || state == u"25P03" || state == u"25P04") {
        return {Kind::Unreachable, u"The server ended the session."_s};
    }
    if (state == u"42P01" || state == u"42703" || state == u"3F000")
        return {Kind::Invalid, u"The table is not what it was: probe it again."_s};
    if (state == u"08P01") // our own mistake, not the line's
        return {};
    if (state == u"3D000")
        return {Kind::Invalid, u"Check the name of the database."_s};
    if (state == u"53300")
        return {Kind::Unreachable, u"The server has no connection left."_s};

    static const QList<std::pair<QString, Kind>> classes{
        {u"08"_s, Kind::Unreachable}, {u"28"_s, Kind::Refused},    {u"40"_s, Kind::Conflict},
        {u"55"_s, Kind::Conflict},    {u"23"_s, Kind::Constraint}, {u"0A"_s, Kind::Unsupported},
        {u"22"_s, Kind::Invalid},     {u"42"_s, Kind::Invalid},    {u"53"_s, Kind::Refused}};
    for (const auto &[prefix, kind] : classes) {
        if (state.startsWith(prefix))
            return {kind, {}};
    }
    return {};
}

/// What a function makes of a value is the row's fault, and has the code of a wrong name.
bool isOfValue(const QString &said)
{
    static const QStringList words{u"malformed JSON"_s, u"bad JSON path"_s,
                                   u"JSON cannot hold BLOB values"_s, u"integer overflow"_s};
    return std::any_of(words.begin(), words.end(),
                       [&said](const QString &one) { return said.contains(one); });
}

} // namespace

Error postgresError(const QString &doing, const QString &text, const QString &state)
{
    if (state.isEmpty()) {
        const QString said = firstLine(text);
        return {Error::Kind::Unreachable,
                doing,
                said.isEmpty() ? u"the connection was lost"_s : said,
                {},
                {}};
    }
    if (state == u"22P02" && text.contains(keptRowMark))
        return keptRow(doing);
    const StateMeaning meaning = meaningOf(state);
    return {meaning.kind, doing, firstLine(text), state, meaning.hint};
}

Error keptRow(const QString &doing)
{
    // The code is the standard's "no data": without one the error could not be of a row.
    return {Error::Kind::Constraint, doing, u"the database kept the row, and gave no error"_s,
            u"02000"_s, u"Look at the triggers, the rules and the policies of the table."_s};
}

Error postgresConnectError(const QString &doing, const QString &text)
{
    // Without a SQLSTATE only the words of the server are left. Where they are in another language
    // the kind stays Unreachable, which is the careful choice: it is retried with back-off.
    static const QList<QLatin1StringView> refusals{
        "authentication failed"_L1, "no pg_hba.conf entry"_L1,       "pg_hba.conf rejects"_L1,
        "no password supplied"_L1,  "is not permitted to log in"_L1, "certificate verify failed"_L1,
        "does not support SSL"_L1,  "does not match host name"_L1};
    for (const QLatin1StringView refusal : refusals) {
        if (text.contains(refusal)) {
            return {Error::Kind::Refused,
                    doing,
                    firstLine(text),
                    {},
                    u"Check user, password and TLS settings."_s};
        }
    }
    if (text.contains("FATAL:"_L1) && text.contains("does not exist"_L1)) {
        return {Error::Kind::Refused,
                doing,
                firstLine(text),
                {},
                u"Check the names of user and database."_s};
    }
    if (text.contains("timeout expired"_L1)) {
        return {Error::Kind::Unreachable,
                doing,
                firstLine(text),
                {},
                u"Nothing was heard: is it a server of this kind that listens there?"_s};
    }
    return {Error::Kind::Unreachable, doing, firstLine(text), {}, {}};
}

Error sqliteError(const QString &doing, const QString &text, const QString &code)
{
    using Kind = Error::Kind;
    // Qt joins its own sentence and SQLite's; SQLite's comes last.
    const QString said = firstLine(text);
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

Error givenUp(const QString &doing)
{
    return {Error::Kind::Unreachable,
            doing,
            u"given up before the answer came"_s,
            {},
            u"It took longer than it may, or was cancelled; the session was dropped."_s};
}

bool wasForgotten(const Error &error)
{
    return error.code == u"26000" || error.code == u"42P05";
}

Error missingDriver(const QString &doing, const QString &driver)
{
    static const QHash<QString, QString> packages{{u"QMYSQL"_s, u"libqt6sql6-mysql"_s},
                                                  {u"QSQLITE"_s, u"libqt6sql6-sqlite"_s}};
    return {Error::Kind::Unsupported,
            doing,
            u"the Qt driver %1 is not installed"_s.arg(driver),
            {},
            u"sudo apt-get install "_s + packages.value(driver)};
}

} // namespace outbox
