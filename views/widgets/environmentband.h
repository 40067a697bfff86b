// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which system this is and how careful to be: colour, word, target, lock. Always at the top.
#pragma once

#include "models/operations/arming.h"
#include "models/profile/profile.h"

#include <QIcon>
#include <QTimer>
#include <QWidget>

class QAbstractButton;

namespace outbox {

/// At the top of the window and of every dialog that writes. It counts an unlocked time down by
/// itself.
class EnvironmentBand : public QWidget
{
    Q_OBJECT

public:
    explicit EnvironmentBand(QWidget *parent = nullptr);

    /// Takes over the profile's lock, too; `setArming` tells it later.
    void setProfile(const Profile &profile);
    [[nodiscard]] const Profile &profile() const { return m_profile; }
    void setArming(const Arming &arming);
    void setRelayRunning(bool running);
    /// It has no button: the window's own band locks and unlocks.
    void setOnlyTells();
    /// As its button does: asks to unlock, or to lock. Nothing where there is no lock.
    void toggleLock();

    [[nodiscard]] QSize sizeHint() const override;

signals:
    void unlockAsked();
    void lockAsked();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] QString lockText() const;
    void describe();
    void placeButton();

    Profile m_profile;
    QString m_target;
    bool m_hasProfile = false;
    bool m_relayRunning = false;
    bool m_onlyTells = false;
    Arming m_arming;
    QAbstractButton *m_button; ///< unlocks or locks, as it stands
    QTimer m_tick; ///< runs while it counts down
};

/// "orders @ pg-1/shop.outbox → redis-1/0": where this profile points, without user or password.
[[nodiscard]] QString targetText(const Profile &profile);

/// A dot in the band's colour, for lists.
[[nodiscard]] QIcon environmentDot(Environment environment);

} // namespace outbox
