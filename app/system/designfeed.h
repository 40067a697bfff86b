// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The documents of one profile, looked at again and again through a room of its own.
#pragma once

#include "app/designs/documentstores.h"
#include "app/system/sourcefeed.h"
#include "connectors/asynq/observe/inspector.h"
#include "models/designs/designview.h"

#include <stop_token>

namespace outbox {

/// One look is the figures of all documents and the list that is on screen; it only reads. A look
/// that takes long ends early and says so. Lives in the asker's thread.
class DesignFeed : public MessageSource
{
    Q_OBJECT

public:
    /// `profile` names a design.
    DesignFeed(Profile profile, ProfilePasswords secrets, QObject *parent = nullptr);
    ~DesignFeed() override;

    /// Asked at once, and with every look until another one is.
    void show(DesignList list);

signals:
    /// After `taken`: all that is shown of the documents.
    void viewTaken(const outbox::DesignView &view);

protected:
    void askFigures() override;

private:
    /// What the feed keeps in its room.
    struct Reader
    {
        DocumentStores stores;
        AsynqInspector queues; ///< open where the profile names a Redis
        bool isOpen = false;

        void interrupt() noexcept { stores.interrupt(); }
    };

    [[nodiscard]] static Result<DesignView> look(Reader &reader, const DesignPlace &place,
                                                 DesignList list, const std::stop_token &stop);

    DesignList m_list = DesignList::None;
    bool m_isShapeTold = false;
    std::stop_source m_stop; ///< of the look under way
    QTimer m_hanging; ///< the look does not even end early
    Room<Reader> m_room; ///< last: its thread ends first
};

} // namespace outbox
