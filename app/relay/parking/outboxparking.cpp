// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/parking/outboxparking.h"

#include "app/settings/folders.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"

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

ParkedById parkedById(const QList<ParkedRow> &rows)
{
    ParkedById byId;
    byId.reserve(rows.size());
    for (const ParkedRow &row : rows)
        byId.insert(row.id, row);
    return byId;
}

QString parkedText(const ParkedRow &row)
{
    QString text = row.reason;
    if (row.attempts > 1)
        text += u"; after %1 tries"_s.arg(row.attempts);
    if (!row.by.isEmpty())
        text += u", by "_s + row.by;
    return text;
}

void markParked(Message &row, const ParkedById &parked)
{
    const auto found = parked.constFind(row.id);
    if (found == parked.constEnd() || row.state == MessageState::Processed
        || row.state == MessageState::Locked)
        return;
    row.state = MessageState::Parked;
    row.parkedSince = found->at.isValid() ? std::optional(found->at) : std::nullopt;
    row.note = parkedText(*found);
}

namespace {

/// A question for rows where some are parked: what the store is asked, and which rows are meant.
class ParkedSight
{
public:
    ParkedSight(const PageRequest &request, const CheckNode &checks, const QList<ParkedRow> &rows,
                bool uuidKeys)
        : m_request(request), m_asked(request), m_parked(parkedById(rows)),
          m_checks(statePart(checks)), m_uuidKeys(uuidKeys)
    {
        if (!rows.isEmpty())
            m_asked.filter = widenedForParked(request.filter);
        m_parkedOnly = request.states.contains(MessageState::Parked);
        if (!m_parkedOnly && statesWithin(request.filter) != QList{MessageState::Parked})
            return;
        m_asked.states.clear();
        m_asked.ids.clear();
        const QSet<MessageId> wanted(request.ids.begin(), request.ids.end());
        for (const ParkedRow &row : rows) {
            if (wanted.isEmpty() || wanted.contains(row.id))
                m_asked.ids += row.id;
        }
        m_isNone = m_asked.ids.isEmpty();
    }

    [[nodiscard]] const PageRequest &asked() const { return m_asked; }
    [[nodiscard]] bool isNone() const { return m_isNone; } ///< nothing need be asked
    /// What was asked for by its state may be parked, and the other way round.
    void tell(QList<Message> &rows) const
    {
        if (m_parked.isEmpty())
            return;
        for (Message &row : rows)
            markParked(row, m_parked);
        rows.removeIf([this](const Message &row) {
            const bool isParked = row.state == MessageState::Parked;
            return (m_parkedOnly && !isParked)
                || (!m_parkedOnly && !m_request.states.isEmpty() && isParked)
                || truthOf(m_checks, row, m_uuidKeys) == Truth::No;
        });
    }

private:
    const PageRequest &m_request;
    PageRequest m_asked;
    ParkedById m_parked;
    CheckNode m_checks; ///< of states
    bool m_uuidKeys;
    bool m_parkedOnly = false;
    bool m_isNone = false;
};

/// Fails with Invalid where states are asked for that cannot be listed together.
Result<ParkedSight> sightOf(OutboxStore &store, Parking &parking, const PageRequest &request)
{
    if (request.states.contains(MessageState::Parked) && request.states.size() > 1) {
        return fail(Error::Kind::Invalid, u"listing rows"_s,
                    u"parked rows are listed apart from those in other states"_s, {},
                    u"Ask for them by --filter state:parked,failed"_s);
    }
    const auto checks = TRY(checksOf(request.filter, FilterSubject::Rows, request.at));
    const auto rows = TRY(parking.rows());
    return ParkedSight(request, checks, rows, store.shape().hasUuidKeys());
}

} // namespace

Result<MessagePage> pageWithParked(OutboxStore &store, Parking &parking, const PageRequest &request)
{
    const auto sight = TRY(sightOf(store, parking, request));
    if (sight.isNone())
        return MessagePage();
    // A page that is empty by it is followed by the next, of which there are not more than parked
    // rows fill.
    PageRequest asked = sight.asked();
    qint64 searched = 0;
    qint64 undecided = 0;
    while (true) {
        auto page = store.page(asked);
        if (!page)
            return page;
        searched += page->searched;
        undecided += page->undecided;
        page->searched = searched;
        page->undecided = undecided;
        const bool wasEmpty = page->rows.isEmpty();
        sight.tell(page->rows);
        if (wasEmpty || !page->rows.isEmpty() || page->next.isEmpty())
            return page;
        asked.after = page->next;
    }
}

Result<MessagePage> searchWithParked(OutboxStore &store, Parking &parking,
                                     const PageRequest &request, qint64 rows)
{
    const auto sight = TRY(sightOf(store, parking, request));
    if (sight.isNone())
        return MessagePage();
    auto slice = store.search(sight.asked(), rows);
    if (slice)
        sight.tell(slice->rows);
    return slice;
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
