// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The application of a demo, whatever its design.
#pragma once

#include "models/result.h"

#include <memory>

namespace outbox {

/// Blocking; lives in its room. Connects again by itself where a server went away.
/// Errors: those of the demo's servers.
class DemoShop
{
public:
    virtual ~DemoShop() = default;

    /// Writes so many messages as a busy application would; answers how many.
    [[nodiscard]] virtual Result<int> write(int count) = 0;
    /// Goes on with what was left behind, where that is the application's own work and no relay's.
    [[nodiscard]] virtual Result<void> settle() { return {}; }
};

/// What is in the room.
struct DemoShopRoom
{
    std::unique_ptr<DemoShop> shop;
};

} // namespace outbox
