// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Brings one large payload over in slices, when somebody asks for it.
#pragma once

#include "app/system/jobs/slicedjob.h"
#include "connectors/sql/outbox/slicereader.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"

#include <QObject>

namespace outbox {

/// In a session of its own that only looks and is closed at the end; no statement gives more than
/// 4 MiB. Lives in the asker's thread.
class PayloadFetcher : public QObject
{
    Q_OBJECT

public:
    /// More is not held in memory: 512 MiB.
    static constexpr qint64 mostBytes = qint64(512) * 1024 * 1024;

    PayloadFetcher(Profile profile, ProfilePasswords secrets, QObject *parent = nullptr);

    /// The payload of a row of a table of this shape; the one under way, if any, is dropped.
    void start(const OutboxShape &shape, const MessageId &id);
    /// Ends at once and lets go of what is there; `ended` is not emitted.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }

signals:
    /// After each slice: how many bytes are there, of how many.
    void progressed(const outbox::MessageId &id, qint64 bytes, qint64 stored);
    /// The whole payload, byte for byte as stored (of a text, in UTF-8), or why there is none:
    /// Conflict where it was changed meanwhile, Refused where it is larger than `mostBytes`.
    void ended(const outbox::MessageId &id, const outbox::Result<QByteArray> &payload);

private:
    void fetchNext();
    void take(const Result<PayloadSlice> &slice, qint64 asked);
    void end(const Result<QByteArray> &payload);

    Profile m_profile;
    ProfilePasswords m_secrets;
    OutboxShape m_shape;
    MessageId m_id;
    QByteArray m_payload;
    qint64 m_stored = 0;
    SlicedJob<SliceReader> m_job{QStringLiteral("payload")};
};

} // namespace outbox
