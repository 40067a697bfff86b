// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a window remembers of its user: looks, place, and how lists are shown.
#pragma once

#include "models/result.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace outbox {

struct Preferences
{
    enum class Theme { System, Light, Dark };
    Theme theme = Theme::System;
    QByteArray windowGeometry; ///< opaque, as the window gave it
    QByteArray windowState;
    int refreshMs = 1000; ///< 200 to 60,000
    QString lastProfile;
    int metricsPort = 0; ///< of the loopback, for collectors; 0: nothing is served
    bool watchesFleet = false; ///< all saved systems, also while another page is shown
    /// What was chosen of the columns of tables, by page and table; opaque, as the tables gave it.
    QJsonObject tables;
    QString earlier; ///< what stands behind the lines of charts: "day", "week"; else nothing
    QStringList oldestFirst; ///< names of systems whose rows are listed with the oldest on top
    QJsonObject others; ///< members this version does not know

    /// Absent or unusable members keep their defaults. Fails only when the file cannot be read or
    /// is no JSON object.
    [[nodiscard]] static Result<Preferences> load(const QString &file);
    [[nodiscard]] Result<void> save(const QString &file) const;
    bool operator==(const Preferences &) const = default;
};

} // namespace outbox
