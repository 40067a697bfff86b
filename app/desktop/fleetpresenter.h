// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the fleet page to the poller that looks at all saved systems.
#pragma once

#include "app/settings/profilestore.h"
#include "app/system/fleet/fleetpoller.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace outbox {

struct Pages;

/// Lives in the GUI thread, and goes on while one system after another is opened. Nothing is looked
/// at before somebody shows the page or wants all systems to be watched always; with one saved
/// system there is no such page.
class FleetPresenter : public QObject
{
    Q_OBJECT

public:
    /// `pages` outlive the presenter.
    FleetPresenter(const Pages &pages, QString stateFolder, bool watchesAlways,
                   QObject *parent = nullptr);

    /// These are saved now.
    void setSaved(const ProfileStore &store);
    /// Of a person: nothing is looked at.
    void setPaused(bool paused);
    /// Asks for a saved system by `openAsked`; nothing where there is none of this name.
    void open(const QString &name);
    [[nodiscard]] const FleetPoller &poller() const { return m_poller; }

signals:
    /// This saved system is to be opened; who opens it looks for its passwords.
    void openAsked(const outbox::Profile &profile);
    void watchingAlwaysChosen(bool always);

private:
    void decide();
    void show();
    void showBadge(const QList<FleetLine> &lines);

    const Pages &m_pages;
    QString m_stateFolder;
    FleetPoller m_poller;
    QList<Profile> m_profiles;
    QList<FleetSystem> m_systems; ///< those of them that can be looked at, and who cannot be read
    QHash<QString, FleetLine> m_lines; ///< by key, of those that were looked at
    QTimer m_tick;
    bool m_isOffered = false;
    bool m_watchesAlways;
    bool m_isShown = false;
    bool m_isPaused = false;
};

} // namespace outbox
