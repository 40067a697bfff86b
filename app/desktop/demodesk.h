// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the embedded demo to the window: its relay, and the "Break something" menu.
#pragma once

#include "app/demo/demo.h"

#include <QObject>
#include <QPointer>

namespace outbox {

class DemoMenu;
class RelayDesk;
struct Pages;

/// Owns the demo; gone with it are its servers and files. Lives in the main thread.
class DemoDesk : public QObject
{
    Q_OBJECT

public:
    explicit DemoDesk(const Pages &pages, QObject *parent = nullptr);

    ~DemoDesk() override;

    [[nodiscard]] Result<void> start(Demo::Kind kind, DemoDesign design);
    [[nodiscard]] Demo::Kind kind() const { return m_demo.kind(); }
    [[nodiscard]] Profile profile() const { return m_demo.profile(); }
    [[nodiscard]] QString stateFolder() const { return m_demo.stateFolder(); }
    /// Starts the demo's relay at `relay`, where it shows a design with one, and takes part in what
    /// is broken.
    void join(RelayDesk *relay);

signals:
    /// Another design is to be shown; the demo goes with its desk.
    void designAsked(outbox::DemoDesign design);

private:
    void makeMenus();
    void breakOrHeal(const QString &id);

    const Pages &m_pages;
    Demo m_demo;
    QPointer<DemoMenu> m_menu;
    RelayDesk *m_relay = nullptr;
};

} // namespace outbox
