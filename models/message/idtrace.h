// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A place that knows of an id, beside its row and its task: what is left of a message that is gone.
#pragma once

#include <QDateTime>
#include <QString>

namespace outbox {

struct IdTrace
{
    enum class Place {
        Record, ///< an operation in the file of this machine
        Database, ///< an operation in the table outbox_audit
        Parked, ///< set aside, though its row is gone
        Export, ///< a file that a purge, a delete or an undo wrote or read
    };
    Place place = Place::Record;
    QDateTime at{}; ///< UTC; null: not known
    QString text; ///< "Purge by ana@desk: done"
    QString name{}; ///< the operation, or the file

    bool operator==(const IdTrace &) const = default;
};

[[nodiscard]] QString word(IdTrace::Place place); ///< "record", "database", "parked", "export"
[[nodiscard]] QString label(IdTrace::Place place); ///< "On record here"

} // namespace outbox
