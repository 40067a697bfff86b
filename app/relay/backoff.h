// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long to wait before the next try: doubling, with jitter, so that many clients do not knock at
// once.
#pragma once

#include <QRandomGenerator>

#include <algorithm>

namespace outbox {

class BackOff
{
public:
    explicit BackOff(int firstMs = 100, int mostMs = 10'000)
        : m_firstMs(firstMs), m_mostMs(mostMs), m_nextMs(firstMs)
    { }

    /// Milliseconds to wait now: between half and the whole of the current step.
    [[nodiscard]] int next()
    {
        const int step = m_nextMs;
        m_nextMs = std::min(m_mostMs, m_nextMs * 2);
        return step / 2 + QRandomGenerator::global()->bounded(step / 2 + 1);
    }
    void reset() { m_nextMs = m_firstMs; }

private:
    int m_firstMs;
    int m_mostMs;
    int m_nextMs;
};

} // namespace outbox
