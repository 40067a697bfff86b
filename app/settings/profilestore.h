// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The saved profiles of one user, in one JSON file that other windows write too.
#pragma once

#include "models/profile/profile.h"
#include "models/result.h"

#include <QJsonArray>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// Every change reads the file again under a lock, so two windows never undo each other. Members
/// and whole profiles that this version does not understand are kept as they are. Holds no secret:
/// a URL with a password in it is refused.
class ProfileStore
{
public:
    explicit ProfileStore(QString file);

    /// Reads the file; an absent one holds no profile. A file that is no list of profiles is moved
    /// aside and the error says where to; the store is empty and usable then.
    [[nodiscard]] Result<void> load();
    [[nodiscard]] const QList<Profile> &profiles() const { return m_profiles; }
    /// Why some entries of the file are not among `profiles`; they stay in the file.
    [[nodiscard]] const QList<Error> &problems() const { return m_problems; }
    [[nodiscard]] std::optional<Profile> find(const QString &name) const;

    /// Adds a profile, or replaces the one called `formerName` (empty: the one of the same name).
    /// Fails with Invalid without a name, and with Conflict when another profile has it.
    [[nodiscard]] Result<void> put(const Profile &profile, const QString &formerName = {});
    /// No error when there is none of that name.
    [[nodiscard]] Result<void> remove(const QString &name);

private:
    [[nodiscard]] Result<void> save(const QJsonArray &entries);
    void take(const QJsonArray &entries);

    QString m_file;
    QJsonArray m_entries; ///< as they stand in the file
    QList<Profile> m_profiles;
    QList<Error> m_problems;
};

} // namespace outbox
