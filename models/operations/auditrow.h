// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lines of the table outbox_audit, in which the database itself keeps what operators did.
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

namespace outbox {

/// One line for the table outbox_audit.
struct AuditRow
{
    QString operation;
    QString actor; ///< "ana@desk"
    QString face;
    QString verb;
    QString message; ///< id of the row
    QString before;
    QString after;
    QString note;
    QDateTime at{}; ///< UTC, the database's clock; null: it is not written yet

    bool operator==(const AuditRow &) const = default;
};

/// As much of the table as was read.
struct AuditPage
{
    QList<AuditRow> rows; ///< newest first
    bool isWhole = true; ///< nothing more of what was asked for stands in the table

    bool operator==(const AuditPage &) const = default;
};

} // namespace outbox
