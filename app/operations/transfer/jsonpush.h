// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes JSON piece by piece into a file, with the checksum of what was written: a value of 100 MB
// is never copied as a whole.
#pragma once

#include "app/settings/privatefile.h"
#include "models/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QCryptographicHash>
#include <QString>

#include <optional>

namespace outbox {

/// Errors stick: nothing is written after the first one, and `flush` says it.
class JsonPush
{
public:
    explicit JsonPush(PrivateFile file);

    /// Punctuation and numbers, as they stand.
    void raw(QByteArrayView text);
    /// `utf8` must be valid; `"`, `\` and control characters are escaped, nothing else.
    void string(QByteArrayView utf8);
    void text(const QString &text) { string(text.toUtf8()); }
    void base64(QByteArrayView bytes);

    /// Whether everything so far could be written; a block may still be on its way.
    [[nodiscard]] Result<void> error() const;
    /// Hex SHA-256 of all that was written so far.
    [[nodiscard]] QByteArray checksum();
    [[nodiscard]] Result<void> flush();
    [[nodiscard]] PrivateFile &file() { return m_file; }

private:
    void flushIfFull();

    PrivateFile m_file;
    QByteArray m_block;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
    std::optional<Error> m_error;
};

} // namespace outbox
