// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An export of rows into a file that somebody chose: in which form, and how far it is.
#pragma once

#include "models/result.h"

#include <QString>

#include <optional>

namespace outbox {

enum class RowExportForm {
    JsonLines, ///< whole rows, byte for byte, as `outboxctl import` takes them
    Csv, ///< for people: what a list tells of each row, payloads through the masks
};

/// How far an export is. Each slice of it is as the database was at the moment of that slice.
struct RowExportState
{
    enum class Phase {
        Running,
        Finishing, ///< all rows are written; the file is brought to the disk and gets its name
        Cancelled, ///< by a person; no file is left
        /// `error` tells why; no file is left. Where its effect is unknown all rows are in the
        /// file, under its name, but a crash may take that back.
        Failed,
        Nothing, ///< no row matches; there is no file
        Done,
    };
    Phase phase = Phase::Running;
    RowExportForm form = RowExportForm::JsonLines;
    QString file; ///< absolute
    QString total; ///< how many there should be, as it is shown: "~4,000"; empty: not known
    qint64 written = 0; ///< rows
    qint64 searched = 0; ///< rows gone through where no index has the filter
    qint64 gone = 0; ///< rows that were deleted between two statements
    qint64 undecided = 0; ///< rows left out: the beginnings of their payloads do not tell
    double runMs = 0;
    std::optional<Error> error;

    [[nodiscard]] bool isRunning() const
    {
        return phase == Phase::Running || phase == Phase::Finishing;
    }
    bool operator==(const RowExportState &) const = default;
};

} // namespace outbox
