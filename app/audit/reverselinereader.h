// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lines of a file from its end to its beginning, in blocks.
#pragma once

#include "app/settings/privatefile.h"
#include "models/result.h"

#include <QByteArray>

#include <optional>

namespace outbox {

struct BackwardLine
{
    QByteArray text; ///< without its line break
    bool ended = true; ///< false: the file stops within it
};

/// Holds one line and one block. `file` must outlive it.
/// Errors: Invalid for a line that is longer than the most.
class ReverseLineReader
{
public:
    /// What lies behind `end` is not read. Lines longer than `longest` bytes are a fault.
    ReverseLineReader(const PrivateFile &file, qint64 end, qint64 longest);

    /// nullopt: there are no more. Empty lines are left out.
    [[nodiscard]] Result<std::optional<BackwardLine>> next();

private:
    [[nodiscard]] Result<void> readMore();

    const PrivateFile &m_file;
    qint64 m_unread; ///< bytes before the buffer
    qint64 m_longest;
    QByteArray m_buffer; ///< up to the line that was handed out last
};

} // namespace outbox
