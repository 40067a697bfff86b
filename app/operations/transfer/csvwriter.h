// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows in a file for people and their spreadsheets: what a list tells of each, through the masks.
#pragma once

#include "models/message/message.h"
#include "models/payload/payloadmasks.h"
#include "models/result.h"

#include <QString>

#include <memory>

namespace outbox {

/// A cell of CSV holds no more of a payload than this; what is missing is told as a size.
inline constexpr int mostPayloadOfCsv = 64 * 1024;

/// Writes a partial file (`partialName`), mode 0600, which takes the place of `file` in `finish`.
/// What cannot be seen of a text stands as an escape, and what a spreadsheet would take for a
/// formula has an apostrophe before it: for people, nothing reads it back. Blocking; holds one
/// block of 64 KiB beside the row it is given. After an error, but for one of `finish`, and
/// when it ends before that, nothing is left. Errors: those of `PrivateFile`.
class CsvWriter
{
public:
    /// `file` is absolute; its folder is there.
    [[nodiscard]] static Result<CsvWriter> create(const QString &file, const PayloadMasks &masks);
    ~CsvWriter();
    CsvWriter(CsvWriter &&) noexcept;
    CsvWriter &operator=(CsvWriter &&) noexcept;

    /// The payload may be the beginning of what is stored.
    [[nodiscard]] Result<void> add(const Message &row);
    /// Returns when file and folder are on disk under the final name. An error of unknown effect:
    /// the file has its name and stays, but a crash may take that back.
    [[nodiscard]] Result<void> finish();

private:
    struct Private;
    explicit CsvWriter(std::unique_ptr<Private> parts);
    std::unique_ptr<Private> d;
};

} // namespace outbox
