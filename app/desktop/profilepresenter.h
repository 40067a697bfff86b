// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the connection manager to the saved profiles and to the stepwise test.
#pragma once

#include "app/audit/recordwriter.h"
#include "app/settings/folders.h"
#include "app/settings/keptbyname.h"
#include "app/settings/profilestore.h"
#include "app/system/jobs/connectiontest.h"
#include "models/profile/knownpasswords.h"
#include "models/profile/profile.h"

#include <QObject>
#include <QPointer>
#include <QStringList>

namespace outbox {

class MainWindow;
class ProfileDialog;

/// Lives in the GUI thread.
class ProfilePresenter : public QObject
{
    Q_OBJECT

public:
    ProfilePresenter(MainWindow *window, const Folders &folders, QObject *parent = nullptr);

    [[nodiscard]] const ProfileStore &store() const { return m_store; }
    /// Opens the connection manager; `url` is taken over as a new profile. Where none is saved a
    /// first one is begun.
    void open(const QString &profileName = {}, const QString &url = {});
    /// The same with a new profile in it, to be named: this system.
    void openAsNew(Profile profile, const ProfilePasswords &passwords);
    /// The same with this system in it, saved or not, and the mapping editor over it.
    void openToMap(const Profile &profile, const ProfilePasswords &passwords);
    /// `given`, completed by what was typed since the program began and by what the places of
    /// passwords hold (`findSecret`). A place that cannot be read is told in the window.
    [[nodiscard]] ProfilePasswords passwordsOf(const Profile &profile,
                                               const ProfilePasswords &given);
    /// Kept in memory, for the next time that this is opened.
    void learn(const Profile &profile, const ProfilePasswords &passwords)
    {
        m_known.learn(profile, passwords);
    }

signals:
    void connectAsked(const outbox::Profile &profile, const outbox::ProfilePasswords &secrets);
    /// Saved profiles have other names now, or are gone. Sent ahead of `profilesChanged`.
    void namesChanged(const outbox::NameChanges &changes);
    /// By a person; `store` has what could be saved.
    void profilesChanged();

private:
    /// `given`, and where that is empty what the places of passwords hold.
    [[nodiscard]] ProfilePasswords withPlaces(const Profile &profile,
                                              const ProfilePasswords &given);
    /// Makes the dialog, where it is not there.
    void makeDialog();
    void save(const QList<Profile> &profiles);
    /// `removed` gets the names that are gone from the store, also where the rest fails.
    [[nodiscard]] Result<void> keep(const QList<Profile> &profiles, QStringList &removed);
    /// What became of the names that were saved; those of `names` that no profile of the dialog had
    /// are deleted.
    [[nodiscard]] NameChanges changesOf(const QStringList &names) const;
    /// For people: what is deleted with the profile that is saved under this name.
    [[nodiscard]] QString goesWith(const QString &name) const;
    void test(const Profile &profile, const ProfilePasswords &passwords);
    void map(const Profile &profile, const ProfilePasswords &passwords);
    void note(const std::optional<Profile> &before, const std::optional<Profile> &after);
    void tell(const Error &error);

    MainWindow *m_window;
    Folders m_folders;
    ProfileStore m_store;
    KnownPasswords m_known;
    RecordWriter m_record;
    QPointer<ProfileDialog> m_dialog;
    QPointer<ConnectionTest> m_test; ///< gone by itself when it has finished
};

} // namespace outbox
