// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ctrl+K: one line, and below it what the text in it may mean.
#pragma once

#include "models/system/locator.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QListWidget;

namespace outbox {

/// Stands over its parent while it is open. Finds nothing itself: it asks by `typed`, is told by
/// `setFindings`, and closes before it says what was chosen. The focus goes back where it was.
class Locator : public QFrame
{
    Q_OBJECT

public:
    explicit Locator(QWidget *parent = nullptr);

    /// With an empty line, for which `typed` is sent.
    void openLine();
    /// What is found for the text in the line; the first of it is chosen. `note` is a sentence
    /// below it; empty: none.
    void setFindings(const QList<LocatorEntry> &entries, const QString &note);
    /// Closes it where it is open; nothing is chosen.
    void leave();

signals:
    void typed(const QString &text);
    /// By Enter, or by a click.
    void chosen(const outbox::LocatorEntry &entry);

protected:
    /// Keys of the line that belong to the list, and the size of the parent.
    bool eventFilter(QObject *watched, QEvent *event) override;
    /// Tab has nowhere to go: the arrows walk through the list, Esc leaves.
    bool focusNextPrevChild(bool next) override;

private:
    void build();
    void place();
    void step(int rows);
    [[nodiscard]] bool takeKey(int key);
    void choose(int row);
    void describe();

    QLineEdit *m_line;
    QListWidget *m_list;
    QLabel *m_note;
    QList<LocatorEntry> m_entries;
    QPointer<QWidget> m_before; ///< had the focus when this was opened
};

} // namespace outbox
