// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What SqliteDialect says of parts of a payload.
#include "connectors/sql/sqlite/sqlitedialect.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

SqlText SqliteDialect::payloadSlice(const QString &key, qint64 from, qint64 bytes) const
{
    const QString payload = u"CAST("_s + sqlite::aliased(m_shape.payloadColumn) + u" AS BLOB)"_s;
    return u"SELECT substr("_s + payload + u", "_s + SqlFragment::of(from + 1) + u", "_s
        + SqlFragment::of(bytes) + u"), CAST(length("_s + payload + u") AS TEXT) FROM "_s
        + tableName() + u" AS t WHERE "_s + states().scope(u"t."_s) + andHasKey(key);
}

} // namespace outbox
