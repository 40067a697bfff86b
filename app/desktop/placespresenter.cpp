// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/placespresenter.h"

#include "app/desktop/pages.h"
#include "views/activity/activityview.h"
#include "views/dedup/dedupview.h"
#include "views/documents/documentsview.h"
#include "views/filter/filterbar.h"
#include "views/frame/mainwindow.h"
#include "views/message/messagepanel.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskspane.h"

namespace outbox {

PlacesPresenter::PlacesPresenter(const Pages &pages, QObject *parent)
    : QObject(parent), m_pages(pages)
{
    m_follow.setSingleShot(true);
    connect(&m_follow, &QTimer::timeout, this, &PlacesPresenter::follow);
    const auto moved = [this] { m_follow.start(); };
    connect(m_pages.window, &MainWindow::pageShown, this, moved);
    for (const FilterBar *bar :
         {m_pages.outbox->filter(), m_pages.queue->tasks()->filter(), m_pages.activity->filter()})
        connect(bar, &FilterBar::applied, this, moved);
    connect(m_pages.documents, &DocumentsView::listAsked, this, moved);
    connect(m_pages.dedup, &DedupView::idAsked, this, moved);
    connect(m_pages.window, &MainWindow::backAsked, this, [this] { step(true); });
    connect(m_pages.window, &MainWindow::forwardAsked, this, [this] { step(false); });
}

void PlacesPresenter::begin(bool hasDocuments)
{
    m_hasDocuments = hasDocuments;
    m_history.forget();
    follow();
}

bool PlacesPresenter::isOffered(int page) const
{
    const QAction *go = m_pages.window->pageAction(page);
    return go && go->isVisible();
}

WindowPlace PlacesPresenter::here() const
{
    const int page = m_pages.window->currentPage();
    return {page, filterOn(page), {}};
}

WindowLink PlacesPresenter::link() const
{
    const int page = m_pages.window->currentPage();
    WindowLink place{pageWords().value(page), {}, {}};
    if (page == Pages::Dedup)
        place.id = filterOn(page);
    else if (page != Pages::Outbox || !m_hasDocuments)
        place.filter = filterOn(page);
    if (page == Pages::Outbox && !place.filter.isEmpty()) // alone it would be a filter
        place.id = chosenOn(page);
    return place;
}

QString PlacesPresenter::filterOn(int page) const
{
    switch (page) {
    case Pages::Outbox:
        return m_hasDocuments ? QString::number(static_cast<int>(m_pages.documents->list()))
                              : m_pages.outbox->filter()->appliedText();
    case Pages::Queue:
        return m_pages.queue->tasks()->filter()->appliedText();
    case Pages::Dedup:
        return m_pages.dedup->askedId().text;
    case Pages::Activity:
        return m_pages.activity->filter()->appliedText();
    default:
        return {};
    }
}

QString PlacesPresenter::chosenOn(int page) const
{
    if (page == Pages::Outbox && !m_hasDocuments)
        return m_pages.outbox->panel()->shownId().text;
    return page == Pages::Queue ? m_pages.queue->chosenQueue().text : QString();
}

void PlacesPresenter::follow()
{
    m_follow.stop();
    for (int page = 0; m_pages.window->pageAction(page); ++page) {
        if (!isOffered(page))
            m_history.leaveOut(page);
    }
    const WindowPlace now = here();
    if (isOffered(now.page)) { // no page is shown while no system is open
        const WindowPlace *left = m_history.here();
        if (left && !left->isSameAs(now))
            m_history.choose(chosenOn(left->page));
        m_history.visit(now);
    }
    tellSteps();
}

void PlacesPresenter::step(bool back)
{
    follow();
    if (back ? !m_history.hasBack() : !m_history.hasForward())
        return;
    m_history.choose(chosenOn(m_history.here()->page));
    show(WindowPlace(back ? m_history.goBack() : m_history.goForward()));
    tellSteps();
}

void PlacesPresenter::show(const WindowPlace &place)
{
    m_pages.window->showPage(place.page);
    if (place.filter == filterOn(place.page) && place.chosen == chosenOn(place.page))
        return;
    switch (place.page) {
    case Pages::Outbox:
        return showRows(place);
    case Pages::Queue:
        return showTasks(place);
    case Pages::Dedup:
        return m_pages.dedup->openId({place.filter});
    case Pages::Activity:
        return m_pages.activity->openFilter(place.filter);
    default:
        return;
    }
}

void PlacesPresenter::showRows(const WindowPlace &place)
{
    if (m_hasDocuments)
        return m_pages.documents->showList(static_cast<DesignList>(place.filter.toInt()));
    if (place.filter != filterOn(Pages::Outbox))
        m_pages.outbox->openFilter(place.filter);
    if (!place.chosen.isEmpty())
        m_pages.outbox->chooseRow({place.chosen});
}

void PlacesPresenter::showTasks(const WindowPlace &place)
{
    if (!place.chosen.isEmpty())
        m_pages.queue->chooseQueue({place.chosen});
    if (place.filter != filterOn(Pages::Queue))
        m_pages.queue->setFilter(place.filter);
}

void PlacesPresenter::tellSteps()
{
    m_pages.window->setSteps(m_history.hasBack(), m_history.hasForward());
}

} // namespace outbox
