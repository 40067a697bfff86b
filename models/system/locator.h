// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a typed text may mean in the window: the id of a message, a filter, or something that is
// called so.
#pragma once

#include "models/filter/fields.h"

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// One thing that can be gone to.
struct LocatorEntry
{
    /// In the order in which they are shown.
    enum class Kind { Id, Page, Action, SavedFilter, Filter, Profile };
    Kind kind = Kind::Id;
    QString name; ///< the id, the text of the filter, or what it is called
    QString about; ///< what helps to tell it from others; may be empty
    int number = -1; ///< which one of its kind, as whoever offers it counts; -1: the name says it

    bool operator==(const LocatorEntry &) const = default;
};

/// For people.
[[nodiscard]] QString label(LocatorEntry::Kind kind);

/// What there is to be found.
struct LocatorOffer
{
    QList<LocatorEntry> named; ///< pages, actions, saved filters and profiles; a kind in its order
    QString aboutIds; ///< where an id is looked for; empty: nowhere
    std::optional<FilterSubject> subject; ///< of the page that takes a filter; none: no page does
    QString aboutFilters; ///< which page that is
};

/// What was found.
struct LocatorFindings
{
    static constexpr qsizetype mostOfKind = 10;

    QList<LocatorEntry> entries; ///< by kind; within it what begins with the text comes first
    qsizetype more = 0; ///< found, and left out because there are too many of their kind
};

/// What `typed` may mean; with nothing typed, all that has a name. Names have each of its words in
/// them, in any case. A text that could be a filter of any subject is taken for no id, but for one
/// word: a word with a digit is taken for an id, one without where nothing is called so. Several
/// words without a field are taken for a filter where nothing is called so. `now` is what times in
/// a filter count from. Nothing is found of a text longer than a filter may be.
[[nodiscard]] LocatorFindings located(const QString &typed, const LocatorOffer &offer,
                                      const QDateTime &now);

} // namespace outbox
