// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/askeach.h"

#include "app/system/fleet/fleetpace.h"

#include <QEventLoop>
#include <QTimer>

#include <map>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QuestionPlace ownPlace()
{
    return {std::make_shared<Room<FleetSessions>>(u"fleet"_s), {}, u"outboxctl"_s};
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
