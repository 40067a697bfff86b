// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the headers of RESP replies before the hiredis reader does, and stops absurd ones.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <array>

namespace outbox {

/// The reader believes a header: `*2147483647` makes it reserve 16 GB without an error. The gate
/// sees every byte first, however the bytes are split, and says no to counts, lengths, depths and
/// types that no reply to our commands has. After a refusal the connection is worthless.
class LengthGate
{
public:
    static constexpr qint64 maxElements = 1'000'000;
    static constexpr qint64 maxBulkBytes = 512LL * 1024 * 1024;
    static constexpr qsizetype maxLineBytes = 64LL * 1024; ///< a status or an error
    static constexpr int maxDepth = 7; ///< what the reader can follow

    /// True when the bytes may go on to the reader; else `refusal()` says why.
    [[nodiscard]] bool admits(QByteArrayView bytes);
    /// True between two replies: nothing is half read.
    [[nodiscard]] bool atBorder() const { return m_part == Part::Type && m_depth == 0; }
    [[nodiscard]] const QString &refusal() const { return m_refusal; }

private:
    enum class Part { Type, Line, Body };

    bool refuse(const QString &why);
    bool takeType(char type);
    bool takeLineEnd();
    void completeOne();

    Part m_part = Part::Type;
    char m_type = 0;
    QByteArray m_number; ///< digits of a `$`, `*` or `:` line, at most 21 characters
    qsizetype m_lineBytes = 0;
    bool m_sawReturn = false;
    qint64 m_bodyLeft = 0; ///< with the closing CR LF
    std::array<qint64, maxDepth> m_left{}; ///< elements still to come, by depth
    int m_depth = 0;
    QString m_refusal;
};

} // namespace outbox
