// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The line a filter is typed into: green applied, amber typed and not yet applied, red wrong.
#pragma once

#include "models/result.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace outbox {

class FilterBar : public QWidget
{
    Q_OBJECT

public:
    FilterBar(const QString &name, const QString &placeholder, QWidget *parent = nullptr);

    [[nodiscard]] QString text() const;
    [[nodiscard]] const QString &appliedText() const { return m_applied; }
    /// Puts a text in and applies it, as if it had been typed.
    void apply(const QString &text);
    /// The filter is taken: the line turns green, or plain where it is empty.
    void accept();
    /// The fault under the character that its position names.
    void refuse(const Error &fault);
    void focusLine();

signals:
    /// Enter: the text is to be used.
    void applied(const QString &text);
    /// Each change of the text, for a check while typing.
    void edited(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    enum class Mark { Plain, Applied, Edited, Wrong };
    void mark(Mark mark);
    void placeFault();

    QLineEdit *m_line;
    QWidget *m_strip;
    QLabel *m_fault;
    QString m_applied;
    int m_faultAt = 0;
};

} // namespace outbox
