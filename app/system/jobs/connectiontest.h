// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tries out a profile step by step: where it fails first is said in a sentence, the rest is
// skipped.
#pragma once

#include "connectors/asynq/observe/inspector.h"
#include "connectors/room.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/profile/connectionstep.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"
#include "models/shape/catalog.h"

#include <QObject>

#include <functional>
#include <optional>

namespace outbox {

/// One run; make a new one for the next. Lives in the asker's thread and never waits. It only
/// reads.
class ConnectionTest : public QObject
{
    Q_OBJECT

public:
    ConnectionTest(Profile profile, ProfilePasswords secrets, QObject *parent = nullptr);
    ~ConnectionTest() override;
    void start() { next(0); }

signals:
    /// After each step: all of them, with the one that is running.
    void stepsChanged(const QList<outbox::ConnectionStep> &steps);
    /// What the probe says about the table.
    void tableFound(const outbox::ProbeFinding &finding);
    void finished(bool ok);

private:
    void next(size_t step);
    void settle(size_t step, double ms, const Result<QString> &answer);

    /// `begin` is given the number of the step, which answers with what it found, in words.
    void addStep(const QString &name, std::function<void(size_t)> begin);
    void addDatabaseSteps();
    void addQueueSteps();
    template <typename Resource, typename Job> void ask(Room<Resource> &room, size_t step, Job job);

    Profile m_profile;
    ProfilePasswords m_secrets;
    std::vector<std::function<void(size_t)>> m_steps;
    QList<ConnectionStep> m_told;
    bool m_databaseFailed = false;
    bool m_queueFailed = false;
    size_t m_firstQueueStep = 0;
    Room<OutboxStore> m_database;
    Room<AsynqInspector> m_queue;
};

} // namespace outbox
