// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/locatorpresenter.h"

#include "app/desktop/filterpresenter.h"
#include "app/desktop/pages.h"
#include "models/filter/completion.h"
#include "models/filter/filter.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/activity/activityview.h"
#include "views/dedup/dedupview.h"
#include "views/frame/locator.h"
#include "views/frame/mainwindow.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/widgets/actions.h"

#include <QDateTime>
#include <QMenu>
#include <QMenuBar>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString linkOpening = u"opening the link"_s;

Pages::Number pageOf(FilterSubject subject)
{
    switch (subject) {
    case FilterSubject::Tasks:
        return Pages::Queue;
    case FilterSubject::Activities:
        return Pages::Activity;
    case FilterSubject::Rows:
        break;
    }
    return Pages::Outbox;
}

} // namespace

LocatorPresenter::LocatorPresenter(const Pages &pages, const FilterPresenter &filters,
                                   const ProfileStore &profiles, QObject *parent)
    : QObject(parent), m_pages(pages), m_filters(filters), m_profiles(profiles)
{
    connect(m_pages.window, &MainWindow::locateAsked, m_pages.locator, &Locator::openLine);
    connect(m_pages.locator, &Locator::typed, this, &LocatorPresenter::find);
    connect(m_pages.locator, &Locator::chosen, this, &LocatorPresenter::open);
}

void LocatorPresenter::show(const Profile &profile)
{
    m_pages.locator->leave();
    m_open = profile;
}

void LocatorPresenter::find(const QString &typed)
{
    const LocatorFindings found = located(typed, offered(), QDateTime::currentDateTime());
    QString note;
    if (typed.trimmed().size() > Filter::mostCharacters)
        note
            = tr("This is too long: %1 characters at most.").arg(countText(Filter::mostCharacters));
    else if (found.entries.isEmpty())
        note = tr("Nothing is called so, and it is neither an id nor a whole filter.");
    else if (found.more > 0)
        note = tr("%1 more are not shown. Type more of the name.").arg(countText(found.more));
    m_pages.locator->setFindings(found.entries, note);
}

LocatorOffer LocatorPresenter::offered()
{
    LocatorOffer offer;
    m_actions.clear();
    addActions(offer, {}, m_pages.window->menuBar()->actions());
    addProfiles(offer);
    if (!m_open)
        return offer;
    addPages(offer);
    addFilters(offer);
    offer.aboutIds = hasRows() ? tr("in rows, all queues, kept ids and records")
                               : tr("in all queues, kept ids and records");
    offer.subject = subjectInFront();
    if (offer.subject)
        offer.aboutFilters
            = tr("on the page %1").arg(m_pages.window->pageAction(pageOf(*offer.subject))->text());
    return offer;
}

void LocatorPresenter::addPages(LocatorOffer &offer) const
{
    int page = 0;
    while (const QAction *go = m_pages.window->pageAction(page)) {
        if (go->isVisible())
            offer.named += LocatorEntry{LocatorEntry::Kind::Page, go->text(),
                                        go->shortcut().toString(QKeySequence::NativeText), page};
        ++page;
    }
}

/// Pages are found as pages, and the line itself is open.
bool LocatorPresenter::isLeftOut(const QAction *action) const
{
    const MainWindow *window = m_pages.window;
    for (int page = 0; window->pageAction(page); ++page) {
        if (window->pageAction(page) == action)
            return true;
    }
    return action == window->registry()->action(u"locate"_s);
}

void LocatorPresenter::addActions(LocatorOffer &offer, const QString &menu,
                                  const QList<QAction *> &actions)
{
    for (QAction *one : actions) {
        if (!one->isVisible() || !one->isEnabled() || one->isSeparator())
            continue;
        if (const QMenu *below = one->menu()) {
            addActions(offer, readText(*one), below->actions());
            continue;
        }
        if (isLeftOut(one))
            continue;
        const QString keys = one->shortcut().toString(QKeySequence::NativeText);
        offer.named += LocatorEntry{LocatorEntry::Kind::Action, readText(*one),
                                    keys.isEmpty() ? menu : QString(menu + u", "_s + keys),
                                    static_cast<int>(m_actions.size())};
        m_actions += QPointer<QAction>(one);
    }
}

void LocatorPresenter::addFilters(LocatorOffer &offer)
{
    m_saved = m_filters.offered();
    for (int at = 0; at < static_cast<int>(m_saved.size()); ++at) {
        const SavedFilter &one = m_saved.at(at);
        if (one.subject == FilterSubject::Tasks || hasRows())
            offer.named += LocatorEntry{LocatorEntry::Kind::SavedFilter, one.name, one.text, at};
    }
}

