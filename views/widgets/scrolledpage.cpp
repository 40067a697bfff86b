// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/scrolledpage.h"

#include "views/widgets/tabplace.h"

#include <QApplication>
#include <QBoxLayout>
#include <QDialog>
#include <QEvent>
#include <QLayout>
#include <QScreen>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabWidget>

#include <algorithm>

namespace outbox {

namespace {

constexpr QSize windowFrame(8, 40); ///< edges and title, as large as desktops make them

/// Pages behind each other, and tabs, tell Qt the height they would like at a width where they are
/// asked for the least one: how much they say too much in this layout, in pixels.
int wishesIn(const QLayout *layout, int width)
{
    const QMargins margins = layout->contentsMargins();
    const int inside = std::max(0, width - margins.left() - margins.right());
    int wishes = 0;
    for (int at = 0; at < layout->count(); ++at) {
        QLayoutItem *item = layout->itemAt(at);
        const QWidget *widget = item->widget();
        const QLayout *inner = widget != nullptr ? widget->layout() : item->layout();
        if (!item->hasHeightForWidth())
            continue;
        if (qobject_cast<const QTabWidget *>(widget) != nullptr
            || qobject_cast<const QStackedWidget *>(widget) != nullptr)
            wishes
                += std::max(0, item->minimumHeightForWidth(inside) - item->minimumSize().height());
        else if (inner != nullptr)
            wishes += wishesIn(inner, inside);
    }
    return wishes;
}

/// What its layout cannot do without, whatever the width.
QSize leastOf(const QWidget *page)
{
    const QLayout *layout = page->layout();
    const QSize least = layout != nullptr ? layout->totalMinimumSize() : page->minimumSizeHint();
    return least.expandedTo(page->minimumSize());
}

/// The least size at which a page of this width is whole: wrapped text has all its lines.
QSize leastAt(const QWidget *page, int width)
{
    QSize least = leastOf(page);
    const QLayout *layout = page->layout();
    if (layout != nullptr && layout->hasHeightForWidth()) {
        const int wide = std::max(width, least.width());
        const int high = layout->totalMinimumHeightForWidth(wide) - wishesIn(layout, wide);
        least.setHeight(std::max(least.height(), high));
    }
    return least;
}

/// As much of a size as the screen has; what is too high has room for the bar beside it.
QSize onScreen(const QScrollArea *area, QSize size)
{
    const QSize room = screenRoom(area);
    if (size.height() > room.height())
        size.rwidth() += area->verticalScrollBar()->sizeHint().width();
    return size.boundedTo(room);
}

} // namespace

QSize screenRoom(const QWidget *window)
{
    const QScreen *screen = window->screen();
    return screen != nullptr ? screen->availableSize() - windowFrame : QSize(1024, 640);
}

ScrolledPage::ScrolledPage(const QString &spoken, Wants wants, QWidget *parent)
    : QScrollArea(parent), m_wants(wants), m_place(new TabPlace(this))
{
    setAccessibleName(spoken);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // its parts take the keys
    setSizeAdjustPolicy(QAbstractScrollArea::AdjustIgnored);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    // Qt scrolls to what the Tab key reaches from inside of the page alone. Not where a window gets
    // the focus back, and not to what is in sight: nothing moves below a mouse.
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *before, QWidget *now) {
        if (before != nullptr && now != nullptr && widget() != nullptr && isVisible()
            && widget()->isAncestorOf(now) && now->visibleRegion().isEmpty())
            ensureWidgetVisible(now);
    });
}

QWidget *ScrolledPage::replacePage(QWidget *page)
{
    QWidget *before = takeWidget();
    if (before != nullptr)
        before->hide();
    setWidget(page);
    if (before != nullptr)
        m_place->gather(); // else the page has come in its turn
    page->show();
    fit();
    updateGeometry();
    return before;
}

QSize ScrolledPage::sizeHint() const
{
    if (widget() == nullptr || m_wants == Wants::Little)
        return QScrollArea::sizeHint();
    return onScreen(this, widget()->sizeHint().expandedTo(leastOf(widget())));
}

QSize ScrolledPage::minimumSizeHint() const
{
    if (widget() == nullptr || m_wants == Wants::Little)
        return {120, 80};
    return onScreen(this, leastOf(widget()));
}

bool ScrolledPage::hasHeightForWidth() const
{
    return m_wants == Wants::AsItsPage && widget() != nullptr && widget()->hasHeightForWidth();
}

int ScrolledPage::heightForWidth(int width) const
{
    return hasHeightForWidth()
        ? std::min(widget()->heightForWidth(width), screenRoom(this).height())
        : QScrollArea::heightForWidth(width);
}

bool ScrolledPage::eventFilter(QObject *watched, QEvent *event)
{
    const bool handled = QScrollArea::eventFilter(watched, event);
    if (watched == widget() && event->type() == QEvent::LayoutRequest) {
        fit();
        updateGeometry();
        grow();
    }
    return handled;
}

void ScrolledPage::resizeEvent(QResizeEvent *event)
{
    fit();
    QScrollArea::resizeEvent(event);
}

void ScrolledPage::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    grow(); // Qt opens a window with two thirds of the screen at most; it is not seen yet
}

void ScrolledPage::fit()
{
    QWidget *page = widget();
    if (page == nullptr)
        return;
    // A bar takes room of its own, which may make the other one necessary.
    QSize room = maximumViewportSize();
    const int besideBar = room.width() - verticalScrollBar()->sizeHint().width();
    const int aboveBar = room.height() - horizontalScrollBar()->sizeHint().height();
    QSize least = leastAt(page, room.width());
    if (least.height() > room.height())
        room.setWidth(besideBar);
    if (least.width() > room.width())
        room.setHeight(aboveBar);
    least = leastAt(page, room.width());
    if (least.height() > room.height())
        room.setWidth(besideBar);
    page->resize(least.expandedTo(room));
}

void ScrolledPage::grow()
{
    if (m_wants == Wants::Little || widget() == nullptr || !isVisible())
        return;
    const int missing = widget()->height() - viewport()->height();
    const int high = std::min(window()->height() + missing, screenRoom(this).height());
    if (high > window()->height())
        window()->resize(window()->width(), high);
}

void keepOnScreen(QDialog *dialog, const QSize &opensWith)
{
    QWidget *focused = dialog->focusWidget(); // what gets another parent loses the focus
    auto *page = new QWidget(dialog); // so that all stay in one window, in the order of the Tab key
    page->setLayout(dialog->layout()); // which takes it and its widgets from the dialog
    auto *area
        = new ScrolledPage(ScrolledPage::tr("Contents"), ScrolledPage::Wants::AsItsPage, dialog);
    auto *whole = new QVBoxLayout(dialog);
    whole->setContentsMargins({});
    whole->addWidget(area);
    area->replacePage(page);
    if (focused != nullptr)
        focused->setFocus();
    dialog->setMinimumSize(dialog->minimumSize().boundedTo(screenRoom(dialog)));
    if (!opensWith.isEmpty())
        dialog->resize(opensWith.boundedTo(screenRoom(dialog)));
}

} // namespace outbox
