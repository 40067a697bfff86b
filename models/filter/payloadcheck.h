// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a filter asks of a payload: a text in it, or a member of a JSON document.
#pragma once

#include "models/filter/predicate.h"
#include "models/payload/jsontokens.h"

namespace outbox {

/// One payload, taken apart at most once however many checks ask for it.
class CheckedPayload
{
public:
    /// `storedBytes`: its whole length, of which `payload` may be the beginning.
    CheckedPayload(const QByteArray &payload, qint64 storedBytes)
        : m_payload(payload), m_isWhole(payload.size() >= storedBytes)
    { }

    /// Before its negation.
    [[nodiscard]] Truth meets(const FieldCheck &check);

private:
    [[nodiscard]] Truth memberMeets(const FieldCheck &check);

    const QByteArray &m_payload;
    const bool m_isWhole;
    std::optional<Result<JsonTree>> m_tree;
};

} // namespace outbox
