// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/profilepresenter.h"

#include "app/desktop/mappingpresenter.h"
#include "app/settings/addressparser.h"
#include "app/settings/opening.h"
#include "app/system/sources/target.h"
#include "models/phrases.h"
#include "models/profile/profile.h"
#include "models/profile/profiledraft.h"
#include "views/connections/profiledialog.h"
#include "views/frame/mainwindow.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

ProfilePresenter::ProfilePresenter(MainWindow *window, const Folders &folders, QObject *parent)
    : QObject(parent), m_window(window), m_folders(folders), m_store(folders.profilesFile()),
      m_record(folders.auditFile())
{
    connect(&m_record, &RecordWriter::failed, this, &ProfilePresenter::tell);
    if (auto loaded = m_store.load(); !loaded)
        tell(loaded.error());
    for (const Error &problem : m_store.problems())
        tell(problem);
}

void ProfilePresenter::open(const QString &profileName, const QString &url)
{
    makeDialog();
    if (!profileName.isEmpty())
        m_dialog->chooseProfile(profileName);
    if (!url.isEmpty())
        m_dialog->importUrl(url);
    else if (m_dialog->entries().isEmpty())
        m_dialog->addProfile();
    m_dialog->open();
}

void ProfilePresenter::openAsNew(Profile profile, const ProfilePasswords &passwords)
{
    makeDialog();
    profile.name = tr("new system");
    m_dialog->addProfile({std::move(profile), passwords});
    m_dialog->open();
}

void ProfilePresenter::openToMap(const Profile &profile, const ProfilePasswords &passwords)
{
    // The command line may have named another database over a saved name: its password is not sent
    // to that of the saved one.
    const auto saved = m_store.find(profile.name);
    if (saved && saved->databaseUrl == profile.databaseUrl)
        open(profile.name);
    else
        openAsNew(profile, passwords);
    map(m_dialog->currentProfile(), passwords);
}

void ProfilePresenter::makeDialog()
{
    if (m_dialog)
        return;
    m_dialog = new ProfileDialog(m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &ProfileDialog::testAsked, this, &ProfilePresenter::test);
    connect(m_dialog, &ProfileDialog::mapAsked, this, &ProfilePresenter::map);
    connect(m_dialog, &ProfileDialog::profilesSaved, this, &ProfilePresenter::save);
    connect(m_dialog, &ProfileDialog::connectAsked, this,
            [this](const Profile &profile, const ProfilePasswords &passwords) {
                emit connectAsked(profile, passwords);
            });
    m_dialog->setAddressParser(addressParser());
    m_dialog->setGoing([this](const QString &name) { return goesWith(name); });
    m_dialog->setProfiles(m_store.profiles(), m_known);
}

ProfilePasswords ProfilePresenter::passwordsOf(const Profile &profile,
                                               const ProfilePasswords &given)
{
    return withPlaces(profile, m_known.completed(profile, given));
}

ProfilePasswords ProfilePresenter::withPlaces(const Profile &profile, const ProfilePasswords &given)
{
    const auto found = foundPasswords(profile, given);
    if (!found)
        tell(found.error());
    return found.value_or(given);
}

void ProfilePresenter::save(const QList<Profile> &profiles)
{
    for (const Profile &one : profiles) // a password that was cleared is not wanted any more
        m_known.forget(one);
    for (const ProfileDraft::Entry &entry : m_dialog->entries())
        learn(entry.profile, entry.passwords);
    const QList<Profile> before = m_store.profiles();
    QStringList removed;
    const auto kept = keep(profiles, removed);
    if (!kept) {
        tell(kept.error());
    } else { // a new one may have the name of one that is deleted
        for (const Profile &one : before)
            removed += one.name;
    }
    if (const NameChanges changes = changesOf(removed); !changes.isEmpty())
        emit namesChanged(changes);
    emit profilesChanged(); // some may be kept where another one is not
}

NameChanges ProfilePresenter::changesOf(const QStringList &names) const
{
    NameChanges changes;
    QStringList staying;
    for (const ProfileDraft::Entry &entry : m_dialog->entries()) {
        const QString &name = entry.profile.name;
        staying += entry.savedName;
        if (!entry.savedName.isEmpty() && entry.savedName != name && m_store.find(name))
            changes.renamed.insert(entry.savedName, name);
    }
    for (const QString &name : names) {
        if (!staying.contains(name) && !changes.deleted.contains(name))
            changes.deleted += name;
    }
    return changes;
}

QString ProfilePresenter::goesWith(const QString &name) const
{
    const KeptByName kept = keptByName(m_folders, name);
    QStringList going;
    if (!kept.alerts)
        going += tr("its alerts");
    else if (*kept.alerts > 0)
        going += *kept.alerts == 1 ? tr("1 alert") : tr("%1 alerts").arg(countText(*kept.alerts));
    if (kept.notes > 0)
        going += kept.notes == 1 ? tr("1 note") : tr("%1 notes").arg(countText(kept.notes));
    return going.isEmpty() ? QString() : tr("This goes with it: %1.").arg(going.join(tr(" and ")));
}

Result<void> ProfilePresenter::keep(const QList<Profile> &profiles, QStringList &removed)
{
    const QList<Profile> before = m_store.profiles();
    for (const Profile &old : before) {
        const bool kept = std::any_of(profiles.begin(), profiles.end(),
                                      [&](const Profile &one) { return one.name == old.name; });
        if (kept)
            continue;
        TRY(m_store.remove(old.name));
        removed += old.name;
        note(old, std::nullopt);
    }
    for (const Profile &profile : profiles) {
        const auto old = m_store.find(profile.name);
        if (old == profile)
            continue;
        TRY(m_store.put(profile));
        note(old, profile);
    }
    return {};
}

void ProfilePresenter::test(const Profile &profile, const ProfilePasswords &passwords)
{
    // The one before goes on unheard: to end it here would wait for servers that stand still.
    if (m_test)
        disconnect(m_test, nullptr, this, nullptr);
    m_test = new ConnectionTest(profile, withPlaces(profile, passwords), this);
    connect(m_test, &ConnectionTest::finished, m_test, &QObject::deleteLater);
    connect(m_test, &ConnectionTest::stepsChanged, this,
            [this](const QList<ConnectionStep> &steps) {
                if (m_dialog)
                    m_dialog->setTestSteps(steps);
            });
    connect(m_test, &ConnectionTest::tableFound, this, [this](const ProbeFinding &finding) {
        if (m_dialog)
            m_dialog->setFinding(finding);
    });
    m_test->start();
}

void ProfilePresenter::map(const Profile &profile, const ProfilePasswords &passwords)
{
    auto *mapping = new MappingPresenter(profile, withPlaces(profile, passwords), m_dialog);
    connect(mapping, &MappingPresenter::confirmed, m_dialog, &ProfileDialog::setShape);
}

/// It is saved already: a setting is no act on messages, and needs no record to be made.
void ProfilePresenter::note(const std::optional<Profile> &before,
                            const std::optional<Profile> &after)
{
    const Profile &about = after ? *after : *before;
    AuditEntry entry = entryAbout(AuditEntry::Kind::Settings, about, u"outboxdeck"_s);
    entry.what = profileChange(before, after);
    m_record.write(entry);
}

void ProfilePresenter::tell(const Error &error)
{
    m_window->messages()->add({u"profiles"_s, HealthLevel::Watch, oneLine(error), {}});
}

} // namespace outbox
