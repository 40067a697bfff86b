// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgresoptions.h"

#include "connectors/sql/outboxstore.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

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
    // The plans of short statements look dear where locks are told, and are then compiled for
    // longer than they run.
    set(u"jit"_s, u"off"_s);
    if (settings.access == StoreAccess::Look) {
        set(u"default_transaction_read_only"_s, u"on"_s);
    } else {
        set(u"idle_in_transaction_session_timeout"_s,
            QString::number(settings.idleInTransactionTimeoutMs));
        // An operator's role may look by default; what it may write, its grants say.
        if (settings.access == StoreAccess::Act)
            set(u"default_transaction_read_only"_s, u"off"_s);
        set(u"default_transaction_isolation"_s, u"read\\ committed"_s);
        // A plan kept from when the table was empty would read and sort all of it once it is full.
        if (settings.access == StoreAccess::Relay)
            set(u"plan_cache_mode"_s, u"force_custom_plan"_s);
    }
    return words.join(u' ');
}

} // namespace

QString postgresOptions(const StoreSettings &settings)
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

} // namespace outbox
