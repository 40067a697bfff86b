// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/sqlitewriter.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <sys/stat.h>

#include <limits>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

// Bytes that SQLite locks by its file format: RESERVED in the database itself, and the writer's
// slot in the shared memory file of a WAL database.
constexpr quint64 reservedByte = 0x40000000 + 1;
constexpr quint64 walWriteByte = 120;

std::optional<quint64> inodeOf(const QString &path)
{
    struct stat info
    {
    };
    if (::stat(QFile::encodeName(path).constData(), &info) != 0)
        return std::nullopt;
    return info.st_ino;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Inode numbers repeat between file systems. Where the process shows its open files, one of them
/// must be ours; where it does not, the byte that only SQLite locks has to do.
bool mayHold(qint64 pid, const QString &path)
{
    const QDir files(u"/proc/%1/fd"_s.arg(pid));
    const QStringList names = files.entryList(QDir::Files | QDir::System | QDir::NoDotAndDotDot);
    if (names.isEmpty())
        return true;
    const QString wanted = QFileInfo(path).canonicalFilePath();
    for (const QString &name : names) {
        if (QFile::symLinkTarget(files.filePath(name)) == wanted)
            return true;
    }
    return false;
}

std::optional<qint64> holderOf(const QList<FileLock> &locks, const QString &path, quint64 byte)
{
    const auto inode = inodeOf(path);
    if (!inode)
        return std::nullopt;
    for (const FileLock &lock : locks) {
        if (lock.write && lock.inode == *inode && lock.first <= byte && byte <= lock.last
            && mayHold(lock.pid, path)) {
            return lock.pid;
        }
    }
    return std::nullopt;
}

} // namespace

QList<FileLock> fileLocksFrom(const QByteArray &procLocks)
{
    QList<FileLock> locks;
    for (const QByteArray &line : procLocks.split('\n')) {
        // "3: POSIX  ADVISORY  WRITE 4711 fe:01:262146 1073741825 1073741825"
        const QList<QByteArray> words = line.simplified().split(' ');
        if (words.size() != 8 || words.at(1) == "->")
            continue;
        const QList<QByteArray> device = words.at(5).split(':');
        if (device.size() != 3)
            continue;
        FileLock lock;
        lock.pid = words.at(4).toLongLong();
        lock.inode = device.at(2).toULongLong();
        lock.first = words.at(6).toULongLong();
        lock.last = words.at(7) == "EOF" ? std::numeric_limits<quint64>::max()
                                         : words.at(7).toULongLong();
        lock.write = words.at(3) == "WRITE";
        locks += lock;
    }
    return locks;
}

QString sqliteWriterNote(const QString &databasePath)
{
    QFile list(u"/proc/locks"_s);
    if (!list.open(QIODevice::ReadOnly))
        return u"who is writing the database is not known"_s;
    const QList<FileLock> locks = fileLocksFrom(list.readAll());
    auto pid = holderOf(locks, databasePath, reservedByte);
    if (!pid)
        pid = holderOf(locks, databasePath + u"-shm"_s, walWriteByte);
    if (!pid)
        return u"no process writes to the database now"_s;
    const QString program = QString::fromUtf8(contentOf(u"/proc/%1/comm"_s.arg(*pid))).trimmed();
    if (*pid <= 0 || program.isEmpty())
        return u"the database is being written by a process that cannot be told"_s;
    return u"the database is being written by %1 (pid %2)"_s.arg(program).arg(*pid);
}

} // namespace outbox
