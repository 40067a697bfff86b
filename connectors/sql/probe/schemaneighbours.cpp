// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/probe/schemaneighbours.h"

#include "connectors/sql/names/schemawords.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QList<const CatalogTable *> beside(const CatalogTable &table, const Catalog &catalog)
{
    QList<const CatalogTable *> others;
    for (const CatalogTable &other : catalog.tables) {
        if (other.name.schema == table.name.schema && other.name != table.name)
            others += &other;
    }
    return others;
}

bool sharesWord(const CatalogTable &a, const CatalogTable &b)
{
    return hasAnyWord(wordsOf(a.name.table), wordsOf(b.name.table));
}

/// The first column whose name has one of the words and that fits.
template <typename Fits>
QString columnWith(const CatalogTable &table, const QStringList &words, Fits fits)
{
    for (const QString &word : words) {
        for (const CatalogColumn &column : table.columns) {
            if (hasWord(wordsOf(column.name), word) && fits(column))
                return column.name;
        }
    }
    return {};
}

QString errorColumnOf(const CatalogTable &table)
{
    const auto isText = [](const CatalogColumn &column) {
        return column.typeClass == TypeClass::Text || column.typeClass == TypeClass::Json;
    };
    QString message
        = columnWith(table, {u"error"_s, u"exception"_s}, [&isText](const CatalogColumn &column) {
              return isText(column) && hasAnyWord(wordsOf(column.name), {u"message"_s, u"text"_s});
          });
    if (!message.isEmpty())
        return message;
    return columnWith(
        table, {u"error"_s, u"exception"_s, u"failure"_s, u"reason"_s},
        [&isText](const CatalogColumn &column) {
            return isText(column) && !hasAnyWord(wordsOf(column.name), {u"type"_s, u"class"_s});
        });
}

/// `job_id` of a table of jobs: its column for the key of that one.
QString pointerTo(const CatalogTable &table, const CatalogTable &other)
{
    const QStringList words = wordsOf(table.name.table);
    for (const CatalogColumn &column : other.columns) {
        const QStringList names = wordsOf(column.name);
        if (names.size() >= 2 && names.constLast() == u"id"
            && hasAnyWord(words, names.first(names.size() - 1))
            && other.primaryKey != QStringList{column.name})
            return column.name;
    }
    return {};
}

} // namespace

Positions positionsOf(const CatalogTable &table, const Catalog &catalog, const QStringList &keys)
{
    if (keys.isEmpty())
        return {};
    const auto isNumber
        = [](const CatalogColumn &column) { return column.typeClass == TypeClass::Integer; };
    for (const CatalogTable *other : beside(table, catalog)) {
        if (!sharesWord(table, *other))
            continue;
        const QString consumer
            = columnWith(*other, {u"consumer"_s, u"group"_s, u"subscriber"_s, u"subscription"_s},
                         [&](const CatalogColumn &column) { return !isNumber(column); });
        if (consumer.isEmpty())
            continue;
        Positions positions;
        positions.table = other->name;
        positions.consumerColumn = consumer;
        for (const QString &key : keys) {
            QStringList words = wordsOf(key);
            words.removeAll(u"id"_s);
            const auto isPosition = [&](const CatalogColumn &column) {
                return isNumber(column) && !positions.columns.contains(column.name)
                    && hasAnyWord(wordsOf(column.name),
                                  {u"offset"_s, u"position"_s, u"consumed"_s, u"last"_s, u"acked"_s,
                                   u"processed"_s});
            };
            QString found = columnWith(*other, words, isPosition);
            if (found.isEmpty()) {
                found = columnWith(*other,
                                   {u"offset"_s, u"position"_s, u"consumed"_s, u"acked"_s,
                                    u"processed"_s, u"last"_s},
                                   isPosition);
            }
            if (!found.isEmpty())
                positions.columns += found;
            if (const CatalogColumn *own = table.column(key); own && own->type == u"xid8")
                positions.guard = u"xid8"_s;
        }
        if (positions.columns.size() != keys.size())
            continue;
        for (const QString &part : other->primaryKey) { // each reads a part of the rows
            if (part != consumer && table.column(part))
                positions.on[part] = part;
        }
        return positions;
    }
    return {};
}

