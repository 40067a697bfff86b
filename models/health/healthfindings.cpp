// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wrong, one rule a function: each looks at the input and adds its finding or nothing.

#include "models/health/health.h"
#include "models/health/healthrules.h"
#include "models/health/healthwords.h"
#include "models/phrases.h"
#include "models/shape/missingtable.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace healthwords;

namespace {

/// Whether a row was seen to leave after the relay here was stopped: somebody else delivers then.
/// What left right before is seen by the next look, so that one tells nothing.
bool leavesWithoutIt(const HealthInput &input, double stoppedFor)
{
    const double look = std::max({input.databaseLookSeconds, input.queueLookSeconds, 1.0});
    constexpr double lookAndSomeDelay = 1.5;
    const double left = input.secondsSinceLeft.value_or(stoppedFor);
    return stoppedFor < 2 * look || stoppedFor - left > lookAndSomeDelay * look;
}

/// "the relay here was stopped at 22:50:17"; empty: it is at work, or there is none.
QString stoppedHere(const HealthInput &input)
{
    const bool isPaused = input.relayHere == RelayState::Paused;
    if (!isPaused && input.relayHere != RelayState::Stopped)
        return {};
    if (!input.relaySince) {
        return isPaused ? healthText("the relay here is paused")
                        : healthText("the relay here was stopped");
    }
    const QString text = isPaused ? healthText("the relay here was paused at %1")
                                  : healthText("the relay here was stopped at %1");
    return text.arg(momentText(*input.relaySince, input.now));
}

/// That it failed, tries again, or that nothing is delivered since it was stopped. `outbox` is
/// nullptr where its numbers are not known.
QList<HealthCause> relayFindings(const HealthInput &input, const OutboxSnapshot *outbox)
{
    const QString page = u"relay"_s;
    if (input.relayHere == RelayState::Failed) {
        const QString why = input.relayError ? clipped(input.relayError->text)
                                             : healthText("for an unknown reason");
        return {{HealthLevel::Broken,
                 healthText("The relay here failed: %1.").arg(why),
                 page,
                 {},
                 HealthReason::RelayFailed}};
    }
    if (input.relayHere == RelayState::BackingOff) {
        const QString why = input.relayError ? clipped(input.relayError->text)
                                             : healthText("the reason is not known");
        return {{HealthLevel::Watch,
                 healthText("The relay here delivers nothing and tries again: %1.").arg(why),
                 page,
                 {},
                 HealthReason::RelayBackingOff}};
    }
    const QString stopped = stoppedHere(input);
    if (stopped.isEmpty() || !input.relaySince || !outbox || outbox->pending.value_or(0) <= 0)
        return {};
    const double stoppedFor = static_cast<double>(input.relaySince->msecsTo(input.now)) / 1000.0;
    if (leavesWithoutIt(input, stoppedFor))
        return {};
    QString sentence = healthText("%1, and nothing has been delivered since: %2.")
                           .arg(stopped, inside(waiting(*outbox, input.ofDocuments)));
    sentence[0] = sentence.at(0).toUpper();
    return {{HealthLevel::Watch, sentence, page, {}, HealthReason::RelayStopped}};
}

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

/// Whoever holds rows, and whoever holds an old snapshot; the same session is told of once. Pure.
QList<HealthCause> holderFindings(const OutboxSnapshot &outbox, const HealthLimits &limits)
{
    QList<HealthCause> found;
    const LockHolder *oldest = nullptr;
    for (const LockHolder &holder : outbox.holders) {
        if (outbox.guess && holder.pid <= 0)
            continue; // a lease is read by the mapping
        if (holder.sinceSeconds.value_or(0) > limits.transaction
            && (!oldest || *holder.sinceSeconds > *oldest->sinceSeconds))
            oldest = &holder;
    }
    if (oldest) {
        found += HealthCause{
            HealthLevel::Watch,
            sentence(oldest->pid > 0 ? QT_TRANSLATE_NOOP(
                         "outbox::Health", "%1 holds rows in a transaction open for %2.")
                                     : QT_TRANSLATE_NOOP("outbox::Health",
                                                         "%1 has held rows by a lease for %2."),
                     *oldest),
            u"state:locked"_s,
            {},
            HealthReason::LongTransaction};
    }
    const auto &snapshot = outbox.oldSnapshot;
    if (snapshot && snapshot->sinceSeconds.value_or(0) > limits.transaction
        && (!oldest || oldest->pid != snapshot->pid)) {
        found += HealthCause{
            HealthLevel::Watch,
            sentence(QT_TRANSLATE_NOOP("outbox::Health",
                                       "%1 has held a snapshot for %2: what is "
                                       "deleted is not cleaned up, and claims get slower."),
                     *snapshot),
            {},
            u"SELECT pg_terminate_backend(%1);"_s.arg(QString::number(snapshot->pid)),
            HealthReason::OldSnapshot};
    }
    return found;
}

/// Of a table of so many rows.
QString indexSentence(const IndexAdvice &advice, qint64 rows)
{
    return healthText(advice.isOfPages
                          ? "No index has the order of the rows: every page sorts the whole "
                            "table, %1 rows or more."
                          : "No index finds the rows that wait: every look reads the whole table, "
                            "%1 rows or more.")
        .arg(countText(rows));
}

/// The rules below add to one list, each for one reason.
class Findings
{
public:
    Findings(const HealthInput &input, const HealthLimits &limits)
        : m_input(input), m_limits(limits)
    {
        if (input.outbox
            && !isSilent(*input.outbox, input.databaseError, input.databaseLookSeconds))
            m_outbox = &input.outbox->value;
        if (input.queues && !isSilent(*input.queues, input.queueError, input.queueLookSeconds))
            m_queues = &input.queues->value;
        const double facts = std::max(limits.stale, limits.factLooks * input.queueLookSeconds);
        if (input.redis && input.redis->ageSeconds <= facts)
            m_redis = &input.redis->value;
    }

