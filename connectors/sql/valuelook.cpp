// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/valuelook.h"

#include "connectors/sql/sqlnames.h"
#include "connectors/sql/sqlsession.h"

#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostRows = 1000;

/// Distinct texts of a column among the first rows.
Result<QStringList> valuesOf(SqlSession &session, const TableName &table, const QString &column)
{
    const QString name = quotedName(column);
    const auto rows = session.query({u"SELECT DISTINCT CAST(v AS text) FROM (SELECT "_s + name
                                         + u" AS v FROM "_s + quotedName(table) + u" LIMIT "_s
                                         + QString::number(mostRows) + u") s"_s,
                                     {}},
                                    u"looking at "_s + table.text());
    if (!rows)
        return passOn(rows);
    QStringList values;
    for (qsizetype row = 0; row < rows->size(); ++row) {
        if (!rows->isNull(row, 0))
            values += rows->text(row, 0);
    }
    return values;
}

void takeReferenceTables(const QStringList &names, const Catalog &catalog, ProbeFinding &finding)
{
    QStringList unknown;
    for (const QString &name : names) {
        const CatalogTable *table = catalog.find(TableName::fromText(name));
        if (table && table->primaryKey.size() == 1)
            finding.shape.referenceTables += name;
        else
            unknown += name;
    }
    finding.shape.referenceTables.sort();
    if (!unknown.isEmpty()) {
        finding.questions += u"Some rows name tables that are not there or have no key: %1."_s.arg(
            unknown.mid(0, 5).join(u", "_s));
    }
    if (finding.shape.referenceTables.isEmpty())
        finding.questions += u"No row names a table yet: list the tables that may be read."_s;
}

/// Tells uuids in a text column; the task id does not depend on it, so that it never changes.
void judgeTextKey(const QStringList &keys, ProbeFinding &finding)
{
    for (const QString &key : keys) {
        if (key.size() != 36 || QUuid::fromString(key).isNull())
            return;
    }
    if (keys.isEmpty())
        return;
    finding.shape.keyForm = OutboxShape::KeyForm::UuidText;
    finding.reasons[u"key"_s] += u"All of %1 keys looked at are uuids."_s.arg(keys.size());
}

} // namespace

Result<void> lookAtValues(SqlSession &session, const Catalog &catalog, DatabaseUrl::Dialect dialect,
                          ProbeFinding &finding)
{
    const OutboxShape &shape = finding.shape;
    const bool reference = shape.payloadForm == OutboxShape::PayloadForm::Reference;
    const bool textKey = !shape.keyColumn.isEmpty() && shape.keyForm == OutboxShape::KeyForm::Text;
    const QString column = reference ? shape.referenceTableColumn : shape.keyColumn;
    if (!reference && !textKey)
        return {};
    if (dialect == DatabaseUrl::Dialect::Sqlite && column.contains(u'?'))
        return {}; // Qt would take the sign for a value; the shape's check names it
    const auto values = valuesOf(session, shape.table, column);
    if (!values) {
        if (values.error().kind == Error::Kind::Unreachable)
            return passOn(values);
        finding.questions += u"The values could not be looked at: "_s + values.error().text;
        return {};
    }
    if (reference)
        takeReferenceTables(*values, catalog, finding);
    else
        judgeTextKey(*values, finding);
    return {};
}

} // namespace outbox
