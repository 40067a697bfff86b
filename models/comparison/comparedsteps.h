// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lines of time of two messages on one axis, so that the step that took longer is seen.
#pragma once

#include "models/system/timeline.h"

#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// One step that one of the two messages, A and B, has at least.
struct ComparedStep
{
    struct Station
    {
        TimelinePoint point;
        /// Since the beginning of the axis, below 0 before it; nullopt where a time is not known.
        std::optional<double> afterSeconds;
        /// Since the step before it whose time is known in both. nullopt where there is none, and
        /// where this one came earlier: the clocks of two hosts differ.
        std::optional<double> tookSeconds;

        bool operator==(const Station &) const = default;
    };
    TimelinePoint::Kind kind = TimelinePoint::Kind::Now;
    std::optional<TimelinePoint::Kind> since; ///< the step from which both are measured
    std::optional<Station> a; ///< nullopt: A has no such step, as far as is known
    std::optional<Station> b;

    /// By how many seconds B took longer than A; nullopt where either is not known.
    [[nodiscard]] std::optional<double> difference() const;
    bool operator==(const ComparedStep &) const = default;
};

struct ComparedJourneys
{
    /// Where the axis begins: "written", or the first step whose time is known in both. nullopt:
    /// there is no such step, and nothing can be measured.
    std::optional<TimelinePoint::Kind> begin;
    QList<ComparedStep> steps; ///< in the order of A, those of B alone behind what they follow
    std::optional<qsizetype> widest; ///< the step that differs most; nullopt: none differs

    bool operator==(const ComparedJourneys &) const = default;
};

/// Each point of both lines is in one step. What operators did is never taken for the same step.
[[nodiscard]] ComparedJourneys compareJourneys(const QList<TimelinePoint> &a,
                                               const QList<TimelinePoint> &b);

/// "Written to Done", or "Done" where it is not measured.
[[nodiscard]] QString stepName(const ComparedStep &step);
/// How long it took, or where else it stands: "41 s", "after 2 min", "not known". "–": there is no
/// such step.
[[nodiscard]] QString stationText(const std::optional<ComparedStep::Station> &station,
                                  const QDateTime &now);
/// "B took 38 s longer", "no difference", "not known".
[[nodiscard]] QString stepDifferenceText(const ComparedStep &step);

} // namespace outbox