    QList<HealthCause> all()
    {
        m_found += redisFindings(m_input, m_redis, m_limits);
        tableGone();
        silence();
        const bool isGuess = m_outbox && m_outbox->guess;
        const bool isOld = m_outbox && isOfOldStandby(*m_outbox);
        m_found += relayFindings(m_input, isGuess || isOld ? nullptr : m_outbox);
        if (m_queues)
            m_found += relayListFindings(*m_queues, m_outbox, m_input, m_limits);
        if (isOld)
            oldStandby(); // and nothing that would follow from its numbers
        else if (isGuess)
            guess(); // the same
        else if (m_outbox)
            rows();
        shortRetention();
        if (m_queues)
            m_found += queueFindings(*m_queues, m_input, m_limits);
        if (m_outbox)
            m_found += holderFindings(*m_outbox, m_limits);
        clocks();
        return m_found;
    }

private:
    /// Three looks went without an answer. One that is still waited for gets its time first.
    template <typename T>
    [[nodiscard]] bool isSilent(const Seen<T> &seen, const std::optional<Error> &error,
                                double lookSeconds) const
    {
        if (lookSeconds <= 0)
            return seen.ageSeconds > m_limits.stale;
        const double looks = m_limits.missedLooks * lookSeconds;
        return seen.ageSeconds > (error ? looks : std::max(looks, m_limits.answer));
    }

    void add(HealthLevel level, HealthReason reason, const QString &text,
             const QString &filter = {})
    {
        m_found += HealthCause{level, text, filter, {}, reason};
    }

    [[nodiscard]] bool isFound(HealthReason reason) const
    {
        return std::any_of(m_found.cbegin(), m_found.cend(),
                           [reason](const HealthCause &one) { return one.reason == reason; });
    }

    void tableGone()
    {
        const auto &error = m_input.databaseError;
        if (error && (isTableMissing(*error) || error->kind == Error::Kind::Invalid)) {
            add(HealthLevel::Broken, HealthReason::TableGone,
                healthText("The outbox table cannot be read as it is mapped: %1.")
                    .arg(clipped(error->text)));
        }
    }

    /// What follows from the numbers of an outbox whose mapping is known.
    void rows()
    {
        stalled();
        headBlocked();
        behind();
        growing();
        setAside();
        unknownStates();
        margin();
        indexes();
    }

    void silence()
    {
        if (!m_outbox && !isFound(HealthReason::TableGone)) { // else it did answer
            silent(Source::Database, m_input.databaseError,
                   m_input.outbox ? std::optional(m_input.outbox->ageSeconds) : std::nullopt);
        }
        if (!m_input.hasQueue) {
            add(HealthLevel::Ok, HealthReason::QueueNotWatched,
                healthText("The queue is not watched: no Redis address is set."));
        } else if (!m_queues) {
            silent(Source::Queue, m_input.queueError,
                   m_input.queues ? std::optional(m_input.queues->ageSeconds) : std::nullopt);
        }
    }

