// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the states of a row are made of: tests on its columns, and on rows of other tables.
#include "connectors/sql/dialect/conditions.h"
#include "connectors/sql/dialect/rowstates.h"
#include "connectors/sql/driver/sqlnames.h"
#include "models/localtime.h"
#include "models/mapping/meaning.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace conditions;

QString RowStates::cell(const QString &prefix, const QString &column) const
{
    return prefix + quotedName(column);
}

const CatalogColumn *RowStates::neighbourColumn(const TableName &table, const QString &column) const
{
    const auto found = m_table.neighbours.constFind(table.text());
    if (found == m_table.neighbours.constEnd())
        return nullptr;
    for (const CatalogColumn &one : found->columns) {
        if (one.name == column)
            return &one;
    }
    return nullptr;
}

QString RowStates::neighbourName(const TableName &table) const
{
    const auto found = m_table.neighbours.constFind(table.text());
    return quotedName(found == m_table.neighbours.constEnd() ? table : found->name);
}

QString RowStates::value(const QString &text, const CatalogColumn *column) const
{
    bool isNumber = false;
    text.toLongLong(&isNumber);
    return column && column->typeClass == TypeClass::Integer && isNumber ? text
                                                                         : m_flavor.literal(text);
}

QString RowStates::isTrue(const QString &cell, const CatalogColumn *column) const
{
    switch (column ? column->typeClass : TypeClass::Flag) {
    case TypeClass::Flag:
        return m_flavor.isTrue(cell);
    case TypeClass::Integer:
        return m_flavor.notNull(cell + u" <> 0"_s);
    default: // a boolean that is kept as a word
        return m_flavor.notNull(u"lower("_s + m_flavor.asText(cell)
                                + u") IN ('true', 't', '1', 'yes', 'y')"_s);
    }
}

QString RowStates::isAmong(const QString &prefix, const QString &column,
                           const QStringList &values) const
{
    const CatalogColumn *known = m_table.column(column);
    QStringList texts;
    for (const QString &one : values)
        texts += value(one, known);
    if (texts.isEmpty())
        return sqlFalse;
    const QString one = cell(prefix, column)
        + (texts.size() == 1 ? u" = "_s + texts.constFirst()
                             : QString(u" IN ("_s + texts.join(u", "_s) + u')'));
    return !known || known->nullable ? m_flavor.notNull(one) : one;
}

QString RowStates::isAfter(const QString &prefix, const QString &column, double ago) const
{
    const CatalogColumn *known = m_table.column(column);
    return known
        ? m_flavor.notNull(m_flavor.isAfter(cell(prefix, column), *known, zoneOf(column), ago))
        : sqlFalse;
}

QString RowStates::zoneOf(const QString &column) const
{
    const QString zone = m_shape.zoneOf(column);
    return zone.isEmpty() ? QString(lastZone) : zone;
}

QString RowStates::isUntold(const QString &prefix, const QString &column, double ago) const
{
    const CatalogColumn *known = m_table.column(column);
    if (!known || !m_shape.zoneOf(column).isEmpty()
        || !needsZone(*known, m_flavor.database().isLoose))
        return sqlFalse;
    return both({isAfter(prefix, column, ago),
                 opposite(m_flavor.notNull(
                     m_flavor.isAfter(cell(prefix, column), *known, firstZone, ago)))});
}

QString RowStates::isLockUntold(const QString &prefix) const
{
    if (m_shape.lockedHow == OutboxShape::LockedHow::Until)
        return isUntold(prefix, m_shape.leaseColumn, m_shape.leaseSeconds);
    const bool goesByTime = m_shape.lockedHow == OutboxShape::LockedHow::Owner
        || m_shape.lockedHow == OutboxShape::LockedHow::Status;
    return goesByTime && m_shape.leaseSeconds > 0
        ? both({lockMark(prefix), isUntold(prefix, m_shape.lockTimeColumn, m_shape.leaseSeconds)})
        : sqlFalse;
}

QString RowStates::surelyLocked(const QString &prefix) const
{
    return both({locked(prefix), opposite(isLockUntold(prefix))});
}

QString RowStates::isDueUntold(const QString &prefix) const
{
    return both({all(prefix, m_shape.dueOnlyIn), isUntold(prefix, m_shape.dueColumn, 0)});
}

