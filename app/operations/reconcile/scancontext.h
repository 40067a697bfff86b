// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the parts of one look for inconsistencies share: its terms, its pace, its report.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "models/message/message.h"
#include "models/operations/scanreport.h"

#include <QElapsedTimer>
#include <QHash>
#include <QSet>

#include <functional>
#include <stop_token>

namespace outbox {

class ScanContext
{
public:
    /// `phase` is "pending of default", "rows", "second look" …; `looked` counts rows, tasks and
    /// keys so far.
    using Progressed = std::function<void(const QString &phase, qint64 looked, qsizetype suspects)>;

    ScanContext(OperatorSession &session, const ScanOptions &terms, Progressed progressed,
                std::stop_token stop);

    [[nodiscard]] OperatorSession &session() { return m_session; }
    [[nodiscard]] const ScanOptions &terms() const { return m_terms; }
    ScanReport report;

    /// False once it was stopped or its budget is spent: keep the position, and end.
    [[nodiscard]] bool mayGoOn() const;
    /// Waits; false when it has to end before.
    [[nodiscard]] bool rest(qint64 milliseconds) const;
    /// Waits between the two looks of a judgement, whatever the budget: a look that is resumed
    /// again and again with a small one must come to an end. False once it was stopped.
    [[nodiscard]] bool restBetweenReadings() const;
    void tell(const QString &phase, qsizetype suspects) const;
    [[nodiscard]] qint64 tookMs() const { return m_clock.elapsed(); }

    /// Says it once for each kind and message; beyond the most of a kind it only counts.
    void add(const Finding &finding);
    void note(const QString &sentence);
    /// A source that fell silent: what it would have shown is missing.
    void noteFailure(const QString &what, const Error &error);
    /// Sorts the findings and says how many were left out.
    void finish();

private:
    OperatorSession &m_session;
    const ScanOptions &m_terms;
    Progressed m_progressed;
    std::stop_token m_stop;
    QElapsedTimer m_clock;
    QSet<QString> m_said;
    QHash<FindingKind, qint64> m_perKind;
};

/// The rows with these keys, as they are now; those that are gone are left out.
[[nodiscard]] Result<QHash<MessageId, Message>> rowsByKey(OutboxStore &store,
                                                          const QList<MessageId> &ids);
/// As a plan keeps it.
[[nodiscard]] RowSnapshot seenOf(const Message &row);
/// "the row is pending since 4 min", "the row is marked processed".
[[nodiscard]] QString rowText(const Message &row);
/// Held by a session, or by a lease that is alive.
[[nodiscard]] bool isClaimed(const Message &row);

} // namespace outbox
