// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/healthholders.h"

#include "models/health/healthwords.h"
#include "models/phrases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using healthwords::healthText;

namespace {

/// "%1 … %2": who, and for how long. The holder of a lease has no process that is known.
QString sentence(const char *source, const LockHolder &holder)
{
    const QString name
        = holder.application.isEmpty() ? healthText("A session") : holder.application;
    const QString who = holder.pid > 0
        ? healthText("%1 (process %2)").arg(name, QString::number(holder.pid))
        : name;
    return healthText(source).arg(who, spanText(holder.sinceSeconds.value_or(0)));
}

} // namespace

QList<HealthFinding> holderFindings(const OutboxSnapshot &outbox, const HealthLimits &limits)
{
    QList<HealthFinding> found;
    const LockHolder *oldest = nullptr;
    for (const LockHolder &holder : outbox.holders) {
        if (outbox.guess && holder.pid <= 0)
            continue; // a lease is read by the mapping
        if (holder.sinceSeconds.value_or(0) > limits.transaction
            && (!oldest || *holder.sinceSeconds > *oldest->sinceSeconds))
            oldest = &holder;
    }
    if (oldest) {
        found += HealthFinding{
            HealthReason::LongTransaction,
            {HealthLevel::Watch,
             sentence(oldest->pid > 0 ? QT_TRANSLATE_NOOP(
                          "outbox::Health", "%1 holds rows in a transaction open for %2.")
                                      : QT_TRANSLATE_NOOP("outbox::Health",
                                                          "%1 has held rows by a lease for %2."),
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
                                        "%1 has held a snapshot for %2: what is "
                                        "deleted is not cleaned up, and claims get slower."),
                      *snapshot),
             {},
             u"SELECT pg_terminate_backend(%1);"_s.arg(QString::number(snapshot->pid))}};
    }
    return found;
}

} // namespace outbox
