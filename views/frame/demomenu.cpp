// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/demomenu.h"

#include "models/plaintext.h"

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
    made->setToolTip(plainTooltip(entry.about));
    made->setStatusTip(shownText(entry.about));
    made->setCheckable(true);
    return made;
}

} // namespace

DemoMenu::DemoMenu(const QList<NamedChoice> &designs, const QString &shown, QWidget *parent)
    : QMenu(tr("&Demo"), parent)
{
    setObjectName(u"demoMenu"_s);
    setToolTipsVisible(true);
    auto *group = new QActionGroup(this);
    for (const NamedChoice &design : designs) {
        QAction *made = addEntry(*this, design, u"demo-"_s + design.value);
        made->setChecked(design.value == shown);
        group->addAction(made);
        connect(made, &QAction::triggered, this, [this, id = design.value, shown] {
            if (id != shown)
                emit designAsked(id);
        });
    }
}

BreakMenu::BreakMenu(const QList<NamedChoice> &entries, QWidget *parent)
    : QMenu(tr("&Break something"), parent)
{
    setObjectName(u"breakMenu"_s);
    setToolTipsVisible(true);
    for (const NamedChoice &entry : entries) {
        QAction *made = addEntry(*this, entry, entry.value);
        connect(made, &QAction::triggered, this, [this, made, id = entry.value](bool checked) {
            made->setChecked(!checked); // the mark tells what is broken, not what was clicked
            emit breakAsked(id);
        });
    }
}

void BreakMenu::setBroken(const QString &id, bool broken)
{
    if (auto *entry = findChild<QAction *>(id))
        entry->setChecked(broken);
}

} // namespace outbox
