// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/demodesk.h"

#include "app/desktop/pages.h"
#include "connectors/answer.h"
#include "views/demomenu.h"
#include "views/mainwindow.h"

#include <QMenuBar>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

DemoDesk::DemoDesk(const Pages &pages, QObject *parent)
    : QObject(parent), m_pages(pages), m_room(u"demo"_s)
{ }

DemoDesk::~DemoDesk()
{
    leaveWindow();
}

void DemoDesk::start(Demo::Kind kind, DemoDesign design)
{
    m_kind = kind;
    m_design = design;
    answerTo(this, m_room.run([this, kind, design](DemoHost &host) {
        return started(host, kind, design);
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

Result<DemoDesk::Ground> DemoDesk::started(DemoHost &host, Demo::Kind kind, DemoDesign design)
{
    host.demo = std::make_unique<Demo>();
    Demo *demo = host.demo.get();
    connect(demo, &Demo::brokenChanged, this, [this](const QString &id, bool broken) {
        if (broken)
            m_broken.insert(id);
        else
            m_broken.remove(id);
        if (m_isLeft)
            return;
        m_pages.window->setBroken(id, broken);
        if (!broken)
            m_pages.window->messages()->remove(u"broken-"_s + id);
    });
    connect(demo, &Demo::relayStopAsked, this, [this] {
        if (m_relay)
            m_relay->driver().stop();
    });
    connect(demo, &Demo::loseAnswerAsked, this, [this] {
        if (m_relay)
            m_relay->driver().loseNextAnswer();
    });
    if (auto begun = demo->start(kind, design); !begun)
        return passOn(begun);
    return Ground{demo->profile(), demo->stateFolder(), demo->relaySettings()};
}

void DemoDesk::end()
{
    leaveWindow();
    answerTo(this, m_room.run([](DemoHost &host) {
        host.demo.reset();
        return true;
    }),
             [this](bool) { emit ended(); });
}

void DemoDesk::leaveWindow()
{
    if (std::exchange(m_isLeft, true))
        return;
    for (const Breakage &breakage : breakages(m_design))
        m_pages.window->messages()->remove(u"broken-"_s + breakage.id);
    if (m_menu)
        m_menu->deleteLater(); // it may be its own entry that was clicked
}

void DemoDesk::makeMenus()
{
    QList<BreakEntry> designs;
    for (const DemoDesign design : demoDesigns())
        designs += BreakEntry{word(design), label(design), description(design)};
    m_menu = new DemoMenu(designs, word(m_design), m_pages.window);
    m_pages.window->menuBar()->addMenu(m_menu);
    connect(m_menu, &DemoMenu::designAsked, this, [this](const QString &id) {
        if (const auto design = demoDesignFromWord(id))
            emit designAsked(*design);
    });
    QList<BreakEntry> entries;
    for (const Breakage &breakage : breakages(m_design)) {
        entries += BreakEntry{breakage.id, breakage.title,
                              breakage.happens + u' ' + breakage.watch + u' ' + breakage.heals};
    }
    m_pages.window->setBreakMenu(entries);
}

void DemoDesk::join(RelayDesk *relay)
{
    m_relay = relay;
    makeMenus();
    connect(m_pages.window, &MainWindow::breakAsked, this, &DemoDesk::breakOrHeal);
    if (documentDesign(m_design))
        return; // what is left in documents is sent by the demo itself
    const RelaySettings &settings = m_ground.relay;
    RelayStart start;
    start.batch = settings.batch;
    start.pollMs = settings.pollMs;
    start.ratePerSecond = settings.ratePerSecond;
    start.retentionSeconds = settings.retentionSeconds;
    start.notifyChannel = settings.notifyChannel;
    relay->startWhenReady(start);
}

void DemoDesk::breakOrHeal(const QString &id)
{
    if (m_isLeft)
        return;
    if (m_broken.contains(id)) {
        static_cast<void>(m_room.run([id](DemoHost &host) {
            host.demo->healThing(id);
            return true;
        }));
        return;
    }
    for (const Breakage &breakage : breakages(m_design)) {
        if (breakage.id != id)
            continue;
        m_pages.window->messages()->add({u"broken-"_s + id,
                                         HealthLevel::Watch,
                                         breakage.title + u": "_s + breakage.happens + u' '
                                             + breakage.watch + u' ' + breakage.heals,
                                         {}});
    }
    static_cast<void>(m_room.run([id](DemoHost &host) {
        host.demo->breakThing(id);
        return true;
    }));
}

} // namespace outbox
