// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chartpicture.h"

#include "models/translation.h"
#include "views/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QKeySequence>
#include <QMenu>
#include <QWidget>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation pictureText("outbox::ChartPictureMenu");

} // namespace

void copyPicture(const QPixmap &picture)
{
    QApplication::clipboard()->setPixmap(picture);
}

void openPictureMenu(QWidget *chart, const QPoint &place, const std::function<QPixmap()> &picture,
                     const std::function<void()> &save)
{
    auto *menu = new QMenu(chart);
    menu->setObjectName(u"pictureMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *copy = menu->addAction(theme::icon(u"copy"_s), pictureText("&Copy picture"));
    copy->setObjectName(u"copyPicture"_s);
    copy->setShortcut(QKeySequence(QKeySequence::Copy)); // the chart itself hears the key
    copy->setShortcutContext(Qt::WidgetShortcut);
    QAction *keep = menu->addAction(theme::icon(u"export"_s), pictureText("&Save picture\u2026"));
    keep->setObjectName(u"savePicture"_s);
    QObject::connect(copy, &QAction::triggered, chart, [picture] { copyPicture(picture()); });
    QObject::connect(keep, &QAction::triggered, chart, [save] { save(); });
    menu->popup(place);
}

} // namespace outbox
