// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/postgresclient.h"

#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/driver/storesettings.h"
#include "models/system/login.h"

#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A value in the `options` of the startup: blanks would end it.
QString startupValue(QString value)
{
    return value.replace(u'\\', u"\\\\"_s).replace(u' ', u"\\ "_s);
}

QString startupOptions(const StoreSettings &settings)
{
    QStringList words;
    const QString given = settings.url.options.value(u"options"_s);
    if (!given.isEmpty())
        words += given;
    for (const auto &[name, value] : postgresParameters(settings))
        words += u"-c %1=%2"_s.arg(name, startupValue(value));
    return words.join(u' ');
}

struct StateMeaning
{
    Error::Kind kind = Error::Kind::Protocol;
    QString hint;
};

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

const QString wishWord = u"target_session_attrs"_s;

/// "connection to server at "db" (10.0.0.7), port 5432 failed: FATAL: …", and on a socket.
QString withoutPlace(QString said)
{
    static const QRegularExpression place(
        u"\\Aconnection to server (?:at|on socket) .*? failed: (?:FATAL: )?"_s);
    return said.remove(place);
}

/// Empty: the log-in did not fail for its password.
QString passwordCode(const QString &text)
{
    if (text.contains("password authentication failed"_L1))
        return wrongPasswordCode;
    return text.contains("no password supplied"_L1) ? QString(noPasswordCode) : QString();
}

} // namespace

ServerWish serverWish(const StoreSettings &settings)
{
    const QString wish = settings.url.options.value(wishWord);
    if (settings.access != StoreAccess::ReadOnly || wish == u"primary")
        return ServerWish::Primary;
    return wish == u"prefer-standby" && !settings.isForChange ? ServerWish::StandbyOrPrimary
                                                              : ServerWish::PrimaryOrStandby;
}

Result<void> checkPostgresUrl(const DatabaseUrl &url, const QString & /*written*/,
                              const QString &doing)
{
    const auto unread = [&doing](const QString &text, const QString &hint = {}) {
        return fail(Error::Kind::Invalid, doing, text, {}, hint);
    };
    const QString addresses = url.options.value(u"hostaddr"_s);
    const QStringList hosts
        = (url.host.isEmpty() && !addresses.isEmpty() ? addresses : url.host).split(u',');
    TRY(checkHostList(url, hosts, doing));
    if (!addresses.isEmpty() && addresses.count(u',') + 1 != hosts.size()) {
        return unread(
            u"%1 hosts have %2 addresses"_s.arg(hosts.size()).arg(addresses.count(u',') + 1));
    }
    const QString wish = url.options.value(wishWord, u"any"_s);
    static const QStringList possible{u"any"_s, u"primary"_s, u"prefer-standby"_s};
    static const QStringList contrary{u"read-write"_s, u"read-only"_s, u"standby"_s};
    if (possible.contains(wish))
        return {};
    const QString hint
        = u"Leave it out: whoever writes goes to the primary. With primary looks stay"
          " there, with prefer-standby they may go to a standby"_s;
    if (!contrary.contains(wish)) // it may be a piece of a password, and is not quoted
        return unread(u"this target_session_attrs is not known"_s, hint);
    return unread(u"target_session_attrs=%1 contradicts what is done: a relay and operations need"
                  " the primary, and looks are read-only anywhere"_s.arg(wish),
                  hint);
}

PostgresParameters postgresParameters(const StoreSettings &settings)
{
    PostgresParameters set{
        {u"statement_timeout"_s, QString::number(settings.statementTimeoutMs)},
        {u"lock_timeout"_s, QString::number(settings.lockTimeoutMs)},
        // The plans of short statements look dear where locks are told, and are then compiled for
        // longer than they run.
        {u"jit"_s, u"off"_s},
        {u"bytea_output"_s, u"escape"_s},
        {u"DateStyle"_s, u"ISO, YMD"_s},
    };
    if (settings.access == StoreAccess::ReadOnly) {
        set += {u"default_transaction_read_only"_s, u"on"_s};
        return set;
    }
    set += {u"idle_in_transaction_session_timeout"_s,
            QString::number(settings.idleInTransactionTimeoutMs)};
    set += {u"default_transaction_isolation"_s, u"read committed"_s};
    if (settings.access == StoreAccess::Relay) {
        // A plan kept from when the table was empty would read and sort all of it once it is full.
        set += {u"plan_cache_mode"_s, u"force_custom_plan"_s};
        return set;
    }
    // An operator's role may look by default; what it may write, its grants say.
    set += {u"default_transaction_read_only"_s, u"off"_s};
    // Values are read as text and written back from it: nothing may be rounded or reordered.
    set += {u"IntervalStyle"_s, u"postgres"_s};
    set += {u"TimeZone"_s, u"UTC"_s};
    set += {u"extra_float_digits"_s, u"3"_s};
    set += {u"xmloption"_s, u"content"_s};
    return set;
}

