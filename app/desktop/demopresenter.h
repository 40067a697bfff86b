// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the embedded demo to the window: its relay, and the "Break something" menu.
#pragma once

#include "app/demo/answerdroppingqueue.h"
#include "app/demo/demo.h"
#include "app/desktop/relaypresenter.h"
#include "connectors/room.h"

#include <QObject>
#include <QPointer>
#include <QSet>

#include <functional>
#include <memory>

class QMenu;

namespace outbox {

struct Pages;

/// Owns the demo; gone with it are its servers and files. Lives in the GUI thread; nothing but the
/// destructor of one that has not ended waits.
class DemoPresenter : public QObject
{
    Q_OBJECT

public:
    explicit DemoPresenter(const Pages &pages, QObject *parent = nullptr);

    ~DemoPresenter() override;

    /// Once. Answered by `stands` or `failed`.
    void start(Demo::Kind kind, DemoDesign design);
    /// Leaves the window at once and stops the servers; answered by `ended`. Nothing can be asked
    /// of it any more.
    void end();
    [[nodiscard]] Demo::Kind kind() const { return m_kind; }
    [[nodiscard]] DemoDesign design() const { return m_design; }
    /// These are there once it stands.
    [[nodiscard]] const Profile &profile() const { return m_ground.profile; }
    [[nodiscard]] const QString &stateFolder() const { return m_ground.stateFolder; }
    /// Starts the demo's relay at `relay`, where it shows a design with one, and takes part in what
    /// is broken.
    void join(RelayPresenter *relay);

signals:
    void stands();
    void failed(const outbox::Error &error);
    void ended();
    /// Another design is to be shown; the demo ends with this one.
    void designAsked(outbox::DemoDesign design);

private:
    /// What is known of a demo that stands.
    struct Ground
    {
        Profile profile;
        QString stateFolder;
        RelaySettings relay;
    };

    /// In the room: made there, and joined to this presenter.
    [[nodiscard]] Result<Ground> started(std::unique_ptr<Demo> &made, Demo::Kind kind,
                                         DemoDesign design);
    /// Does this with the demo, in its room.
    void withDemo(std::function<void(Demo &)> act);
    void leaveWindow();
    void makeMenus();
    [[nodiscard]] QList<Breakage> entries() const
    {
        return breakages(m_design, m_kind == Demo::Kind::Postgres);
    }
    /// Changes what the relay does, or tells the demo what it did.
    void joinRelay();
    void breakOrHeal(const QString &id);
    void heal(const QString &id)
    {
        withDemo([id](Demo &demo) { demo.healThing(id); });
    }
    void act(const QString &id, const QString &act);

    const Pages &m_pages;
    Demo::Kind m_kind = Demo::Kind::Sqlite;
    DemoDesign m_design = DemoDesign::RedisRelay;
    Ground m_ground;
    QSet<QString> m_broken;
    bool m_isLost = false; ///< a batch was rolled back, and none delivered since
    QPointer<QMenu> m_menu;
    QPointer<RelayPresenter> m_relay;
    /// Used in the relay's room.
    std::shared_ptr<AnswerDroppingQueue> m_queue = std::make_shared<AnswerDroppingQueue>();
    bool m_isLeft = false; ///< the window knows nothing of it
    /// The demo has a room of its own, as starting and stopping servers takes seconds. It is the
    /// last member, so that its thread ends first.
    Room<std::unique_ptr<Demo>> m_room;
};

} // namespace outbox
