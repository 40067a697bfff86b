// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/folders.h"

#include <QDir>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString resolved(const QString &given, const char *variable, const QString &belowHome)
{
    if (!given.isEmpty())
        return QDir::cleanPath(QDir::current().absoluteFilePath(given));
    const QString base = qEnvironmentVariable(variable);
    const QString root = QDir::isAbsolutePath(base) ? base : QDir::homePath() + belowHome;
    return QDir::cleanPath(root + u"/outboxdeck"_s);
}

} // namespace

Folders Folders::standard(const QString &config, const QString &state)
{
    return {resolved(config, "XDG_CONFIG_HOME", u"/.config"_s),
            resolved(state, "XDG_STATE_HOME", u"/.local/state"_s)};
}

} // namespace outbox
