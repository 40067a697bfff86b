// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `status` of one of many systems: the same steps for each server, and the same judgement.
#pragma once

#include "app/system/fleet/systemquestion.h"
#include "app/system/fleet/systemreading.h"

#include <functional>
#include <memory>
#include <optional>

namespace outbox {

/// Why a source could not be opened; nullopt: it could, or it was not tried.
struct ClosedSources
{
    std::optional<Error> database;
    std::optional<Error> queue;
};

class StatusQuestion : public SystemQuestion
{
public:
    /// Called once, while the question still knows its `cost`.
    using Take = std::function<void(const SystemReading &look, const ClosedSources &closed)>;

    /// `memory` is kept of the system between two looks at it. A source of `known` is not asked:
    /// why it is closed is known already, and is told again.
    StatusQuestion(const Target &target, QuestionPlace place, std::shared_ptr<ReadingJudge> memory,
                   ClosedSources known, Take take);

private:
    void ask() override;
    void countRows();
    void openQueue();
    void readQueue(const RedisEndpoint &endpoint);
    void judge();

    std::shared_ptr<ReadingJudge> m_memory;
    ClosedSources m_known;
    Take m_take;
    SystemReading m_look;
    ClosedSources m_closed;
};

} // namespace outbox
