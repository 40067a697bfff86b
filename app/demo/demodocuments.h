// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The application of the demos whose messages wait inside documents: handlers, of which some die.
#pragma once

#include "app/demo/demomessages.h"
#include "app/demo/demoshop.h"
#include "app/demo/demoworker.h"
#include "app/designs/documentstores.h"
#include "app/designs/messagehandler.h"
#include "connectors/asynq/observe/inspector.h"
#include "models/profile/profile.h"

#include <QDateTime>

namespace outbox {

/// Errors: those of the demo's servers.
class DemoDocuments : public DemoShop
{
public:
    /// Makes the tables and the first orders. `profile` names the design, its table and its Redis.
    [[nodiscard]] Result<void> open(const Profile &profile);

    [[nodiscard]] Result<int> write(int count) override;
    [[nodiscard]] Result<void> settle() override;

    /// Where the documents are, for a database of this dialect.
    [[nodiscard]] static DesignProfile designProfile(Design design);

private:
    /// What a handler that died was about.
    struct Left
    {
        IncomingMessage incoming;
        QDateTime since;
    };

    [[nodiscard]] Result<void> makeTables(const StoreSettings &settings);
    [[nodiscard]] Result<void> connectAgain();
    [[nodiscard]] Result<void> handleOne();
    [[nodiscard]] Result<void> dispatchWhatWasLeft();
    [[nodiscard]] Result<void> redeliver();
    [[nodiscard]] Result<void> consumeExecuted();
    [[nodiscard]] MessageHandler handler(const QList<HandlerStep> &steps = {});
    /// The steps of the next handler: all of them, or those before it dies.
    [[nodiscard]] QList<HandlerStep> nextSteps();
    [[nodiscard]] Result<BusinessResult> business(const QByteArray &document);
    [[nodiscard]] QString nextOrder();

    DesignPlace m_place;
    DocumentStores m_stores;
    AsynqInspector m_queues;
    DemoWorker m_redelivery; ///< tokens: serves the queue that handlers take messages from
    bool m_isOpen = false;
    DemoMessages m_messages;
    UuidSource m_ids;
    QRandomGenerator m_random = QRandomGenerator::securelySeeded();
    QStringList m_orders; ///< those that still get messages
    int m_order = 10'000;
    int m_handled = 0;
    QList<Left> m_left; ///< tokens: oldest first
    QString m_tokensAfter; ///< cursor
    QDateTime m_nextHeartbeat;
};

} // namespace outbox
