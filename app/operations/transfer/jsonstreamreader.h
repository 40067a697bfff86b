// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads JSON piece by piece out of a file, as JsonPush writes it; the text may come from anybody.
#pragma once

#include "app/settings/privatefile.h"
#include "models/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <functional>
#include <optional>

namespace outbox {

/// Knows no blanks between the pieces and no escapes that JsonPush does not write: what was edited
/// by hand is refused. Does not nest by itself, so no text can make it deep. Every function answers
/// false after the first fault, which sticks.
class JsonStreamReader
{
public:
    /// Reads from `offset` up to `end`; `file` must outlive it. One line (up to `nextLine`) may
    /// have `longestLine` bytes.
    JsonStreamReader(const PrivateFile &file, qint64 offset, qint64 end, qint64 longestLine);

    [[nodiscard]] qint64 offset() const { return m_offset; } ///< of the next byte
    [[nodiscard]] bool atEnd() const { return m_offset >= m_end; }
    /// The next byte, NUL at the end.
    [[nodiscard]] char peek() { return !atEnd() && fill() ? m_block.at(m_at) : '\0'; }

    [[nodiscard]] bool take(QByteArrayView text); ///< a fault when another text stands here
    [[nodiscard]] bool takeIf(char c);
    /// The bytes of a string, valid UTF-8.
    [[nodiscard]] bool string(QByteArray &into);
    [[nodiscard]] bool string(QString &into);
    /// The bytes that a string of base64 means.
    [[nodiscard]] bool base64(QByteArray &into);
    /// A JSON number as it stands, at most 1,000 digits.
    [[nodiscard]] bool number(QByteArray &into);
    /// `member(name)` takes the value.
    [[nodiscard]] bool object(const std::function<bool(const QByteArray &)> &member);
    [[nodiscard]] bool array(const std::function<bool()> &element);
    /// The line break; the next line may be as long again.
    [[nodiscard]] bool nextLine();

    /// Answers false; the first sentence is kept.
    bool refuse(const QString &sentence);
    bool refuseMember(const QByteArray &name)
    {
        return refuse(QStringLiteral("\"%1\" is not known here").arg(QString::fromUtf8(name)));
    }
    /// What went wrong; a reading error of the file has its own kind.
    [[nodiscard]] Error fault() const { return m_fault.value_or(Error()); }

private:
    [[nodiscard]] bool fill();
    void skip(qsizetype count);
    /// The bytes up to the next quote or backslash, at most what is in the buffer.
    [[nodiscard]] bool run(QByteArrayView &into);
    [[nodiscard]] bool escape(QByteArray &into);

    const PrivateFile &m_file;
    qint64 m_offset;
    qint64 m_end;
    qint64 m_longestLine;
    qint64 m_lineEnd; ///< offset that this line must not reach
    QByteArray m_block;
    qsizetype m_at = 0; ///< in the block
    std::optional<Error> m_fault;
};

/// Whether `text` is a number of JSON.
[[nodiscard]] bool isJsonNumber(QByteArrayView text);

} // namespace outbox
