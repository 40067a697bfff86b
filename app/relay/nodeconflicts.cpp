// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/nodeconflicts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int fewestJudged = 20;
constexpr int conflictShare = 20; ///< one part in so many is borne
constexpr std::chrono::seconds conflictWindow{60};

} // namespace

void NodeConflicts::took(bool isConflict)
{
    ++m_batches;
    m_conflicts += isConflict ? 1 : 0;
}

QString NodeConflicts::takeNotice(Time now)
{
    if (!m_begun)
        m_begun = now;
    const bool isMany = m_batches >= fewestJudged && m_conflicts * conflictShare > m_batches;
    const bool mayTell = !m_told || now - *m_told >= conflictWindow;
    QString notice;
    if (isMany && mayTell) {
        notice
            = u"relays on several nodes: %1 of the last %2 batches were rolled back because what "
              "another node committed came first. Name the hosts in the same order for every "
              "relay"_s.arg(m_conflicts)
                  .arg(m_batches);
        m_told = now;
    }
    if (!notice.isEmpty() || now - *m_begun >= conflictWindow) {
        m_batches = 0;
        m_conflicts = 0;
        m_begun = now;
    }
    return notice;
}

} // namespace outbox
