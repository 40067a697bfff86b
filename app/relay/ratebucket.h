// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many rows a rate permits by now.
#pragma once

#include <QElapsedTimer>

#include <algorithm>
#include <limits>

namespace outbox {

/// Holds one second of rows, and one row at least.
class RateBucket
{
public:
    /// `perSecond` 0 = no limit. Begins empty.
    void start(double perSecond)
    {
        m_perSecond = perSecond;
        m_left = 0;
        m_clock.start();
    }
    [[nodiscard]] qint64 allowance()
    {
        if (m_perSecond <= 0)
            return std::numeric_limits<qint64>::max();
        m_left = std::min(std::max(1.0, m_perSecond),
                          m_left + m_perSecond * double(m_clock.restart()) / 1000.0);
        return static_cast<qint64>(m_left);
    }
    void spend(qint64 rows) { m_left -= static_cast<double>(rows); }
    /// Until the next row is permitted.
    [[nodiscard]] int waitMs() const
    {
        return static_cast<int>(std::clamp((1.0 - m_left) * 1000.0 / m_perSecond, 1.0, 60'000.0));
    }

private:
    double m_perSecond = 0;
    double m_left = 0;
    QElapsedTimer m_clock;
};

} // namespace outbox
