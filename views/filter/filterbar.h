// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The line a filter is typed into: green complete, amber not yet, red wrong, with the reason under
// the very character.
#pragma once

#include "models/filter/completion.h"
#include "models/filter/savedfilters.h"

#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;

namespace outbox {

class FilterCompleter;
class SavedFilterButton;

class FilterBar : public QWidget
{
    Q_OBJECT

public:
    /// `example`: a filter, shown while nothing is typed.
    FilterBar(const QString &name, const QString &example, FilterSubject subject,
              QWidget *parent = nullptr);

    [[nodiscard]] QString text() const;
    [[nodiscard]] const QString &appliedText() const { return m_applied; }
    /// Puts a text in and applies it, as if it had been typed; one that is wrong only stands there.
    void apply(const QString &text);
    void focusLine();
    /// What the suggestions choose from.
    void setKnown(const FilterWords &known);
    /// Who finds the rows, as the answer to the applied text said.
    void setReach(FilterReach reach);
    /// Shows the menu of saved filters.
    void setSaved(const QList<SavedFilter> &filters, Environment environment);
    [[nodiscard]] SavedFilterButton *saved() const { return m_saved; }

signals:
    /// Enter, or what stands for it: the text, which is right, is to be used.
    void applied(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void build(const QString &name, const QString &example);
    void showEmptiness();
    void read();
    void restore();
    void sayReach(FilterReach reach);
    void placeFault();

    const FilterSubject m_subject;
    QLineEdit *m_line;
    QAction *m_clear;
    QWidget *m_strip;
    QLabel *m_arrow; // where the sentence stands below it
    QLabel *m_fault;
    QLabel *m_reach;
    SavedFilterButton *m_saved;
    FilterCompleter *m_completer;
    FilterReading m_reading;
    QString m_sentence; // of the fault
    QString m_applied;
};

} // namespace outbox
