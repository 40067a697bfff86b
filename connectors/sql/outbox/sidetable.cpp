// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/sidetable.h"

#include "connectors/sql/driver/sqlnames.h"

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

QString whyNotAllowed(const TableRights &rights)
{
    if (!rights.read)
        return u"this role may not read it"_s;
    return rights.write ? QString() : u"this role may not write to it"_s;
}

QString createSideTable(const QString &table, const QStringList &columns,
                        const QHash<QString, QString> &types, const QStringList &key)
{
    QStringList lines;
    for (const QString &name : columns) {
        const QString type = types.value(name);
        lines += u"    "_s + quotedName(name) + u' ' + (type.isEmpty() ? u"text"_s : type)
            + u" NOT NULL"_s;
    }
    QStringList quoted;
    for (const QString &name : key)
        quoted += quotedName(name);
    lines += u"    PRIMARY KEY ("_s + quoted.join(u", "_s) + u')';
    return u"CREATE TABLE "_s + table + u" (\n"_s + lines.join(u",\n"_s) + u"\n);\n"_s;
}

} // namespace outbox
