// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lines of an export file, as values; each is one JSON object and its line break.
#pragma once

#include "app/operations/transfer/exportfile.h"
#include "app/operations/transfer/jsonstreamreader.h"

#include <QByteArray>

namespace outbox {

/// The last line, which vouches for all others.
struct ExportEnd
{
    qint64 count = 0; ///< rows and tasks
    QByteArray checksum; ///< hex SHA-256 of all bytes before this line
};

/// Each answers false after a fault, which `json` keeps. Members that are not known are a fault.
[[nodiscard]] bool takeExportHead(JsonStreamReader &json, ExportHead &head);
/// A row or a task; `head` says which columns a row has.
[[nodiscard]] bool takeExportItem(JsonStreamReader &json, const ExportHead &head, ExportItem &item);
[[nodiscard]] bool takeExportEnd(JsonStreamReader &json, ExportEnd &end);

} // namespace outbox
