// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a saved system says when its messages wait inside documents: the design, the table, and the
// store beside it.
#pragma once

#include "models/designs/documentshape.h"
#include "models/designs/donestore.h"
#include "models/designs/nextstep.h"
#include "models/result.h"

#include <QJsonObject>

#include <optional>

namespace outbox {

struct DesignProfile
{
    Design design = Design::EntityState;
    DocumentShape documents;
    // The other store: at most one of the two, and none where the design has no such store.
    std::optional<DoneTable> doneTable;
    std::optional<DoneKeys> doneKeys; ///< the prefix is text in UTF-8

    [[nodiscard]] QJsonObject toJson() const;
    /// Fails with Invalid when a member cannot be understood, or two of them exclude each other.
    [[nodiscard]] static Result<DesignProfile> fromJson(const QJsonObject &json);
    /// What is wrong with it, for people; empty: nothing. `retentionSeconds` is how long a copy of
    /// a message may still come.
    [[nodiscard]] QString problem(qint64 retentionSeconds) const;
    bool operator==(const DesignProfile &) const = default;
};

} // namespace outbox
