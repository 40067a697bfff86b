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

/// What is kept of a system between two looks at it.
struct SystemMemory
{
    explicit SystemMemory(const Profile &profile) : judge(profile) { }

    ReadingJudge judge;
    std::optional<OutboxShape> shape; ///< as its sessions know it; nullopt: it is taken anew
};

/// Why a source could not be opened; nullopt: it could, or it was not tried.
struct ClosedSources
{
    std::optional<Error> database;
    std::optional<Error> queue;
};

struct StatusAnswer
{
    SystemReading reading;
    ClosedSources closed;
    QuestionCost cost;
};

class StatusQuestion : public SystemQuestion
{
public:
    using Take = std::function<void(const StatusAnswer &answer)>;

    /// A source of `known` is not asked: why it is closed is known already, and is told again.
    StatusQuestion(const Target &target, QuestionPlace place, std::shared_ptr<SystemMemory> memory,
                   ClosedSources known, Take take);

private:
    void ask() override;
    void countRows();
    void openQueue();
    void readQueue();
    void judge();

    std::shared_ptr<SystemMemory> m_memory;
    ClosedSources m_known;
    Take m_take;
    StatusAnswer m_answer;
};

} // namespace outbox
