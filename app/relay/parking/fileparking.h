// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parked rows in a file of the state folder, where the database has no table for them.
#pragma once

#include "app/relay/parking/parking.h"
#include "connectors/sql/driver/databaseurl.h"

#include <QString>

namespace outbox {

/// One private file for each outbox. Written whole, on disk before a call returns; a lock beside it
/// keeps two processes from undoing each other's writes. A file that cannot be understood is an
/// error of kind Invalid, never an empty list: its rows would be claimed again.
/// Errors: those of `PrivateFile`; Invalid for a file that holds something else.
class FileParking : public Parking
{
public:
    FileParking() = default;
    /// `folder` is absolute and made by the first write. `outbox` is the table as its catalog
    /// spells it; `by` is who parks from here.
    FileParking(const QString &folder, const DatabaseUrl &database, const QString &outbox,
                QString by);

    [[nodiscard]] const QString &file() const { return m_file; }
    [[nodiscard]] Result<QList<ParkedRow>> rows() override;
    [[nodiscard]] Result<void> put(const QList<ParkedRow> &rows) override;
    [[nodiscard]] Result<void> release(const QList<MessageId> &ids) override;

private:
    [[nodiscard]] Result<QList<ParkedRow>> read() const;
    [[nodiscard]] Result<void> write(const QList<ParkedRow> &rows) const;
    template <typename Change> [[nodiscard]] Result<void> change(const Change &change) const;

    QString m_file;
    QString m_outbox; ///< database and table in words: what the file says it is for
    QString m_by;
};

} // namespace outbox
