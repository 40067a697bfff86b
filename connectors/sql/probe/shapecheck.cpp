// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/probe/shapecheck.h"

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlnames.h"
#include "models/shape/missingtable.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString meant(const QString &wanted, const QStringList &candidates)
{
    const QString nearest = nearestName(wanted, candidates);
    return nearest.isEmpty() ? QString() : u"Did you mean \"%1\"?"_s.arg(nearest);
}

/// Values that the column can never hold would fail in a statement, not before.
Result<void> checkValues(const CatalogTable &table, const QString &name, const QStringList &values,
                         const QString &doing)
{
    const CatalogColumn *column = table.column(name);
    if (!column)
        return {};
    for (const QString &value : values) {
        const bool isLabel = column->labels.isEmpty() || column->labels.contains(value);
        if (fitsType(value, *column) && (column->typeClass != TypeClass::Named || isLabel))
            continue;
        return fail(Error::Kind::Invalid, doing,
                    u"the column \"%1\" cannot hold \"%2\""_s.arg(name, value), {},
                    column->labels.isEmpty() ? QString() : meant(value, column->labels));
    }
    return {};
}

Result<void> checkKinds(const OutboxShape &shape, const CatalogTable &table,
                        DatabaseUrl::Dialect dialect, const QString &doing)
{
    QList<std::pair<QString, QStringList>> values{
        {shape.processedColumn, shape.processedValues},
        {shape.lockedColumn, shape.lockedValues},
        {shape.failedColumn, shape.failedValues},
        {shape.waitingColumn, shape.waitingValues},
        {shape.ownerColumn, shape.freeOwners},
        {shape.pendingColumn.isEmpty() ? shape.processedColumn : shape.pendingColumn,
         shape.pendingValues}};
    for (const QList<ShapeTest> *tests : {&shape.where, &shape.processedAnd, &shape.dueOnlyIn}) {
        for (const ShapeTest &test : *tests)
            values += {test.column, test.values};
    }
    for (const auto &[name, wanted] : std::as_const(values)) {
        TRY(checkValues(table, name, wanted, doing));
    }
    if (shape.lockedHow == OutboxShape::LockedHow::Until && !databaseOf(dialect).isLoose) {
        const CatalogColumn &lease = *table.column(shape.leaseColumn);
        if (lease.typeClass != TypeClass::Time && lease.typeClass != TypeClass::Integer) {
            return fail(Error::Kind::Unsupported, doing,
                        u"the lease column \"%1\" is of type %2, neither a time nor a number"_s.arg(
                            lease.name, lease.type));
        }
    }
    if (shape.processedHow == OutboxShape::ProcessedHow::Time && !databaseOf(dialect).isLoose
        && table.column(shape.processedColumn)->typeClass != TypeClass::Time
        && table.column(shape.processedColumn)->typeClass != TypeClass::Integer) {
        return fail(Error::Kind::Unsupported, doing,
                    u"the column \"%1\" is of type %2, not a time"_s.arg(
                        shape.processedColumn, table.column(shape.processedColumn)->type));
    }
    return {};
}

} // namespace

QList<TableName> tablesOf(const OutboxShape &shape)
{
    QList<TableName> tables{shape.table};
    for (const auto &[name, columns] : shape.neighbours())
        tables += name;
    for (const QString &entry : shape.referenceTables)
        tables += TableName::fromText(entry);
    return tables;
}

Result<CatalogTable> checkShape(const OutboxShape &shape, const Catalog &catalog,
                                DatabaseUrl::Dialect dialect)
{
    const QString doing = u"checking the shape of "_s + shape.table.text();
    const auto tableNamed = [&](const TableName &name) -> Result<const CatalogTable *> {
        if (const CatalogTable *table = catalog.find(name))
            return table;
        QStringList names;
        for (const CatalogTable &table : catalog.tables)
            names += name.schema.isEmpty() ? table.name.table : table.name.text();
        return fail(Error::Kind::Invalid, doing, u"there is no table \"%1\""_s.arg(name.text()),
                    noTableCode, meant(name.text(), names));
    };
    const auto found = TRY(tableNamed(shape.table));
    CatalogTable table = *found;
    QStringList names;
    for (const CatalogColumn &column : table.columns)
        names += column.name;
    const auto identifies = [&table](const QString &name) {
        return table.primaryKey == QStringList{name} || table.uniqueColumns.contains(name);
    };
    for (const QString &name : shape.columns()) {
        if (!names.contains(name)) {
            return fail(Error::Kind::Invalid, doing,
                        u"the table \"%1\" has no column \"%2\""_s.arg(shape.table.text(), name),
                        {}, meant(name, names));
        }
        if (!databaseOf(dialect).canName(name)) {
            return fail(Error::Kind::Unsupported, doing,
                        u"a column name with a question mark cannot be used with "_s
                            + databaseOf(dialect).name);
        }
    }
    if (!shape.keyColumn.isEmpty() && !identifies(shape.keyColumn)) {
        // A claim by such a key would take more rows than it read, and lose those it did not read.
        return fail(
            Error::Kind::Unsupported, doing,
            u"the column \"%1\" does not tell the rows apart: by the catalog it is not unique"_s
                .arg(shape.keyColumn),
            {},
            u"Choose the primary key, or a column that is NOT NULL and has a unique index"
            " of its own."_s);
    }
    TRY(checkKinds(shape, table, dialect, doing));
    for (const auto &[name, wanted] : shape.neighbours()) {
        TableName exact = name;
        if (exact.schema.isEmpty())
            exact.schema = table.name.schema;
        const auto neighbour = TRY(tableNamed(exact));
        for (const QString &column : wanted) {
            if (neighbour->column(column))
                continue;
            QStringList theirs;
            for (const CatalogColumn &one : neighbour->columns)
                theirs += one.name;
            return fail(Error::Kind::Invalid, doing,
                        u"the table \"%1\" has no column \"%2\""_s.arg(name.text(), column), {},
                        meant(column, theirs));
        }
        table.neighbours[name.text()] = {neighbour->name, neighbour->columns};
    }
    for (const QString &entry : shape.referenceTables) {
        const auto target = TRY(tableNamed(TableName::fromText(entry)));
        if (target->primaryKey.size() != 1) {
            return fail(Error::Kind::Unsupported, doing,
                        u"the referenced table \"%1\" has no key of one column"_s.arg(entry));
        }
    }
    return table;
}

QString whyOnlyLook(const OutboxShape &shape, const CatalogTable &table,
                    DatabaseUrl::Dialect dialect)
{
    if (!hasEditDialect(dialect))
        return databaseOf(dialect).lacks(u"writing to rows"_s);
    const CatalogColumn *mark = table.column(shape.processedColumn);
    if (shape.processedHow != OutboxShape::ProcessedHow::Time || !mark
        || mark->typeClass != TypeClass::Integer || databaseOf(dialect).isLoose)
        return {};
    return u"the column \"%1\" is of type %2, and a time that is a number may be in any unit"_s.arg(
        mark->name, mark->type);
}

} // namespace outbox
