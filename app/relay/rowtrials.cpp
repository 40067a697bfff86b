// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/rowtrials.h"

#include "app/relay/rowfailure.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int failuresBorne = 3; ///< so often a failure without a named reason is the server's
constexpr int longestTrialRestMs = 60'000;
constexpr int trialShare = 20; ///< one part in so many of the time goes into tries of single rows
constexpr int mostTrials = 100; ///< so many failed and no other got through since: see `isStuck`

} // namespace

RowTrials::Next RowTrials::countTry(const MessageId &id, Cause cause, Time now)
{
    Trial &trial = m_trials[id];
    if (trial.tries == 0) {
        trial.commits = m_commits;
        trial.empties = m_empties;
    }
    ++trial.tries;
    trial.since = now;
    trial.isSlow = trial.isSlow || cause.isLate;
    if (trial.tries < m_mostTries)
        return Next::Rest;
    return isProvenFor(trial, cause) ? Next::Park : Next::Distrust;
}

RowTrials::Blame RowTrials::blame(const QList<MessageId> &ids, const Error &error, bool isOfQueue)
{
    // A row that makes the server hang up looks like a server that is lost, again and again.
    const bool isAlone = ids.size() == 1;
    const bool isLate = error.kind == Error::Kind::Timeout;
    const bool isLateInSeries = isLateAgain(error);
    const bool isLoss = error.kind == Error::Kind::Unreachable || isLate;
    const bool isLost = error.kind == Error::Kind::Unreachable && ++m_lostInSeries > failuresBorne;
    const bool isSuspect
        = isLost || isLateInSeries || (isLoss && isAlone && m_trials.contains(ids.first()));
    const bool isKnown = isSearching() && !isLoss; // told when the search for the row began
    if ((isOfQueue || !mayBeOfRow(error)) && !isSuspect)
        return {{}, true};
    m_searched = isAlone ? 0 : ids.size();
    Blame blame{{}, isLoss || (!isAlone && !isKnown)};
    if (isAlone)
        blame.cause = Cause{isOfQueue, isLoss, isLate};
    return blame;
}

bool RowTrials::isLastTry(const MessageId &id) const
{
    const auto trial = m_trials.constFind(id);
    return trial != m_trials.cend() && trial->tries + 1 >= m_mostTries;
}

void RowTrials::setQueueWell(const MessageId &id, bool isWell)
{
    if (const auto trial = m_trials.find(id); trial != m_trials.end())
        trial->isQueueWell = isWell;
}

MessageId RowTrials::due(Time now, bool isFree) const
{
    if (!isFree && m_triedAt && now - *m_triedAt < trialShare * m_tryCost)
        return {};
    using std::chrono::floor, std::chrono::milliseconds;
    for (auto trial = m_trials.cbegin(); trial != m_trials.cend(); ++trial) {
        // The try that parks it waits for a proof that others get through.
        const bool waits = trial->tries + 1 >= m_mostTries && !isProven(*trial);
        const int shift = std::min(trial->tries - 1, 16) + (waits || trial->isSlow ? 4 : 0);
        const qint64 restMs = std::min<qint64>(longestTrialRestMs, qint64{m_retryAfterMs} << shift);
        if (floor<milliseconds>(now - trial->since).count() > restMs)
            return trial.key();
    }
    return {};
}

void RowTrials::tried(std::chrono::nanoseconds cost, Time now)
{
    m_tryCost = cost;
    m_triedAt = now;
}

bool RowTrials::isStuck() const
{
    return m_trials.size() >= mostTrials
        && std::count_if(m_trials.cbegin(), m_trials.cend(),
                         [this](const Trial &trial) { return !isProven(trial); })
        >= mostTrials;
}

int RowTrials::claimSize(int rows) const
{
    if (!isSearching())
        return rows;
    // A part that fails is work in vain, one that gets through is not: rather small ones.
    const qsizetype part = std::max<qsizetype>(2, m_searched / 8);
    return static_cast<int>(std::min<qsizetype>(rows, part));
}

void RowTrials::gotThrough(qsizetype rows)
{
    m_searched = std::max<qsizetype>(0, m_searched - rows);
}

void RowTrials::searchIfLateAgain(const Error &error, qsizetype rows)
{
    if (isLateAgain(error))
        m_searched = rows;
}

std::optional<Error> RowTrials::searchAmong(qsizetype rows)
{
    m_searched = isStuck() ? 0 : rows;
    if (m_searched > 0)
        return {};
    return Error{Error::Kind::Constraint,
                 u"delivering rows"_s,
                 u"%1 rows failed one after another and none got through"_s.arg(m_trials.size()),
                 {},
                 u"The last error tells why; the table or the server is at fault"_s};
}

bool RowTrials::isRefusedAgain()
{
    return ++m_refusedInSeries > 1 || isSearching();
}

void RowTrials::committed(const QList<MessageId> &ids)
{
    ++m_commits;
    m_lostInSeries = 0;
    m_refusedInSeries = 0;
    m_lateInSeries = 0;
    if (m_trials.isEmpty())
        return;
    for (const MessageId &id : ids)
        m_trials.remove(id);
}

void RowTrials::foundNothing(bool isProof)
{
    m_searched = 0;
    m_empties += isProof ? 1 : 0;
}

bool RowTrials::isProven(const Trial &trial) const
{
    return m_commits > trial.commits || m_empties > trial.empties;
}

bool RowTrials::isProvenFor(const Trial &trial, Cause cause) const
{
    if (m_commits > trial.commits)
        return true;
    // Several that fail together may fail for the sake of what they have in common.
    const bool isFit
        = !cause.isDoubtful || (cause.isQueue && m_trials.size() == 1 && m_searched == 0);
    return m_empties > trial.empties && isFit && (!cause.isQueue || trial.isQueueWell);
}

bool RowTrials::isLateAgain(const Error &error)
{
    return error.kind == Error::Kind::Timeout && ++m_lateInSeries >= failuresBorne;
}

} // namespace outbox
