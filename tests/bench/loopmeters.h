// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How late an event loop runs and how much it works, for the benches of the window.
#pragma once

#include "models/elapsed.h"

#include <QAbstractEventDispatcher>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QString>
#include <QTimer>

#include <algorithm>
#include <ctime>
#include <functional>
#include <utility>
#include <vector>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

struct Times
{
    std::vector<double> ms;

    [[nodiscard]] double at(double share)
    {
        if (ms.empty())
            return 0;
        std::sort(ms.begin(), ms.end());
        return ms.at(std::min(ms.size() - 1, size_t(double(ms.size()) * share)));
    }
    [[nodiscard]] QString text()
    {
        return u"p50 %1 ms, p99 %2 ms, longest %3 ms (%4)"_s.arg(at(0.5), 0, 'f', 2)
            .arg(at(0.99), 0, 'f', 1)
            .arg(ms.empty() ? 0 : at(1), 0, 'f', 1)
            .arg(ms.size());
    }
};

/// Milliseconds of processor time that this thread has had: what others take is not in it.
inline double workedMs()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// How much the GUI thread works in one turn of its event loop, in processor time: what the loop is
/// late by on a machine that is otherwise idle.
class WorkMeter
{
public:
    WorkMeter()
    {
        const QAbstractEventDispatcher *loop = QAbstractEventDispatcher::instance();
        m_turning = QObject::connect(loop, &QAbstractEventDispatcher::awake, loop, [this] {
            const double now = workedMs();
            m_turns.ms.push_back(now - std::exchange(m_last, now));
        });
    }
    ~WorkMeter() { QObject::disconnect(m_turning); }
    WorkMeter(const WorkMeter &) = delete;
    WorkMeter &operator=(const WorkMeter &) = delete;
    QString take()
    {
        const QString text = m_turns.text();
        m_turns.ms.clear();
        return text;
    }

private:
    double m_last = workedMs();
    Times m_turns;
    QMetaObject::Connection m_turning;
};

/// How much later than it should a timer of two milliseconds fires.
class DelayMeter
{
public:
    DelayMeter()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            m_delays.ms.push_back(std::max(0.0, millisecondsOf(m_clock) - everyMs));
            m_clock.start();
        });
        m_clock.start();
        m_timer.start(everyMs);
    }
    QString take()
    {
        const QString text = m_delays.text();
        m_delays.ms.clear();
        m_clock.start();
        return text;
    }

private:
    static constexpr int everyMs = 2;
    QTimer m_timer;
    QElapsedTimer m_clock;
    Times m_delays;
};

inline void waitFor(int milliseconds)
{
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

/// Waits until `done`, five seconds at most; in milliseconds how long that was.
inline double until(const std::function<bool()> &done)
{
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < 5000)
        waitFor(1);
    return millisecondsOf(clock);
}

} // namespace outbox
