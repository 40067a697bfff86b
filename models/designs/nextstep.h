// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What may be done to an entry of a document without losing a message or running one twice: pure
// rules.
#pragma once

#include "models/designs/outboxstate.h"
#include "models/message/findingkind.h"

#include <QString>

#include <optional>

namespace outbox {

/// Where a design keeps the ids of the incoming messages that are done.
enum class Design {
    EntityState, ///< in the document, for ever: the entry becomes null
    DedupStore, ///< in another store: presence there means done
    Tokens, ///< nowhere: the absence of the incoming message's token means done
};

[[nodiscard]] QString word(Design design); ///< "entity", "store", "tokens"
[[nodiscard]] QString label(Design design); ///< "Entity with OutboxState"
[[nodiscard]] std::optional<Design> designFromWord(QStringView word);

/// What is safe next for one entry.
struct NextStep
{
    enum class Act {
        Dispatch, ///< send its messages, under the same ids as ever; then null, or add and remove
        Remove, ///< the entry is a leftover: the other store knows that its message is done
        Keep, ///< nothing to do
        LeaveAlone, ///< nobody can tell, or the handler of the message alone may go on
    };
    Act act = Act::LeaveAlone;
    std::optional<FindingKind> kind; ///< LeakedEntry or Undispatched
    QString reason; ///< one sentence

    bool operator==(const NextStep &) const = default;
};

/// `isDone` is what the other store says of the incoming message, read after the document was;
/// nullopt where it was not asked. An entry whose messages may not have been dispatched is never
/// removed.
[[nodiscard]] NextStep nextStep(const OutboxEntry &entry, Design design,
                                std::optional<bool> isDone = std::nullopt);

/// Why `entry` may not be purged, for people; empty where it may. `ageSeconds` is how long ago it
/// was made, `retentionSeconds` how long a copy of the incoming message may still come.
[[nodiscard]] QString whyNotPurge(const OutboxEntry &entry, Design design,
                                  std::optional<double> ageSeconds, qint64 retentionSeconds);

} // namespace outbox
