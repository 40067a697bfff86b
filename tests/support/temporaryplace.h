// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where temporary files of one test go, and what is left of them.
#pragma once

#include <QDir>
#include <QFile>
#include <QStringList>
#include <QTemporaryDir>

namespace outbox {

class TemporaryPlace
{
public:
    /// From now on the files of this process, and of those that it starts, go there.
    void use() const
    {
        QFile::setPermissions(m_folder.path(), // PostgreSQL may run as another user
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner
                                  | QFile::ExeGroup | QFile::ExeOther);
        qputenv("TMPDIR", QFile::encodeName(m_folder.path()));
    }
    [[nodiscard]] QStringList leftovers(const QStringList &names = {}) const
    {
        return QDir(m_folder.path()).entryList(names, QDir::AllEntries | QDir::NoDotAndDotDot);
    }

private:
    QTemporaryDir m_folder{QDir::tempPath() + QStringLiteral("/tst-XXXXXX")};
};

} // namespace outbox
