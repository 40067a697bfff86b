// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Judges a system from what the last looks answered: level, sentence, causes. Pure; no clock of its
// own.
#pragma once

#include "models/health/promise.h"
#include "models/relay/relaystep.h"
#include "models/result.h"
#include "models/system/failureshare.h"
#include "models/system/healthreport.h"
#include "models/system/login.h"
#include "models/system/relaylist.h"
#include "models/system/snapshots.h"

#include <QDateTime>
#include <QMap>

#include <array>
#include <optional>

namespace outbox {

/// A value and how long ago it was had, in seconds by the monotonic clock of the one who asks.
template <typename T> struct Seen
{
    T value;
    double ageSeconds = 0;
};

/// Redis was emptied, or came back with fewer keys than it had.
struct RedisLoss
{
    QDateTime at; ///< when that was seen, UTC
    qint64 before = 0; ///< keys
    qint64 after = 0;
};

/// nullopt: nothing shows a loss. Fewer keys behind a restart show none where an append-only file
/// is kept: ids whose retention is over go at any time. Half of the keys or more do not.
[[nodiscard]] std::optional<RedisLoss> lossBetween(const RedisFacts &before, const RedisFacts &now,
                                                   const QDateTime &at);

/// Half of the keys or more; where there were a few, all: workers that leave take theirs along.
[[nodiscard]] bool isOfMost(const RedisLoss &loss);

/// Everything the judgement may look at. What is not there is not known, and not taken for good.
struct HealthInput
{
    QDateTime now; ///< our clock, UTC; for the moments a sentence names
    std::optional<Seen<OutboxSnapshot>> outbox; ///< needed
    std::optional<Seen<QList<QueueSnapshot>>> queues; ///< every queue that exists; needed
    QString ownQueue; ///< the one of `queues` that the outbox is sent to
    std::optional<Seen<DedupSnapshot>> dedup;
    std::optional<Seen<RedisFacts>> redis;
    std::optional<Error> databaseError; ///< of the last look; nullopt when it went well
    std::optional<Error> queueError;
    LogInNames users; ///< whom a refused log-in names
    bool hasQueue = true; ///< a Redis is named; else its silence is none
    /// Between two looks; 0: this look is the only one.
    double databaseLookSeconds = 0;
    double queueLookSeconds = 0;
    std::optional<double> inPerSecond; ///< rows that arrive
    std::optional<double> outPerSecond; ///< rows that leave
    std::optional<double> growthPerSecond; ///< of the backlog; below 0: it shrinks
    std::optional<double> secondsSinceLeft; ///< since a row last left, as far as this console saw
    std::optional<double> headSeconds; ///< for how long the same row is the oldest that waits
    std::optional<double>
        growingSeconds; ///< for how long more arrived than left; nullopt: it does not
    std::optional<RelayState> relayHere; ///< nullopt: no relay was ever started here
    std::optional<QDateTime> relaySince; ///< when that relay came to its state, UTC
    std::optional<Error> relayError; ///< why the relay here failed or backs off
    /// Of the last attempts at tasks, as `FailureShare` counts them; nullopt: too few were seen.
    std::optional<FailureShare::Counts> attempts;
    std::optional<double> worstRelayDelaySeconds; ///< longest created → enqueued seen
    qint64 retentionSeconds = 86'400; ///< that ids are given now: by the relay here, if it runs
    std::optional<RedisLoss> redisLoss; ///< the last that was seen
    DurabilityTerms promiseTerms;
    bool ofDocuments = false; ///< what waits are entries of documents, not rows
};

/// From where on something is worth a word. Seconds unless said otherwise.
struct HealthLimits
{
    double stale = 30; ///< what is older counts for nothing where there is one look only
    double missedLooks = 3; ///< looks; a source that answered none of them is silent
    double answer = 3; ///< so long one look may take
    double factLooks = 15; ///< looks; facts of the server are read with every fifth one
    double oldestPending = 60;
    double oldestQueued = 300; ///< for how long the next task of a queue waits
    double nothingLeft = 120;
    double relaySilent = relaySilentSeconds; ///< so long a relay sends nothing, and a row waits
    double head = 60; ///< four runs of a job that comes every 15 s
    double growing = 300;
    double transaction = 300;
    double clockOffset = 2;
    double margin = 2; ///< retention by worst relay delay, at least
    double retryAfter = 30; ///< so long a relay may wait before it sends a batch again
    double partLost = 3600; ///< so long a loss of less than half of the keys is told
    double failing = 0.25; ///< share of the attempts at tasks
    qint64 fullArchive = 9'999; ///< dead tasks of a queue; for each one more the oldest drops out
    qint64 largeTable = 100'000; ///< rows from where on a missing index is felt

    /// For a system that is looked at for minutes: nobody waits five of them for a transaction.
    [[nodiscard]] static HealthLimits ofDemo();
    /// The limits at which a level once entered is left again: four fifths.
    [[nodiscard]] HealthLimits eased() const;
    /// Next to nothing: what is not even found at these is not so at all.
    [[nodiscard]] HealthLimits least() const;
};

/// Everything that is wrong now, worst first.
[[nodiscard]] QList<HealthCause> findings(const HealthInput &input,
                                          const HealthLimits &limits = {});

/// BROKEN, UNKNOWN, STALLED, WATCH: silence weighs more than a stall, for what is not seen may be
/// worse.
void sortWorstFirst(QList<HealthCause> &found);

/// The report that follows from `found` (worst first): the level and sentence of the first, or OK
/// with a sentence that ends with the notes.
[[nodiscard]] HealthReport reportOf(const HealthInput &input, const QList<HealthCause> &found);

/// One look without a memory, as `outboxctl check` takes it.
[[nodiscard]] HealthReport assess(const HealthInput &input, const HealthLimits &limits = {});

/// Looks again and again, and does not flicker: a cause shows after two looks, and goes after three
/// looks below four fifths of its limit; meanwhile it tells the numbers of now, and goes at once
/// where it would not be true any more. The very first look counts at once; so does what took its
/// time already (silence, a long transaction), and what the relay here says of itself.
class HealthWatch
{
public:
    explicit HealthWatch(const HealthLimits &limits = {}) : m_limits(limits) { }
    [[nodiscard]] HealthReport look(const HealthInput &input);
    void forget(); ///< another system is looked at from now on

private:
    struct Memory
    {
        HealthCause cause;
        int seen = 0; ///< looks in a row above the limit
        int missed = 0; ///< looks in a row below the eased limit
        bool shown = false;
    };
    HealthLimits m_limits;
    QMap<HealthReason, Memory> m_memory;
    bool m_first = true;
};

/// From the mildest to the worst. Silence weighs more than a stall: what is not seen may be worse.
inline constexpr std::array levelsByWeight{HealthLevel::Ok, HealthLevel::Watch,
                                           HealthLevel::Stalled, HealthLevel::Unknown,
                                           HealthLevel::Broken};
/// The place of a level in `levelsByWeight`.
[[nodiscard]] int weightOf(HealthLevel level);
/// BROKEN is worse than UNKNOWN, that than STALLED, WATCH and OK: as causes are sorted.
[[nodiscard]] bool isWorse(HealthLevel level, HealthLevel than);
[[nodiscard]] QString word(HealthLevel level); ///< "OK", "WATCH" …, as in `status --json`
[[nodiscard]] QString label(HealthLevel level); ///< for people: "Healthy", "Watch" …
/// Exit code of `check --nagios`: OK 0, WATCH 1, STALLED and BROKEN 2, UNKNOWN 3.
[[nodiscard]] int nagiosCode(HealthLevel level);

} // namespace outbox
