// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What MariadbDialect says of parts of a payload.
#include "connectors/sql/mariadb/mariadbdialect.h"
#include "connectors/sql/mariadb/mariadbtexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

SqlText MariadbDialect::payloadSlice(const QString &key, qint64 from, qint64 bytes) const
{
    SqlText sql;
    const QString name = mariadb::aliased(m_shape.payloadColumn);
    const bool isBytes = column(m_shape.payloadColumn).typeClass == TypeClass::Bytes;
    const QString payload
        = isBytes ? name : QString(u"CAST(CONVERT(%1 USING utf8mb4) AS BINARY)"_s.arg(name));
    sql.text = u"SELECT SUBSTRING("_s + payload + u", "_s + mariadb::bind(sql, from + 1) + u", "_s;
    sql.text += mariadb::bind(sql, bytes) + u"), CAST(LENGTH("_s + payload + u") AS CHAR) FROM "_s
        + tableName() + u" AS t WHERE "_s + states().scope(u"t."_s) + u" AND "_s;
    sql.text += hasKey(key, sql);
    return sql;
}

} // namespace outbox
