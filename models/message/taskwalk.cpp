// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/message/taskwalk.h"

namespace outbox {

TaskWalk::TaskWalk(QList<TaskState> states, const QString &cursor) : m_states(std::move(states))
{
    if (cursor.isEmpty())
        return;
    const auto state = taskStateFromWord(cursor.section(u' ', 0, 0));
    const qsizetype at = state ? m_states.indexOf(*state) : -1;
    m_at = at < 0 ? m_states.size() : at;
    m_after = cursor.section(u' ', 1);
}

void TaskWalk::passed(const TaskPage &page)
{
    m_after = page.next;
    if (m_after.isEmpty())
        ++m_at;
}

QString TaskWalk::cursor() const
{
    return isOver() ? QString() : QString(word(state()) + u' ' + m_after);
}

} // namespace outbox