    void silent(Source source, const std::optional<Error> &error, std::optional<double> age)
    {
        const bool isDatabase = source == Source::Database;
        const auto reason = isDatabase ? HealthReason::DatabaseSilent : HealthReason::QueueSilent;
        if (error && isLogInRefused(*error))
            return add(HealthLevel::Unknown, reason, refused(source, *error, age));
        const QString who = isDatabase ? healthText("the database") : healthText("Redis");
        const QString why = error ? u" (%1)"_s.arg(clipped(error->text)) : QString();
        if (age) {
            add(HealthLevel::Unknown, reason,
                healthText("Unknown since %1: %2 does not answer%3.")
                    .arg(ageMoment(*age), who, why));
        } else if (error) {
            add(HealthLevel::Unknown, reason,
                healthText("Unknown: %1 does not answer%2.").arg(who, why));
        } else {
            add(HealthLevel::Unknown, reason, healthText("Unknown: %1 was not read yet.").arg(who));
        }
    }

    /// It did answer; it does not let us in.
    [[nodiscard]] QString refused(Source source, const Error &error,
                                  std::optional<double> age) const
    {
        const QString text = logInRefused(source, m_input.users, error);
        if (!age)
            return text + u'.';
        return healthText("Unknown since %1: %2.")
            .arg(ageMoment(*age), source == Source::Database ? inside(text) : text);
    }

    /// When that was which is `age` seconds old.
    [[nodiscard]] QDateTime momentOf(double age) const
    {
        return m_input.now.addMSecs(-static_cast<qint64>(age * 1000));
    }

    [[nodiscard]] QString ageMoment(double age) const
    {
        return momentText(momentOf(age), m_input.now);
    }

    /// Its numbers are too old, or may be: rows that left are still there, and others are not yet.
    [[nodiscard]] bool isOfOldStandby(const OutboxSnapshot &outbox) const
    {
        return outbox.standby
            && (!outbox.standby->lagSeconds || *outbox.standby->lagSeconds > m_limits.stale);
    }

    void oldStandby()
    {
        const std::optional<double> lag = m_outbox->standby->lagSeconds;
        const QString text = lag
            ? healthText("Unknown: the database that answers is a standby, %1 behind its primary.")
                  .arg(spanText(*lag))
            : healthText("Unknown: the database that answers is a standby, and how far it is "
                         "behind its primary is not known.");
        add(HealthLevel::Unknown, HealthReason::DatabaseSilent, text);
    }

    void guess()
    {
        const MappingGuess &guess = *m_outbox->guess;
        QStringList how;
        if (guess.confidence)
            how += healthText("%1 % sure").arg(qRound(*guess.confidence * 100));
        if (guess.questions > 0) {
            how += counted(guess.questions, QT_TRANSLATE_NOOP("outbox::Health", "one question"),
                           QT_TRANSLATE_NOOP("outbox::Health", "%1 questions"));
        }
        const QString brackets = how.isEmpty() ? QString() : u" (%1)"_s.arg(how.join(u", "_s));
        add(HealthLevel::Watch, HealthReason::MappingGuess,
            healthText("Mapping is a guess%1: confirm it. If it is right, %2.")
                .arg(brackets, inside(waiting(*m_outbox, m_input.ofDocuments))));
    }

    void stalled()
    {
        if (m_outbox->pending.value_or(0) <= 0)
            return;
        // A row that came a moment ago is no stall, however long there was nothing to do before it.
        const double left = m_input.secondsSinceLeft.value_or(0);
        const double waits = m_outbox->oldestPendingSeconds.value_or(left);
        if (std::min(left, waits) < m_limits.nothingLeft)
            return;
        add(HealthLevel::Stalled, HealthReason::Stalled,
            healthText("%1 and nothing has been delivered for %2, since %3; %4.")
                .arg(waitingRows(*m_outbox, m_input.ofDocuments),
                     spanText(*m_input.secondsSinceLeft),
                     aboutMomentText(momentOf(*m_input.secondsSinceLeft), m_input.now), whoHolds()),
            u"state:pending"_s);
    }

