// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of a catalog from a line of text, for tests that need no database.
#pragma once

#include "models/shape/catalog.h"

#include <QHash>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

inline TypeClass classOf(const QString &type)
{
    static const QHash<QString, TypeClass> classes{
        {u"uuid"_s, TypeClass::Uuid},       {u"bigint"_s, TypeClass::Integer},
        {u"integer"_s, TypeClass::Integer}, {u"bytea"_s, TypeClass::Bytes},
        {u"jsonb"_s, TypeClass::Json},      {u"timestamptz"_s, TypeClass::Time},
        {u"timestamp"_s, TypeClass::Time},  {u"boolean"_s, TypeClass::Flag}};
    return classes.value(type, TypeClass::Text);
}

/// "id uuid key, type text, sent_at timestamptz null": columns are NOT NULL unless said; "zero"
/// is the default 0.
inline CatalogTable table(const QString &name, const QString &columns)
{
    CatalogTable table;
    table.name = {u"public"_s, name};
    for (const QString &text : columns.split(u", "_s)) {
        const QStringList words = text.split(u' ');
        CatalogColumn column;
        column.name = words.at(0);
        column.type = words.at(1);
        column.typeClass = classOf(column.type);
        if (column.typeClass == TypeClass::Uuid)
            column.uuidForm = OutboxShape::KeyForm::Uuid;
        column.nullable = words.contains(u"null"_s);
        column.hasDefault = words.contains(u"default"_s) || words.contains(u"zero"_s);
        if (words.contains(u"zero"_s))
            column.defaultText = u"0"_s;
        if (words.contains(u"key"_s))
            table.primaryKey += column.name;
        table.columns += column;
    }
    return table;
}

inline Catalog catalogOf(const QList<CatalogTable> &tables)
{
    return {u"public"_s, tables};
}

} // namespace outbox
