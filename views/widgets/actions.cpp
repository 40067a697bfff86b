// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/actions.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"

#include <QMenu>
#include <QMenuBar>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString title(Actions::Menu menu)
{
    switch (menu) {
    case Actions::Menu::File:
        return Actions::tr("&File");
    case Actions::Menu::View:
        return Actions::tr("&View");
    case Actions::Menu::Go:
        return Actions::tr("&Go");
    case Actions::Menu::Connection:
        return Actions::tr("&Connection");
    case Actions::Menu::Messages:
        return Actions::tr("&Messages");
    case Actions::Menu::Relay:
        return Actions::tr("&Relay");
    case Actions::Menu::Help:
        break;
    }
    return Actions::tr("&Help");
}

} // namespace

QString readText(const QAction &action)
{
    const QString marked = action.text();
    QString text;
    for (qsizetype i = 0; i < marked.size(); ++i) {
        if (marked.at(i) == u'&')
            ++i; // the letter behind it is marked; of two the second is one
        text += marked.mid(i, 1);
    }
    return text.remove(u"..."_s).remove(u'\u2026');
}

Actions::Actions(QMenuBar *bar, QObject *parent) : QObject(parent)
{
    for (const Menu menu : {Menu::File, Menu::View, Menu::Go, Menu::Connection, Menu::Messages,
                            Menu::Relay, Menu::Help}) {
        QMenu *made = bar->addMenu(title(menu));
        made->setToolTipsVisible(true);
        made->menuAction()->setVisible(false);
        m_menus.append(made);
    }
}

QAction *Actions::add(const Spec &spec)
{
    Q_ASSERT(!spec.text.isEmpty() && !spec.tip.isEmpty() && !spec.icon.isEmpty());
    Q_ASSERT(action(spec.id) == nullptr);
    auto *made = new QAction(theme::icon(spec.icon), spec.text, this);
    made->setObjectName(spec.id);
    made->setCheckable(spec.checkable);
    made->setShortcut(spec.shortcut);
    made->setStatusTip(spec.tip);
    made->setToolTip(plainTooltip(spec.tip));
    m_actions.append(made);
    QMenu *menu = m_menus.at(static_cast<qsizetype>(spec.menu));
    if (spec.separated)
        menu->addSeparator();
    menu->addAction(made);
    menu->menuAction()->setVisible(true);
    return made;
}

QAction *Actions::action(const QString &id) const
{
    for (QAction *one : m_actions) {
        if (one->objectName() == id)
            return one;
    }
    return nullptr;
}

QList<std::pair<QString, QString>> Actions::sheet() const
{
    QList<std::pair<QString, QString>> lines;
    for (const QAction *one : m_actions) {
        if (!one->shortcut().isEmpty())
            lines.append({one->shortcut().toString(QKeySequence::NativeText), readText(*one)});
    }
    return lines;
}

} // namespace outbox
