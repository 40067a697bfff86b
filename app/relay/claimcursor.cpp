// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/claimcursor.h"

#include <algorithm>

namespace outbox {

namespace {

constexpr int sweepShare = 20; ///< one part in so many of the time may go into sweeps

/// How long a way that took `took` is not tried again.
std::chrono::milliseconds pauseAfter(std::chrono::nanoseconds took)
{
    return std::chrono::floor<std::chrono::milliseconds>(sweepShare * took);
}

} // namespace

ClaimStart ClaimCursor::next(bool isSearching, Time now)
{
    ClaimStart start;
    if (m_careful && !isSearching)
        start = *m_careful;
    else
        start.after = m_after;
    start.isSweep
        = start.after.isEmpty() || (start.isCareful ? start.isSweep : sweepDueMs(now) == 0);
    start.number = ++m_claims;
    start.backs = m_backs;
    if (start.isSweep && !start.isCareful && m_detour && m_detour->isOver(now))
        start.after.clear();
    if (start.isSweep && !start.isCareful)
        sweepByFile(start, isSearching, now);
    m_sweep.isFileTurn = !start.isByFile();
    m_careful.reset();
    if (start.isSweep)
        m_sweep.begun = now;
    return start;
}

ClaimStart ClaimCursor::single(bool isSweep)
{
    return {m_after, isSweep, ++m_claims, m_backs};
}

void ClaimCursor::claimCarefully(const ClaimStart &start, bool areSuspect)
{
    if (m_careful) // the other lane's turn comes when an ordinary claim meets its row again
        return;
    m_careful = start;
    m_careful->isCareful = true;
    m_careful->areSuspect = areSuspect;
}

void ClaimCursor::lookFurther()
{
    if (!m_careful)
        m_careful = ClaimStart{m_lookedUpTo, false, 0, 0, {}, true, false};
}

void ClaimCursor::answered(const ClaimStart &start, const Found &found,
                           std::chrono::nanoseconds took, bool isSearching, bool isStuck, Time now)
{
    if (start.isSweep)
        m_sweep.cost = took;
    if (m_detour && start.after.isEmpty()) { // the straight way is free again
        m_detour.reset();
        m_after.clear();
    }
    if (start.isByFile())
        return goOnInFile(start, found);
    m_isAtEnd = found.rows < found.asked;
    if (isStuck && start.isCareful)
        m_lookedUpTo = m_isAtEnd ? QStringList() : found.last;
    if (isSearching)
        m_after = beginning(now);
    if (isSearching || !isInOrder(start))
        return;
    // A sweep that came to the end met rows that committed late; the place is behind them already.
    const bool moves = !start.isSweep || !m_isAtEnd || m_after.isEmpty();
    if (!moves || found.last.isEmpty())
        return;
    m_passed = m_after = found.last;
    m_backTo = m_claims; // of what is under way nothing is known to stand behind it
}

void ClaimCursor::failed(const ClaimStart &start, const Error &error, std::chrono::nanoseconds took,
                         Time now)
{
    if (start.isSweep)
        m_sweep.cost = took;
    if (error.kind == Error::Kind::Timeout)
        takeDetour(start, took, now);
}

ClaimCursor::Emptiness ClaimCursor::foundNone(const ClaimStart &start)
{
    if (start.isByFile()) {
        m_sweep.isFileEmpty = start.after == m_startOfFile();
        return Emptiness::File;
    }
    const bool isRest = std::exchange(m_sweep.isFileEmpty, false);
    return start.isSweep || isRest ? Emptiness::Table : Emptiness::Rest;
}

void ClaimCursor::goBack(const ClaimStart &start, Time now)
{
    if (start.isByFile()) { // the rows stand before the mark, wherever that is
        if (m_sweep.byFile)
            m_sweep.byFile->place = m_startOfFile();
        m_sweep.begun.reset();
        ++m_backs;
        return;
    }
    const bool wentFurther = !start.isSweep && start.number > m_backTo;
    if (!start.isSweep && isInOrder(start)) {
        m_after = start.after;
        m_backTo = start.number;
    } else if (!wentFurther) {
        m_after = beginning(now);
        m_backTo = 0;
    }
    ++m_backs;
}

qint64 ClaimCursor::sweepDueMs(Time now) const
{
    if (!m_sweep.begun)
        return 0;
    using std::chrono::floor, std::chrono::milliseconds;
    const milliseconds share = pauseAfter(m_sweep.cost);
    const milliseconds pause = m_isAtEnd ? share : std::max(milliseconds(m_sweepEveryMs), share);
    return std::max<qint64>(0, (pause - floor<milliseconds>(now - *m_sweep.begun)).count());
}

void ClaimCursor::takeDetour(const ClaimStart &start, std::chrono::nanoseconds took, Time now)
{
    const QStringList &late = start.after;
    const QStringList file = m_startOfFile();
    const Time until = now + pauseAfter(took);
    if (start.isByFile())
        return; // it is put off by what this one cost
    if (!late.isEmpty() && late != file) {
        if (!start.isSweep || file.isEmpty() || m_isFilePlace(late))
            return; // there is no better way
        m_sweep.byFile = Detour{file, until};
        m_sweep.cost = {}; // of a sweep by the file it is not known yet
        return;
    }
    const QStringList place = late.isEmpty() && !file.isEmpty() ? file : m_passed;
    m_detour.reset();
    if (!place.isEmpty())
        m_detour = Detour{place, until};
    if (m_after.isEmpty() || m_after == late)
        m_after = place;
    if (place == file) // what a sweep of it costs is not known yet
        m_sweep.cost = {};
}

QStringList ClaimCursor::beginning(Time now) const
{
    return m_detour && !m_detour->isOver(now) ? m_detour->place : QStringList();
}

void ClaimCursor::sweepByFile(ClaimStart &start, bool isSearching, Time now)
{
    if (m_sweep.byFile && m_sweep.byFile->isOver(now))
        m_sweep.byFile.reset();
    if (!m_sweep.byFile || start.after.isEmpty() || m_isFilePlace(start.after))
        return;
    start.isSweep = m_sweep.isFileTurn && !isSearching;
    if (start.isSweep)
        start.upTo = std::exchange(start.after, m_sweep.byFile->place);
}

void ClaimCursor::goOnInFile(const ClaimStart &start, const Found &found)
{
    if (!m_sweep.byFile)
        return;
    const bool isMore = found.rows >= found.asked && isInOrder(start);
    m_sweep.byFile->place = isMore && !found.last.isEmpty() ? found.last : m_startOfFile();
    if (isMore)
        m_sweep.begun.reset(); // the rest at once
}

} // namespace outbox
