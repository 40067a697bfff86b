// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page of alerts: the rules of the system that is open, their state, and the form to write one.
#pragma once

#include "models/alerts/watchedalert.h"

#include <QList>
#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;

namespace outbox {

class AlertEditor;
class AlertModel;
class LiveTable;
class NoticeBar;

/// Changes nothing itself: it asks, and is told by setters.
class AlertsView : public QWidget
{
    Q_OBJECT

public:
    explicit AlertsView(QWidget *parent = nullptr);

    void setLines(const QList<AlertLine> &lines);
    /// Sentences below the table: what is not judged here, how this desktop tells.
    void setNote(const QString &note);
    /// The alerts cannot be read: why. Nothing can be changed then. Empty: they can.
    void setProblem(const QString &problem);
    [[nodiscard]] AlertEditor *editor() const { return m_editor; }
    /// What was asked for was done, or was not, because of `problem`.
    void setSaved(const QString &problem = {});
    /// Another system comes.
    void forget();

signals:
    /// `before` is how the alert was called; empty: it is new.
    void saveAsked(const QString &before, const outbox::Alert &alert);
    void removeAsked(const QString &name);

private:
    void build();
    void joinButtons();
    void follow();
    void openEditor(const std::optional<Alert> &alert);
    void mute(const std::optional<QDateTime> &until);
    void removeChosen();
    /// The one that is chosen in the table; nullopt: none.
    [[nodiscard]] std::optional<Alert> chosen() const;

    QPushButton *m_add;
    QPushButton *m_edit;
    QPushButton *m_remove;
    QPushButton *m_mute;
    NoticeBar *m_notice;
    AlertModel *m_model;
    LiveTable *m_table;
    AlertEditor *m_editor;
    QLabel *m_unjudged; ///< which cannot be judged, and why
    QLabel *m_note;
    std::optional<Alert> m_removed; ///< can be put back
    bool m_isReadable = true;
};

} // namespace outbox
