// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/session/storedurability.h"

#include <QHash>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

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

Result<StoreDurability> mariadbDurability(SqlSession &session)
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
