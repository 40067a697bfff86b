// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/healthholders.h"

#include "models/phrases.h"

#include <QCoreApplication>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// "%1 (process %2) … %3": who, which one and for how long.
QString sentence(const char *source, const LockHolder &holder)
{
    const QString who = holder.application.isEmpty()
        ? QCoreApplication::translate("outbox::Health", "A session")
        : holder.application;
    return QCoreApplication::translate("outbox::Health", source)
        .arg(who, QString::number(holder.pid), spanText(holder.sinceSeconds.value_or(0)));
}

} // namespace

QList<HealthFinding> holderFindings(const OutboxSnapshot &outbox, const HealthLimits &limits)
{
    QList<HealthFinding> found;
    const LockHolder *oldest = nullptr;
    for (const LockHolder &holder : outbox.holders) {
        if (holder.sinceSeconds.value_or(0) > limits.transaction
            && (!oldest || *holder.sinceSeconds > *oldest->sinceSeconds))
            oldest = &holder;
    }
    if (oldest) {
        found += HealthFinding{
            HealthReason::LongTransaction,
            {HealthLevel::Watch,
             sentence(QT_TRANSLATE_NOOP("outbox::Health",
                                        "%1 (process %2) holds rows in a transaction open for %3."),
                      *oldest),
             u"state:locked"_s}};
    }
    const auto &snapshot = outbox.oldSnapshot;
    if (snapshot && snapshot->sinceSeconds.value_or(0) > limits.transaction
        && (!oldest || oldest->pid != snapshot->pid)) {
        found += HealthFinding{
            HealthReason::OldSnapshot,
            {HealthLevel::Watch,
             sentence(QT_TRANSLATE_NOOP("outbox::Health",
                                        "%1 (process %2) has held a snapshot for %3: what is "
                                        "deleted is not cleaned up, and claims get slower."),
                      *snapshot),
             {},
             u"SELECT pg_terminate_backend(%1);"_s.arg(QString::number(snapshot->pid))}};
    }
    return found;
}

} // namespace outbox
