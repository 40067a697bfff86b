// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the mapping editor is told of a table, and what a mapping makes of its rows.
#pragma once

#include "models/message/message.h"
#include "models/shape/catalog.h"
#include "models/system/snapshots.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace outbox {

/// A value of a column among the rows that were looked at, and how many of these have it.
struct ValueCount
{
    QString value;
    qint64 count = 0;

    bool operator==(const ValueCount &) const = default;
};

/// One table as the mapping begins with it.
struct TableSurvey
{
    CatalogTable table;
    ProbeFinding finding;
    QMap<QString, QStringList> samples; ///< by column: the beginnings of its first values
    bool isLoose = false; ///< any column may hold any kind of value (SQLite)

    bool operator==(const TableSurvey &) const = default;
};

/// The first rows as a shape reads them, and all of them counted by state.
struct MappingPreview
{
    QString problem; ///< why there is none; empty: there is one
    QList<Message> rows;
    OutboxSnapshot counts;
    QString statusColumn; ///< whose values were looked at; may be empty
    QList<ValueCount> values;

    bool operator==(const MappingPreview &) const = default;
};

} // namespace outbox
