// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The alerts of a system, a line each, with what is known of them now.
#pragma once

#include "models/alerts/watchedalert.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

/// `StateRole` of the state's column answers a HealthLevel: Stalled where it is raised.
class AlertModel : public KeyedTableModel<AlertLine, QString>
{
    Q_OBJECT

public:
    enum Columns { State, Name, Rule, Value, Limit, Since, Told, ColumnCount };

    explicit AlertModel(QObject *parent = nullptr);
};

/// Whom an alert tells, and when not: "desktop, command notify, webhook at host; not 22:00-07:00".
/// No secret of an address is in it.
[[nodiscard]] QString alertTargetsText(const AlertLine &line, const QDateTime &now);

} // namespace outbox
