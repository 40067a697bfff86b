// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A filter over what was done from here.
#pragma once

#include "models/operations/auditentry.h"
#include "models/result.h"

#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>

namespace outbox {

/// Texts are compared without regard to case. Empty members hold for everything.
struct ActivityFilter
{
    QDateTime notBefore;
    QDateTime before;
    QList<Verb> verbs;
    QList<Activity::State> outcomes;
    QString who; ///< this and the next two: `*` and `?` are wildcards
    QString profile;
    QString note;
    std::optional<bool> hasNote;
    QString idPrefix; ///< of the operation, or of a row or task that it met
    QStringList words; ///< each is part of what it says of itself

    /// Reads `when:today verb:purge,run who:ana* profile:orders outcome:partly note~INC id:7e57`
    /// and bare words; `now` is what `-15m` counts from. Fails like pageRequestFromFilter.
    [[nodiscard]] static Result<ActivityFilter> fromText(const QString &text, const QDateTime &now);
    [[nodiscard]] bool matches(const Activity &activity) const;
    bool operator==(const ActivityFilter &) const = default;
};

} // namespace outbox
