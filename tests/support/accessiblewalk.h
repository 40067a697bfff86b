// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds and works widgets as an assistive technology does: by role, name, text and action alone,
// through the interface that is bridged to AT-SPI.
#pragma once

#include <QAccessible>
#include <QList>
#include <QMap>
#include <QStringList>
#include <QTest>
#include <QWidget>

#include <functional>

namespace outbox::walk {

using Accessible = QAccessibleInterface;

/// Qt tells a table that its rows have changed only where a screen reader listens, which no test
/// can pretend. Without that its parts stay those of rows that are gone.
inline void forgetCells(Accessible *one)
{
    if (QAccessibleTableInterface *table = one->tableInterface()) {
        QAccessibleTableModelChangeEvent reset(one, QAccessibleTableModelChangeEvent::ModelReset);
        table->modelChange(&reset);
    }
}

/// The first visible one below `root`, itself included, for which `fits` holds.
inline Accessible *first(Accessible *root, const std::function<bool(Accessible *)> &fits)
{
    if (!root || !root->isValid() || root->state().invisible)
        return nullptr;
    if (fits(root))
        return root;
    forgetCells(root);
    for (int at = 0; at < root->childCount(); ++at) {
        if (Accessible *found = first(root->child(at), fits))
            return found;
    }
    return nullptr;
}

inline Accessible *find(QWidget *root, QAccessible::Role role, const QString &name)
{
    return root ? first(QAccessible::queryAccessibleInterface(root),
                        [&](Accessible *one) {
                            return one->role() == role && one->text(QAccessible::Name) == name;
                        })
                : nullptr;
}

/// Replaces the text of the field `name`; false where there is none that can be written to.
inline bool tryWrite(QWidget *root, const QString &name, const QString &text)
{
    Accessible *field = find(root, QAccessible::EditableText, name);
    if (!field || field->state().disabled || !field->editableTextInterface())
        return false;
    field->editableTextInterface()->replaceText(0, field->textInterface()->characterCount(), text);
    return true;
}

/// The same, as soon as it can be done: what was pressed before acts a moment later.
inline bool write(QWidget *root, const QString &name, const QString &text)
{
    return QTest::qWaitFor([&] { return tryWrite(root, name, text); });
}

/// Does the first action that presses or switches; false where there is none that can be.
inline bool tryPress(QWidget *root, QAccessible::Role role, const QString &name)
{
    Accessible *button = find(root, role, name);
    if (!button || button->state().disabled || !button->actionInterface())
        return false;
    for (const QString &action :
         {QAccessibleActionInterface::toggleAction(), QAccessibleActionInterface::pressAction()}) {
        if (button->actionInterface()->actionNames().contains(action)) {
            button->actionInterface()->doAction(action);
            return true;
        }
    }
    return false;
}

/// The same, as soon as it can be done.
inline bool press(QWidget *root, QAccessible::Role role, const QString &name)
{
    return QTest::qWaitFor([&] { return tryPress(root, role, name); });
}

inline bool press(QWidget *root, const QString &name)
{
    return press(root, QAccessible::Button, name);
}

inline bool isEnabled(QWidget *root, QAccessible::Role role, const QString &name)
{
    const Accessible *one = find(root, role, name);
    return one && !one->state().disabled;
}

/// Adds what is read aloud below `root`, each as "name|description". A table, a list too, is told
/// by its name alone: see `tableRows`.
inline void addLines(Accessible *root, QStringList &lines)
{
    if (!root || !root->isValid() || root->state().invisible)
        return;
    const QString name = root->text(QAccessible::Name);
    if (!name.isEmpty())
        lines += name + u'|' + root->text(QAccessible::Description);
    for (int at = 0; !root->tableInterface() && at < root->childCount(); ++at)
        addLines(root->child(at), lines);
}

inline QStringList linesOf(QWidget *root)
{
    QStringList lines;
    if (root)
        addLines(QAccessible::queryAccessibleInterface(root), lines);
    return lines;
}

/// The rows of the table `name`: the text of each cell by the title of its column.
inline QList<QMap<QString, QString>> tableRows(QWidget *root, const QString &name)
{
    const auto isIt = [&name](Accessible *one) {
        return one->tableInterface() && one->text(QAccessible::Name) == name;
    };
    Accessible *found = root ? first(QAccessible::queryAccessibleInterface(root), isIt) : nullptr;
    if (found)
        forgetCells(found);
    QAccessibleTableInterface *table = found ? found->tableInterface() : nullptr;
    QList<QMap<QString, QString>> rows;
    for (int row = 0; table && row < table->rowCount(); ++row) {
        QMap<QString, QString> cells;
        for (int column = 0; column < table->columnCount(); ++column) {
            if (Accessible *cell = table->cellAt(row, column))
                cells.insert(table->columnDescription(column), cell->text(QAccessible::Name));
        }
        rows += cells;
    }
    return rows;
}

/// What is read aloud after the name.
inline QString description(QWidget *root, QAccessible::Role role, const QString &name)
{
    const Accessible *one = find(root, role, name);
    return one ? one->text(QAccessible::Description) : QString();
}

} // namespace outbox::walk
