// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A duration as a number and its unit.
#pragma once

#include <QWidget>

class QComboBox;
class QSpinBox;

namespace outbox {

class DurationEdit : public QWidget
{
    Q_OBJECT

public:
    DurationEdit(const QString &name, const QString &spoken, QWidget *parent = nullptr);

    /// Shows the largest unit that holds it without a rest.
    void setSeconds(qint64 seconds);
    [[nodiscard]] qint64 seconds() const;

signals:
    void edited();

private:
    QSpinBox *m_number;
    QComboBox *m_unit;
};

} // namespace outbox
