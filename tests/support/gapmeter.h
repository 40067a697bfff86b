// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures how long an event loop does not turn.
#pragma once

#include <QElapsedTimer>
#include <QFile>
#include <QString>
#include <QTimer>

#include <algorithm>
#include <vector>

namespace outbox {

/// A timer that is due at once, again and again: what lies between two of its turns is a gap.
/// Measures the thread it lives in, from its making on.
class GapMeter
{
public:
    GapMeter()
    {
        m_timer.setInterval(0);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            const qint64 delayed = delayedNs();
            if (m_clock.isValid()) {
                m_gaps.push_back(double(m_clock.nsecsElapsed()) / 1e6);
                m_ownGaps.push_back(m_gaps.back() - double(delayed - m_delayed) / 1e6);
            }
            m_delayed = delayed;
            m_clock.start();
        });
        m_timer.start();
    }
    /// What the thread did since its last turn is not counted: the measurer's own doings.
    void skip() { m_clock.invalidate(); }
    void forget()
    {
        m_gaps.clear();
        m_ownGaps.clear();
        skip();
    }
    /// Milliseconds; 0 when nothing was measured. While the thread could have run and was given no
    /// processor, the machine was busy: that is not counted.
    [[nodiscard]] double longest() const
    {
        return m_ownGaps.empty() ? 0 : *std::max_element(m_ownGaps.begin(), m_ownGaps.end());
    }
    /// The figures since the last time, in words.
    [[nodiscard]] QString take()
    {
        if (m_gaps.empty())
            return {};
        std::sort(m_gaps.begin(), m_gaps.end());
        const auto at = [this](double share) {
            return m_gaps.at(std::min(m_gaps.size() - 1, size_t(double(m_gaps.size()) * share)));
        };
        const QString text
            = QStringLiteral("longest %1 ms, p99.9 %2 ms, p99 %3 ms, turns %4")
                  .arg(QString::number(m_gaps.back(), 'f', 1), QString::number(at(0.999), 'f', 1),
                       QString::number(at(0.99), 'f', 1), QString::number(m_gaps.size()));
        forget();
        return text;
    }

private:
    /// For how long this thread has waited for a processor; 0 where the kernel does not say.
    [[nodiscard]] qint64 delayedNs()
    {
        if (!m_schedule.isOpen() && !m_schedule.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
            return 0;
        m_schedule.seek(0);
        return m_schedule.readAll().split(' ').value(1).toLongLong();
    }

    QTimer m_timer;
    QElapsedTimer m_clock;
    QFile m_schedule{QStringLiteral("/proc/thread-self/schedstat")};
    qint64 m_delayed = 0;
    std::vector<double> m_gaps;
    std::vector<double> m_ownGaps;
};

} // namespace outbox
