// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many rows to claim next: few while there is little to do, so that the first of them is not
// kept waiting for the last; many when the outbox is behind.
#pragma once

#include <algorithm>

namespace outbox {

class BatchSize
{
public:
    void setMost(int rows) { m_most = rows; }
    [[nodiscard]] int next() const { return std::min(m_most, m_next); }
    /// `claimed` rows came where `asked` were asked for.
    void tookOf(int asked, int claimed)
    {
        if (claimed >= asked)
            m_next = std::min(m_most, 2 * std::max(m_next, asked));
        else if (claimed < asked / 4)
            m_next = smallest;
    }

private:
    static constexpr int smallest = 100;
    int m_most = smallest;
    int m_next = smallest;
};

} // namespace outbox
