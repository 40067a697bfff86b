// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a database server that is a standby says of itself.
#pragma once

#include <QString>

#include <optional>

namespace outbox {

/// A server that repeats what its primary wrote, and writes nothing itself.
struct StandbyState
{
    std::optional<double> lagSeconds; ///< behind its primary, as far as it knows; 0: all came
    QString whyNoLag; ///< where that is not known

    bool operator==(const StandbyState &) const = default;
};

} // namespace outbox