    [[nodiscard]] QString whoHolds() const
    {
        if (m_input.relayHere == RelayState::BackingOff && m_input.relayError)
            return healthText("the relay here backs off: %1")
                .arg(clipped(m_input.relayError->text));
        if (QString stopped = stoppedHere(m_input); !stopped.isEmpty())
            return stopped;
        if (!m_outbox->lockVisible) {
            return m_outbox->writerNote.isEmpty() ? healthText("no relay can be seen")
                                                  : m_outbox->writerNote;
        }
        if (m_outbox->holders.isEmpty())
            return healthText("no relay holds a row");
        const LockHolder &holder = m_outbox->holders.first();
        QString name = holder.application;
        if (name.isEmpty()) { // a lease need not say whose it is
            name = holder.pid > 0 ? healthText("process %1").arg(holder.pid)
                                  : healthText("someone unnamed");
        }
        return counted(holder.rows, QT_TRANSLATE_NOOP("outbox::Health", "one row is held by %2"),
                       QT_TRANSLATE_NOOP("outbox::Health", "%1 rows are held by %2"))
            .replace(u"%2"_s, name);
    }

    /// Where rows stay in the table and leave it by a mark: a job that meets the same row first at
    /// each run, and fails at it, never comes to those behind it.
    void headBlocked()
    {
        const double head = m_input.headSeconds.value_or(0);
        if (!m_input.promiseTerms.rowsAreKept || head < m_limits.head
            || m_outbox->parked.value_or(0) > 0) // that one is known, and told
            return;
        const double left = m_input.secondsSinceLeft.value_or(head);
        const bool othersPass = left + 1 < head;
        if (!othersPass && left < m_limits.nothingLeft)
            return; // nobody may have been at work
        add(HealthLevel::Watch, HealthReason::HeadBlocked,
            (othersPass
                 ? healthText(
                     "Head blocked: the same row is the oldest for %1, and others pass it; "
                     "park it, or see why it cannot go.")
                 : healthText("Head blocked: the same row is the oldest for %1, and nothing behind "
                              "it leaves; a job that works in order may fail at it each time."))
                .arg(spanText(head)),
            u"state:pending"_s);
    }

    void behind()
    {
        if (m_outbox->oldestPendingSeconds.value_or(0) < m_limits.oldestPending
            || isFound(HealthReason::RelayStopped)) // which says the same, and why
            return;
        add(HealthLevel::Watch, HealthReason::Behind,
            healthText("Behind: oldest %1, %2.")
                .arg(spanText(*m_outbox->oldestPendingSeconds), trend()),
            u"state:pending age>%1s"_s.arg(static_cast<int>(HealthLimits().oldestPending)));
    }

    [[nodiscard]] QString trend() const
    {
        const qint64 pending = m_outbox->pending.value_or(0);
        std::optional<double> growth = m_input.growthPerSecond;
        if (!growth && m_input.inPerSecond && m_input.outPerSecond)
            growth = *m_input.inPerSecond - *m_input.outPerSecond;
        if (!growth)
            return inside(waitingRows(*m_outbox, m_input.ofDocuments));
        const double gain = -*growth;
        if (gain >= 0.05) {
            return healthText("draining, empty in about %1")
                .arg(spanText(static_cast<double>(pending) / gain));
        }
        if (gain <= -0.05)
            return healthText("growing by %1/s").arg(rateText(-gain));
        if (m_input.outPerSecond.value_or(0) > 0)
            return healthText("neither growing nor draining");
        const QString stopped = stoppedHere(m_input);
        return stopped.isEmpty() ? healthText("nothing is delivered")
                                 : healthText("nothing is delivered; %1").arg(stopped);
    }

    void growing()
    {
        if (m_input.growingSeconds.value_or(0) < m_limits.growing)
            return;
        QString text = healthText("Growing for %1").arg(spanText(*m_input.growingSeconds));
        if (m_input.inPerSecond && m_input.outPerSecond) {
            text += healthText(": in %1/s, out %2/s")
                        .arg(rateText(*m_input.inPerSecond), rateText(*m_input.outPerSecond));
        } else if (m_input.growthPerSecond) {
            text += healthText(" by %1/s").arg(rateText(*m_input.growthPerSecond));
        }
        add(HealthLevel::Watch, HealthReason::Growing, text + u'.', u"state:pending"_s);
    }

