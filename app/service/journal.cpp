// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/journal.h"

#include <QString>

#include <sys/stat.h>
#include <unistd.h>

namespace outbox {

bool isStderrTheJournal()
{
    const QByteArray stream = qgetenv("JOURNAL_STREAM");
    struct stat file = {};
    if (stream.isEmpty() || ::fstat(STDERR_FILENO, &file) != 0)
        return false;
    return stream
        == QByteArray::number(static_cast<qulonglong>(file.st_dev)) + ':'
        + QByteArray::number(static_cast<qulonglong>(file.st_ino));
}

} // namespace outbox
