// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The connection manager: edits a copy of the profiles, tries them out, and hands the copy back.
#pragma once

#include "models/profile/addressparts.h"
#include "models/profile/connectionstep.h"
#include "models/profile/profiledraft.h"
#include "models/shape/catalog.h"

#include <QDialog>

#include <functional>

class QLabel;
class QListWidget;
class QPushButton;

namespace outbox {

class ConnectionSteps;
class NoticeBar;
class ProfileForm;

/// Opened with open(), never exec(). Cancel and Esc leave everything as it was.
class ProfileDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ProfileDialog(QWidget *parent = nullptr);

    /// Takes a copy; the first profile is chosen. Of passwords typed before those of `known` are
    /// left.
    void setProfiles(const QList<Profile> &profiles, const KnownPasswords &known = {});
    /// See `ProfileForm::setAddressParser`.
    void setAddressParser(const AddressParser &parser);
    /// `words` tells people what is deleted with a saved profile, by the name under which it is
    /// saved; empty: nothing.
    void setGoing(std::function<QString(const QString &savedName)> words);
    void chooseProfile(const QString &name);
    /// A new profile from the pasted address of a database, of a Redis, or of both, with blanks
    /// between them; passwords are taken out.
    void importUrl(const QString &urls);
    /// A new profile, to be named first; what is saved is another one until then.
    void addProfile(const ProfileDraft::Entry &entry);
    /// The same with nothing in it.
    void addProfile();
    void setTestSteps(const QList<ConnectionStep> &steps);
    void setFinding(const ProbeFinding &finding);
    /// A mapping that a person confirmed for the chosen profile.
    void setShape(const OutboxShape &shape);

    [[nodiscard]] QList<Profile> profiles() const;
    /// The same with the passwords that were typed.
    [[nodiscard]] const QList<ProfileDraft::Entry> &entries() const { return m_draft.entries(); }
    [[nodiscard]] Profile currentProfile() const;

signals:
    void testAsked(const outbox::Profile &profile, const outbox::ProfilePasswords &passwords);
    /// The columns of its table are to be mapped.
    void mapAsked(const outbox::Profile &profile, const outbox::ProfilePasswords &passwords);
    /// Save or Connect: these are the profiles now.
    void profilesSaved(const QList<outbox::Profile> &profiles);
    void connectAsked(const outbox::Profile &profile, const outbox::ProfilePasswords &passwords);

private:
    void build();
    void duplicate();
    void remove();
    void undoRemove();
    void fillList(int chosen);
    void showCurrent();
    void takeEdit();
    void describe();
    void save(bool connectToo);

    ProfileDraft m_draft;
    std::function<QString(const QString &)> m_going; ///< empty: nobody says it
    QListWidget *m_list;
    ProfileForm *m_form;
    ConnectionSteps *m_steps;
    QLabel *m_problem;
    NoticeBar *m_notice;
    QPushButton *m_duplicate;
    QPushButton *m_remove;
    QPushButton *m_test;
    QPushButton *m_save;
    QPushButton *m_connect;
};

} // namespace outbox
