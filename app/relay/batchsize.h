// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many rows to claim next: few while there is little to do, so that the first of them is not
// kept waiting for the last; many when the outbox is behind; and no more than memory and deadlines
// have room for.
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace outbox {

class BatchSize
{
public:
    static constexpr qint64 mostBytes = 64LL * 1024 * 1024; ///< of payload, about

    void setMost(int rows) { m_most = rows; }
    [[nodiscard]] int next() const { return std::clamp(m_next, 1, m_most); }
    /// `claimed` rows with so many bytes came where `asked` were asked for.
    void tookOf(int asked, int claimed, qint64 bytes)
    {
        if (claimed >= asked)
            m_next = std::min(m_most, 2 * std::max(asked, std::min(m_next, m_most)));
        else if (claimed < asked / 4)
            m_next = smallest;
        if (bytes > 0 && claimed > 0) { // the next ones may be like these
            const qint64 fitting = std::max<qint64>(1, mostBytes * claimed / bytes);
            m_next = static_cast<int>(std::min<qint64>(m_next, fitting));
        }
    }
    /// The server needed longer than it may for so many.
    void tookTooLong(int asked) { m_next = std::max(1, std::min(m_next, asked) / 2); }

private:
    static constexpr int smallest = 100;
    int m_most = smallest;
    int m_next = smallest;
};

} // namespace outbox