QList<QPair<QByteArray, QByteArray>> postgresWords(const StoreSettings &settings,
                                                   PostgresStartup startup)
{
    QMap<QString, QString> words = settings.url.options;
    words.remove(u"options"_s);
    if (startup == PostgresStartup::WithParameters)
        words[u"options"_s] = startupOptions(settings);
    words[u"host"_s] = settings.url.host;
    if (settings.url.port > 0)
        words[u"port"_s] = QString::number(settings.url.port);
    words[u"dbname"_s] = settings.url.database;
    words[u"user"_s] = settings.url.user;
    words[u"password"_s] = settings.url.password;
    words[u"client_encoding"_s] = u"UTF8"_s;
    if (!settings.applicationName.isEmpty())
        words[u"application_name"_s] = settings.applicationName;
    // libpq counts in seconds and takes 1 for 2.
    words[u"connect_timeout"_s]
        = QString::number(qMax(2, (settings.connectTimeoutMs + 999) / 1000));
    words.insert({{u"keepalives"_s, u"1"_s},
                  {u"keepalives_idle"_s, u"10"_s},
                  {u"keepalives_interval"_s, u"5"_s},
                  {u"keepalives_count"_s, u"3"_s}});
    QList<QPair<QByteArray, QByteArray>> given;
    for (auto word = words.cbegin(); word != words.cend(); ++word) {
        if (!word->isEmpty())
            given += {word.key().toUtf8(), word->toUtf8()};
    }
    return given;
}

Error postgresError(const QString &doing, const QString &text, const QString &state)
{
    if (state.isEmpty()) {
        const QString said = firstLineSaid(text);
        return {Error::Kind::Unreachable,
                doing,
                said.isEmpty() ? u"the connection was lost"_s : said,
                {},
                {}};
    }
    if (state == u"22P02" && text.contains(keptRowMark))
        return keptRow(doing);
    const StateMeaning meaning = meaningOf(state);
    return {meaning.kind, doing, firstLineSaid(text), state, meaning.hint};
}

Error postgresConnectError(const QString &doing, const QString &text, bool isOneHost)
{
    const QString said = isOneHost ? withoutPlace(firstLineSaid(text)) : firstLineSaid(text);
    // Without a SQLSTATE only the words of the server are left. Where they are in another language
    // the kind stays Unreachable, which is the careful choice: it is retried with back-off.
    static const QList<QLatin1StringView> refusals{
        "authentication failed"_L1, "no pg_hba.conf entry"_L1,       "pg_hba.conf rejects"_L1,
        "no password supplied"_L1,  "is not permitted to log in"_L1, "certificate verify failed"_L1,
        "does not support SSL"_L1,  "does not match host name"_L1};
    for (const QLatin1StringView refusal : refusals) {
        if (text.contains(refusal)) {
            return {Error::Kind::Refused, doing, said, passwordCode(text),
                    u"Check user, password and TLS settings."_s};
        }
    }
    if (text.contains("FATAL:"_L1) && text.contains("does not exist"_L1)) {
        return {Error::Kind::Refused, doing, said, {}, u"Check the names of user and database."_s};
    }
    if (text.contains("timeout expired"_L1)) {
        return {Error::Kind::Unreachable,
                doing,
                said,
                {},
                u"Nothing was heard: is it a server of this kind that listens there?"_s};
    }
    return {Error::Kind::Unreachable, doing, said, {}, {}};
}

} // namespace outbox
