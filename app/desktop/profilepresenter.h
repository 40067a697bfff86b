// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the connection manager to the saved profiles and to the stepwise test.
#pragma once

#include "app/audit/recordwriter.h"
#include "app/settings/profilestore.h"
#include "app/system/jobs/connectiontest.h"
#include "models/profile/knownpasswords.h"
#include "models/profile/profile.h"

#include <QHash>
#include <QObject>
#include <QPointer>

namespace outbox {

class MainWindow;
class ProfileDialog;

/// Lives in the GUI thread.
class ProfilePresenter : public QObject
{
    Q_OBJECT

public:
    /// `record` is the file in which changes are put on record.
    ProfilePresenter(MainWindow *window, const QString &file, const QString &record,
                     QObject *parent = nullptr);

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
    /// Saved profiles have other names now: the new one of each by the one before. Sent ahead of
    /// `profilesChanged`.
    void profilesRenamed(const QHash<QString, QString> &names);
    /// By a person; `store` has what could be saved.
    void profilesChanged();

private:
    /// `given`, and where that is empty what the places of passwords hold.
    [[nodiscard]] ProfilePasswords withPlaces(const Profile &profile,
                                              const ProfilePasswords &given);
    /// Makes the dialog, where it is not there.
    void makeDialog();
    void save(const QList<Profile> &profiles);
    [[nodiscard]] Result<void> keep(const QList<Profile> &profiles);
    void test(const Profile &profile, const ProfilePasswords &passwords);
    void map(const Profile &profile, const ProfilePasswords &passwords);
    void note(const std::optional<Profile> &before, const std::optional<Profile> &after);
    void tell(const Error &error);

    MainWindow *m_window;
    ProfileStore m_store;
    KnownPasswords m_known;
    RecordWriter m_record;
    QPointer<ProfileDialog> m_dialog;
    QPointer<ConnectionTest> m_test; ///< gone by itself when it has finished
};

} // namespace outbox
