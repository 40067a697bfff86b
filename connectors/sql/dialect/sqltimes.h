// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How one database reads the times of columns, and its own clock. Pure text.
#pragma once

#include "models/localtime.h"
#include "models/shape/catalog.h"
#include "models/shape/outboxshape.h"

#include <QString>
#include <QStringList>

namespace outbox {

/// The table of a column is named t.
class SqlTimes
{
public:
    SqlTimes() = default;
    virtual ~SqlTimes() = default;
    SqlTimes(const SqlTimes &) = delete;
    SqlTimes &operator=(const SqlTimes &) = delete;

    /// A time column in microseconds since 1970; NULL where there is none, and for times without
    /// zone where `zone` is empty.
    [[nodiscard]] virtual QString microseconds(const CatalogTable &table, const QString &name,
                                               const QString &zone,
                                               Reading reading = Reading::Earlier) const = 0;
    /// The same of those times alone that say no zone, read as UTC.
    [[nodiscard]] virtual QString untoldMicroseconds(const CatalogTable &table,
                                                     const QString &name) const;
    /// The condition that a cell of any kind is a time that says no zone; empty where types tell
    /// it.
    [[nodiscard]] virtual QString saysNoZone(const QString & /*cell*/) const { return {}; }
    /// A moment that we wrote ourselves, in milliseconds since 1970.
    [[nodiscard]] virtual QString milliseconds(const QString &cell) const = 0;
    [[nodiscard]] virtual QString nowUs() const = 0;
    /// Now, for a column of `SqlDatabase::timeType`.
    [[nodiscard]] virtual QString nowAsTime() const = 0;
    /// Now, as a time column of a table beside the outbox holds it.
    [[nodiscard]] virtual QString nowBeside(const CatalogColumn &column) const = 0;
    /// Now, as `column` of the outbox holds its times; empty where it cannot be told how.
    [[nodiscard]] virtual QString now(const OutboxShape &shape, const CatalogColumn &column,
                                      const QString &zone) const = 0;
    /// Whether the time that `cell` of `column` holds, in that zone, is after now less `ago`
    /// seconds; may be NULL. Of two moments that a local time may mean the later one counts.
    [[nodiscard]] virtual QString isAfter(const QString &cell, const CatalogColumn &column,
                                          const QString &zone, double ago) const = 0;
    /// Whether a lease ended, never NULL; "false" where the shape knows no lease. One that ended
    /// when 1970 began or before was never taken: columns that must not be NULL say so.
    [[nodiscard]] virtual QString leaseIsOver(const OutboxShape &shape,
                                              const CatalogTable &table) const = 0;
    /// The server's zone, by its name and by its offset in seconds.
    [[nodiscard]] virtual QStringList serverZone() const = 0;
    /// The end of what a consumer may read; empty where there is no such guard.
    [[nodiscard]] virtual QString readableEnd() const { return {}; }
};

} // namespace outbox
