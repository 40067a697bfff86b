// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/historypresenter.h"

#include "app/desktop/pages.h"
#include "app/system/system.h"
#include "views/frame/mainwindow.h"
#include "views/frame/messagebar.h"
#include "views/overview/overviewcharts.h"
#include "views/overview/overviewview.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString unkeptMessage = u"history"_s;
const QString asideMessage = u"history-aside"_s;

} // namespace

HistoryPresenter::HistoryPresenter(System &system, SystemHistory &history, const Pages &pages,
                                   const QString &stateFolder, QObject *parent)
    : QObject(parent), m_history(history), m_pages(pages),
      m_keeper(historyFileOf(system.profile(), stateFolder))
{
    joinLooks(system);
    joinMessages();
    joinEarlier();
    connect(&m_keeper, &HistoryKeeper::recalled, this,
            [this](const HistoryPoints &points) { m_history.fillBefore(points); });
    connect(&m_keeper, &HistoryKeeper::eventsFound, this, [this](const QList<HistoryEvent> &found) {
        for (const HistoryEvent &event : found)
            m_history.addEvent(event); // once, whoever put it there
    });
    m_keeper.recall();
}

HistoryPresenter::~HistoryPresenter()
{
    m_pages.window->messages()->remove(unkeptMessage);
    m_pages.window->messages()->remove(asideMessage);
    m_pages.overview->charts()->setEarlierOffered(false);
}

void HistoryPresenter::joinLooks(System &system)
{
    // The system was joined to its sources first: a look is remembered before it is taken here.
    const auto takeOutbox
        = [this] { m_keeper.takeOutbox(m_history, QDateTime::currentDateTimeUtc()); };
    const auto takeQueues
        = [this] { m_keeper.takeQueues(m_history, QDateTime::currentDateTimeUtc()); };
    MessageSource *source = &system.messages();
    connect(source, &MessageSource::taken, this, takeOutbox);
    connect(source, &MessageSource::healthChanged, this, [takeOutbox](const SourceHealth &health) {
        if (health.state == SourceHealth::State::Failing)
            takeOutbox();
    });
    connect(&system.queue(), &QueueFeed::taken, this, takeQueues);
    connect(&system.queue(), &QueueFeed::healthChanged, this,
            [takeQueues](const SourceHealth &health) {
                if (health.state == SourceHealth::State::Failing)
                    takeQueues();
            });
    connect(&system, &System::happened, &m_keeper, &HistoryKeeper::takeEvent);
}

void HistoryPresenter::joinEarlier()
{
    OverviewCharts *charts = m_pages.overview->charts();
    connect(charts, &OverviewCharts::earlierAsked, &m_keeper, &HistoryKeeper::readEarlier);
    connect(&m_keeper, &HistoryKeeper::earlierRead, charts, &OverviewCharts::setEarlierPoints);
    charts->setEarlierOffered(true);
}

void HistoryPresenter::joinMessages()
{
    connect(&m_keeper, &HistoryKeeper::failed, this, [this](const Error &error) {
        m_pages.window->messages()->add({unkeptMessage,
                                         HealthLevel::Watch,
                                         tr("The history is not kept: %1").arg(oneLine(error)),
                                         {}});
    });
    connect(&m_keeper, &HistoryKeeper::succeeded, this,
            [this] { m_pages.window->messages()->remove(unkeptMessage); });
    connect(&m_keeper, &HistoryKeeper::setAside, this, [this](const QString &notice) {
        m_pages.window->messages()->add({asideMessage, HealthLevel::Watch, notice, {}});
    });
}

} // namespace outbox
