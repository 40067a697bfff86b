// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/fleet/systemquestion.h"

#include "app/system/fleet/systemreading.h"

#include <ctime>

namespace outbox {

double processorMsOfThread()
{
    timespec used{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) / 1e6;
}

SystemQuestion::SystemQuestion(const Target &target, QuestionPlace place)
    : m_target(target), m_place(std::move(place))
{
    m_deadline.setSingleShot(true);
    QObject::connect(&m_deadline, &QTimer::timeout, &m_context,
                     [this] { m_place.room->interrupt(); });
}

void SystemQuestion::start(std::function<void()> ended)
{
    m_ended = std::move(ended);
    ask();
}

void SystemQuestion::recognize(bool anew, Recognized then)
{
    const auto settings = databaseSettingsOf(m_target, m_place.program);
    if (!settings) {
        then(passOn(settings), true);
        return;
    }
    step(
        [settings = *settings, target = m_target, anew](SystemSessions &sessions) {
            auto shape = sessions.recognize(settings, target, anew);
            return std::pair(std::move(shape), sessions.isConnected());
        },
        [then = std::move(then)](const auto &answer) { then(answer.first, answer.second); });
}

} // namespace outbox
