// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pages of the frame: which there are, which is shown, and the cover over them.
#include "views/frame/mainwindow.h"
#include "views/frame/messagesmenu.h"
#include "views/frame/pagelist.h"
#include "views/widgets/actions.h"
#include "views/widgets/environmentband.h"

#include <QStackedWidget>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

int MainWindow::addPage(QWidget *page, const QString &icon, const QString &name)
{
    const int index = m_pages->addWidget(page);
    const int number = index + 1;
    const QKeySequence keys(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number));
    QAction *go = m_actions->add({u"page%1"_s.arg(number), Actions::Menu::View, name,
                                  tr("Show the page %1").arg(name), icon, keys, false, index == 0});
    connect(go, &QAction::triggered, this, [this, index] { showPage(index); });
    m_list->addPage(icon, name, u"%1 (%2)"_s.arg(name, keys.toString(QKeySequence::NativeText)));
    if (index == 0)
        m_list->setCurrentRow(0);
    return index;
}

void MainWindow::replacePage(int page, QWidget *widget, const QString &name)
{
    m_list->setName(page, name);
    if (m_pages->widget(page) == widget)
        return;
    const int current = m_pages->currentIndex();
    m_pages->removeWidget(m_pages->widget(page)); // a hidden child from now on
    m_pages->insertWidget(page, widget);
    m_pages->setCurrentIndex(current);
    m_verbs->setPage(m_pages->currentWidget());
    m_actions->action(u"page%1"_s.arg(page + 1))->setText(name);
}

void MainWindow::setPageOffered(int page, bool offered)
{
    m_list->setShown(page, offered);
    m_actions->action(u"page%1"_s.arg(page + 1))->setVisible(offered);
    if (!offered && currentPage() == page)
        showPage(0);
}

void MainWindow::showPage(int page)
{
    if (page < 0 || page >= m_list->count() || m_pages->currentWidget() == m_cover
        || m_list->isRowHidden(page))
        return;
    m_list->setCurrentRow(page);
    if (m_pages->currentIndex() == page)
        return;
    m_pages->setCurrentIndex(page);
    m_verbs->setPage(m_pages->currentWidget());
    emit pageShown(page);
}

int MainWindow::currentPage() const
{
    return m_pages->currentIndex();
}

void MainWindow::setCover(QWidget *cover)
{
    m_cover = cover;
    m_pages->addWidget(cover);
}

void MainWindow::showCover(bool shown)
{
    if (shown)
        setWindowTitle(tr("No system open"));
    m_list->setVisible(!shown);
    m_band->setVisible(!shown);
    m_pages->setCurrentIndex(shown ? m_pages->indexOf(m_cover) : 0);
    m_verbs->setPage(m_pages->currentWidget());
    m_list->setCurrentRow(0);
}

} // namespace outbox
