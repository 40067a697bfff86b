// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/privatefile.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr mode_t ownerOnlyMode = S_IRUSR | S_IWUSR;

Failure refused(const QString &doing, const QString &path, int error)
{
    QString hint;
    if (error == ENOSPC || error == EDQUOT || error == EFBIG)
        hint = u"make room, then try again"_s;
    else if (error == EACCES || error == EPERM || error == EROFS)
        hint = u"the file and its folder must be writable for you"_s;
    return fail(Error::Kind::Refused, doing + u' ' + path, qt_error_string(error),
                QString::number(error), hint);
}

/// Calls `act` again for as long as a signal interrupts it.
template <typename Act> auto uninterrupted(const Act &act)
{
    auto answer = act();
    while (answer < 0 && errno == EINTR)
        answer = act();
    return answer;
}

} // namespace

Result<void> syncFolder(const QString &folder)
{
    const QByteArray name = QFile::encodeName(folder);
    const int descriptor = uninterrupted(
        [&name] { return ::open(name.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (descriptor < 0)
        return refused(u"opening the folder"_s, folder, errno);
    const int synced = uninterrupted([descriptor] { return ::fsync(descriptor); });
    const int error = errno;
    ::close(descriptor);
    if (synced < 0 && error != EINVAL) // EINVAL: a file system that needs none
        return refused(u"syncing the folder"_s, folder, error);
    return {};
}

Result<void> ensurePrivateFolder(const QString &folder)
{
    if (QFileInfo(folder).isDir())
        return {};
    const QString above = QFileInfo(folder).absolutePath();
    if (above != folder) {
        TRY(ensurePrivateFolder(above));
    }
    const QByteArray name = QFile::encodeName(folder);
    // Another process may have been quicker.
    if (::mkdir(name.constData(), S_IRWXU) < 0 && errno != EEXIST)
        return refused(u"making the folder"_s, folder, errno);
    return syncFolder(above);
}

PrivateFile::PrivateFile(QString path, int descriptor)
    : m_path(std::move(path)), m_descriptor(descriptor)
{ }

PrivateFile::PrivateFile(PrivateFile &&other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1))
{ }

PrivateFile &PrivateFile::operator=(PrivateFile &&other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

PrivateFile::~PrivateFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Result<PrivateFile> PrivateFile::open(const QString &path, Mode mode)
{
    int flags = O_CLOEXEC | O_NONBLOCK; // a fifo in its place must not hold us
    switch (mode) {
    case Mode::Read:
        flags |= O_RDONLY;
        break;
    case Mode::Append:
        flags |= O_RDWR | O_CREAT | O_APPEND;
        break;
    case Mode::Replace:
        flags |= O_WRONLY | O_CREAT | O_TRUNC;
        break;
    }
    const QByteArray name = QFile::encodeName(path);
    const int descriptor
        = uninterrupted([&name, flags] { return ::open(name.constData(), flags, ownerOnlyMode); });
    if (descriptor < 0)
        return refused(u"opening"_s, path, errno);
    PrivateFile file(path, descriptor);
    struct stat found = {};
    if (::fstat(descriptor, &found) < 0)
        return refused(u"opening"_s, path, errno);
    if (!S_ISREG(found.st_mode)) {
        return fail(Error::Kind::Invalid, u"opening "_s + path, u"it is no regular file"_s, {},
                    u"move it away"_s);
    }
    const bool open = (found.st_mode & (S_IRWXG | S_IRWXO)) != 0;
    if (mode != Mode::Read && open && ::fchmod(descriptor, ownerOnlyMode) < 0)
        return refused(u"closing to others"_s, path, errno);
    return file;
}

Result<void> PrivateFile::lock(Share share, std::chrono::milliseconds patience)
{
    // flock knows no deadline, and whoever holds it may be stopped: ask again every 2 ms.
    constexpr int between = 2;
    const int wanted = (share == Share::Alone ? LOCK_EX : LOCK_SH) | LOCK_NB;
    QElapsedTimer waited;
    waited.start();
    while (::flock(m_descriptor, wanted) < 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return refused(u"locking"_s, m_path, errno);
        if (std::chrono::milliseconds(waited.elapsed()) >= patience) {
            return fail(
                Error::Kind::Timeout, u"locking "_s + m_path,
                u"another process holds it for longer than %1 s"_s.arg(patience.count() / 1000), {},
                u"`fuser` with the file's name tells which"_s);
        }
        ::poll(nullptr, 0, between);
    }
    return {};
}

Result<void> PrivateFile::lockByte(qint64 place)
{
    struct flock byte = {};
    byte.l_type = F_WRLCK;
    byte.l_whence = SEEK_SET;
    byte.l_start = place;
    byte.l_len = 1;
    // Of the descriptor: a lock of the process would not keep two of its threads apart.
    if (::fcntl(m_descriptor, F_OFD_SETLK, &byte) == 0)
        return {};
    if (errno != EAGAIN && errno != EACCES)
        return refused(u"locking"_s, m_path, errno);
    return fail(Error::Kind::Conflict, u"locking "_s + m_path, u"somebody has it"_s);
}

bool PrivateFile::isStillNamed() const
{
    struct stat mine = {};
    struct stat named = {};
    return ::fstat(m_descriptor, &mine) == 0
        && ::stat(QFile::encodeName(m_path).constData(), &named) == 0 && mine.st_ino == named.st_ino
        && mine.st_dev == named.st_dev;
}

Result<qint64> PrivateFile::size() const
{
    struct stat found = {};
    if (::fstat(m_descriptor, &found) < 0)
        return refused(u"reading"_s, m_path, errno);
    return qint64{found.st_size};
}

Result<QByteArray> PrivateFile::readAt(qint64 offset, qint64 count) const
{
    QByteArray bytes(count, Qt::Uninitialized);
    qint64 got = 0;
    while (got < count) {
        const ssize_t step = uninterrupted([&] {
            return ::pread(m_descriptor, bytes.data() + got, static_cast<size_t>(count - got),
                           offset + got);
        });
        if (step < 0)
            return refused(u"reading"_s, m_path, errno);
        if (step == 0)
            break;
        got += step;
    }
    bytes.truncate(got);
    return bytes;
}

Result<void> PrivateFile::write(QByteArrayView bytes)
{
    while (!bytes.isEmpty()) {
        const ssize_t step = uninterrupted(
            [&] { return ::write(m_descriptor, bytes.data(), static_cast<size_t>(bytes.size())); });
        if (step < 0)
            return refused(u"writing"_s, m_path, errno);
        bytes = bytes.sliced(step);
    }
    return {};
}

Result<void> PrivateFile::truncate(qint64 size)
{
    if (uninterrupted([&] { return ::ftruncate(m_descriptor, size); }) < 0)
        return refused(u"shortening"_s, m_path, errno);
    return {};
}

Result<void> PrivateFile::sync()
{
    if (uninterrupted([this] { return ::fsync(m_descriptor); }) < 0)
        return refused(u"syncing"_s, m_path, errno);
    return {};
}

Result<void> PrivateFile::renameTo(const QString &path)
{
    const QByteArray from = QFile::encodeName(m_path);
    if (::rename(from.constData(), QFile::encodeName(path).constData()) < 0)
        return refused(u"renaming"_s, m_path, errno);
    m_path = path;
    return syncFolder(QFileInfo(path).absolutePath());
}

} // namespace outbox