    void setAside()
    {
        if (m_outbox->failed.value_or(0) > 0) {
            add(HealthLevel::Watch, HealthReason::FailedRows,
                counted(*m_outbox->failed, QT_TRANSLATE_NOOP("outbox::Health", "One row failed."),
                        QT_TRANSLATE_NOOP("outbox::Health", "%1 rows failed.")),
                u"state:failed"_s);
        }
        const QString undecided = clipped(m_outbox->notes.value(u"parked"_s));
        if (!m_outbox->parked && !undecided.isEmpty()) {
            add(HealthLevel::Watch, HealthReason::ParkedRows,
                healthText("How many rows are parked is not known: %1.").arg(undecided));
        }
        if (m_outbox->parked.value_or(0) > 0) {
            const QString why = clipped(m_outbox->notes.value(u"parked_because"_s));
            const QString count = counted(
                *m_outbox->parked, QT_TRANSLATE_NOOP("outbox::Health", "One row is parked"),
                QT_TRANSLATE_NOOP("outbox::Health", "%1 rows are parked"));
            // Sent again as it is, such a row would only be parked once more.
            const QString way = !why.isEmpty() ? healthText("see to that and unpark, or purge")
                : *m_outbox->parked == 1       ? healthText("unpark it to send it")
                                               : healthText("unpark them to send them");
            add(HealthLevel::Watch, HealthReason::ParkedRows,
                why.isEmpty() ? u"%1: %2."_s.arg(count, way)
                              : u"%1 (%2): %3."_s.arg(count, why, way),
                u"state:parked"_s);
        }
    }

    void unknownStates()
    {
        if (!m_outbox->pending) {
            const QString why
                = m_outbox->notes.value(u"pending"_s, healthText("no reason is known"));
            add(HealthLevel::Watch, HealthReason::StateUnknown,
                healthText("How many rows wait is not known: %1.").arg(clipped(why)));
        } else if (m_outbox->unknown.value_or(0) > 0) {
            add(HealthLevel::Watch, HealthReason::StateUnknown,
                counted(*m_outbox->unknown,
                        QT_TRANSLATE_NOOP("outbox::Health",
                                          "One row is in a state that the mapping does not name."),
                        QT_TRANSLATE_NOOP("outbox::Health",
                                          "%1 rows are in states that the mapping does not name.")),
                u"state:unknown"_s);
        }
    }

    void margin()
    {
        const double worst = std::max(m_input.worstRelayDelaySeconds.value_or(0),
                                      m_outbox->oldestPendingSeconds.value_or(0));
        const auto retention = static_cast<double>(m_input.retentionSeconds);
        if (worst > 0 && retention < m_limits.margin * worst) {
            add(HealthLevel::Watch, HealthReason::ThinMargin,
                healthText("Ids are kept for %1, the worst relay delay is %2: duplicates are near.")
                    .arg(spanText(retention), spanText(worst)),
                u"dedup"_s);
        }
    }

    /// Without any row: a batch whose answer was lost is sent again after a while.
    void shortRetention()
    {
        const auto retention = static_cast<double>(m_input.retentionSeconds);
        if (retention >= m_limits.retryAfter || isFound(HealthReason::ThinMargin))
            return;
        add(HealthLevel::Watch, HealthReason::ThinMargin,
            healthText("Ids are kept for %1 only, and a relay may send a batch again after up to "
                       "%2: such a message would run twice.")
                .arg(spanText(retention), spanText(HealthLimits().retryAfter)),
            u"dedup"_s);
    }

    void clocks()
    {
        const double database = m_outbox ? m_outbox->clockOffsetSeconds : 0;
        const double redis = m_redis ? m_redis->clockOffsetSeconds : 0;
        const bool databaseIsWorse = std::abs(database) >= std::abs(redis);
        const double worse = databaseIsWorse ? database : redis;
        if (std::abs(worse) <= m_limits.clockOffset)
            return;
        const QString who = databaseIsWorse ? healthText("database") : healthText("Redis");
        add(HealthLevel::Watch, HealthReason::ClockOffset,
            (worse > 0 ? healthText("The clock of the %1 server is %2 ahead of ours.")
                       : healthText("The clock of the %1 server is %2 behind ours."))
                .arg(who, spanText(std::abs(worse))));
    }

    void indexes()
    {
        if (m_outbox->missingIndexes.isEmpty()
            || (m_outbox->exact && m_outbox->rows() < m_limits.largeTable))
            return;
        const IndexAdvice &first = m_outbox->missingIndexes.constFirst(); // one at a time
        add(HealthLevel::Watch, HealthReason::IndexMissing, indexSentence(first, m_outbox->rows()));
        m_found.last().remedy = first.statement;
    }

    const HealthInput &m_input;
    const HealthLimits &m_limits;
    const OutboxSnapshot *m_outbox = nullptr; ///< only when young enough
    const QList<QueueSnapshot> *m_queues = nullptr;
    const RedisFacts *m_redis = nullptr;
    QList<HealthCause> m_found;
};

} // namespace

QList<HealthCause> findings(const HealthInput &input, const HealthLimits &limits)
{
    QList<HealthCause> found = Findings(input, limits).all();
    sortWorstFirst(found);
    return found;
}

} // namespace outbox
