// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/valuelook.h"

#include "connectors/sql/schemaprobe.h"
#include "connectors/sql/shapecheck.h"
#include "connectors/sql/sqlnames.h"
#include "connectors/sql/sqlsession.h"

#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostRows = 1000;

/// Distinct texts of a column among the first rows.
Result<QStringList> valuesOf(SqlSession &session, const TableName &table, const QString &column,
                             DatabaseUrl::Dialect dialect)
{
    const QString type = dialect == DatabaseUrl::Dialect::MariaDb ? u"char"_s : u"text"_s;
    const QString name = quotedName(column);
    const auto rows = session.query({u"SELECT DISTINCT CAST(v AS "_s + type + u") FROM (SELECT "_s
                                         + name + u" AS v FROM "_s + quotedName(table)
                                         + u" LIMIT "_s + QString::number(mostRows) + u") s"_s,
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

/// Completes `finding`.
Result<void> lookAtValues(SqlSession &session, const Catalog &catalog, DatabaseUrl::Dialect dialect,
                          ProbeFinding &finding)
{
    const auto look = [&](const QString &column) -> Result<QStringList> {
        if (dialect == DatabaseUrl::Dialect::Sqlite && column.contains(u'?'))
            return QStringList(); // Qt would take the sign for a value; the shape's check names it
        auto values = valuesOf(session, finding.shape.table, column, dialect);
        if (!values && values.error().kind != Error::Kind::Unreachable) {
            finding.questions += u"The values could not be looked at: "_s + values.error().text;
            return QStringList();
        }
        return values;
    };
    if (finding.shape.payloadForm == OutboxShape::PayloadForm::Reference) {
        const auto names = look(finding.shape.referenceTableColumn);
        if (!names)
            return passOn(names);
        takeReferenceTables(*names, catalog, finding);
    }
    if (!finding.shape.keyColumn.isEmpty() && finding.shape.keyForm == OutboxShape::KeyForm::Text) {
        const auto keys = look(finding.shape.keyColumn);
        if (!keys)
            return passOn(keys);
        judgeTextKey(*keys, finding);
    }
    return {};
}

} // namespace

Result<QList<ProbeFinding>> probeTables(SqlSession &session, const Catalog &catalog,
                                        DatabaseUrl::Dialect dialect,
                                        const std::optional<TableName> &only)
{
    if (only && !catalog.find(*only)) {
        OutboxShape missing;
        missing.table = *only;
        return passOn(checkShape(missing, catalog, dialect)); // names the nearest table
    }
    QList<ProbeFinding> findings = probeCatalog(catalog, only);
    for (ProbeFinding &finding : findings) {
        if (auto looked = lookAtValues(session, catalog, dialect, finding); !looked)
            return passOn(looked);
    }
    return findings;
}

} // namespace outbox
