// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A folder of a server whose host may lose its power: what was written and not synced is gone then,
// all of it, as a medium may do that holds back what it was not told to keep.
#pragma once

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

namespace outbox {

class VolatileDisk
{
public:
    /// `folder` as the server leaves it when it was ended well; it is what the medium holds first.
    [[nodiscard]] bool take(const QString &folder)
    {
        m_folder = folder;
        return QFile::setPermissions(m_medium.path(), anybody()) && makeLoadable()
            && run(QStringLiteral("cp"), {QStringLiteral("-a"), m_folder, kept()});
    }
    /// Servers that start while `isOn` write to this disk.
    void mount(bool isOn)
    {
        qputenv("LD_PRELOAD", isOn ? QFile::encodeName(library()) : QByteArray());
        qputenv("OUTBOX_DISK_SEEN", QFile::encodeName(m_folder));
        qputenv("OUTBOX_DISK_KEPT", QFile::encodeName(kept()));
    }
    /// When the server is dead: the folder is what the medium kept.
    [[nodiscard]] bool losePower()
    {
        return QDir(m_folder).removeRecursively()
            && run(QStringLiteral("cp"), {QStringLiteral("-a"), kept(), m_folder});
    }

private:
    static QFile::Permissions anybody() { return QFile::Permissions(0x7777); }
    [[nodiscard]] QString kept() const { return m_medium.filePath(QStringLiteral("kept")); }
    [[nodiscard]] QString library() const { return m_medium.filePath(QStringLiteral("disk.so")); }
    /// Servers run as a user who may not read the build's folder.
    [[nodiscard]] bool makeLoadable() const
    {
        return QFile::copy(QStringLiteral(UNSYNCED_WRITES), library())
            && QFile::setPermissions(library(), anybody());
    }
    [[nodiscard]] static bool run(const QString &program, const QStringList &arguments)
    {
        return QProcess::execute(program, arguments) == 0;
    }

    QString m_folder;
    QTemporaryDir m_medium;
};

} // namespace outbox
