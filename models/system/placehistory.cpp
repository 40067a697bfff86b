// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/placehistory.h"

namespace outbox {

void PlaceHistory::visit(const WindowPlace &place)
{
    if (here() && here()->isSameAs(place))
        return;
    m_places.resize(m_at + 1);
    m_places += place;
    if (m_places.size() > mostSteps + 1)
        m_places.removeFirst();
    m_at = m_places.size() - 1;
}

void PlaceHistory::choose(const QString &chosen)
{
    if (m_at >= 0)
        m_places[m_at].chosen = chosen;
}

void PlaceHistory::leaveOut(int page)
{
    QList<WindowPlace> kept;
    qsizetype at = -1;
    for (qsizetype i = 0; i < m_places.size(); ++i) {
        const WindowPlace &one = m_places.at(i);
        if (one.page != page && (kept.isEmpty() || !kept.constLast().isSameAs(one)))
            kept += one;
        if (i <= m_at)
            at = kept.size() - 1;
    }
    m_places = kept;
    m_at = at;
}

void PlaceHistory::forget()
{
    m_places.clear();
    m_at = -1;
}

} // namespace outbox
