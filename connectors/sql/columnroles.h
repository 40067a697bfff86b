// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which column of a table plays which part (shapes.md 5.3), by words, type and nullability.
#pragma once

#include "models/catalog.h"

#include <QString>
#include <QStringList>

namespace outbox {

/// Names of columns; empty where the table has none for the part.
struct ColumnRoles
{
    QString key;
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
    QString attempts;
    QString error;
    QString queue;
    QString leaseEnd; ///< the time until which a row is held
    QString leaseOwner; ///< beside `leaseEnd`: who holds it
    QString lease; ///< without an end: an owner or a lock time, the first that is there
    QString failed; ///< a time or flag that marks a row as given up
    QStringList unknown; ///< columns that play no part we know
};

[[nodiscard]] ColumnRoles rolesOf(const CatalogTable &table);

} // namespace outbox
