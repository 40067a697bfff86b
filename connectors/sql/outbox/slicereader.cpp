// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/slicereader.h"

#include "connectors/sql/catalog/catalogreader.h"
#include "connectors/sql/dialect/knowntimes.h"
#include "connectors/sql/driver/timed.h"
#include "connectors/sql/outbox/rowreader.h"
#include "connectors/sql/probe/shapecheck.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> SliceReader::open(const StoreSettings &settings, const OutboxShape &shape)
{
    close();
    return m_session.open(settings, [&] { return prepare(shape); });
}

Result<void> SliceReader::prepare(const OutboxShape &shape)
{
    const DatabaseUrl::Dialect dialect = m_session.dialect();
    const auto catalog = TRY(readTables(*m_session, dialect, tablesOf(shape)));
    const auto table = TRY(checkShape(shape, catalog, dialect));
    m_dialect = makeDialect(dialect, withKnownTimes(shape, table, dialect), table);
    m_limitMs = m_session.settings().statementTimeoutMs;
    return {};
}

Result<void> SliceReader::limitStatements(int mostMs, const QString &doing)
{
    const int wanted = mostMs > 0 ? mostMs : m_session.settings().statementTimeoutMs;
    if (wanted == m_limitMs)
        return {};
    TRY(m_session->limitStatements(wanted, doing));
    m_limitMs = wanted;
    return {};
}

Result<ExactCount> SliceReader::count(const QString &after, qint64 rows,
                                      const QList<MessageId> &parked, int mostMs)
{
    const QString doing = u"counting the rows one by one"_s;
    TRY(m_session.ready(doing));
    const QList<SortColumn> order = m_dialect->countOrder();
    if (order.isEmpty()) {
        return fail(Error::Kind::Unsupported, doing,
                    u"the table has no key by which it could be counted in parts"_s, {},
                    u"Add a primary key."_s);
    }
    QStringList from;
    if (!after.isEmpty()) {
        from = TRY(placeOfCursor(after, false, order.size()));
    }
    TRY(limitStatements(mostMs, doing));
    ExactCount slice;
    const auto asked = [&](const SqlText &sql) {
        return timed(slice, [&] { return m_session->query(sql, doing); });
    };
    const auto end = TRY(asked(m_dialect->placeBehind({order, from, {}}, qMax<qint64>(1, rows))));
    const QStringList upTo = end.texts(0); // none: there are fewer, to the end of the table
    const auto counts
        = TRY(asked(m_dialect->countSlice({order, from, upTo}, m_dialect->keyTexts(parked))));
    for (qsizetype row = 0; row < counts.size(); ++row) {
        const qint64 count = counts.integer(row, 1).value_or(0);
        slice.seen += count;
        if (counts.isNull(row, 0))
            continue; // not ours
        const auto state = messageStateFromWord(counts.text(row, 0));
        slice.rows[state.value_or(MessageState::Unknown)] += count;
    }
    const OutboxShape &shape = m_dialect->shape();
    if (shape.failedHow == OutboxShape::FailedHow::Table) {
        slice.note
            = u"failed rows stand in %1 and are not among them"_s.arg(shape.failedIn.table.text());
    }
    if (!upTo.isEmpty())
        slice.next = cursorText(false, upTo);
    return slice;
}

Result<PayloadSlice> SliceReader::payload(const MessageId &id, qint64 from, qint64 bytes)
{
    const QString doing = u"reading the payload of "_s + id.text;
    TRY(m_session.ready(doing));
    if (m_dialect->shape().payloadColumn.isEmpty()) {
        return fail(Error::Kind::Unsupported, doing,
                    u"the payload is made from rows of another table, and is read whole only"_s);
    }
    const auto gone = [&doing]() -> Result<PayloadSlice> {
        return fail(Error::Kind::Conflict, doing, u"the row is no longer there"_s);
    };
    if (!m_dialect->isKeyText(id.text))
        return gone();
    const auto rows = TRY(m_session->query(m_dialect->payloadSlice(id.text, from, bytes), doing));
    if (rows.size() == 0)
        return gone();
    const qint64 stored = rows.integer(0, 1).value_or(0);
    if (rows.isNull(0, 0) && stored > from) {
        return fail(Error::Kind::Unsupported, doing,
                    u"the server does not give a part of a value this large"_s, {},
                    u"On MariaDB max_allowed_packet must be larger than the value."_s);
    }
    return PayloadSlice{rows.bytes(0, 0), stored};
}

} // namespace outbox
