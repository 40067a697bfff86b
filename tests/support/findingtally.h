// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts of every kind of inconsistency what was seeded, found, reported by mistake and repaired.
#pragma once

#include "models/operations/scanreport.h"

#include <QMap>
#include <QSet>

namespace outbox {

/// Names of cases by kind, see `ReconcileWorld::nameOf`.
using FindingNames = QMap<FindingKind, QSet<QString>>;

class FindingTally
{
public:
    /// True when both are the same; prints the first differences.
    [[nodiscard]] bool compare(const QList<Finding> &findings, const FindingNames &expected);
    void addRepaired(FindingKind kind) { ++m_counts[kind].repaired; }
    void print() const;

private:
    struct Counts
    {
        QSet<QString> seeded;
        QSet<QString> missed; ///< by any look
        QSet<QString> wrong;
        qsizetype repaired = 0;
    };

    QMap<FindingKind, Counts> m_counts;
};

} // namespace outbox
