// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Outbox page of the sample system, on the screen.
#pragma once

#include "tests/support/samplesystem.h"
#include "views/outbox/outboxview.h"

#include <memory>

namespace outbox::sample {

/// With 200 rows, and more behind them.
inline std::unique_ptr<OutboxView> shownOutbox()
{
    auto view = std::make_unique<OutboxView>();
    view->resize(1000, 600);
    view->show();
    view->setHealth(live());
    view->openFilter({});
    view->setPage(page(view->request(), 100, 200));
    return view;
}

} // namespace outbox::sample
