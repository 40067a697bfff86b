// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where somebody was in the window, one place after another, for the way back and forward.
#pragma once

#include <QList>
#include <QString>

namespace outbox {

/// A page with the filter that is applied there, and what is chosen there.
struct WindowPlace
{
    int page = 0; ///< its number in the window
    QString filter; ///< what else makes a place of it, as the page has it; empty: nothing
    QString chosen; ///< of its rows or queues; makes no other place of it

    [[nodiscard]] bool isSameAs(const WindowPlace &other) const
    {
        return page == other.page && filter == other.filter;
    }
    bool operator==(const WindowPlace &) const = default;
};

/// The places of one opened system. One stands beside another only where they differ.
class PlaceHistory
{
public:
    static constexpr qsizetype mostSteps = 50; ///< back; older places are forgotten

    /// Somebody went there: what lay ahead is forgotten, unless it is where they are.
    void visit(const WindowPlace &place);
    /// What is chosen at the place where they are.
    void choose(const QString &chosen);
    /// A page cannot be gone to any more: its places are forgotten.
    void leaveOut(int page);
    void forget();

    [[nodiscard]] bool hasBack() const { return m_at > 0; }
    [[nodiscard]] bool hasForward() const { return m_at + 1 < m_places.size(); }
    /// One step, only where there is one; answers the place where they are then.
    const WindowPlace &goBack() { return m_places.at(--m_at); }
    const WindowPlace &goForward() { return m_places.at(++m_at); }
    /// nullptr before the first visit.
    [[nodiscard]] const WindowPlace *here() const
    {
        return m_at < 0 ? nullptr : &m_places.at(m_at);
    }

private:
    QList<WindowPlace> m_places; ///< oldest first
    qsizetype m_at = -1; ///< where they are; -1: nowhere yet
};

} // namespace outbox
