// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks for inconsistencies on demand: what to look at, what was found by kind, why it is wrong,
// the evidence of each case, and the repair.
#pragma once

#include "models/operations/scanreport.h"
#include "models/result.h"

#include <QWidget>

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
class ReconcilePane : public QWidget
{
    Q_OBJECT

public:
    explicit ReconcilePane(QWidget *parent = nullptr);

    void setProgress(const QString &phase, qint64 looked, qsizetype suspects);
    /// The end of a look, also of one that was stopped.
    void setReport(const ScanReport &report);
    void setError(const Error &error);
    /// What an operation repaired is no finding any more.
    void setRepaired(const Plan &plan, const Receipt &receipt);
    /// Where messages wait in documents there are no rows to look at.
    void setRowsOffered(bool offered);
    /// Another system comes.
    void forget();

signals:
    void lookAsked(const outbox::ScanOptions &terms);
    void stopAsked();

private:
    void build();
    [[nodiscard]] QWidget *buildHead();
    [[nodiscard]] VerbBar *makeFindingVerbs();
    [[nodiscard]] std::optional<FindingGroup> chosenGroup() const;
    void press();
    void setLooking(bool looking);
    void showFindings();
    void showKind();
    void describeNothing();

    std::optional<ScanReport> m_report;
    qsizetype m_repaired = 0; ///< of what this report found
    bool m_looking = false;

    ScanScope *m_scope;
    QPushButton *m_look; ///< looks, stops, or resumes
    QLabel *m_words;
    NoticeBar *m_notice;
    LiveTable *m_groups;
    FindingGroupModel *m_groupModel;
    QWidget *m_chosen; ///< everything about the chosen kind
    PropertyList *m_why;
    LiveTable *m_cases;
    FindingModel *m_caseModel;
    VerbBar *m_verbs; ///< the repair of the chosen kind
};

} // namespace outbox
