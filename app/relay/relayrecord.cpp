// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relayrecord.h"

#include <QCoreApplication>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

AuditEntry relayEntry(const AuditEntry &about, const QString &act, const QString &detail)
{
    AuditEntry entry = about;
    entry.what = u"Relay %1 (process %2)"_s.arg(act).arg(QCoreApplication::applicationPid());
    if (!detail.isEmpty())
        entry.what += u": "_s + detail;
    return entry;
}

AuditEntry relayEnd(const AuditEntry &about, const QString &how, const QString &why,
                    const RelayTotals &totals, const std::optional<Error> &error)
{
    const bool isPlain = how == u"stopped";
    QStringList details;
    if (!isPlain)
        details += how;
    if (!why.isEmpty())
        details += why;
    details += u"%1 batches, %2 rolled back"_s.arg(totals.batches).arg(totals.rollbacks);
    AuditEntry entry = relayEntry(about, u"stopped"_s, details.join(u"; "_s));
    const std::pair<QLatin1StringView, qint64> counts[]{{"enqueued"_L1, totals.enqueued},
                                                        {"already queued"_L1, totals.alreadyQueued},
                                                        {"already done"_L1, totals.alreadyDone},
                                                        {"dead in queue"_L1, totals.deadInQueue},
                                                        {"parked"_L1, totals.parked},
                                                        {"batches in doubt"_L1, totals.inDoubt}};
    for (const auto &[name, count] : counts) {
        if (count > 0)
            entry.counts.insert(name, count);
    }
    if (error)
        entry.error = oneLine(*error);
    return entry;
}

} // namespace outbox
