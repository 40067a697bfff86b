// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/shape/catalog.h"

namespace outbox {

const CatalogTable *Catalog::find(const TableName &name) const
{
    const CatalogTable *elsewhere = nullptr;
    for (const CatalogTable &table : tables) {
        if (table.name.table != name.table)
            continue;
        const QString wanted = name.schema.isEmpty() ? defaultSchema : name.schema;
        if (table.name.schema == wanted)
            return &table;
        if (name.schema.isEmpty() && !elsewhere)
            elsewhere = &table;
    }
    return elsewhere;
}

} // namespace outbox
