// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One outbox to look at: its rows, and which of them are parked beside it.
#pragma once

#include "app/relay/parking/outboxparking.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowcount.h"
#include "models/profile/profile.h"

#include <QElapsedTimer>

#include <memory>

namespace outbox {

/// Tells every row in its own state, the parked ones too, which the table itself knows nothing of.
/// Only looks. Blocking; made and used in one thread (that of its room), but for `interrupt`.
/// Errors: those of `OutboxStore`.
class OutboxSource
{
public:
    OutboxSource() = default;
    /// Reads rows and parked rows by a session that others use in turn.
    explicit OutboxSource(const std::shared_ptr<SharedSession> &shared)
        : m_store(shared), m_parking(shared)
    { }

    /// Connects the store; it has no shape yet. An empty `stateFolder` is the user's.
    [[nodiscard]] Result<void> open(const StoreSettings &settings, const QString &stateFolder);
    /// Connects what is not connected and takes the shape where it has another; what fails leaves
    /// it closed.
    [[nodiscard]] Result<void> ready(const StoreSettings &settings, const QString &stateFolder,
                                     const OutboxShape &shape);
    /// Connects what is not connected. `anew`: takes the shape to read a profile's table with (see
    /// `takeShape`), and remembers how sure it is; else answers the shape it has.
    [[nodiscard]] Result<OutboxShape> recognize(const StoreSettings &settings,
                                                const QString &stateFolder, const Profile &profile,
                                                bool anew);
    /// Connects anew where the session was lost.
    [[nodiscard]] Result<void> ensureOpen() { return m_store.ensureOpen(); }
    void close();
    [[nodiscard]] OutboxStore &store() { return m_store; }

    /// Counts that come by a guess say so. Parked rows are counted apart. Where they cannot be read
    /// the others are told nevertheless, with a note: `parked` is not known then, and they count as
    /// what the table says. Asking how many rows come costs statements of its own.
    [[nodiscard]] Result<OutboxSnapshot> snapshot(const CountCaps &caps,
                                                  Arrivals arrivals = Arrivals::NotAsked);
    /// As `OutboxStore::page`, with the rows that are parked now.
    [[nodiscard]] Result<MessagePage> page(const PageRequest &request);
    /// As `OutboxStore::search`, with the rows that are parked now.
    [[nodiscard]] Result<MessagePage> search(const PageRequest &request, qint64 rows);
    /// As `OutboxStore::count`, with the rows that are parked now.
    [[nodiscard]] Result<qint64> count(const RowCountRequest &request);
    /// One row with its payload, up to `payloadLimit` bytes; nullopt when it is not there.
    [[nodiscard]] Result<std::optional<Message>>
    find(const MessageId &id, qint64 payloadLimit = qint64(16) * 1024 * 1024);

    /// From any thread: shuts the sockets.
    void interrupt() noexcept;

private:
    /// Looks where they are kept first, where that may be elsewhere by now.
    [[nodiscard]] Result<QList<ParkedRow>> parkedRows();

    OutboxStore m_store;
    OutboxParking m_parking;
    StoreSettings m_settings;
    QString m_stateFolder;
    std::optional<OutboxShape> m_parkedOf; ///< the shape that the parking was opened for
    MappingGuess m_guess; ///< holds only where the shape is not confirmed
    QElapsedTimer m_sinceLooked; ///< for the table of parked rows
};

} // namespace outbox
