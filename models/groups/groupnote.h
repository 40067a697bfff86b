// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What somebody wrote down about a group of failures, and who looks after it.
#pragma once

#include "models/groups/failuregroups.h"

namespace outbox {

struct GroupNote
{
    static constexpr int mostCharacters = 500; ///< of `text`
    static constexpr int mostWhoCharacters = 60;

    QString group; ///< its `noteKey`
    QString text;
    QString who; ///< looks after it
    QDateTime at; ///< when it was written, UTC

    [[nodiscard]] bool isEmpty() const { return text.isEmpty() && who.isEmpty(); }
    bool operator==(const GroupNote &) const = default;
};

/// What a note of this group is kept under: the same at each look, whatever its time and its scope.
/// Empty for hours, which come and go.
[[nodiscard]] QString noteKey(const FailureGroup &group);
/// "ana: INC-12, the new certificate comes on Monday"
[[nodiscard]] QString noteWords(const GroupNote &note);

} // namespace outbox
