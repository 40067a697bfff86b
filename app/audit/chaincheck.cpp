// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/audit/chaincheck.h"

#include "app/audit/auditline.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

void ChainCheck::takeOlder(const BackwardLine &line)
{
    const auto seal = sealOf(line.text);
    if (!seal || (!line.ended && !seal->intact)) {
        ++m_chain.torn;
        return;
    }
    ++m_chain.entries;
    const auto entry = entryOf(line.text);
    const bool sound = entry && seal->intact;
    // What a changed line says of itself may be part of the change.
    const bool hasYounger = m_chain.entries > 1;
    const qint64 sequence
        = entry && (sound || !hasYounger) ? entry->sequence : m_youngerSequence - 1;
    if (!m_youngerPrevious.isEmpty()
        && (m_youngerPrevious != seal->hash || m_youngerSequence != sequence + 1)) {
        blame(m_youngerSequence,
              u"Entry %1 does not follow the one before it: something was changed, put in or "
              "taken out there."_s);
    }
    if (!sound)
        blame(sequence, u"Entry %1 was changed after it was written."_s);
    m_youngerSequence = sequence;
    m_youngerPrevious = sound ? entry->previous : QByteArray();
}

AuditTrail::Chain ChainCheck::chain()
{
    const bool isFirst = m_youngerSequence == 1 && m_youngerPrevious == firstPrevious();
    if (!m_youngerPrevious.isEmpty() && !isFirst) {
        blame(m_youngerSequence, u"The record begins with entry %1: what came before is gone."_s);
    }
    if (!m_chain.brokenAt)
        m_chain.text = u"The chain of %1 entries holds."_s.arg(m_chain.entries);
    if (m_chain.torn > 0) {
        m_chain.text += u" Lines that were cut off while they were written: %1; nothing was "
                        "done on their word."_s.arg(m_chain.torn);
    }
    return m_chain;
}

} // namespace outbox
