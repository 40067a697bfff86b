// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A disk of a few megabytes that can be filled to the last byte, or be read only. Needs root.
#pragma once

#include <QFile>
#include <QTemporaryDir>

#include <cerrno>
#include <sys/mount.h>
#include <sys/stat.h>

namespace outbox {

class SmallDisk
{
public:
    SmallDisk() = default;
    ~SmallDisk()
    {
        if (m_isMounted)
            ::umount2(QFile::encodeName(path()).constData(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk &) = delete;
    SmallDisk &operator=(const SmallDisk &) = delete;

    /// False where this user may not mount.
    [[nodiscard]] bool mount(int megabytes)
    {
        const QByteArray options = "size=" + QByteArray::number(megabytes) + "m,mode=0777";
        m_isMounted = ::mount("tmpfs", QFile::encodeName(path()).constData(), "tmpfs", 0,
                              options.constData())
            == 0;
        return m_isMounted;
    }
    [[nodiscard]] QString path() const { return m_folder.path(); }
    [[nodiscard]] QString filePath(const QString &name) const { return m_folder.filePath(name); }
    /// Nothing more can be written, but for `leave` bytes.
    [[nodiscard]] bool fill(qint64 leave = 0)
    {
        QFile filler(filePath(QStringLiteral("filler")));
        if (!filler.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
            return false;
        for (qint64 size = 1024 * 1024; size > 0; size = size > 1 ? size / 2 : 0) {
            const QByteArray bytes(size, 'x');
            while (filler.write(bytes) == size) { }
        }
        return leave == 0 || filler.resize(std::max<qint64>(0, filler.size() - leave));
    }
    void free() { QFile::remove(filePath(QStringLiteral("filler"))); }
    /// As if a disk with an error had been mounted anew by the kernel.
    [[nodiscard]] bool setReadOnly(bool isReadOnly)
    {
        return ::mount(nullptr, QFile::encodeName(path()).constData(), nullptr,
                       MS_REMOUNT | (isReadOnly ? static_cast<unsigned long>(MS_RDONLY) : 0UL),
                       nullptr)
            == 0;
    }

private:
    QTemporaryDir m_folder;
    bool m_isMounted = false;
};

} // namespace outbox
