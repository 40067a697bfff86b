// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One file in memory that is given new bytes for each run.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>
#include <QTemporaryDir>

namespace outbox::fuzz {

class InputFile
{
public:
    InputFile()
        : m_folder(QFile::exists(QStringLiteral("/dev/shm"))
                       ? QStringLiteral("/dev/shm/outbox-fuzz-XXXXXX")
                       : QStringLiteral("outbox-fuzz-XXXXXX"))
    { }

    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("input")); }
    void set(const QByteArray &bytes) const
    {
        QFile file(path());
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("the input cannot be written to %s", qPrintable(path()));
    }

private:
    QTemporaryDir m_folder;
};

} // namespace outbox::fuzz
