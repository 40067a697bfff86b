// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the name of a column says of the part it plays: one kind of evidence among several. Pure.
#pragma once

#include <QStringList>

namespace outbox {

enum class TimeHint {
    None,
    Created,
    Due,
    Sent,
    Failed,
    LeaseEnd,
    LockTime,
    Other, ///< a time that says nothing of the state of a row
};
[[nodiscard]] TimeHint timeHint(const QStringList &words);

enum class FlagHint {
    None,
    Sent,
    Failed,
    Business, ///< its last word could mean delivery, but of something that has a name
};
[[nodiscard]] FlagHint flagHint(const QStringList &words);

/// Whether a time or flag of this name tells a delivery in words that everybody uses for it.
[[nodiscard]] bool saysSent(const QStringList &words);

/// A time or flag whose name uses a word that means one part, and not one of several.
[[nodiscard]] bool saysClearly(const QStringList &words);
/// A time of the last change, or of a sign of life.
[[nodiscard]] bool saysChange(const QStringList &words);
/// A moment in which something began.
[[nodiscard]] bool saysBegin(const QStringList &words);
/// A word for holding, and one for who does: nothing else is meant.
[[nodiscard]] bool saysHolder(const QStringList &words);
/// Who holds a row.
[[nodiscard]] bool isOwnerHint(const QStringList &words);
/// How far a row is, and of nothing else than the row.
[[nodiscard]] bool isStatusHint(const QStringList &name);
/// "OrderCreated", "order.created", "com.shop.OrderCreated": what happened to what.
[[nodiscard]] bool isEventName(QString text);
/// 0 no, up to 30: which messages these are.
[[nodiscard]] int typePoints(const QStringList &words);

} // namespace outbox