void LocatorPresenter::addProfiles(LocatorOffer &offer) const
{
    for (const Profile &one : m_profiles.profiles()) {
        if (m_open != one)
            offer.named
                += LocatorEntry{LocatorEntry::Kind::Profile, one.name, label(one.environment)};
    }
}

std::optional<FilterSubject> LocatorPresenter::subjectInFront() const
{
    const int page = m_pages.window->currentPage();
    if (page == Pages::Queue)
        return FilterSubject::Tasks;
    if (page == Pages::Activity)
        return FilterSubject::Activities;
    return hasRows() ? std::optional(FilterSubject::Rows) : std::nullopt;
}

void LocatorPresenter::open(const LocatorEntry &entry)
{
    switch (entry.kind) {
    case LocatorEntry::Kind::Id:
        return openId(entry.name);
    case LocatorEntry::Kind::Page:
        return m_pages.window->showPage(entry.number);
    case LocatorEntry::Kind::Action:
        if (const QPointer<QAction> action = m_actions.value(entry.number))
            action->trigger(); // does nothing where it cannot be done any more
        return;
    case LocatorEntry::Kind::SavedFilter: {
        const SavedFilter saved = m_saved.value(entry.number);
        return openFilter(saved.subject, saved.text);
    }
    case LocatorEntry::Kind::Filter:
        if (const auto subject = subjectInFront())
            openFilter(*subject, entry.name);
        return;
    case LocatorEntry::Kind::Profile:
        emit profileAsked(entry.name);
        return;
    }
}

/// By a filter for this id alone the Outbox page shows what became of it, with a row or without.
void LocatorPresenter::openId(const QString &id)
{
    if (hasRows())
        return openFilter(FilterSubject::Rows, u"id="_s + asFilterValue(id));
    m_pages.window->showPage(Pages::Dedup);
    m_pages.dedup->openId(MessageId{id});
}

Result<void> LocatorPresenter::openLink(const WindowLink &link)
{
    const bool namesMore = !link.filter.isEmpty() || !link.id.isEmpty();
    const auto page = link.page.isEmpty() && namesMore ? std::optional<int>(Pages::Outbox)
                                                       : pageOfWord(link.page);
    if (page) {
        m_pages.window->showPage(*page);
        return namesMore ? openOn(*page, link) : Result<void>();
    }
    if (link.page.isEmpty())
        return {};
    return fail(Error::Kind::Invalid, linkOpening,
                u"no page is called \"%1\""_s.arg(plainText(link.page)));
}

Result<void> LocatorPresenter::openOn(int page, const WindowLink &link)
{
    if (!m_open)
        return fail(Error::Kind::Invalid, linkOpening, u"no system is open"_s);
    std::optional<FilterSubject> subject;
    for (const FilterSubject one :
         {FilterSubject::Rows, FilterSubject::Tasks, FilterSubject::Activities}) {
        if (pageOf(one) == page && (one != FilterSubject::Rows || hasRows()))
            subject = one;
    }
    if (!subject) {
        if (!link.id.isEmpty()) {
            m_pages.window->showPage(Pages::Dedup);
            m_pages.dedup->openId(MessageId{link.id});
        }
        if (!link.filter.isEmpty())
            return fail(Error::Kind::Invalid, linkOpening, u"this page takes no filter"_s);
        return {};
    }
    // A row is selected among those of the filter.
    const bool isRow = *subject == FilterSubject::Rows && !link.filter.isEmpty();
    QString text = link.filter;
    if (!link.id.isEmpty() && !isRow) {
        const QString term = u"id="_s + asFilterValue(link.id);
        text = text.isEmpty() ? term : QString(u'(' + text + u") "_s + term);
    }
    openFilter(*subject, text);
    if (isRow && !link.id.isEmpty())
        m_pages.outbox->chooseRow({link.id});
    const FilterReading read = readFilter(text, *subject, QDateTime::currentDateTime());
    if (read.fault)
        return Failure(*read.fault);
    return {};
}

void LocatorPresenter::openFilter(FilterSubject subject, const QString &text)
{
    m_pages.window->showPage(pageOf(subject));
    switch (subject) {
    case FilterSubject::Rows:
        return m_pages.outbox->openFilter(text);
    case FilterSubject::Tasks:
        return m_pages.queue->setFilter(text);
    case FilterSubject::Activities:
        return m_pages.activity->openFilter(text);
    }
}

} // namespace outbox
