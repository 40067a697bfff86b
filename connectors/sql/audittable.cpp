// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/audittable.h"

#include "connectors/sql/sqlnames.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString auditTableName()
{
    return u"outbox_audit"_s;
}

QStringList auditColumns()
{
    return {u"at"_s,         u"operation"_s, u"actor"_s, u"face"_s, u"verb"_s,
            u"message_id"_s, u"before"_s,    u"after"_s, u"note"_s};
}

QStringList auditValues(const AuditRow &row)
{
    QStringList values{row.operation, row.actor,  row.face,  row.verb,
                       row.message,   row.before, row.after, row.note};
    for (QString &value : values)
        value = storable(value);
    return values;
}

QString OutboxEditor::auditTableSql(DatabaseUrl::Dialect dialect)
{
    const bool sqlite = dialect == DatabaseUrl::Dialect::Sqlite;
    const bool isMariaDb = dialect == DatabaseUrl::Dialect::MariaDb;
    QStringList columns;
    for (const QString &name : auditColumns()) {
        QString type = u"text"_s;
        if (columns.isEmpty() && !sqlite)
            type = isMariaDb ? u"datetime(6)"_s : u"timestamptz"_s;
        columns += u"    "_s + quotedName(name, dialect) + u' ' + type + u" NOT NULL"_s;
    }
    QString sql
        = u"CREATE TABLE "_s + auditTableName() + u" (\n"_s + columns.join(u",\n"_s) + u"\n);\n"_s;
    if (!sqlite) {
        sql += u"-- for each role that acts, and nothing more than INSERT:\n"
               "-- GRANT INSERT ON "_s
            + auditTableName() + u" TO deck_act;\n"_s;
    }
    return sql;
}

} // namespace outbox
