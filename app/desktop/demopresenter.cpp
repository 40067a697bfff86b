// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/demopresenter.h"

#include "app/desktop/pages.h"
#include "connectors/answer.h"
#include "models/phrases.h"
#include "views/frame/demomenu.h"
#include "views/frame/mainwindow.h"
#include "views/frame/messagebar.h"
#include "views/overview/overviewview.h"
#include "views/widgets/formfields.h"

#include <QMenuBar>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString brokenMessage = u"broken-"_s; ///< and the id of what was broken

} // namespace

DemoPresenter::DemoPresenter(const Pages &pages, QObject *parent)
    : QObject(parent), m_pages(pages), m_room(u"demo"_s)
{ }

DemoPresenter::~DemoPresenter()
{
    leaveWindow();
}

void DemoPresenter::start(Demo::Kind kind, DemoDesign design)
{
    m_kind = kind;
    m_design = design;
    answerTo(this, m_room.run([this, kind, design](std::unique_ptr<Demo> &demo) {
        return started(demo, kind, design);
    }),
             [this](const Result<Ground> &ground) {
                 if (m_isLeft)
                     return;
                 if (!ground)
                     return emit failed(ground.error());
                 m_ground = *ground;
                 emit stands();
             });
}

void DemoPresenter::withDemo(std::function<void(Demo &)> act)
{
    static_cast<void>(m_room.run([act = std::move(act)](std::unique_ptr<Demo> &demo) {
        act(*demo);
        return true;
    }));
}

Result<DemoPresenter::Ground> DemoPresenter::started(std::unique_ptr<Demo> &made, Demo::Kind kind,
                                                     DemoDesign design)
{
    made = std::make_unique<Demo>();
    const Demo *demo = made.get();
    connect(demo, &Demo::brokenChanged, this, [this](const QString &id, bool broken) {
        if (broken)
            m_broken.insert(id);
        else
            m_broken.remove(id);
        if (m_isLeft)
            return;
        m_pages.window->setBroken(id, broken);
        if (!broken)
            m_pages.window->messages()->remove(brokenMessage + id);
    });
    connect(demo, &Demo::relayStopAsked, this, [this] {
        if (m_relay)
            m_relay->driver().stop();
    });
    connect(demo, &Demo::relayStartAsked, this, [this] {
        if (m_relay && !m_relay->isRunning())
            m_relay->start(m_relay->lastStart());
    });
    connect(demo, &Demo::relayKillAsked, this, [this] {
        if (m_relay)
            m_relay->driver().inRoom([queue = m_queue](RelaySession &session) {
                queue->killInNextBatch([&session](const Error &error) { session.cutOff(error); });
            });
    });
    connect(demo, &Demo::retentionAsked, this, [this](qint64 seconds) {
        if (!m_relay)
            return;
        RelayStart start = m_relay->lastStart();
        start.retentionSeconds = seconds;
        m_relay->restart(start);
    });
    connect(demo, &Demo::loseAnswerAsked, this, [this] {
        m_isLost = false;
        if (m_relay)
            m_relay->driver().inRoom(
                [queue = m_queue](RelaySession &) { queue->dropNextAnswer(); });
    });
    TRY(made->start(kind, design));
    return Ground{demo->profile(), demo->stateFolder(), demo->relaySettings()};
}

void DemoPresenter::end()
{
    leaveWindow();
    answerTo(this, m_room.run([](std::unique_ptr<Demo> &demo) {
        demo.reset();
        return true;
    }),
             [this](bool) { emit ended(); });
}

void DemoPresenter::leaveWindow()
{
    if (std::exchange(m_isLeft, true))
        return;
    for (const Breakage &breakage : entries())
        m_pages.window->messages()->remove(brokenMessage + breakage.id);
    if (m_menu)
        m_menu->deleteLater(); // it may be its own entry that was clicked
}

