// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/profile/profiledraft.h"

#include <QCoreApplication>
#include <QStringList>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

ProfileDraft::ProfileDraft(const QList<Profile> &profiles, const KnownPasswords &known)
{
    for (const Profile &one : profiles)
        m_entries.append({one, known.completed(one), one.name});
}

QList<Profile> ProfileDraft::profiles() const
{
    QList<Profile> all;
    for (const Entry &entry : m_entries)
        all.append(entry.profile);
    return all;
}

int ProfileDraft::find(const QString &name) const
{
    for (int at = 0; at < m_entries.size(); ++at) {
        if (m_entries.at(at).profile.name == name)
            return at;
    }
    return -1;
}

void ProfileDraft::replace(int at, Entry entry)
{
    entry.savedName = m_entries.at(at).savedName;
    m_entries[at] = std::move(entry);
}

int ProfileDraft::add(Entry entry)
{
    const QString like = entry.profile.name;
    for (int number = 2; find(entry.profile.name) >= 0; ++number)
        entry.profile.name = u"%1 %2"_s.arg(like).arg(number);
    entry.savedName.clear();
    m_entries.append(std::move(entry));
    return static_cast<int>(m_entries.size()) - 1;
}

void ProfileDraft::remove(int at)
{
    m_removed = m_entries.takeAt(at);
    m_removedAt = at;
}

int ProfileDraft::undoRemove()
{
    if (!m_removed)
        return -1;
    m_entries.insert(m_removedAt, *m_removed);
    m_removed.reset();
    return m_removedAt;
}

QString ProfileDraft::problem() const
{
    for (int at = 0; at < m_entries.size(); ++at) {
        const QString &name = m_entries.at(at).profile.name;
        if (name.isEmpty())
            return QCoreApplication::translate("outbox::ProfileDraft", "A profile has no name.");
        if (find(name) != at) {
            return QCoreApplication::translate("outbox::ProfileDraft",
                                               "Two profiles are called \"%1\".")
                .arg(name);
        }
        const auto &status = m_entries.at(at).profile.status;
        if (status && (status->idColumn.isEmpty() || status->statusColumn.isEmpty())) {
            return QCoreApplication::translate("outbox::ProfileDraft",
                                               "The status table of \"%1\" needs both columns.")
                .arg(name);
        }
        const Profile &profile = m_entries.at(at).profile;
        const QString why
            = profile.design ? profile.design->problem(profile.retentionSeconds) : QString();
        if (!why.isEmpty()) { // such a file could not be read again
            return QCoreApplication::translate("outbox::ProfileDraft", "The design of \"%1\": %2.")
                .arg(name, why);
        }
        if (const QString fault = profile.protobuf.problem(); !fault.isEmpty()) {
            return QCoreApplication::translate("outbox::ProfileDraft",
                                               "The payloads of \"%1\": %2.")
                .arg(name, fault);
        }
    }
    return {};
}

} // namespace outbox
