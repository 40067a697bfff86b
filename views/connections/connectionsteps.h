// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The steps of a connection test with their times; the first that fails says why.
#pragma once

#include "models/profile/connectionstep.h"

#include <QScrollArea>

class QGridLayout;

namespace outbox {

class ConnectionSteps : public QScrollArea
{
    Q_OBJECT

public:
    explicit ConnectionSteps(QWidget *parent = nullptr);

    void setSteps(const QList<ConnectionStep> &steps);

private:
    void addStep(int row, const ConnectionStep &step, bool explained);

    QGridLayout *m_grid = nullptr;
};

} // namespace outbox
