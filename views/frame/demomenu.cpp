// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/demomenu.h"

#include "models/plaintext.h"

#include <QActionGroup>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

DemoMenu::DemoMenu(const QList<BreakEntry> &designs, const QString &shown, QWidget *parent)
    : QMenu(tr("&Demo"), parent)
{
    setObjectName(u"demoMenu"_s);
    setToolTipsVisible(true);
    auto *group = new QActionGroup(this);
    for (const BreakEntry &design : designs) {
        QAction *made = addAction(buttonText(design.title));
        made->setObjectName(u"demo-"_s + design.id);
        made->setToolTip(plainTooltip(design.description));
        made->setStatusTip(shownText(design.description));
        made->setCheckable(true);
        made->setChecked(design.id == shown);
        group->addAction(made);
        connect(made, &QAction::triggered, this, [this, id = design.id, shown] {
            if (id != shown)
                emit designAsked(id);
        });
    }
}

} // namespace outbox
