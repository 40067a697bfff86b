// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/sidetable.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString whyNotOurs(const CatalogTable &table, const QStringList &columns, const QStringList &key)
{
    for (const QString &name : columns) {
        if (!table.column(name))
            return u"it has no column \"%1\""_s.arg(name);
    }
    QStringList found = table.primaryKey;
    QStringList wanted = key;
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
    return found == wanted ? QString() : u"its primary key is not (%1)"_s.arg(key.join(u", "_s));
}

} // namespace outbox
