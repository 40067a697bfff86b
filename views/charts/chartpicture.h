// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be done with the picture of a chart: it is copied, or saved.
#pragma once

#include <QPixmap>
#include <QPoint>

#include <functional>

class QWidget;

namespace outbox {

/// Puts it on the clipboard.
void copyPicture(const QPixmap &picture);
/// Opens the menu of `chart` at a place on the screen. `picture` is taken and `save` is called when
/// a person chooses that; neither is called once the chart is gone.
void openPictureMenu(QWidget *chart, const QPoint &place, const std::function<QPixmap()> &picture,
                     const std::function<void()> &save);

} // namespace outbox
