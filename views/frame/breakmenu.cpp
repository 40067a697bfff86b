// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/breakmenu.h"

#include "models/plaintext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

BreakMenu::BreakMenu(const QList<BreakEntry> &entries, QWidget *parent)
    : QMenu(tr("&Break something"), parent)
{
    setObjectName(u"breakMenu"_s);
    setToolTipsVisible(true);
    for (const BreakEntry &entry : entries) {
        QAction *made = addAction(buttonText(entry.title));
        made->setObjectName(entry.id);
        made->setToolTip(plainTooltip(entry.description));
        made->setStatusTip(shownText(entry.description));
        made->setCheckable(true);
        connect(made, &QAction::triggered, this, [this, made, id = entry.id](bool checked) {
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
