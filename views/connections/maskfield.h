// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The paths of values that are not to be seen, a line each, with the first fault under its
// character.
#pragma once

#include "models/payload/payloadmasks.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace outbox {

class MaskField : public QWidget
{
    Q_OBJECT

public:
    explicit MaskField(QWidget *parent = nullptr);

    void setMasks(const PayloadMasks &masks);
    /// Those that are typed; while one of them cannot be read, those before.
    [[nodiscard]] const PayloadMasks &masks() const { return m_masks; }
    /// Why they cannot be read; empty: they can.
    [[nodiscard]] QString problem() const;

signals:
    void edited();

private:
    void judge();

    PayloadMasks m_masks = PayloadMasks::none();
    QPlainTextEdit *m_paths;
    QLabel *m_fault;
};

} // namespace outbox
