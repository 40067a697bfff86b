// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/demodesk.h"

#include "app/desktop/pages.h"
#include "app/desktop/relaydesk.h"
#include "views/demomenu.h"
#include "views/mainwindow.h"

#include <QMenuBar>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

DemoDesk::DemoDesk(const Pages &pages, QObject *parent) : QObject(parent), m_pages(pages)
{
    connect(m_pages.window, &MainWindow::breakAsked, this, &DemoDesk::breakOrHeal);
    connect(&m_demo, &Demo::brokenChanged, this, [this](const QString &id, bool broken) {
        m_pages.window->setBroken(id, broken);
        if (!broken)
            m_pages.window->messages()->remove(u"broken-"_s + id);
    });
    connect(&m_demo, &Demo::relayStopAsked, this, [this] {
        if (m_relay)
            m_relay->driver().stop();
    });
    connect(&m_demo, &Demo::loseAnswerAsked, this, [this] {
        if (m_relay)
            m_relay->driver().loseNextAnswer();
    });
}

DemoDesk::~DemoDesk()
{
    for (const Breakage &breakage : breakages(m_demo.design()))
        m_pages.window->messages()->remove(u"broken-"_s + breakage.id);
    if (m_menu)
        m_menu->deleteLater(); // it may be its own entry that was clicked
}

Result<void> DemoDesk::start(Demo::Kind kind, DemoDesign design)
{
    return m_demo.start(kind, design);
}

void DemoDesk::makeMenus()
{
    QList<BreakEntry> designs;
    for (const DemoDesign design : demoDesigns())
        designs += BreakEntry{word(design), label(design), description(design)};
    m_menu = new DemoMenu(designs, word(m_demo.design()), m_pages.window);
    m_pages.window->menuBar()->addMenu(m_menu);
    connect(m_menu, &DemoMenu::designAsked, this, [this](const QString &id) {
        if (const auto design = demoDesignFromWord(id))
            emit designAsked(*design);
    });
    QList<BreakEntry> entries;
    for (const Breakage &breakage : breakages(m_demo.design())) {
        entries += BreakEntry{breakage.id, breakage.title,
                              breakage.happens + u' ' + breakage.watch + u' ' + breakage.heals};
    }
    m_pages.window->setBreakMenu(entries);
}

void DemoDesk::join(RelayDesk *relay)
{
    m_relay = relay;
    makeMenus();
    if (documentDesign(m_demo.design()))
        return; // what is left in documents is sent by the demo itself
    const RelaySettings settings = m_demo.relaySettings();
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
    if (m_demo.isBroken(id))
        return m_demo.healThing(id);
    for (const Breakage &breakage : breakages(m_demo.design())) {
        if (breakage.id != id)
            continue;
        m_pages.window->messages()->add({u"broken-"_s + id,
                                         HealthLevel::Watch,
                                         breakage.title + u": "_s + breakage.happens + u' '
                                             + breakage.watch + u' ' + breakage.heals,
                                         {}});
    }
    m_demo.breakThing(id);
}

} // namespace outbox
