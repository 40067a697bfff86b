// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where else the id that is being shown stands, looked for once in a room of its own.
#pragma once

#include "app/system/jobs/idsearch.h"
#include "connectors/room.h"

#include <QObject>

namespace outbox {

/// Lives in the asker's thread and never waits but in its destructor, for a room that is woken. It
/// keeps what it found of one id until another is asked for, or its row comes or goes: a search
/// through the keys of Redis is never repeated by itself.
class IdPlaces : public QObject
{
    Q_OBJECT

public:
    IdPlaces(Profile profile, Secrets secrets, QString stateFolder, QObject *parent = nullptr);
    ~IdPlaces() override;

    /// Begins to look for the id of `facts`, unless that was done; a search for another ends.
    void look(const IdVerdict &facts, const OutboxShape &shape);
    /// `facts` with what was found of the same id.
    [[nodiscard]] IdVerdict added(IdVerdict facts) const;
    /// Tasks that were found for it, newest first.
    [[nodiscard]] QList<TaskId> tasksOf(const MessageId &id) const;

signals:
    /// `added` knows more of it than before.
    void found(const outbox::MessageId &id);

private:
    [[nodiscard]] bool isAbout(const IdVerdict &facts) const;

    Profile m_profile;
    Secrets m_secrets;
    QString m_stateFolder;
    IdVerdict m_asked; ///< of the search that ran last, or is under way
    IdVerdict m_known; ///< what it found
    bool m_isKnown = false;
    std::stop_source m_stop;
    quint64 m_run = 0; ///< the answer of an older search is dropped
    Room<IdSearch> m_room{QStringLiteral("ids")}; ///< last: its thread ends first
};

} // namespace outbox
