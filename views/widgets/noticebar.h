// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A line inside a page: what happened, what it means, and at most one thing to do about it.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace outbox {

class NoticeBar : public QWidget
{
    Q_OBJECT

public:
    enum class Tone { Info, Warning, Problem };

    explicit NoticeBar(const QString &name, QWidget *parent = nullptr);

    /// Shows the bar. `text` is plain text; an empty `action` shows no button.
    void say(Tone tone, const QString &text, const QString &action = {});
    void clear() { hide(); }
    [[nodiscard]] QString text() const;

signals:
    void actionAsked();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Tone m_tone = Tone::Info;
    QLabel *m_text;
    QPushButton *m_action;
};

} // namespace outbox
