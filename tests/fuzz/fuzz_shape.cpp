// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A mapping as a file, and the profile that may hold one.
#include "models/profile/profile.h"
#include "models/shape/outboxshape.h"
#include "tests/fuzz/fuzzing.h"

#include <QJsonDocument>

using namespace outbox;

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QJsonDocument document = QJsonDocument::fromJson(fuzz::bytesOf(data, size));
    if (!document.isObject())
        return 0;
    if (const auto shape = OutboxShape::fromJson(document.object())) {
        const auto again = OutboxShape::fromJson(shape->toJson());
        fuzz::demand(again.has_value());
        // What stands beside the point may be lost once, and nothing after that.
        const auto settled = OutboxShape::fromJson(again->toJson());
        fuzz::demand(settled.has_value() && *settled == *again);
        static_cast<void>(shape->whyNotRelay());
    }
    if (const auto profile = Profile::fromJson(document.object())) {
        const auto again = Profile::fromJson(profile->toJson());
        fuzz::demand(again.has_value());
        const auto settled = Profile::fromJson(again->toJson());
        fuzz::demand(settled.has_value() && *settled == *again);
    }
    return 0;
}
