// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The designs of an outbox that the demo can show, by name.
#pragma once

#include "models/designs/nextstep.h"

#include <QList>
#include <QString>

#include <optional>

namespace outbox {

enum class DemoDesign {
    RedisRelay, ///< rows that the relay deletes once they are in the queue
    ProcessedDate, ///< rows that stay and get a date
    Entity, ///< a map of messages inside business documents
    DedupStore, ///< the same, with the ids of finished messages in a table beside them
    Tokens, ///< the same, with a token for each message
};

[[nodiscard]] QList<DemoDesign> demoDesigns();
[[nodiscard]] QString word(DemoDesign design); ///< as in `outboxdeck --demo=entity`
[[nodiscard]] std::optional<DemoDesign> demoDesignFromWord(QStringView word);
[[nodiscard]] QString label(DemoDesign design); ///< for a menu
/// What is in it and what to look at, in one or two sentences.
[[nodiscard]] QString description(DemoDesign design);
/// nullopt where the messages are rows.
[[nodiscard]] std::optional<Design> documentDesign(DemoDesign design);

} // namespace outbox
