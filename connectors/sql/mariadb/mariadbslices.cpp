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
    const QString name = mariadb::aliased(m_shape.payloadColumn);
    const bool isBytes = column(m_shape.payloadColumn).typeClass == TypeClass::Bytes;
    const QString payload
        = isBytes ? name : QString(u"CAST(CONVERT(%1 USING utf8mb4) AS BINARY)"_s.arg(name));
    return u"SELECT SUBSTRING("_s + payload + u", "_s + SqlFragment::of(from + 1) + u", "_s
        + SqlFragment::of(bytes) + u"), CAST(LENGTH("_s + payload + u") AS CHAR) FROM "_s
        + tableName() + u" AS t WHERE "_s + states().scope(u"t."_s) + u" AND "_s + hasKey(key);
}

} // namespace outbox
