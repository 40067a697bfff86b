// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one registry of what a person can do: menus, shortcuts and the F1 sheet are read from it.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

class QMenu;
class QMenuBar;

namespace outbox {

/// The text of an action as it is read: its mnemonic is not marked, and it ends without dots.
[[nodiscard]] QString readText(const QAction &action);

class Actions : public QObject
{
    Q_OBJECT

public:
    enum class Menu { File, View, Go, Connection, Messages, Relay, Help };

    struct Spec
    {
        QString id; ///< also the objectName
        Menu menu = Menu::File;
        QString text; ///< with its mnemonic
        QString tip;
        QString icon; ///< a name of resources/icons
        QKeySequence shortcut;
        bool checkable = false;
        bool separated = false; ///< a line above it
    };

    /// Menus are made in `bar` in their fixed order; one without an action stays hidden.
    explicit Actions(QMenuBar *bar, QObject *parent = nullptr);

    /// Every action has text, tip and icon, and no two share a shortcut: asserted here, tested too.
    QAction *add(const Spec &spec);
    [[nodiscard]] QAction *action(const QString &id) const;
    [[nodiscard]] QList<QAction *> all() const { return m_actions; }

    /// Lines of the F1 sheet: shortcut and text.
    [[nodiscard]] QList<std::pair<QString, QString>> sheet() const;

private:
    QList<QMenu *> m_menus; ///< by Menu
    QList<QAction *> m_actions;
};

} // namespace outbox
