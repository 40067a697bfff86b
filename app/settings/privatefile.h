// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A file that only its owner may read, written so that a crash cannot take back what was said to be
// there.
#pragma once

#include "models/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <chrono>

namespace outbox {

/// Makes `folder` with mode 0700, and what is missing above it; all of it is on disk afterwards.
/// Does nothing to a folder that is there. Fails with Refused.
[[nodiscard]] Result<void> ensurePrivateFolder(const QString &folder);

/// fsyncs a folder, so that a name that is new in it survives a crash. Fails with Refused.
[[nodiscard]] Result<void> syncFolder(const QString &folder);

/// One open descriptor. Blocking; errors are Refused with errno as code, unless said otherwise.
/// Errors: Refused (rights, full disk), Timeout and Conflict where another process keeps the lock,
/// Invalid for what is no file.
class PrivateFile
{
public:
    enum class Mode {
        Read,
        Append, ///< made when it is missing; every write goes to the end
        Replace, ///< made or emptied
    };

    /// Opens `path`, which must be absolute; its folder must be there. What is opened for writing
    /// gets mode 0600. Fails with Invalid for what is no regular file.
    [[nodiscard]] static Result<PrivateFile> open(const QString &path, Mode mode);
    ~PrivateFile();
    PrivateFile(PrivateFile &&other) noexcept;
    PrivateFile &operator=(PrivateFile &&other) noexcept;
    PrivateFile(const PrivateFile &) = delete;
    PrivateFile &operator=(const PrivateFile &) = delete;

    [[nodiscard]] const QString &path() const { return m_path; }

    enum class Share { Together, Alone };
    /// flock until this object ends. Fails with Timeout when others hold it for longer than
    /// `patience`.
    [[nodiscard]] Result<void> lock(Share share, std::chrono::milliseconds patience);
    /// Locks one byte of the file, there or not, until this object ends. Fails with Conflict when
    /// another descriptor has it.
    [[nodiscard]] Result<void> lockByte(qint64 place);
    /// False when the path names another file by now, or none.
    [[nodiscard]] bool isStillNamed() const;

    [[nodiscard]] Result<qint64> size() const;
    /// At most `count` bytes from `offset`; fewer at the end of the file.
    [[nodiscard]] Result<QByteArray> readAt(qint64 offset, qint64 count) const;
    /// All of it, or an error after which some of it may be there.
    [[nodiscard]] Result<void> write(QByteArrayView bytes);
    [[nodiscard]] Result<void> truncate(qint64 size);
    /// fsync.
    [[nodiscard]] Result<void> sync();
    /// Gives the file another name in its folder, on disk when this returns. What had that name is
    /// gone.
    [[nodiscard]] Result<void> renameTo(const QString &path);

private:
    PrivateFile(QString path, int descriptor);

    QString m_path;
    int m_descriptor = -1;
};

} // namespace outbox
