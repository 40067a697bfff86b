// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who is writing a SQLite file now, told from the kernel's list of file locks. Takes no lock
// itself.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// One line of /proc/locks: a lock of `pid` on the bytes `first` to `last` of a file.
struct FileLock
{
    qint64 pid = 0;
    quint64 inode = 0;
    quint64 first = 0;
    quint64 last = 0; ///< the largest number where the lock has no end
    bool write = false;

    bool operator==(const FileLock &) const = default;
};

/// Pure; lines that cannot be read, and locks that are only waited for, are left out.
[[nodiscard]] QList<FileLock> fileLocksFrom(const QByteArray &procLocks);

/// A sentence for a person: who writes, that nobody does, or that it is not known.
[[nodiscard]] QString sqliteWriterNote(const QString &databasePath);

} // namespace outbox
