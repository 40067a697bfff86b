// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pause and unpause the queue that is chosen.
#pragma once

#include "models/system/snapshots.h"
#include "views/operation/verbbar.h"

#include <optional>

namespace outbox {

class QueueVerbs : public VerbBar
{
    Q_OBJECT

public:
    explicit QueueVerbs(QWidget *parent = nullptr);

    /// nullopt: no queue is chosen.
    void setQueue(const std::optional<QueueSnapshot> &queue);

protected:
    [[nodiscard]] Selection selection(Verb verb) const override;
    [[nodiscard]] QString whyNothing(Verb verb) const override;

private:
    std::optional<QueueSnapshot> m_queue;
};

} // namespace outbox
