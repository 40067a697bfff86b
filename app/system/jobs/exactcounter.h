// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts the rows of an outbox one by one, in the background, as gently as it can be done.
#pragma once

#include "app/relay/parking/outboxparking.h"
#include "app/system/jobs/slicedjob.h"
#include "connectors/sql/outbox/slicereader.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"
#include "models/system/exactcount.h"

#include <QObject>

namespace outbox {

/// Goes through the table slice by slice in a session of its own that only looks, and rests after
/// each slice at least as long as the slice took. A slice is as large as 30 ms allow, and the
/// server ends one that takes 100 ms, where it can: it is tried again with fewer rows. The session
/// is closed when the count is done or cancelled. Lives in the asker's thread.
class ExactCounter : public QObject
{
    Q_OBJECT

public:
    ExactCounter(Profile profile, ProfilePasswords secrets, QString stateFolder,
                 QObject *parent = nullptr);
    ~ExactCounter() override;

    /// From the first row on, in a table of this shape; the count under way, if any, is dropped.
    void start(const OutboxShape &shape);
    /// Ends at once; `ended` tells it. Does nothing where none is under way.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }

signals:
    /// After each slice.
    void progressed(const outbox::ExactCount &count);
    /// The whole count, or why there is none: Cancelled, Unsupported (no key to walk along), or
    /// what the database said.
    void ended(const outbox::Result<outbox::ExactCount> &count);

private:
    struct Session; ///< what a count keeps in its room

    [[nodiscard]] static Result<void> open(Session &session, const StoreSettings &settings,
                                           const OutboxShape &shape, const QString &stateFolder);
    void countNext();
    void take(const Result<ExactCount> &slice);
    /// After a slice that the server ended: once more with fewer rows. False: there are none fewer.
    [[nodiscard]] bool tryLess();
    void end(const Result<ExactCount> &count);

    Profile m_profile;
    ProfilePasswords m_secrets;
    QString m_stateFolder;
    OutboxShape m_shape;
    ExactCount m_count;
    qint64 m_rows = 0; ///< of the next slice
    int m_mostMs = 0; ///< what a statement of it may take; 0: what the session allows
    SlicedJob<Session> m_job;
};

} // namespace outbox
