// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/schemaprobe.h"

#include "connectors/sql/schemaneighbours.h"
#include "connectors/sql/schemapoints.h"
#include "connectors/sql/shapefamilies.h"
#include "connectors/sql/tablejudgement.h"

#include <algorithm>

namespace outbox {

QList<ProbeFinding> probeCatalog(const Catalog &catalog, const std::optional<TableName> &only)
{
    if (only) {
        const CatalogTable *table = catalog.find(*only);
        return table ? QList<ProbeFinding>{TableJudgement(*table, catalog).finding()}
                     : QList<ProbeFinding>();
    }
    QList<ProbeFinding> findings;
    for (const CatalogTable &table : catalog.tables) {
        const ColumnRoles roles = rolesOf(table);
        if (roles.payload.isEmpty() && roles.referenceId.isEmpty())
            continue;
        const int points = pointsOf(table, roles);
        const QStringList keys = roles.key.isEmpty() ? roles.keyParts : QStringList{roles.key};
        const bool hasEvidence
            = points >= enoughWithEvidence && !positionsOf(table, catalog, keys).isEmpty();
        if (points >= enoughPoints || hasEvidence || familyOf(table, catalog))
            findings += TableJudgement(table, catalog).finding();
    }
    std::stable_sort(
        findings.begin(), findings.end(),
        [](const ProbeFinding &a, const ProbeFinding &b) { return a.score > b.score; });
    return findings;
}

} // namespace outbox
