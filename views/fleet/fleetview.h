// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fleet page: all saved systems, the one in most trouble first, those that are well in one
// line.
#pragma once

#include "models/health/fleet.h"
#include "models/system/fleetcost.h"

#include <QList>
#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace outbox {

class FleetModel;
class LiveTable;

/// Asks while it is on screen, and is told by setters. A system that is chosen stays so, and in
/// view.
class FleetView : public QWidget
{
    Q_OBJECT

public:
    explicit FleetView(QWidget *parent = nullptr);

    /// All systems, in any order, as of `now`.
    void setLines(const QList<FleetLine> &lines, const QDateTime &now);
    /// A sentence about what is not among them; empty: nothing.
    void setNote(const QString &note);
    /// What looking costs; nullopt: nobody looks now.
    void setCost(const std::optional<FleetCost> &cost);
    void setWatchingAlways(bool always);
    void focusFilter();

signals:
    /// It is on screen.
    void looksAsked();
    /// It is no longer on screen.
    void looksNotWanted();
    /// By a person: the systems are to be watched while other pages are shown, too.
    void watchingAlwaysChosen(bool always);
    void openAsked(const QString &name);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void build();
    void showRows();
    void fillGroups();
    void choose();
    void activate();
    void describe();
    [[nodiscard]] FleetFilter wanted() const;

    FleetOrder m_order;
    QList<FleetLine> m_lines; ///< in their order
    QDateTime m_now;
    QString m_chosen; ///< key; empty: none
    bool m_isOpen = false; ///< those that are well are shown, too
    QLineEdit *m_filter;
    QComboBox *m_group;
    QCheckBox *m_always;
    QPushButton *m_open;
    QLabel *m_note;
    FleetModel *m_model;
    LiveTable *m_table;
    QLabel *m_cost;
};

} // namespace outbox
