// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The form in which one alert is written: what is wrong stands below its field, and what the rule
// would have done in the last days below all of them.
#pragma once

#include "models/alerts/alert.h"
#include "models/alerts/alerttrial.h"
#include "views/widgets/card.h"

#include <QTimer>

#include <optional>

class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace outbox {

class NoticeBar;

/// What is wrong is not saved.
class AlertEditor : public Card
{
    Q_OBJECT

public:
    explicit AlertEditor(QWidget *parent = nullptr);

    /// nullopt: a new one. The focus goes to the form.
    void edit(const std::optional<Alert> &alert);
    /// How the one that is edited was called when that began; empty: it is new.
    [[nodiscard]] const QString &before() const { return m_edited.name; }
    /// What came of the rule; one of another rule than that in the form is not shown.
    void setTrial(const AlertRule &rule, const Result<AlertTrial> &trial);
    /// It could not be saved.
    void setProblem(const QString &text);

signals:
    /// `alert` is one that a list of alerts can take.
    void saveAsked(const outbox::Alert &alert);
    void closeAsked();
    /// The rule in the form is to be tried.
    void trialAsked(const outbox::AlertRule &rule);

private:
    /// A line of the form, and what is wrong with what stands in it.
    struct Field
    {
        QLineEdit *line = nullptr;
        QLabel *fault = nullptr;
    };

    [[nodiscard]] static Field makeField(const QString &name, const QString &spoken,
                                         const QString &example);
    void build();
    void addField(QGridLayout *grid, const QString &title, const Field &field) const;
    /// What stands in the form, and shows its faults; nullopt: there are some.
    std::optional<Alert> read();
    void save();
    void tryRule();

    Alert m_edited; ///< as it stood when that began; of a new one empty
    Field m_name;
    Field m_rule;
    QPlainTextEdit *m_command;
    Field m_webhook;
    Field m_quiet;
    QCheckBox *m_shown;
    QLabel *m_trial;
    NoticeBar *m_problem;
    QPushButton *m_save;
    QTimer m_pause; ///< until somebody who types is thought to have ended
};

} // namespace outbox
