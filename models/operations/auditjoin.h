// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The two records of what was done, the file of this machine and the table of the database, as one
// list.
#pragma once

#include "models/operations/auditentry.h"
#include "models/operations/auditrow.h"

namespace outbox {

/// The operations that a page of the table tells of, newest first. What they took away, and whether
/// they ended, the table does not say: they are Done, and cannot be undone from here.
[[nodiscard]] QList<Activity> activitiesIn(const AuditPage &page, const QString &target);

/// Both, newest first. An operation that stands in both is told once, as the file tells it, which
/// knows more; where the table says something else, `mismatch` names it. `who` ("ana@desk") works
/// here, `target` is the system that the table belongs to, as activities name it.
[[nodiscard]] QList<Activity> joined(const QList<Activity> &here, const AuditPage &page,
                                     const QString &who, const QString &target);

} // namespace outbox
