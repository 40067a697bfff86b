// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgres/postgresvalues.h"

#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/session/sqlsession.h"

#include <libpq-fe.h>

#include <limits>

namespace outbox {

namespace {

QByteArray parameterBytes(const QVariant &value)
{
    if (value.typeId() == QMetaType::QByteArray)
        return value.toByteArray();
    if (value.metaType() == QMetaType::fromType<TextBytes>())
        return value.value<TextBytes>().bytes;
    if (value.typeId() == QMetaType::QStringList)
        return postgresArray(value.toStringList()).toUtf8();
    return value.toString().toUtf8();
}

} // namespace

PostgresValues::PostgresValues(const QVariantList &values)
    : m_bytes(static_cast<size_t>(values.size())), m_values(m_bytes.size(), nullptr),
      m_lengths(m_bytes.size(), 0), m_formats(m_bytes.size(), 0)
{
    for (size_t i = 0; i < m_bytes.size(); ++i) {
        const QVariant &value = values.at(static_cast<qsizetype>(i));
        if (value.isNull())
            continue;
        m_bytes[i] = parameterBytes(value);
        m_canBeSent = m_canBeSent && m_bytes[i].size() <= std::numeric_limits<int>::max();
        m_values[i] = m_bytes[i].constData();
        m_lengths[i] = static_cast<int>(m_bytes[i].size());
        m_formats[i] = value.typeId() == QMetaType::QByteArray ? binary : 0;
    }
}

SqlRows postgresRows(pg_result *result)
{
    SqlRows rows;
    rows.columns = PQnfields(result);
    rows.command = PQcmdStatus(result);
    rows.affected = QByteArray(PQcmdTuples(result)).toLongLong();
    const int count = PQntuples(result);
    const int columns = PQnfields(result);
    rows.cells.reserve(static_cast<qsizetype>(count) * columns);
    for (int row = 0; row < count; ++row) {
        for (int column = 0; column < columns; ++column) {
            rows.cells += PQgetisnull(result, row, column) != 0
                ? QByteArray()
                : QByteArray(PQgetvalue(result, row, column), PQgetlength(result, row, column));
        }
    }
    return rows;
}

} // namespace outbox
