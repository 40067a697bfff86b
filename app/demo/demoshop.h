// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The application of a demo, whatever its design.
// Errors: those of the demo's servers.
#pragma once

#include "app/demo/demodesign.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/profile/profile.h"
#include "models/result.h"
#include "models/shape/outboxshape.h"

#include <memory>

namespace outbox {

/// Blocking; lives in its room. Connects again by itself where a server went away.
class DemoShop
{
public:
    virtual ~DemoShop() = default;

    /// Writes so many messages as a busy application would; answers how many.
    [[nodiscard]] virtual Result<int> write(int count) = 0;
    /// Goes on with what was left behind, where that is the application's own work and no relay's.
    [[nodiscard]] virtual Result<void> settle() { return {}; }
};

/// A shop that writes business rows and outbox rows, both in one transaction. Connects and makes
/// the outbox, `mail_deliveries` and `orders`. `design` is one whose messages are rows.
[[nodiscard]] Result<std::unique_ptr<DemoShop>> openRowShop(const StoreSettings &settings,
                                                            DemoDesign design);
/// What its outbox means, for a database of this dialect.
[[nodiscard]] OutboxShape rowShopShape(DatabaseUrl::Dialect dialect, DemoDesign design);
/// PostgreSQL: notified with each transaction.
[[nodiscard]] QString rowShopChannel();

/// A shop whose messages wait inside documents; some of its handlers die. Makes the tables and the
/// first orders. `profile` names the design, its table and its Redis.
[[nodiscard]] Result<std::unique_ptr<DemoShop>> openDocumentShop(const Profile &profile);
/// Where the documents are.
[[nodiscard]] DesignProfile documentShopDesign(Design design);

} // namespace outbox
