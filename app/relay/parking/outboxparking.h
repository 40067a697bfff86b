// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the parked rows of one outbox are: its side table where there is one, else a file.
#pragma once

#include "app/relay/parking/fileparking.h"
#include "connectors/sql/outbox/parkedtable.h"

#include <memory>
#include <utility>

namespace outbox {

/// Chooses when it is opened: the table outbox_parked of the outbox's schema where it exists and
/// may be written to, else the state folder. With ReadOnly access it reads what is there of both
/// and writes nothing. It chooses again where the table turns out to be gone, or closed to it.
/// Blocking; used in one thread, but for `interrupt`.
/// Errors: those of the table, or Refused for a file that cannot be written.
class OutboxParking : public Parking
{
public:
    OutboxParking() = default;
    /// Over a session that others use in turn, in place of one of its own.
    explicit OutboxParking(std::shared_ptr<SharedSession> shared) : m_table(std::move(shared)) { }

    /// Connects a session of its own where there is a table, or none was looked for (`alone`, see
    /// `ParkedTable::open`). An empty `stateFolder` is the user's. With a right to write, rows in
    /// the file move to a table that came later.
    [[nodiscard]] Result<void> open(const StoreSettings &settings, const OutboxShape &shape,
                                    const QString &stateFolder,
                                    const std::optional<TableName> &alone = {});
    /// Connects anew where the session was lost.
    [[nodiscard]] Result<void> ensureOpen();
    void close();

    /// One sentence: where the rows are kept and, where that is the file, why not in a table.
    [[nodiscard]] QString place() const;
    [[nodiscard]] bool isInTable() const { return m_table.access().isWritable(); }
    [[nodiscard]] FileParking &inFile() { return m_file; }
    [[nodiscard]] const ParkedTableAccess &table() const { return m_table.access(); }

    [[nodiscard]] Result<QList<ParkedRow>> rows() override;
    [[nodiscard]] Result<void> put(const QList<ParkedRow> &rows) override;
    [[nodiscard]] Result<void> release(const QList<MessageId> &ids) override;

    /// From any thread: shuts the session's socket.
    void interrupt() noexcept { m_table.interrupt(); }

private:
    [[nodiscard]] Result<void> moveToTable();
    [[nodiscard]] Result<QList<ParkedRow>> rowsHere();
    /// Does it where the rows are kept, and chooses anew where that is not to be had any more.
    template <typename Do> [[nodiscard]] auto inPlace(const Do &act) -> decltype(act());

    StoreSettings m_settings;
    OutboxShape m_shape;
    QString m_stateFolder;
    ParkedTable m_table;
    FileParking m_file;
    bool m_mayWrite = false;
};

/// Takes rows off the parking that are gone, processed, or written after they were set aside (they
/// have the key of an earlier row), so that it holds only rows that stand in the outbox. `store` is
/// open, with its shape.
[[nodiscard]] Result<void> forgetGoneRows(Parking &parking, OutboxStore &store);

} // namespace outbox