RelatedTable memberOf(const CatalogTable &table, const Catalog &catalog, const QStringList &words)
{
    if (table.primaryKey.size() != 1)
        return {};
    for (const CatalogTable *other : beside(table, catalog)) {
        if (!hasAnyWord(wordsOf(other->name.table), words) || !sharesWord(table, *other))
            continue;
        const QString pointer = pointerTo(table, *other);
        const CatalogColumn *key = table.column(table.primaryKey.constFirst());
        const CatalogColumn *theirs = other->column(pointer);
        if (!theirs || !key || theirs->typeClass != key->typeClass
            || !(other->uniqueColumns.contains(pointer) || theirs->typeClass == TypeClass::Uuid))
            continue;
        RelatedTable in;
        in.table = other->name;
        in.on[pointer] = key->name;
        in.errorColumn = errorColumnOf(*other);
        in.dueColumn = columnWith(
            *other, {u"scheduled"_s, u"run"_s, u"due"_s},
            [](const CatalogColumn &column) { return column.typeClass == TypeClass::Time; });
        in.ownerColumn = columnWith(*other, {u"process"_s, u"worker"_s, u"owner"_s, u"node"_s},
                                    [&pointer](const CatalogColumn &column) {
                                        return column.name != pointer
                                            && wordsOf(column.name).constLast() == u"id";
                                    });
        return in;
    }
    return {};
}

NodeTable nodesOf(const RelatedTable &in, const CatalogTable &table, const Catalog &catalog)
{
    if (in.ownerColumn.isEmpty())
        return {};
    const QStringList words = wordsOf(in.ownerColumn);
    for (const CatalogTable *other : beside(table, catalog)) {
        if (other->primaryKey.size() != 1
            || !hasAnyWord(wordsOf(other->name.table), words.first(words.size() - 1)))
            continue;
        const QString heartbeat = columnWith(*other, {u"heartbeat"_s, u"seen"_s, u"alive"_s},
                                             [](const CatalogColumn &) { return true; });
        if (!heartbeat.isEmpty())
            return {other->name, other->primaryKey.constFirst(), heartbeat};
    }
    return {};
}

RelatedTable lockRowsOf(const CatalogTable &table, const Catalog &catalog)
{
    for (const CatalogTable *other : beside(table, catalog)) {
        if (!hasWord(wordsOf(other->name.table), u"lock"_s) || !sharesWord(table, *other))
            continue;
        const ColumnRoles theirs = rolesOf(*other);
        if (theirs.owner.isEmpty())
            continue;
        RelatedTable in;
        in.table = other->name;
        in.ownerColumn = theirs.owner;
        in.timeColumn = theirs.lockTime;
        for (const CatalogColumn &column : other->columns) {
            const CatalogColumn *own = table.column(column.name);
            if (own && own->typeClass == column.typeClass && !table.primaryKey.contains(own->name)
                && column.typeClass != TypeClass::Time)
                in.on[column.name] = own->name;
        }
        if (!in.on.isEmpty())
            return in;
    }
    return {};
}

RelatedTable deadLettersOf(const CatalogTable &table, const Catalog &catalog)
{
    for (const CatalogTable *other : beside(table, catalog)) {
        const QStringList words = wordsOf(other->name.table);
        const bool isDead = hasAnyWord(words, {u"dead"_s, u"letter"_s, u"poison"_s, u"dlq"_s})
            || hasWord(words, u"failed"_s);
        // a table of another outbox has no word in common, or one that all of them have
        if (!isDead || !sharesWord(table, *other))
            continue;
        const ColumnRoles roles = rolesOf(*other);
        if (roles.payload.isEmpty())
            continue;
        RelatedTable in;
        in.table = other->name;
        in.errorColumn = errorColumnOf(*other);
        return in;
    }
    return {};
}

TableName archiveOf(const CatalogTable &table, const Catalog &catalog)
{
    for (const CatalogTable *other : beside(table, catalog)) {
        if (!hasAnyWord(wordsOf(other->name.table), {u"archive"_s, u"archived"_s})
            || !sharesWord(table, *other))
            continue;
        const bool isTwin = std::all_of(
            table.columns.cbegin(), table.columns.cend(),
            [other](const CatalogColumn &column) { return other->column(column.name) != nullptr; });
        if (isTwin)
            return other->name;
    }
    return {};
}

RelatedTable typeLookupOf(const CatalogTable &table, const Catalog &catalog)
{
    for (const CatalogColumn &column : table.columns) {
        const QStringList words = wordsOf(column.name);
        if (column.typeClass != TypeClass::Integer || words.size() < 2 || words.constLast() != u"id"
            || column.nullable)
            continue;
        for (const CatalogTable *other : beside(table, catalog)) {
            const QStringList names = wordsOf(other->name.table);
            if (other->primaryKey.size() != 1 || other->columns.size() > 4
                || !hasWord(names, words.at(words.size() - 2)))
                continue;
            for (const CatalogColumn &text : other->columns) {
                if (text.typeClass != TypeClass::Text || text.nullable)
                    continue;
                RelatedTable in;
                in.table = other->name;
                in.on[other->primaryKey.constFirst()] = column.name;
                in.column = text.name;
                return in;
            }
        }
    }
    return {};
}

} // namespace outbox