QString RowStates::test(const QString &prefix, const ShapeTest &test) const
{
    const CatalogColumn *known = m_table.column(test.column);
    const QString one = cell(prefix, test.column);
    switch (test.is) {
    case ShapeTest::Is::Null:
        return one + u" IS NULL"_s;
    case ShapeTest::Is::Set:
        return one + u" IS NOT NULL"_s;
    case ShapeTest::Is::True:
        return isTrue(one, known);
    case ShapeTest::Is::False:
        return opposite(isTrue(one, known));
    case ShapeTest::Is::Equal:
    case ShapeTest::Is::In:
        return isAmong(prefix, test.column, test.values);
    case ShapeTest::Is::Future:
        return isAfter(prefix, test.column, 0);
    case ShapeTest::Is::Past:
        return both({one + u" IS NOT NULL"_s, opposite(isAfter(prefix, test.column, 0))});
    }
    return sqlFalse;
}

QString RowStates::all(const QString &prefix, const QList<ShapeTest> &tests) const
{
    QStringList conditions;
    for (const ShapeTest &one : tests)
        conditions += test(prefix, one);
    return both(conditions);
}

QString RowStates::exists(const QString &prefix, const RelatedTable &in,
                          const QString &besides) const
{
    if (in.isEmpty() || in.on.isEmpty())
        return sqlFalse;
    QStringList conditions;
    for (auto pair = in.on.cbegin(); pair != in.on.cend(); ++pair)
        conditions += u"n."_s + quotedName(pair.key()) + u" = "_s + cell(prefix, pair.value());
    if (!in.column.isEmpty())
        conditions += u"n."_s + quotedName(in.column) + u" IS NOT NULL"_s;
    if (!besides.isEmpty())
        conditions += besides;
    return u"EXISTS (SELECT 1 FROM "_s + neighbourName(in.table) + u" n WHERE "_s + both(conditions)
        + u')';
}

QString RowStates::lookedUp(const QString &prefix, const RelatedTable &in,
                            const QString &column) const
{
    QStringList conditions;
    for (auto pair = in.on.cbegin(); pair != in.on.cend(); ++pair)
        conditions += u"n."_s + quotedName(pair.key()) + u" = "_s + cell(prefix, pair.value());
    return u"(SELECT "_s + m_flavor.asText(u"n."_s + quotedName(column)) + u" FROM "_s
        + neighbourName(in.table) + u" n WHERE "_s + both(conditions) + m_flavor.atMost(1) + u')';
}

QString RowStates::passedByAll(const QString &prefix) const
{
    const Positions &positions = m_shape.positions;
    QStringList ours;
    QStringList theirs;
    QStringList unread;
    const QStringList keys = m_shape.keyColumns();
    for (qsizetype i = 0; i < qMin(keys.size(), positions.columns.size()); ++i) {
        ours += cell(prefix, keys.at(i));
        theirs += u"n."_s + quotedName(positions.columns.at(i));
        unread += theirs.constLast() + u" IS NULL"_s;
    }
    QStringList same;
    for (auto pair = positions.on.cbegin(); pair != positions.on.cend(); ++pair)
        same += u"n."_s + quotedName(pair.key()) + u" = "_s + cell(prefix, pair.value());
    const QString from
        = u"EXISTS (SELECT 1 FROM "_s + neighbourName(positions.table) + u" n WHERE "_s;
    const QString behind = either({m_flavor.isLess(theirs, ours), unread.join(u" OR "_s)});
    QStringList conditions{from + both(same) + u')',
                           u"NOT "_s + from + both(same + QStringList{behind}) + u')'};
    if (!positions.guard.isEmpty() && !m_flavor.readableEnd().isEmpty())
        conditions += ours.constFirst() + u" < "_s + m_flavor.readableEnd();
    return both(conditions);
}

QString RowStates::ownerIsSet(const QString &cell, const CatalogColumn *column) const
{
    QStringList conditions{cell + u" IS NOT NULL"_s};
    if (column && column->typeClass == TypeClass::Text)
        conditions += cell + u" <> ''"_s;
    for (const QString &free : m_shape.freeOwners)
        conditions += cell + u" <> "_s + value(free, column);
    return both(conditions);
}

QString RowStates::nodeLives(const QString &owner, const CatalogColumn *column) const
{
    if (m_shape.node.isEmpty())
        return sqlTrue;
    const CatalogColumn *key = neighbourColumn(m_shape.node.table, m_shape.node.keyColumn);
    QString theirs = u"w."_s + quotedName(m_shape.node.keyColumn);
    QString ours = owner;
    if (!column || !key || column->typeClass != key->typeClass) {
        theirs = m_flavor.asText(theirs);
        ours = m_flavor.asText(ours);
    }
    return u"EXISTS (SELECT 1 FROM "_s + neighbourName(m_shape.node.table) + u" w WHERE "_s + theirs
        + u" = "_s + ours + u')';
}

} // namespace outbox
