// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Schemas made from a number, each with the truth beside it: an outbox among its neighbours, or
// tables that only look near one. The same number makes the same schema, but for the times of day.
#pragma once

#include "models/message/messagestate.h"
#include "models/shape/outboxshape.h"
#include "tests/support/schemas/tabledraft.h"

#include <QSet>

namespace outbox {

/// One way to say a state that is right; `columns` are those that may carry it.
template <typename How> struct TrueWay
{
    How how;
    QStringList columns;
};

/// What is so about a generated outbox.
struct OutboxTruth
{
    QString table;
    QStringList key;
    QStringList type; ///< each of them is right
    QString payload;
    QStringList created; ///< each of them is right; empty: there is none
    QString due; ///< empty: there is none
    QList<TrueWay<OutboxShape::ProcessedHow>> processed;
    QList<TrueWay<OutboxShape::LockedHow>> locked;
    QList<TrueWay<OutboxShape::FailedHow>> failed;
    QString attempts; ///< empty: there is none; these two count where Attempts is a way to fail
    QString maxAttempts;
    QMap<QString, MessageState> values; ///< of the status column, that rows or the catalog show
    QMap<MessageState, qint64> rows; ///< how many stand in each state
    /// "processed", "locked" …: nothing in catalog or rows says it, so a guess or a question is
    /// right. What rows are in which state is then not known either.
    QSet<QString> unknowable;
    bool mustBeAsked = false; ///< whoever is sure here cannot know it
};

struct GeneratedSchema
{
    quint64 number = 0;
    QString family; ///< the styles that were drawn: "german snake, status numbers, lease until"
    DatabaseUrl::Dialect dialect = DatabaseUrl::Dialect::Sqlite;
    QStringList statements; ///< makes and fills all tables
    QStringList tables;
    std::optional<OutboxTruth> outbox; ///< none among ordinary tables
};

/// An outbox among up to four other tables. `now` is the clock of the database, in UTC.
[[nodiscard]] GeneratedSchema generatedOutbox(const Corpus &corpus, quint64 number,
                                              DatabaseUrl::Dialect dialect, const QDateTime &now);
/// Three tables, none of them an outbox.
[[nodiscard]] GeneratedSchema generatedOrdinary(const Corpus &corpus, quint64 number,
                                                DatabaseUrl::Dialect dialect, const QDateTime &now);

/// An ordinary table in the style of a schema; `line` as in trainingtables.h.
[[nodiscard]] TableDraft ordinaryTable(const QString &line, const NamingStyle &style,
                                       const SqlForm &form, Dice &dice);

} // namespace outbox
