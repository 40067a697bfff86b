// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where one is in a sequence of steps: 1 Preview, 2 Confirm, 3 Run, 4 Result.
#pragma once

#include <QStringList>
#include <QWidget>

namespace outbox {

class StepStrip : public QWidget
{
    Q_OBJECT

public:
    explicit StepStrip(const QStringList &steps, QWidget *parent = nullptr);

    void setStep(int step);
    [[nodiscard]] int step() const { return m_step; }

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QStringList m_steps;
    int m_step = 0;
};

} // namespace outbox
