// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The application of the demo: writes business rows and outbox rows, both in one transaction.
#pragma once

#include "app/demo/demodesign.h"
#include "app/demo/demomessages.h"
#include "app/demo/demoshop.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "connectors/sql/session/databasesession.h"
#include "models/result.h"
#include "models/shape/outboxshape.h"

namespace outbox {

/// Blocking; lives in its room.
/// Errors: those of the demo's servers.
class DemoWriter : public DemoShop
{
public:
    /// Connects and makes the outbox, `mail_deliveries` and `orders`. `design` is one whose
    /// messages are rows.
    [[nodiscard]] Result<void> open(const StoreSettings &settings,
                                    DemoDesign design = DemoDesign::RedisRelay);
    /// Writes `count` messages in one transaction; answers how many. Connects again when needed.
    [[nodiscard]] Result<int> write(int count) override;

    /// What the outbox means, for a database of this dialect.
    [[nodiscard]] static OutboxShape shape(DatabaseUrl::Dialect dialect,
                                           DemoDesign design = DemoDesign::RedisRelay);
    /// PostgreSQL: notified with each transaction.
    [[nodiscard]] static QString notifyChannel();

private:
    [[nodiscard]] Result<void> insert(const QString &messages);
    [[nodiscard]] Result<void> writePoison();

    DemoDesign m_design = DemoDesign::RedisRelay;
    DatabaseSession m_session;
    DemoMessages m_messages;
};

} // namespace outbox
