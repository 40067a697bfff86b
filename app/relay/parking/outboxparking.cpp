// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/parking/outboxparking.h"

#include "app/settings/folders.h"
#include "models/filter/pagerequest.h"

#include <QHash>
#include <QSet>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> OutboxParking::open(const StoreSettings &settings, const OutboxShape &shape,
                                 const QString &stateFolder, const std::optional<TableName> &alone)
{
    m_settings = settings;
    m_shape = shape;
    m_stateFolder = stateFolder;
    m_mayWrite = settings.access != StoreAccess::ReadOnly;
    TRY(m_table.open(settings, shape, alone));
    m_file = FileParking(Folders::standard({}, stateFolder).parkedFolder(), settings.url,
                         m_table.access().outbox(), settings.applicationName);
    return isInTable() && m_mayWrite ? moveToTable() : Result<void>();
}

template <typename Do> auto OutboxParking::inPlace(const Do &act) -> decltype(act())
{
    auto done = act();
    if (done || !m_table.access().isReadable())
        return done;
    using Kind = Error::Kind;
    const Kind kind = done.error().kind;
    if (kind != Kind::Invalid && kind != Kind::Refused)
        return done;
    // The table is another one than it was, or gone, or a right to it.
    TRY(open(StoreSettings(m_settings), OutboxShape(m_shape), QString(m_stateFolder)));
    return act();
}

Result<void> OutboxParking::ensureOpen()
{
    return isInTable() ? m_table.ensureOpen() : Result<void>();
}

void OutboxParking::close()
{
    m_table.close();
}

QString OutboxParking::place() const
{
    const ParkedTableAccess &access = m_table.access();
    if (access.isWritable())
        return u"the table %1"_s.arg(access.tableText());
    if (access.obstacle().isEmpty())
        return m_file.file();
    return u"%1 (not in %2: %3)"_s.arg(m_file.file(), access.tableText(), access.obstacle());
}

Result<void> OutboxParking::moveToTable()
{
    const auto left = TRY(m_file.rows());
    if (left.isEmpty())
        return {};
    TRY(m_table.put(left));
    QList<MessageId> ids;
    for (const ParkedRow &row : left)
        ids += row.id;
    return m_file.release(ids);
}

Result<QList<ParkedRow>> OutboxParking::rows()
{
    return inPlace([this] { return rowsHere(); });
}

Result<QList<ParkedRow>> OutboxParking::rowsHere()
{
    QList<ParkedRow> all;
    if (m_table.access().isReadable()) {
        all = TRY(m_table.rows(mostParkedRows + 1));
        if (m_mayWrite && isInTable())
            return all; // what was in the file is here
    }
    auto filed = TRY(m_file.rows());
    QSet<MessageId> known;
    for (const ParkedRow &row : std::as_const(all))
        known += row.id;
    for (const ParkedRow &row : filed) {
        if (!known.contains(row.id) && all.size() <= mostParkedRows)
            all += row;
    }
    return all;
}

Result<void> OutboxParking::put(const QList<ParkedRow> &rows)
{
    return inPlace([&] { return isInTable() ? m_table.put(rows) : m_file.put(rows); });
}

Result<void> OutboxParking::release(const QList<MessageId> &ids)
{
    auto released = inPlace([&] { return isInTable() ? m_table.release(ids) : Result<void>(); });
    return released ? m_file.release(ids) : released;
}

Result<void> forgetGoneRows(Parking &parking, OutboxStore &store)
{
    constexpr qsizetype atOnce = 1000;
    constexpr int clocksApart = 2; // seconds
    const auto parked = TRY(parking.rows());
    QList<MessageId> gone;
    for (qsizetype from = 0; from < parked.size(); from += atOnce) {
        PageRequest request;
        QHash<MessageId, QDateTime> since;
        for (const ParkedRow &row : parked.mid(from, atOnce)) {
            request.ids += row.id;
            since.insert(row.id, row.at);
        }
        request.limit = atOnce;
        request.payloadPrefixBytes = 0;
        const auto page = TRY(store.page(request));
        QSet<MessageId> standing;
        for (const Message &row : page.rows) {
            // One that was written after the record was made has the key of an earlier one.
            const bool isAnother
                = row.created && row.created->addSecs(-clocksApart) > since.value(row.id);
            if (row.state != MessageState::Processed && !isAnother)
                standing += row.id;
        }
        for (const MessageId &id : std::as_const(request.ids)) {
            if (!standing.contains(id))
                gone += id;
        }
    }
    return parking.release(gone);
}

} // namespace outbox
