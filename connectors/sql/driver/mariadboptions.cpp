// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/mariadboptions.h"

#include <QVersionNumber>

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

} // namespace

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

} // namespace outbox
