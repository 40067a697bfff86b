// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Profiles while they are being edited, with the passwords typed for them and one deletion to undo.
#pragma once

#include "models/profile/knownpasswords.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"

#include <QList>

#include <optional>

namespace outbox {

class ProfileDraft
{
public:
    struct Entry
    {
        Profile profile;
        ProfilePasswords passwords;
        QString savedName{}; ///< how the profile is called where it is saved; empty: it is new

        bool operator==(const Entry &) const = default;
    };

    ProfileDraft() = default;
    explicit ProfileDraft(const QList<Profile> &profiles, const KnownPasswords &known = {});

    [[nodiscard]] const QList<Entry> &entries() const { return m_entries; }
    [[nodiscard]] QList<Profile> profiles() const;
    [[nodiscard]] bool has(int at) const { return at >= 0 && at < m_entries.size(); }
    /// The entry, or an empty one where there is none.
    [[nodiscard]] Entry at(int at) const { return m_entries.value(at); }
    /// Where the profile of this name stands; -1: nowhere.
    [[nodiscard]] int find(const QString &name) const;

    /// It stays the profile that it was: `savedName` of `entry` is not read.
    void replace(int at, Entry entry);
    /// Appends it as a new one with a name of its own like that of `entry`; answers its place.
    int add(Entry entry);
    void remove(int at);
    /// Brings the last one removed back; answers its place, -1 when there is none.
    int undoRemove();

    /// Why these cannot be saved; empty when they can.
    [[nodiscard]] QString problem() const;

private:
    QList<Entry> m_entries;
    std::optional<Entry> m_removed;
    int m_removedAt = 0;
};

} // namespace outbox
