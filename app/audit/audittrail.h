// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The local record of every act: a file that only grows, chained by hashes, on disk before the act.
#pragma once

#include "app/settings/privatefile.h"
#include "models/operations/auditentry.h"
#include "models/result.h"

#include <QList>
#include <QString>

#include <chrono>
#include <optional>
#include <utility>

namespace outbox {

/// Blocking. Several processes may append to one file: each append takes an flock, reads the last
/// line's hash, writes one line with O_APPEND and fsyncs. The file has mode 0600. The chain shows
/// what was changed, put in or taken out; that lines are missing at the end it cannot show.
/// Errors: those of `PrivateFile`; Refused for an undo that is under way.
class AuditTrail
{
public:
    /// `file` is absolute; it and its folder are made by the first append. Another process that
    /// holds the file is waited for as long as `patience`.
    explicit AuditTrail(QString file, std::chrono::milliseconds patience = std::chrono::seconds(30))
        : m_file(std::move(file)), m_patience(patience)
    { }

    [[nodiscard]] const QString &file() const { return m_file; }
    /// Fills in sequence, time (when it is null), previous and hash, and returns only when the line
    /// is on disk. An error means that nothing may be done: Refused (rights, full disk), Timeout
    /// (another process holds the file for too long), Invalid (no record of ours, or an entry of
    /// more than 16 MiB).
    [[nodiscard]] Result<AuditEntry> append(AuditEntry entry);
    /// The newest `most` entries, or as many as stand in 64 MiB of text, oldest first; an empty
    /// list where there is no file. Torn lines (a crash while they were written) are left out.
    [[nodiscard]] Result<QList<AuditEntry>> read(qsizetype most = 100'000) const;
    /// All entries of one operation. Here as above, an entry from a line that was changed after it
    /// was written, or beside which lines were taken out or put in, is not `intact`.
    [[nodiscard]] Result<QList<AuditEntry>> read(const QString &operation) const;
    /// The same, and all entries of those that undid it or tried to.
    [[nodiscard]] Result<QList<AuditEntry>> readWithUndo(const QString &operation) const;
    /// The entries in whose text one of these stands, quoted: of ids, those that speak of them. As
    /// far back as `read` goes.
    [[nodiscard]] Result<QList<AuditEntry>> readAbout(const QStringList &ids) const;

    /// While the file lives nobody else, in this process or in another, can have it for the same
    /// operation; it is let go with the process. Fails with Refused when somebody has it.
    [[nodiscard]] Result<PrivateFile> holdForUndo(const QString &operation) const;

    struct Chain
    {
        qint64 entries = 0;
        qint64 torn = 0; ///< lines that a crash cut off; what they were to announce was not done
        std::optional<qint64> brokenAt; ///< sequence of the first line that does not follow
        QString text; ///< one sentence
    };
    /// Reads the whole file, as it is when the call begins; appends go on meanwhile.
    [[nodiscard]] Result<Chain> verify() const;

private:
    QString m_file;
    std::chrono::milliseconds m_patience;
};

} // namespace outbox
