// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/editdialect.h"

#include "connectors/sql/driver/sqlnames.h"

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString auditTableName()
{
    return u"outbox_audit"_s;
}

QStringList auditColumns()
{
    return {u"at"_s,         u"operation"_s, u"actor"_s, u"face"_s, u"verb"_s,
            u"message_id"_s, u"before"_s,    u"after"_s, u"note"_s};
}

QStringList auditValues(const AuditRow &row)
{
    QStringList values{row.operation, row.actor,  row.face,  row.verb,
                       row.message,   row.before, row.after, row.note};
    for (QString &value : values)
        value = storable(value);
    return values;
}

EditDialect::EditDialect(OutboxShape shape, CatalogTable table)
    : m_shape(std::move(shape)), m_table(std::move(table))
{ }

const CatalogColumn &EditDialect::column(const QString &name) const
{
    const CatalogColumn *found = m_table.column(name);
    Q_ASSERT(found); // checked when the shape was taken
    return *found;
}

QString EditDialect::tableName() const
{
    return quotedName(m_table.name);
}

QString EditDialect::nameList(const QStringList &names)
{
    QStringList quoted;
    for (const QString &name : names)
        quoted += quotedName(name);
    return u'(' + quoted.join(u", "_s) + u')';
}

QStringList EditDialect::idsOf(const QList<RowGuard> &rows)
{
    QStringList ids;
    ids.reserve(rows.size());
    for (const RowGuard &row : rows)
        ids += row.id.text;
    return ids;
}

bool EditDialect::isProcessedText(const QString &text) const
{
    if (text.isEmpty()) // the mark is no time
        return m_shape.processedHow != OutboxShape::ProcessedHow::Time;
    bool isNumber = false;
    text.toLongLong(&isNumber); // microseconds, which is all that such a column holds
    return isNumber;
}

QStringList EditDialect::wholeColumns() const
{
    QStringList names;
    for (const CatalogColumn &one : m_table.columns) {
        if (!one.generated)
            names += one.name;
    }
    return names;
}

SqlText EditDialect::insert(const QList<WholeRow> &rows) const
{
    const QStringList &names = rows.constFirst().columns;
    QList<SqlFragment> lines;
    for (const WholeRow &row : rows) {
        QList<SqlFragment> values;
        for (qsizetype i = 0; i < names.size(); ++i)
            values += placeOf(row.cells.at(i), column(names.at(i)));
        lines += u'(' + SqlFragment::joined(values, u", "_s) + u')';
    }
    return insertion(nameList(names), SqlFragment::joined(lines, u", "_s));
}

SqlText EditDialect::insertion(const QString &names, const SqlFragment &lines) const
{
    return u"INSERT INTO "_s + tableName() + u' ' + names + u" VALUES "_s + lines
        + flavor().unlessThere() + returning();
}

SqlText EditDialect::reopen(const QList<RowGuard> &rows) const
{
    return updateOf(states().markPending(), rows, condition(RowChange::Reopen));
}

SqlText EditDialect::release(const QList<RowGuard> &rows) const
{
    QStringList sets;
    for (const QString &name : {m_shape.leaseColumn, m_shape.ownerColumn}) {
        if (!name.isEmpty())
            sets += flavor().assigned(name) + u" = "_s + emptied(column(name));
    }
    return updateOf(sets.join(u", "_s), rows, condition(RowChange::Release));
}

SqlText EditDialect::edit(const RowGuard &row, const QList<EditedCell> &cells) const
{
    QList<SqlFragment> sets;
    SqlFragment same = condition(RowChange::Edit);
    for (const EditedCell &cell : cells) {
        const CatalogColumn &known = column(cell.column);
        if (cell.changes())
            sets += flavor().assigned(cell.column) + u" = "_s + placeOf(*cell.now, known);
        same += cell.seen.isNull() ? SqlFragment(u" AND "_s + aliased(cell.column) + u" IS NULL"_s)
                                   : u" AND "_s + holds(cell.seen, known);
    }
    return updateOf(SqlFragment::joined(sets, u", "_s), {row}, same);
}

