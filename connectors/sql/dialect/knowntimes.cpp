// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/knowntimes.h"

#include "connectors/sql/driver/sqldatabases.h"
#include "models/mapping/meaning.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

OutboxShape withKnownTimes(const OutboxShape &shape, const CatalogTable &table,
                           DatabaseUrl::Dialect dialect)
{
    const bool isLoose = databaseOf(dialect).isLoose;
    OutboxShape known = shape;
    for (const QString &name : shape.timeColumns()) {
        const CatalogColumn *column = table.column(name);
        if (!column)
            continue;
        const QString form = shape.times.value(name, shape.times.value(u"*"_s));
        const bool saysZone = form == u"utc" || form.startsWith("local:"_L1);
        if (!needsZone(*column, isLoose))
            known.times[name] = u"timestamptz"_s;
        else if (saysZone || (isLoose && form == u"timestamptz"))
            continue; // texts may have a zone in them
        else if (column->isUtcByDefault)
            known.times[name] = u"utc"_s;
        else if (!form.isEmpty())
            known.times[name] = u"unknown"_s;
    }
    return known;
}

} // namespace outbox
