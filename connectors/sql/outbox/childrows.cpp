// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/childrows.h"

#include "connectors/sql/catalog/sqlcatalog.h"
#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/session/sqlsession.h"

#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// One foreign key whose children are touched by the deletion of a parent.
struct ChildKey
{
    TableName table;
    QString name;
    QString rule;
    ChildFate fate = ChildFate::Deleted;
    bool isHidden = false; ///< row security keeps children from this role, not from the deletion
    QStringList columns;
    QStringList referenced; ///< columns of the outbox, one for each
};

/// A line for each column of each key.
namespace KeyColumn {
enum { Schema, Table, Name, Rule, Hidden, Column, Referenced, Place };
}

QString aboutChildren(const ChildQuestion &question)
{
    return u"asking which tables refer to "_s + question.table.name.text();
}

/// Whether SQLite does what foreign keys say, in this session.
Result<bool> isEnforced(const ChildQuestion &question)
{
    if (!databaseOf(question.dialect).isFile())
        return true;
    const auto rows
        = TRY(question.session.query({u"PRAGMA foreign_keys"_s, {}}, aboutChildren(question)));
    return rows.size() == 1 && rows.text(0, 0) == u"1";
}

/// Without those that an enforced key keeps from going by itself.
Result<QList<ChildKey>> childKeys(const ChildQuestion &question)
{
    const auto enforced = TRY(isEnforced(question));
    const auto rows = TRY(question.session.query(
        catalogOf(question.dialect).childKeysOf(question.table.name), aboutChildren(question)));
    QList<ChildKey> keys;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        using namespace KeyColumn;
        ChildKey key;
        key.table = {rows.text(row, Schema), rows.text(row, Table)};
        key.name = rows.text(row, Name);
        key.rule = rows.text(row, Rule);
        key.isHidden = rows.text(row, Hidden) == u"true";
        if (!enforced)
            key.fate = ChildFate::Dangling;
        else if (key.rule == u"CASCADE")
            key.fate = ChildFate::Deleted;
        else if (key.rule.startsWith(u"SET "_s))
            key.fate = ChildFate::Changed;
        else
            continue;
        const bool goesOn = !keys.isEmpty() && keys.constLast().table == key.table
            && keys.constLast().name == key.name;
        if (!goesOn)
            keys += key;
        keys.last().columns += rows.text(row, Column);
        // SQLite: a key that names no columns means the primary key.
        keys.last().referenced += rows.isNull(row, Referenced)
            ? question.table.primaryKey.value(rows.integer(row, Place).value_or(0))
            : rows.text(row, Referenced);
    }
    return keys;
}

bool isSameTable(const ChildKey &key, const CatalogTable &table, DatabaseUrl::Dialect dialect)
{
    if (databaseOf(dialect).isFile())
        return key.table.table.compare(table.name.table, Qt::CaseInsensitive) == 0;
    return key.table == table.name;
}

/// Key and number of children of those rows that have some. A row that refers to itself is no
/// child: it is in the export.
SqlText childCountOf(const ChildQuestion &question, const ChildKey &key, const QStringList &keys)
{
    const QString parent = aliased(question.keyColumn);
    QStringList pairs;
    for (qsizetype i = 0; i < key.columns.size(); ++i) {
        pairs += u"c."_s + quotedName(key.columns.at(i)) + u" = t."_s
            + quotedName(key.referenced.at(i));
    }
    if (isSameTable(key, question.table, question.dialect))
        pairs += u"c."_s + quotedName(question.keyColumn) + u" <> "_s + parent;
    const CatalogColumn &column = *question.table.column(question.keyColumn);
    const SqlFlavor &flavor = flavorOf(question.dialect);
    return u"SELECT "_s + flavor.textOf(question.table, question.keyColumn) + u", "_s
        + flavor.numberText(u"count(*)"_s) + u" FROM "_s + quotedName(question.table.name)
        + u" AS t JOIN "_s + quotedName(key.table) + u" AS c ON "_s + pairs.join(u" AND "_s)
        + u" WHERE "_s + flavor.isOneOf(column, keys) + u" GROUP BY "_s + parent;
}

Failure hiddenChildren(const ChildQuestion &question, const ChildKey &key)
{
    return fail(Error::Kind::Refused, aboutChildren(question),
                u"row security hides rows of %1 from this role"_s.arg(key.table.text()), {},
                u"Ask with a role that the policies of %1 do not bind"_s.arg(key.table.text()));
}

/// The events of a trigger, as its text says them: what stands between its name and its table.
bool isOnDelete(const QString &createTrigger)
{
    static const QRegularExpression head(
        uR"(\bTRIGGER\b.*?\b(DELETE|INSERT|UPDATE)\b(?=\s+(?:ON|OF)\b))"_s,
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
    const auto found = head.match(createTrigger);
    return found.captured(1).compare(u"DELETE"_s, Qt::CaseInsensitive) == 0;
}

} // namespace

Result<QList<ChildRows>> childrenOf(const ChildQuestion &question, const QStringList &keys)
{
    QList<ChildRows> children;
    if (keys.isEmpty() || question.keyColumn.isEmpty()) // nothing writes to rows of several keys
        return children;
    const auto known = TRY(childKeys(question));
    for (const ChildKey &key : known) {
        if (key.isHidden)
            return hiddenChildren(question, key);
        const auto counts = TRY(question.session.query(
            childCountOf(question, key, keys),
            u"counting rows of %1 that refer to %2 rows"_s.arg(key.table.text()).arg(keys.size())));
        for (qsizetype row = 0; row < counts.size(); ++row) {
            children += ChildRows{{counts.text(row, 0)},
                                  key.table,
                                  key.rule,
                                  key.fate,
                                  counts.integer(row, 1).value_or(0)};
        }
    }
    return children;
}

Result<QStringList> deleteTriggersOf(const ChildQuestion &question)
{
    const TableName &name = question.table.name;
    const auto rows = TRY(question.session.query(catalogOf(question.dialect).deleteTriggersOf(name),
                                                 u"asking for the triggers of "_s + name.text()));
    QStringList names;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        if (rows.columns == 1 || isOnDelete(rows.text(row, 1)))
            names += rows.text(row, 0);
    }
    return names;
}

} // namespace outbox