SqlText EditDialect::updateOf(const SqlFragment &sets, const QList<RowGuard> &rows,
                              const SqlFragment &condition) const
{
    return flavor().database().beforeWrite + u"UPDATE "_s + tableName() + u" AS t SET "_s + sets
        + u" WHERE "_s + flavor().isOneOf(column(m_shape.keyColumn), idsOf(rows)) + condition
        + returning();
}

QString EditDialect::condition(RowChange change) const
{
    switch (change) {
    case RowChange::Reopen:
        return u" AND "_s + states().processed(u"t."_s);
    case RowChange::MarkProcessed:
    case RowChange::Edit:
        return u" AND "_s + states().open(u"t."_s);
    case RowChange::Release:
        return u" AND "_s + flavor().leaseIsOver(m_shape, m_table);
    case RowChange::None:
    case RowChange::Hold:
    case RowChange::Remove:
    case RowChange::Insert:
        break;
    }
    return {};
}

QString EditDialect::emptied(const CatalogColumn &column) const
{
    if (column.nullable)
        return u"NULL"_s;
    switch (column.typeClass) {
    case TypeClass::Integer:
        return u"0"_s;
    case TypeClass::Uuid:
        return u"'00000000-0000-0000-0000-000000000000'"_s;
    default:
        return u"''"_s;
    }
}

QStringList EditDialect::statementsOf(Verb verb, const std::optional<TableName> &audit) const
{
    const QList<RowGuard> rows{RowGuard()};
    const bool byTime = m_shape.canMark();
    const bool byLease = m_shape.lockedHow == OutboxShape::LockedHow::Until;
    QStringList acts;
    switch (descriptorOf(verb).change) {
    case RowChange::Reopen:
        if (byTime)
            acts = QStringList{hold(rows, true).text, reopen(rows).text};
        break;
    case RowChange::MarkProcessed:
        if (byTime)
            acts = QStringList{hold(rows, true).text, markProcessed(rows, {QString()}).text};
        break;
    case RowChange::Remove:
        acts = QStringList{hold(rows, true).text, remove(rows).text};
        break;
    case RowChange::Hold:
        acts = QStringList{hold(rows, true).text};
        break;
    case RowChange::Release:
        if (byLease)
            acts = QStringList{hold(rows, true).text, release(rows).text};
        break;
    case RowChange::Edit:
        return statementsOf(anyEdit(), audit);
    case RowChange::Insert: {
        WholeRow row;
        row.columns = wholeColumns();
        row.cells.resize(row.columns.size());
        acts = QStringList{insert({row}).text};
        break;
    }
    case RowChange::None:
        break;
    }
    return withRecord(acts, audit);
}

QStringList EditDialect::statementsOf(const QList<EditedCell> &cells,
                                      const std::optional<TableName> &audit) const
{
    const bool isEdit = std::any_of(cells.begin(), cells.end(),
                                    [](const EditedCell &cell) { return cell.now.has_value(); });
    return isEdit ? withRecord({hold({RowGuard()}, true).text, edit(RowGuard(), cells).text}, audit)
                  : QStringList();
}

QList<EditedCell> EditDialect::anyEdit() const
{
    const Cell something{Cell::Kind::Text, {}};
    QList<EditedCell> cells;
    for (const RowPartContent &one : partsOf(m_shape, m_table)) {
        if (one.mayChange())
            cells += EditedCell{one.part, one.column, Cell(), something};
    }
    return cells;
}

QStringList EditDialect::withRecord(const QStringList &acts,
                                    const std::optional<TableName> &audit) const
{
    if (acts.isEmpty())
        return {};
    QStringList all = QStringList{begin()} + acts;
    if (audit)
        all += record(*audit, {AuditRow()}).text;
    return all + QStringList{u"COMMIT"_s};
}

} // namespace outbox
