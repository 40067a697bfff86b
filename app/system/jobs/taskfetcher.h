// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Brings one large task over, when somebody asks for it.
#pragma once

#include "app/system/jobs/slicedjob.h"
#include "connectors/asynq/observe/inspector.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"

#include <QObject>

namespace outbox {

/// In a connection of its own, so that the looks go on meanwhile. Redis gives a field of a hash
/// whole or not at all: what was cancelled comes in until its deadline, and is let go of. Lives in
/// the asker's thread.
class TaskFetcher : public QObject
{
    Q_OBJECT

public:
    /// More is not held in memory: 64 MiB.
    static constexpr qint64 mostBytes = 64LL * 1024 * 1024;

    TaskFetcher(Profile profile, ProfilePasswords secrets, QObject *parent = nullptr);

    /// The task under way, if any, is dropped.
    void start(const QueueName &queue, const TaskId &id);
    /// `ended` is not emitted.
    void cancel() { m_job.stop(); }

signals:
    /// The whole task, or why there is none: Conflict where it is gone, Refused where it is larger
    /// than `mostBytes`.
    void ended(const outbox::TaskId &id, const outbox::Result<outbox::Task> &task);

private:
    Profile m_profile;
    ProfilePasswords m_secrets;
    SlicedJob<AsynqInspector> m_job{QStringLiteral("task")};
};

} // namespace outbox
