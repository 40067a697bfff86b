// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The local record of every act: a file that only grows, chained by hashes, on disk before the act.
#pragma once

#include "models/operations/auditentry.h"
#include "models/result.h"

#include <QList>
#include <QString>

#include <memory>
#include <optional>

namespace outbox {

/// Blocking. Several processes may append to one file: each append takes an flock, reads the last
/// line's hash, writes one line with O_APPEND and fsyncs. The file has mode 0600.
class AuditTrail
{
public:
    /// `file` is absolute; it and its folder are made by the first append.
    explicit AuditTrail(QString file);
    ~AuditTrail();
    AuditTrail(const AuditTrail &) = delete;
    AuditTrail &operator=(const AuditTrail &) = delete;

    [[nodiscard]] const QString &file() const;
    /// Fills in sequence, time (when it is null), previous and hash, and returns only when the line
    /// is on disk. An error means that nothing may be done.
    [[nodiscard]] Result<AuditEntry> append(AuditEntry entry);
    /// The newest `most` entries, oldest first; an empty list where there is no file. A torn last
    /// line (a crash while it was written) is left out.
    [[nodiscard]] Result<QList<AuditEntry>> read(qsizetype most = 100'000) const;
    /// All entries of one operation.
    [[nodiscard]] Result<QList<AuditEntry>> read(const QString &operation) const;

    struct Chain
    {
        qint64 entries = 0;
        std::optional<qint64> brokenAt; ///< sequence of the first line that does not follow
        QString text; ///< one sentence
    };
    [[nodiscard]] Result<Chain> verify() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace outbox
