// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lines of the mapping form: a name, a field, and under it what speaks for the choice or
// against it.
#pragma once

#include "models/mapping/mappingdraft.h"

#include <QString>

class QBoxLayout;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QWidget;

namespace outbox {

/// Hidden and shown as one.
struct MappingLine
{
    QLabel *name = nullptr;
    QWidget *field = nullptr;
    QLabel *note = nullptr;
};

namespace mappinglines {

/// A card with room for lines.
[[nodiscard]] QGridLayout *addGroup(QBoxLayout *place, const QString &title);
[[nodiscard]] MappingLine addLine(QGridLayout *grid, const QString &name, QWidget *field);

void reveal(const MappingLine &line, bool isShown);
/// `problem` is said instead of `note`, in the colour of one. Read aloud with the field.
void say(const MappingLine &line, const QString &note, const QString &problem = {});

[[nodiscard]] QLineEdit *textField(const QString &name, const QString &spoken);
/// 0 is "not said".
[[nodiscard]] QSpinBox *numberField(const QString &name, const QString &spoken);

// They emit nothing, and leave a text alone that is being typed.
void showText(QLineEdit *field, const QString &text);
void showNumber(QSpinBox *field, int number);

} // namespace mappinglines

} // namespace outbox
