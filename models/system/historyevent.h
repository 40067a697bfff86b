// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happened to a system while it was looked at, and how many events stand as one mark on a
// chart.
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

namespace outbox {

/// A moment and one sentence for people, as it is kept between two runs.
struct HistoryEvent
{
    enum class Kind {
        Relay, ///< a relay here started, stopped or failed
        Operation, ///< messages were acted on from here
        Database, ///< it does not answer, or answers again
        Queue, ///< the same of Redis
    };
    QDateTime at; ///< our clock, UTC
    Kind kind = Kind::Relay;
    QString text; ///< "Relay started here."

    bool operator==(const HistoryEvent &) const = default;
};

/// So many events are remembered, and kept in the file; of more the oldest go.
inline constexpr qsizetype mostHistoryEvents = 5'000;

/// Whether everybody who looks at the system sees events of this kind, each at a moment of its own.
[[nodiscard]] constexpr bool isSeenByAll(HistoryEvent::Kind kind)
{
    return kind == HistoryEvent::Kind::Database || kind == HistoryEvent::Kind::Queue;
}

/// Adds an event where its time puts it, once; of too many the oldest is forgotten.
void addInOrder(QList<HistoryEvent> &events, const HistoryEvent &event);

/// One line on a chart. It stands where its first event does.
struct EventMark
{
    QList<HistoryEvent> events; ///< one or more, oldest first

    [[nodiscard]] QDateTime at() const { return events.first().at; }
    /// With the local time: "14:02:40 Relay started here.", or "14:02:40 3 events".
    [[nodiscard]] QString title(const QDateTime &now) const;
    /// The same with a line for each of its events, of many the oldest: for a tooltip.
    [[nodiscard]] QString lines(const QDateTime &now) const;
};

/// The marks of a chart from `from` to `to`. `events` grow in time; what is nearer than `reachMs`
/// to the first event of a mark belongs to that mark.
[[nodiscard]] QList<EventMark> marksOf(const QList<HistoryEvent> &events, const QDateTime &from,
                                       const QDateTime &to, qint64 reachMs);

/// The newest marks in words, for who cannot see them: "Events: 14:02:40 Relay started here,
/// 14:03:01 3 events". Empty where there is none.
[[nodiscard]] QString marksSentence(const QList<EventMark> &marks, const QDateTime &now);

} // namespace outbox
