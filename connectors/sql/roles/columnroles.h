// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which column of a table plays which part (shapes.md 5.3), by words, type and nullability.
#pragma once

#include "models/shape/catalog.h"

#include <QString>
#include <QStringList>

namespace outbox {

/// Names of columns; empty where the table has none for the part.
struct ColumnRoles
{
    QString key;
    QStringList keyParts; ///< of a key of several columns
    QString type;
    QString payload;
    QString rivalPayload; ///< nearly as good as `payload`
    QString headers;
    QString referenceTable;
    QString referenceId;
    QString created;
    QString processedTime;
    QString processedFlag;
    QString status;
    QString due;
    QString attempts; ///< finished ones, where both are counted
    QString startedAttempts;
    QString maxAttempts;
    QString error;
    QString queue;
    QString priority;
    QString leaseEnd; ///< the time until which a row is held
    QString owner; ///< who holds it
    QString lockTime; ///< since when
    QString failedTime; ///< marks a row as given up
    QString failedFlag;
    QStringList unknown; ///< columns that play no part we know

    friend bool operator==(const ColumnRoles &, const ColumnRoles &) = default;
};

[[nodiscard]] ColumnRoles rolesOf(const CatalogTable &table);

/// A verb of delivery in its base form, which names what is still to be done ("enqueue",
/// "dispatch"), and not what was done ("enqueued").
[[nodiscard]] bool isToBeDone(const QString &word);

} // namespace outbox
