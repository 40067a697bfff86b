// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/postgresoptions.h"

#include "connectors/sql/driver/storesettings.h"

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

} // namespace

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

} // namespace outbox
