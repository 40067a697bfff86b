// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was seen and is not in the file yet, gathered into points, and what happened.
#pragma once

#include "models/system/historypoint.h"

#include <QDateTime>
#include <QMap>

#include <optional>

namespace outbox {

class HistoryBuffer
{
public:
    /// `nullopt` says "asked and not known".
    void add(const QDateTime &at, Measure measure, std::optional<double> value);
    void add(const HistoryEvent &event) { addInOrder(m_events, event); }
    /// The points and events so far; they are not held any more.
    [[nodiscard]] HistoryPoints take();
    /// What could not be written waits here again; of too many points the oldest are forgotten, and
    /// false is answered.
    bool putBack(const HistoryPoints &points);
    [[nodiscard]] bool isEmpty() const { return m_tiers.front().isEmpty() && m_events.isEmpty(); }

private:
    std::array<QMap<qint64, HistoryPoint>, historyTiers.size()>
        m_tiers; ///< by HistoryTier, by time
    QList<HistoryEvent> m_events;
};

} // namespace outbox
