// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The steps of two messages that are compared, and their fields, as tables.
#pragma once

#include "models/comparison/comparison.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

/// One step, in words.
struct ShownStep
{
    int number = 0;
    QString step;
    QString a;
    QString b;
    QString difference;
    QString tipOfA; ///< all that is known of the point; from outside
    QString tipOfB;

    bool operator==(const ShownStep &) const = default;
};

class ComparedStepModel : public KeyedTableModel<ShownStep, int>
{
    Q_OBJECT

public:
    enum Columns { Step, A, B, Difference, ColumnCount };

    explicit ComparedStepModel(QObject *parent = nullptr);

    void show(const Comparison &comparison);
};

class ComparedFieldModel : public KeyedTableModel<ComparedField, QString>
{
    Q_OBJECT

public:
    enum Columns { Field, A, B, ColumnCount };

    explicit ComparedFieldModel(QObject *parent = nullptr);
};

} // namespace outbox
