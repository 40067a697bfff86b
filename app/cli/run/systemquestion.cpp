// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/systemquestion.h"

#include "app/cli/run/systemreader.h"

#include <QEventLoop>

#include <map>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

SystemQuestion::SystemQuestion(const Target &target) : m_target(target), m_room(u"fleet"_s)
{
    m_deadline.setSingleShot(true);
    QObject::connect(&m_deadline, &QTimer::timeout, &m_context, [this] { m_room.interrupt(); });
}

void SystemQuestion::start(std::function<void()> ended)
{
    m_ended = std::move(ended);
    ask();
}

void SystemQuestion::recognize(std::function<void(const Result<OutboxShape> &)> then)
{
    const auto settings = databaseSettingsOf(m_target);
    if (!settings) {
        then(passOn(settings));
        return;
    }
    step(
        [settings = *settings, target = m_target](SystemSessions &sessions) {
            return sessions.outbox.recognize(settings, target.stateFolder, target.profile, true);
        },
        std::move(then));
}

void askEach(qsizetype count,
             const std::function<std::unique_ptr<SystemQuestion>(qsizetype at)> &make)
{
    QEventLoop loop;
    std::map<qsizetype, std::unique_ptr<SystemQuestion>> asked;
    qsizetype next = 0;
    std::function<void()> fill = [&] {
        while (next < count && asked.size() < static_cast<std::size_t>(mostRoomsOfFleet)) {
            const qsizetype at = next++;
            SystemQuestion &question = *(asked[at] = make(at));
            // Its room is closed by the loop: here a step of it may still be on the stack.
            question.start([&loop, &asked, &fill, at] {
                postTo(&loop, [&asked, &fill, at] {
                    asked.erase(at);
                    fill();
                });
            });
        }
        if (asked.empty())
            loop.quit();
    };
    QTimer::singleShot(0, &loop, [&fill] { fill(); });
    loop.exec();
}

} // namespace outbox
