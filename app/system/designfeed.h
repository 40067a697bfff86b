// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The documents of one profile, looked at again and again through a room of its own.
#pragma once

#include "app/designs/documentstores.h"
#include "app/settings/secrets.h"
#include "app/system/sources/costmeter.h"
#include "app/system/sources/poller.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/room.h"
#include "models/designs/designview.h"
#include "models/profile/profile.h"
#include "models/system/systemview.h"

#include <QObject>

#include <stop_token>

namespace outbox {

/// What the feed keeps in its room.
struct DesignReader
{
    DocumentStores stores;
    AsynqInspector queues; ///< open where the profile names a Redis
    bool isOpen = false;

    void interrupt() noexcept { stores.interrupt(); }
};

/// One look is the figures of all documents and the list that is on screen; it only reads. A look
/// that takes long ends early and says so. Lives in the asker's thread.
class DesignFeed : public QObject
{
    Q_OBJECT

public:
    /// `profile` names a design.
    DesignFeed(Profile profile, Secrets secrets, QObject *parent = nullptr);
    ~DesignFeed() override;

    void setRunning(bool running);
    void refreshNow();
    /// Asked at once, and with every look until another one is.
    void show(DesignList list);

signals:
    void healthChanged(const outbox::SourceHealth &health);
    void taken(const outbox::DesignView &view);
    void intervalChanged(int milliseconds, bool slowed);
    void costChanged(const outbox::PollCost &cost);
    /// The documents can be read under the names that the profile gives them. Once.
    void opened();

private:
    [[nodiscard]] static Result<DesignView> look(DesignReader &reader, const DesignPlace &place,
                                                 DesignList list, const std::stop_token &stop);
    void ask();
    void lost(const Error &error);

    Profile m_profile;
    Secrets m_secrets;
    SourceHealth m_health;
    CostMeter m_meter;
    DesignList m_list = DesignList::None;
    bool m_opened = false;
    std::stop_source m_stop; ///< of the look under way
    QTimer m_hanging; ///< the look does not even end early
    Poller m_looks;
    Room<DesignReader> m_room; ///< last: its thread ends first
};

/// The figures as the pages of an outbox count them: an undispatched entry is a row that waits.
[[nodiscard]] OutboxSnapshot snapshotOf(const DesignView &view);

} // namespace outbox
