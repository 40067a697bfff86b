// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds and works widgets as an assistive technology does: by role, name, text and action alone,
// through the interface that is bridged to AT-SPI.
#pragma once

#include <QAccessible>
#include <QTest>
#include <QWidget>

#include <functional>

namespace outbox::walk {

using Accessible = QAccessibleInterface;

/// The first visible one below `root`, itself included, for which `fits` holds.
inline Accessible *first(Accessible *root, const std::function<bool(Accessible *)> &fits)
{
    if (!root || !root->isValid() || root->state().invisible)
        return nullptr;
    if (fits(root))
        return root;
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

/// What is read aloud after the name.
inline QString description(QWidget *root, QAccessible::Role role, const QString &name)
{
    const Accessible *one = find(root, role, name);
    return one ? one->text(QAccessible::Description) : QString();
}

} // namespace outbox::walk
