// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/sources/outboxsource.h"

#include "app/settings/opening.h"
#include "connectors/sql/outbox/parkedrows.h"
#include "models/filter/pagerequest.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A table of parked rows may be made while we look; asking for it costs a session.
constexpr int lookAgainMs = 60'000;

/// Of the row that was set aside last and still stands; some in the list may be gone.
QString whyParked(const QList<ParkedRow> &rows, OutboxStore &store)
{
    constexpr qsizetype most = 3; // each costs a look at one key
    for (qsizetype i = rows.size() - 1; i >= std::max<qsizetype>(0, rows.size() - most); --i) {
        const auto row = store.find(rows.at(i).id, 0);
        if (row && *row && (*row)->state != MessageState::Processed)
            return rows.at(i).reason;
    }
    return {};
}

} // namespace

Result<void> OutboxSource::open(const StoreSettings &settings, const QString &stateFolder)
{
    m_settings = settings;
    m_stateFolder = stateFolder;
    m_parkedOf.reset();
    m_parking.close();
    m_sinceLooked.invalidate();
    return m_store.open(settings);
}

Result<void> OutboxSource::ready(const StoreSettings &settings, const QString &stateFolder,
                                 const OutboxShape &shape)
{
    const bool wasOpen = m_store.isOpen();
    if (wasOpen && m_store.shape() == shape)
        return {};
    TRY(wasOpen ? Result<void>() : open(settings, stateFolder));
    auto used = m_store.use(shape);
    if (!used)
        close(); // else it would pass for ready the next time
    return used;
}

Result<OutboxShape> OutboxSource::recognize(const StoreSettings &settings,
                                            const QString &stateFolder, const Profile &profile,
                                            bool anew)
{
    TRY(anew && !m_store.isOpen() ? open(settings, stateFolder) : ensureOpen());
    if (!anew)
        return m_store.shape();
    m_guess = {};
    return takeShape(m_store, profile, &m_guess);
}

void OutboxSource::close()
{
    m_store.close();
    m_parking.close();
    m_parkedOf.reset();
}

Result<QList<ParkedRow>> OutboxSource::parkedRows()
{
    const bool isLate = !m_parking.table().isReadable() && m_sinceLooked.hasExpired(lookAgainMs);
    if (m_parkedOf != m_store.shape() || isLate) {
        m_parkedOf.reset();
        // The store read the catalog a moment ago; later somebody may have made the table.
        const auto alone = m_sinceLooked.isValid() ? std::nullopt : m_store.withoutParked();
        m_sinceLooked.start();
        TRY(m_parking.open(m_settings, m_store.shape(), m_stateFolder, alone));
        m_parkedOf = m_store.shape();
    }
    return m_parking.rows();
}

Result<OutboxSnapshot> OutboxSource::snapshot(const CountCaps &caps, Arrivals arrivals)
{
    const auto parked = parkedRows();
    QList<MessageId> ids;
    if (parked) {
        for (const ParkedRow &row : *parked)
            ids += row.id;
    }
    auto snapshot = m_store.snapshot(caps, ids);
    if (snapshot && !parked) {
        snapshot->parked = std::nullopt;
        snapshot->notes[u"parked"_s] = oneLine(parked.error());
    }
    if (snapshot && parked && snapshot->parked.value_or(0) > 0) {
        if (const QString why = whyParked(*parked, m_store); !why.isEmpty())
            snapshot->notes[u"parked_because"_s] = why; // the count itself is exact
    }
    if (snapshot)
        m_store.addFlow(*snapshot, arrivals);
    if (snapshot && !whyNotWrite(m_store.shape()).isEmpty()) {
        snapshot->guess = m_guess;
        snapshot->exact = false;
        snapshot->notes[u"mapping"_s] = u"the mapping is a guess that nobody has confirmed"_s;
    }
    return snapshot;
}

Result<MessagePage> OutboxSource::page(const PageRequest &request)
{
    const auto parked = TRY(parkedRows());
    return m_store.page(request, parked);
}

Result<MessagePage> OutboxSource::search(const PageRequest &request, qint64 rows)
{
    const auto parked = TRY(parkedRows());
    return m_store.search(request, rows, parked);
}

Result<qint64> OutboxSource::count(const RowCountRequest &request)
{
    const auto parked = TRY(parkedRows());
    return m_store.count(request, parked);
}

Result<std::optional<Message>> OutboxSource::find(const MessageId &id, qint64 payloadLimit)
{
    auto row = m_store.find(id, payloadLimit);
    if (!row || !*row)
        return row;
    const auto parked = TRY(parkedRows());
    markParked(**row, parkedById(parked));
    return row;
}

void OutboxSource::interrupt() noexcept
{
    m_store.interrupt();
    m_parking.interrupt();
}

} // namespace outbox
