// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the states of a row are written with in MariaDB.
#include "connectors/sql/dialect/zonetexts.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbtexts.h"

namespace outbox::mariadb {

using namespace Qt::Literals::StringLiterals;

namespace {

class MariadbStateTexts : public StateTexts
{
public:
    QString name(const QString &column) const override { return quotedName(column); }
    QString name(const TableName &table) const override { return quotedName(table); }
    QString literal(const QString &text) const override
    {
        QString inner = storable(text);
        inner.replace(u'\\', u"\\\\"_s).replace(u'\'', u"''"_s);
        return u'\'' + inner + u'\'';
    }
    QString asText(const QString &cell) const override
    {
        // Minds the case, whatever the column's own collation does.
        return u"CONVERT("_s + cell + u" USING utf8mb4) COLLATE utf8mb4_bin"_s;
    }
    bool needsZone(const CatalogColumn &column) const override { return isWithoutZone(column); }
    QString isAfter(const QString &cell, const CatalogColumn &column, const QString &zone,
                    double ago) const override
    {
        if (column.typeClass != TypeClass::Time && column.typeClass != TypeClass::Integer)
            return u"false"_s;
        return microsecondsOf(cell, column, clockOfNow(zone, ago), Reading::Later) + u" > "_s
            + nowUs() + u" - "_s + QString::number(ago * 1e6, 'f', 0);
    }
    QString now(const CatalogColumn &column, const QString &zone) const override
    {
        if (column.typeClass != TypeClass::Time)
            return {};
        return nowIn(isWithoutZone(column) ? zone : u"UTC"_s);
    }
};

} // namespace

const StateTexts &stateTexts()
{
    static const MariadbStateTexts texts;
    return texts;
}

} // namespace outbox::mariadb
