// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is stuck or has failed, as far as one bounded look went: what groups are made of.
#pragma once

#include "models/filter/filter.h"
#include "models/message/message.h"
#include "models/message/task.h"

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// Rows of the outbox, or tasks of the queues.
enum class FailureSource { Rows, Tasks };

/// Which of them are meant; `filter` says it in the language of filters.
struct FailureScope
{
    QString filter;
    QString name; ///< for people
    QString nothing; ///< what is said where there are none, without a full stop

    bool operator==(const FailureScope &) const = default;
};

/// The scopes of a source, the usual one first.
[[nodiscard]] QList<FailureScope> scopesOf(FailureSource source);

struct FailureQuestion
{
    FailureSource source = FailureSource::Rows;
    QString scope; ///< a filter
    std::optional<qint64> withinSeconds; ///< rows written, tasks failed since; nullopt: ever

    bool operator==(const FailureQuestion &) const = default;
};

/// One row or task of it.
struct FailedItem
{
    static constexpr qsizetype mostErrorCharacters = 400;

    QString id;
    QString type;
    QString queue;
    QString error; ///< its beginning
    QString cause; ///< of the whole error
    std::optional<QDateTime> at; ///< when the row was written, when the task last failed

    bool operator==(const FailedItem &) const = default;
};

[[nodiscard]] FailedItem itemOf(const Message &row);
[[nodiscard]] FailedItem itemOf(const Task &task);

struct FailureSample
{
    FailureQuestion question;
    QDateTime at; ///< when the look began, our clock, UTC, whole seconds
    QList<FailedItem> items;
    bool isWhole = true; ///< no others are there
    std::optional<qint64> total; ///< how many there are; nullopt: not known
    bool totalIsExact = true;
    /// Where no index finds them: so many of the newest rows were read for it. Else 0.
    qint64 searched = 0;
    int reads = 0; ///< pages that were read
    double tookMs = 0;
    double longestMs = 0; ///< of one page

    /// Since when they count; invalid: ever.
    [[nodiscard]] QDateTime from() const;
    bool operator==(const FailureSample &) const = default;
};

/// What a question asked at this time means, as a filter.
[[nodiscard]] Filter filterOf(const FailureQuestion &question, const QDateTime &at);
/// "all 37", "the newest 2,000 of ~12,400": how far the numbers go.
[[nodiscard]] QString sizeWords(const FailureSample &sample);

} // namespace outbox
