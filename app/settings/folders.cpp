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

QString Folders::profilesFile() const
{
    return config + u"/profiles.json"_s;
}

QString Folders::preferencesFile() const
{
    return state + u"/preferences.json"_s;
}

QString Folders::auditFile() const
{
    return state + u"/audit.jsonl"_s;
}

QString Folders::exportsFolder() const
{
    return state + u"/exports"_s;
}

QString Folders::parkedFolder() const
{
    return state + u"/parked"_s;
}

QString Folders::relaysFolder() const
{
    return state + u"/relays"_s;
}

QString Folders::groupNotesFile() const
{
    return state + u"/group-notes.json"_s;
}

} // namespace outbox
