// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks for inconsistencies on demand: what was found by kind in words, what can be done about it,
// the cases of a kind with their evidence, and the repair of the chosen kinds.
#pragma once

#include "models/operations/plan.h"
#include "models/operations/receipt.h"
#include "models/operations/scanreport.h"
#include "models/result.h"

#include <QWidget>

#include <utility>

class QLabel;
class QPushButton;

namespace outbox {

class PropertyList;
class FindingGroupModel;
class FindingModel;
class LiveTable;
class NoticeBar;
class ScanScope;
class VerbBar;
struct FindingGroup;

/// Looking changes nothing. It asks by signals and is told by setters.
class ReconcileView : public QWidget
{
    Q_OBJECT

public:
    explicit ReconcileView(QWidget *parent = nullptr);

    void setProgress(const QString &phase, qint64 looked, qsizetype suspects);
    /// The end of a look, also of one that was stopped.
    void setReport(const ScanReport &report);
    void setError(const Error &error);
    /// An operation ended. What it repaired is no finding any more, and where a look had found
    /// something another one is asked for.
    void setRepaired(const Plan &plan, const Receipt &receipt);
    /// Where messages wait in documents there are no rows to look at.
    void setRowsOffered(bool offered);
    /// What stands on the page, in short; nullopt: nobody has looked yet. Incomplete as well where
    /// a part was not to be looked at.
    [[nodiscard]] std::optional<ScanSummary> summary() const;
    /// Another system comes.
    void forget();

signals:
    void lookAsked(const outbox::ScanOptions &terms);
    void stopAsked();
    /// Another report stands on the page, or less of it, or none.
    void reportChanged();

private:
    void build();
    [[nodiscard]] QWidget *buildHead();
    [[nodiscard]] QWidget *buildKinds();
    [[nodiscard]] VerbBar *makeFindingVerbs();
    [[nodiscard]] std::optional<FindingGroup> currentGroup() const;
    [[nodiscard]] ScanOptions scanOptions() const;
    void press();
    /// After so many repairs, unless the report was stopped before its end: a look that begins anew
    /// would see less.
    void lookAgain(qsizetype repairs);
    void setLooking(bool looking);
    void describe();
    void showGroups();
    void showKind();
    void nameRepair();
    void describeNothing();

    std::optional<ScanReport> m_report;
    ScanOptions m_lookedAt; ///< the parts that this report is of
    qsizetype m_repaired = 0; ///< of what this report found
    bool m_looking = false;
    QList<std::pair<Plan, Receipt>> m_meanwhile; ///< repairs that ended during a look

    ScanScope *m_scope;
    QPushButton *m_look; ///< looks, stops, or resumes
    QLabel *m_words;
    NoticeBar *m_notice;
    LiveTable *m_groups;
    FindingGroupModel *m_groupModel;
    QWidget *m_cases; ///< everything about the kind in hand
    PropertyList *m_why;
    FindingModel *m_caseModel;
    VerbBar *m_verbs; ///< the repair of the chosen kinds
};

} // namespace outbox
