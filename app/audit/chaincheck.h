// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether the lines of the record follow each other as they were written.
#pragma once

#include "app/audit/audittrail.h"
#include "app/audit/reverselinereader.h"

namespace outbox {

/// Follows the chain from its end to its beginning; the fault that it finds last is the first one.
class ChainCheck
{
public:
    void takeOlder(const BackwardLine &line);
    /// After the oldest line.
    [[nodiscard]] AuditTrail::Chain chain();

private:
    void blame(qint64 sequence, const QString &sentence)
    {
        m_chain.brokenAt = sequence;
        m_chain.text = sentence.arg(sequence);
    }

    AuditTrail::Chain m_chain;
    qint64 m_youngerSequence = 0;
    QByteArray m_youngerPrevious; ///< empty: there is none, or it cannot be trusted
};

} // namespace outbox
