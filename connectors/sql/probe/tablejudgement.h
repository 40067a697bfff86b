// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Judges one table of a catalog (shapes.md 5.3, 5.4): the shape grows member by member, each with
// its reason. Pure.
#pragma once

#include "connectors/sql/roles/columnroles.h"
#include "models/shape/catalog.h"

namespace outbox {

class TableJudgement
{
public:
    /// `roles`: which columns play which part, by names or by rows.
    TableJudgement(const CatalogTable &table, const Catalog &catalog, ColumnRoles roles);

    [[nodiscard]] ProbeFinding finding();

private:
    // How sure a kind of evidence makes us (shapes.md 5.6).
    static constexpr double byWordsAndClass = 0.90;
    static constexpr double byWords = 0.80;

    void because(const QString &member, const QString &reason, double confidence = 1);
    /// Something of the table that no shape of this version can say: never passed over in silence.
    void cannotSay(const QString &what);
    void judgeTable(const QStringList &words);
    void judgeKey();
    void judgePayload();
    void judgeProcessed();
    void judgeByStatus(const CatalogColumn &status);
    /// Aggregate, type, payload, and nothing that a reader of the table itself would need.
    [[nodiscard]] bool isReadFromLog() const;
    void judgeRest();
    void judgeLocked();
    void judgeFailed();
    /// What the catalog alone tells of the status; its values are looked at later.
    void judgeStatus();
    void judgeOrder();
    /// A family that a library delivers: watched, never relayed unless somebody says so.
    [[nodiscard]] bool judgeKnownFamily();
    /// The families that a relay of ours may deliver: every column has a known part.
    void judgePlainFamily(const QStringList &words);

    const CatalogTable &m_table;
    const Catalog &m_catalog;
    const ColumnRoles m_roles;
    ProbeFinding m_finding;
    bool m_plain = true; ///< nothing was found that a shape cannot say
};

} // namespace outbox
