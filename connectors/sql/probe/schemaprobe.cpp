// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/probe/schemaprobe.h"

#include "connectors/sql/probe/schemaneighbours.h"
#include "connectors/sql/probe/schemapoints.h"
#include "connectors/sql/probe/shapefamilies.h"
#include "connectors/sql/probe/tablejudgement.h"
#include "connectors/sql/roles/openparts.h"

#include <algorithm>

namespace outbox {

namespace {

constexpr double besideDoubts = 0.8; ///< rows and names do not say the same, or rows say nothing

ProbeFinding findingOf(const CatalogTable &table, const Catalog &catalog, const ColumnRoles &roles,
                       const RowReading *reading)
{
    ProbeFinding finding = judgementOf(table, catalog, roles);
    if (!reading)
        return finding;
    finding.score += reading->points;
    for (auto member = reading->reasons.cbegin(); member != reading->reasons.cend(); ++member)
        finding.reasons[member.key()] += member.value();
    // A table whose columns are all known by name is used before its first rows came.
    const QStringList open
        = finding.shape.family.isEmpty() ? reading->doubts + reading->unseen : reading->doubts;
    if (!open.isEmpty()) {
        finding.confidence = std::min(finding.confidence, besideDoubts);
        finding.reasons[QStringLiteral("table")] += open;
        if (!reading->open.isEmpty() && finding.shape.family.isEmpty())
            finding.questions += questionAbout(reading->open);
    }
    return finding;
}

} // namespace

QList<ProbeFinding> probeCatalog(const Catalog &catalog, const std::optional<TableName> &only,
                                 const RowReadings &readings)
{
    QList<ProbeFinding> findings;
    const CatalogTable *wanted = only ? catalog.find(*only) : nullptr;
    for (const CatalogTable &table : catalog.tables) {
        if (only && &table != wanted)
            continue;
        const auto read = readings.constFind(table.name.text());
        const RowReading *reading = read == readings.cend() ? nullptr : &*read;
        const ColumnRoles roles = reading ? reading->roles : rolesOf(table);
        if (!only) {
            if (roles.payload.isEmpty() && roles.referenceId.isEmpty())
                continue;
            const int points = pointsOf(table, roles) + (reading ? reading->points : 0);
            const QStringList keys = roles.key.isEmpty() ? roles.keyParts : QStringList{roles.key};
            const bool hasEvidence
                = points >= enoughWithEvidence && !positionsOf(table, catalog, keys).isEmpty();
            if (points < enoughPoints && !hasEvidence && !familyOf(table, catalog))
                continue;
        }
        findings += findingOf(table, catalog, roles, reading);
    }
    std::stable_sort(
        findings.begin(), findings.end(),
        [](const ProbeFinding &a, const ProbeFinding &b) { return a.score > b.score; });
    return findings;
}

QList<const CatalogTable *> tablesToLookAt(const Catalog &catalog)
{
    constexpr qsizetype mostTables = 60;
    QList<std::pair<int, const CatalogTable *>> tables;
    for (const CatalogTable &table : catalog.tables) {
        const bool mayHoldDocuments
            = std::any_of(table.columns.cbegin(), table.columns.cend(), [](const auto &column) {
                  return column.typeClass == TypeClass::Json || column.typeClass == TypeClass::Bytes
                      || column.typeClass == TypeClass::Text;
              });
        const bool hasKey = !table.primaryKey.isEmpty() || !table.uniqueColumns.isEmpty();
        if (mayHoldDocuments && hasKey && !familyOf(table, catalog))
            tables.append({pointsOf(table, rolesOf(table)), &table});
    }
    std::stable_sort(tables.begin(), tables.end(),
                     [](const auto &a, const auto &b) { return a.first > b.first; });
    QList<const CatalogTable *> found;
    for (const auto &[points, table] : tables.mid(0, mostTables))
        found += table;
    return found;
}

} // namespace outbox
