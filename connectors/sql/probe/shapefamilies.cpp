// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/probe/shapefamilies.h"

#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/probe/shapefamilytexts.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const CatalogColumn *columnOf(const CatalogTable &table, QStringView name)
{
    for (const CatalogColumn &column : table.columns) {
        if (column.name.compare(name, Qt::CaseInsensitive) == 0)
            return &column;
    }
    return nullptr;
}

const CatalogTable *besideOf(const CatalogTable &table, const Catalog &catalog, QStringView name)
{
    for (const CatalogTable &other : catalog.tables) {
        if (other.name.schema == table.name.schema
            && other.name.table.compare(name, Qt::CaseInsensitive) == 0)
            return &other;
    }
    return nullptr;
}

/// Puts the catalog's names into a member: "@name" is a column, "#name" a table.
class Naming
{
public:
    Naming(const CatalogTable &table, const Catalog &catalog) : m_table(table), m_catalog(catalog)
    { }

    /// Null where a name is not there.
    [[nodiscard]] QJsonValue named(const QJsonValue &value, const CatalogTable &of) const
    {
        if (value.isString())
            return text(value.toString(), of);
        if (value.isArray()) {
            QJsonArray list;
            for (const auto &one : value.toArray()) {
                const QJsonValue entry = named(one, of);
                if (entry.isNull())
                    return {};
                list.append(entry);
            }
            return list;
        }
        return value.isObject() ? object(value.toObject(), of) : value;
    }

private:
    [[nodiscard]] QJsonValue text(const QString &text, const CatalogTable &of) const
    {
        if (text.startsWith(u'@')) {
            const CatalogColumn *column = columnOf(of, QStringView(text).mid(1));
            return column ? QJsonValue(column->name) : QJsonValue();
        }
        if (text.startsWith(u'#')) {
            const CatalogTable *other = besideOf(m_table, m_catalog, QStringView(text).mid(1));
            return other ? QJsonValue(other->name.text()) : QJsonValue();
        }
        return text;
    }

    [[nodiscard]] QJsonValue object(const QJsonObject &json, const CatalogTable &of) const
    {
        const CatalogTable *theirs = &of;
        if (const QString table = json.value("table"_L1).toString(); table.startsWith(u'#')) {
            theirs = besideOf(m_table, m_catalog, QStringView(table).mid(1));
            if (!theirs)
                return {};
        }
        QJsonObject named;
        for (auto member = json.begin(); member != json.end(); ++member) {
            QJsonValue value;
            if (member.key() == "on"_L1)
                value = pairs(member.value().toObject(), *theirs);
            else
                value = this->named(member.value(), *theirs);
            if (value.isNull())
                return {};
            named[member.key()] = value;
        }
        return named;
    }

    [[nodiscard]] QJsonValue pairs(const QJsonObject &json, const CatalogTable &theirs) const
    {
        QJsonObject on;
        for (auto pair = json.begin(); pair != json.end(); ++pair) {
            const QJsonValue their = text(pair.key(), theirs);
            const QJsonValue our = text(pair.value().toString(), m_table);
            if (their.isNull() || our.isNull())
                return {};
            on[their.toString()] = our;
        }
        return on;
    }

    const CatalogTable &m_table;
    const Catalog &m_catalog;
};

} // namespace

std::optional<FamilyMatch> familyOf(const CatalogTable &table, const Catalog &catalog)
{
    std::optional<FamilyMatch> best;
    for (const FamilyText &family : familyTexts()) {
        const QStringList columns = QString(family.columns).split(u' ');
        int missing = 0;
        for (const QString &name : columns)
            missing += columnOf(table, name) ? 0 : 1;
        bool hasNeighbours = true;
        for (const QString &name : QString(family.beside).split(u' ', Qt::SkipEmptyParts))
            hasNeighbours = hasNeighbours && besideOf(table, catalog, name);
        const bool isNamed = family.table.isEmpty()
            || table.name.table.contains(family.table, Qt::CaseInsensitive);
        const bool isBeside
            = hasAnyWord(wordsOf(table.name.table),
                         {u"inbox"_s, u"received"_s, u"incoming"_s, u"archive"_s, u"dead"_s});
        const int count = static_cast<int>(columns.size());
        if (!hasNeighbours || !isNamed || isBeside || missing * 5 > count)
            continue;
        if (!best || missing < best->missing || (missing == best->missing && count > best->columns))
            best = FamilyMatch{family.name, missing, count};
    }
    return best;
}

OutboxShape withFamily(const OutboxShape &shape, const QString &family, const CatalogTable &table,
                       const Catalog &catalog)
{
    OutboxShape known = shape;
    for (const FamilyText &one : familyTexts()) {
        if (one.name != family || one.shape.isEmpty())
            continue;
        const QJsonObject members
            = QJsonDocument::fromJson(QByteArray(one.shape.data(), one.shape.size())).object();
        Q_ASSERT(!members.isEmpty());
        const Naming naming(table, catalog);
        QJsonObject json = known.toJson();
        for (auto member = members.begin(); member != members.end(); ++member) {
            const QJsonArray ways
                = member.value().isArray() ? member.value().toArray() : QJsonArray{member.value()};
            for (const auto &way : ways) { // the first that the catalog allows
                const QJsonValue value = naming.named(way, table);
                if (value.isNull())
                    continue;
                json[member.key()] = value;
                break;
            }
        }
        if (const auto read = OutboxShape::fromJson(json))
            known = *read;
    }
    known.family = family;
    known.use = OutboxShape::Use::Watch;
    return known;
}

bool isStatusExplained(const QString &family)
{
    for (const FamilyText &one : familyTexts()) {
        if (one.name == family && one.shape.contains("\"status\""_L1))
            return true;
    }
    return false;
}

} // namespace outbox
