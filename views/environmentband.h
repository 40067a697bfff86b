// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which system this is and how careful to be: colour, word, target, lock. Always at the top.
#pragma once

#include "models/profile.h"

#include <QWidget>

namespace outbox {

class EnvironmentBand : public QWidget
{
    Q_OBJECT

public:
    explicit EnvironmentBand(QWidget *parent = nullptr);

    void setProfile(const Profile &profile);
    void setRelayRunning(bool running);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QString lockText() const;
    void describe();

    Profile m_profile;
    bool m_hasProfile = false;
    bool m_relayRunning = false;
};

/// "orders @ pg-1/shop.outbox → redis-1/0": where this profile points, without user or password.
[[nodiscard]] QString targetText(const Profile &profile);

} // namespace outbox