void DemoPresenter::makeMenus()
{
    QList<NamedChoice> designs;
    for (const DemoDesign design : demoDesigns())
        designs += NamedChoice{word(design), label(design), description(design)};
    m_menu = demoMenu(designs, word(m_design), m_pages.window);
    m_pages.window->menuBar()->addMenu(m_menu);
    for (const QAction *entry : m_menu->actions()) {
        connect(entry, &QAction::triggered, this, [this, id = entry->data().toString()] {
            const auto design = demoDesignFromWord(id);
            if (design && *design != m_design)
                emit designAsked(*design);
        });
    }
    QList<NamedChoice> menu;
    for (const Breakage &breakage : entries()) {
        menu += NamedChoice{breakage.id, breakage.title,
                            breakage.happens + u' ' + breakage.watch + u' ' + breakage.heals};
    }
    m_pages.window->setBreakMenu(menu);
}

void DemoPresenter::join(RelayPresenter *relay)
{
    m_relay = relay;
    makeMenus();
    connect(m_pages.window, &MainWindow::breakAsked, this, &DemoPresenter::breakOrHeal);
    connect(m_pages.window->messages(), &MessageBar::actAsked, this,
            [this](const QString &message, const QString &asked) {
                if (message.startsWith(brokenMessage))
                    act(message.mid(brokenMessage.size()), asked);
            });
    if (documentDesign(m_design))
        return; // what is left in documents is sent by the demo itself
    const RelaySettings &settings = m_ground.relay;
    RelayStart start;
    start.batch = settings.batch;
    start.pollMs = settings.pollMs;
    start.ratePerSecond = settings.ratePerSecond;
    start.retentionSeconds = settings.retentionSeconds;
    start.notifyChannel = settings.notifyChannel;
    joinRelay();
    relay->startWhenReady(start);
}

void DemoPresenter::joinRelay()
{
    RelayDriver *driver = &m_relay->driver();
    driver->setQueueAround([front = m_queue](TaskQueue &queue) -> TaskQueue & {
        front->setQueue(queue);
        return *front;
    });
    connect(driver, &RelayDriver::stateChanged, this, [this](RelayState state) {
        if (m_isLeft)
            return;
        withDemo([isRunning = state == RelayState::Running,
                  retention = m_relay->lastStart().retentionSeconds](Demo &demo) {
            demo.noteRelay(isRunning, retention);
        });
    });
    connect(driver, &RelayDriver::stepsTaken, this, [this](const QList<RelayStep> &steps) {
        if (m_isLeft)
            return;
        for (const RelayStep &step : steps) {
            m_isLost = m_isLost || step.error;
            if (!step.committed || !std::exchange(m_isLost, false))
                continue;
            withDemo([](Demo &demo) { demo.noteDelivery(); });
        }
    });
}

void DemoPresenter::breakOrHeal(const QString &id)
{
    if (m_isLeft)
        return;
    if (m_broken.contains(id))
        return heal(id);
    for (const Breakage &breakage : entries()) {
        if (breakage.id != id)
            continue;
        QList<std::pair<QString, QString>> acts;
        if (!breakage.page.isEmpty())
            acts += {u"show"_s, tr("Show")};
        if (!breakage.cure.isEmpty())
            acts += {u"cure"_s, breakage.cure};
        const QDateTime now = QDateTime::currentDateTimeUtc();
        m_pages.window->messages()->add(
            {brokenMessage + id, HealthLevel::Watch,
             tr("%1 (at %2): %3").arg(breakage.title, momentText(now, now), breakage.happens) + u' '
                 + breakage.watch + u' ' + breakage.heals,
             acts});
    }
    withDemo([id](Demo &demo) { demo.breakThing(id); });
}

void DemoPresenter::act(const QString &id, const QString &act)
{
    if (m_isLeft)
        return;
    if (act == "cure"_L1)
        return heal(id);
    for (const Breakage &breakage : entries()) {
        if (breakage.id == id)
            emit m_pages.overview->showAsked(breakage.page);
    }
}

} // namespace outbox
