// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/demomenu.h"

#include "models/plaintext.h"
#include "models/translation.h"

#include <QAction>
#include <QActionGroup>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// An entry that can be marked, with what it does in its tips.
QAction *addEntry(QMenu &menu, const NamedChoice &entry, const QString &name)
{
    QAction *made = menu.addAction(buttonText(entry.name));
    made->setObjectName(name);
    made->setData(entry.value);
    made->setToolTip(plainTooltip(entry.about));
    made->setStatusTip(shownText(entry.about));
    made->setCheckable(true);
    return made;
}

} // namespace

QMenu *demoMenu(const QList<NamedChoice> &designs, const QString &shown, QWidget *parent)
{
    constexpr Translation said("outbox::DemoMenu");
    auto *menu = new QMenu(said("&Demo"), parent);
    menu->setObjectName(u"demoMenu"_s);
    menu->setToolTipsVisible(true);
    auto *group = new QActionGroup(menu);
    for (const NamedChoice &design : designs) {
        QAction *made = addEntry(*menu, design, u"demo-"_s + design.value);
        made->setChecked(design.value == shown);
        group->addAction(made);
    }
    return menu;
}

QMenu *breakMenu(const QList<NamedChoice> &entries, QWidget *parent)
{
    constexpr Translation said("outbox::BreakMenu");
    auto *menu = new QMenu(said("&Break something"), parent);
    menu->setObjectName(u"breakMenu"_s);
    menu->setToolTipsVisible(true);
    for (const NamedChoice &entry : entries)
        addEntry(*menu, entry, entry.value);
    return menu;
}

} // namespace outbox
