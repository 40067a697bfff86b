// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long the rows behind the bad ones took.
#pragma once

#include "app/relay/relayobserver.h"

#include <QElapsedTimer>

#include <algorithm>

namespace outbox {

/// Notes when the last of `expected` rows with numbers above `lastBad` was committed.
class GoodRowsClock
{
public:
    GoodRowsClock(int lastBad, qsizetype expected) : m_lastBad(lastBad), m_expected(expected) { }
    void start() { m_clock.start(); }
    void at(RelayStage moment, const QList<MessageId> &ids)
    {
        if (moment != RelayStage::Committed)
            return;
        m_committed += std::count_if(ids.begin(), ids.end(), [this](const MessageId &id) {
            return id.text.toInt() > m_lastBad;
        });
        if (m_committed == m_expected)
            m_milliseconds = static_cast<double>(m_clock.nsecsElapsed()) / 1e6;
    }
    [[nodiscard]] qsizetype committed() const { return m_committed; }
    [[nodiscard]] double milliseconds() const { return m_milliseconds; }

private:
    int m_lastBad;
    qsizetype m_expected;
    QElapsedTimer m_clock;
    qsizetype m_committed = 0;
    double m_milliseconds = 0;
};

} // namespace outbox
