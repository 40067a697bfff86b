// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wrong, one rule a function: each looks at the input and adds its finding or nothing.
#include "models/health.h"
#include "models/healthholders.h"
#include "models/phrases.h"

#include <QCoreApplication>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString translated(const char *source)
{
    return QCoreApplication::translate("outbox::Health", source);
}

/// English needs no translation file: one form for one, another for many.
QString counted(qint64 count, const char *one, const char *many)
{
    return count == 1 ? translated(one) : translated(many).arg(countText(count));
}

QString waiting(qint64 count, bool ofDocuments)
{
    if (ofDocuments) {
        return counted(count, QT_TRANSLATE_NOOP("outbox::Health", "One entry waits"),
                       QT_TRANSLATE_NOOP("outbox::Health", "%1 entries wait"));
    }
    return counted(count, QT_TRANSLATE_NOOP("outbox::Health", "One row waits"),
                   QT_TRANSLATE_NOOP("outbox::Health", "%1 rows wait"));
}

/// The rules below add to one list, each for one reason.
class Findings
{
public:
    Findings(const HealthInput &input, const HealthLimits &limits)
        : m_input(input), m_limits(limits)
    {
        if (input.outbox && input.outbox->ageSeconds <= limits.stale)
            m_outbox = &input.outbox->value;
        if (input.queue && input.queue->ageSeconds <= limits.stale)
            m_queue = &input.queue->value;
        if (input.redis && input.redis->ageSeconds <= limits.stale)
            m_redis = &input.redis->value;
    }

    QList<HealthFinding> all()
    {
        writesRefused();
        eviction();
        tableGone();
        relayFailed();
        silence();
        stalled();
        headBlocked();
        behind();
        growing();
        setAside();
        served();
        margin();
        if (m_outbox)
            m_found += holderFindings(*m_outbox, m_limits);
        clocks();
        snapshots();
        indexes();
        return m_found;
    }

private:
    void add(HealthLevel level, HealthReason reason, const QString &text,
             const QString &filter = {})
    {
        m_found += HealthFinding{reason, {level, text, filter}};
    }

    void writesRefused()
    {
        const auto broken = [this](const QString &why) {
            add(HealthLevel::Broken, HealthReason::WritesRefused,
                translated("Redis refuses writes (%1): nothing can be delivered.").arg(why));
        };
        for (const std::optional<Error> &error : {m_input.queueError, m_input.relayError}) {
            if (!error)
                continue;
            if (error->code == "OOM"_L1)
                return broken(translated("out of memory"));
            if (error->code == "READONLY"_L1)
                return broken(translated("it is a replica"));
            if (error->code == "MISCONF"_L1)
                return broken(translated("it cannot save to its disk"));
            if (error->code == "NOREPLICAS"_L1)
                return broken(translated("too few replicas"));
        }
        if (!m_redis)
            return;
        if (m_redis->role == "slave"_L1)
            return broken(translated("it is a replica"));
        if (m_redis->aofEnabled && m_redis->aofLastWriteStatus == "err"_L1)
            return broken(translated("it cannot write its append-only file"));
        if (m_redis->maxMemory > 0 && m_redis->usedMemory >= m_redis->maxMemory
            && !evictsTasks(m_redis->maxMemoryPolicy))
            return broken(translated("out of memory"));
    }

    void eviction()
    {
        if (!m_redis || !evictsTasks(m_redis->maxMemoryPolicy))
            return;
        if (m_redis->maxMemory > 0) {
            add(HealthLevel::Broken, HealthReason::EvictionOn,
                translated("Redis may evict queued messages (%1): messages can be lost.")
                    .arg(m_redis->maxMemoryPolicy));
        } else {
            add(HealthLevel::Watch, HealthReason::EvictionLooms,
                translated("Redis would evict queued messages (%1) if a memory limit were set.")
                    .arg(m_redis->maxMemoryPolicy));
        }
    }

    void tableGone()
    {
        const auto &error = m_input.databaseError;
        if (error && (error->code == "42P01"_L1 || error->kind == Error::Kind::Invalid)) {
            add(HealthLevel::Broken, HealthReason::TableGone,
                translated("The outbox table cannot be read as it is mapped: %1.")
                    .arg(clipped(error->text)));
        }
    }

    void relayFailed()
    {
        if (m_input.relayHere == RelayState::Failed) {
            const QString why = m_input.relayError ? clipped(m_input.relayError->text)
                                                   : translated("for an unknown reason");
            add(HealthLevel::Broken, HealthReason::RelayFailed,
                translated("The relay here failed: %1.").arg(why));
        }
        if (m_input.redisLostRecords) {
            add(HealthLevel::Broken, HealthReason::RedisLostRecords,
                translated("Redis lost its contents: what was queued may be gone."));
        }
    }

    void silence()
    {
        if (!m_outbox) {
            silent(HealthReason::DatabaseSilent, translated("the database"), m_input.databaseError,
                   m_input.outbox ? std::optional(m_input.outbox->ageSeconds) : std::nullopt);
        }
        if (!m_queue) {
            silent(HealthReason::QueueSilent, translated("Redis"), m_input.queueError,
                   m_input.queue ? std::optional(m_input.queue->ageSeconds) : std::nullopt);
        }
    }

    void silent(HealthReason reason, const QString &who, const std::optional<Error> &error,
                std::optional<double> age)
    {
        const QString why = error ? u" (%1)"_s.arg(clipped(error->text)) : QString();
        if (age) {
            const QDateTime since = m_input.now.addMSecs(-static_cast<qint64>(*age * 1000));
            add(HealthLevel::Unknown, reason,
                translated("Unknown since %1: %2 does not answer%3.")
                    .arg(momentText(since, m_input.now), who, why));
        } else if (error) {
            add(HealthLevel::Unknown, reason,
                translated("Unknown: %1 does not answer%2.").arg(who, why));
        } else {
            add(HealthLevel::Unknown, reason, translated("Unknown: %1 was not read yet.").arg(who));
        }
    }

    void stalled()
    {
        if (!m_outbox || m_outbox->pending.value_or(0) <= 0
            || m_input.secondsSinceLeft.value_or(0) < m_limits.nothingLeft)
            return;
        add(HealthLevel::Stalled, HealthReason::Stalled,
            translated("%1 and nothing left in %2; %3.")
                .arg(waiting(*m_outbox->pending, m_input.ofDocuments),
                     spanText(*m_input.secondsSinceLeft), whoHolds()),
            u"state:pending"_s);
    }

    [[nodiscard]] QString whoHolds() const
    {
        if (m_input.relayHere == RelayState::BackingOff && m_input.relayError)
            return translated("the relay here backs off: %1")
                .arg(clipped(m_input.relayError->text));
        if (m_input.relayHere == RelayState::Paused)
            return translated("the relay here is paused");
        if (!m_outbox->lockVisible) {
            return m_outbox->writerNote.isEmpty() ? translated("no relay can be seen")
                                                  : m_outbox->writerNote;
        }
        if (m_outbox->holders.isEmpty())
            return translated("no relay holds a row");
        const LockHolder &holder = m_outbox->holders.first();
        QString name = holder.application;
        if (name.isEmpty()) { // a lease need not say whose it is
            name = holder.pid > 0 ? translated("process %1").arg(holder.pid)
                                  : translated("someone unnamed");
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
        if (!m_outbox || !m_input.promiseTerms.rowsAreKept || head < m_limits.head
            || m_outbox->parked.value_or(0) > 0) // that one is known, and told
            return;
        const double left = m_input.secondsSinceLeft.value_or(head);
        const bool othersPass = left + 1 < head;
        if (!othersPass && left < m_limits.nothingLeft)
            return; // nobody may have been at work
        add(HealthLevel::Watch, HealthReason::HeadBlocked,
            (othersPass
                 ? translated(
                     "Head blocked: the same row is the oldest for %1, and others pass it; "
                     "park it, or see why it cannot go.")
                 : translated("Head blocked: the same row is the oldest for %1, and nothing behind "
                              "it leaves; a job that works in order may fail at it each time."))
                .arg(spanText(head)),
            u"state:pending"_s);
    }

    void behind()
    {
        if (!m_outbox || m_outbox->oldestPendingSeconds.value_or(0) < m_limits.oldestPending)
            return;
        add(HealthLevel::Watch, HealthReason::Behind,
            translated("Behind: oldest %1, %2.")
                .arg(spanText(*m_outbox->oldestPendingSeconds), trend()),
            u"state:pending age>%1s"_s.arg(static_cast<int>(HealthLimits().oldestPending)));
    }

    [[nodiscard]] QString trend() const
    {
        const qint64 pending = m_outbox->pending.value_or(0);
        if (!m_input.inPerSecond || !m_input.outPerSecond)
            return waiting(pending, m_input.ofDocuments).toLower();
        const double gain = *m_input.outPerSecond - *m_input.inPerSecond;
        if (gain >= 0.05) {
            return translated("draining, empty in about %1")
                .arg(spanText(static_cast<double>(pending) / gain));
        }
        if (gain <= -0.05)
            return translated("growing by %1/s").arg(rateText(-gain));
        return *m_input.outPerSecond > 0 ? translated("neither growing nor draining")
                                         : translated("nothing leaves");
    }

    void growing()
    {
        if (!m_outbox || m_input.growingSeconds.value_or(0) < m_limits.growing)
            return;
        const double in = m_input.inPerSecond.value_or(0);
        const double out = m_input.outPerSecond.value_or(0);
        add(HealthLevel::Watch, HealthReason::Growing,
            translated("Growing for %1: in %2/s, out %3/s.")
                .arg(spanText(*m_input.growingSeconds), rateText(in), rateText(out)),
            u"state:pending"_s);
    }

    void setAside()
    {
        if (m_queue && m_queue->archived > 0) {
            add(HealthLevel::Watch, HealthReason::DeadInQueue,
                counted(m_queue->archived,
                        QT_TRANSLATE_NOOP("outbox::Health", "One task is dead in queue \"%2\"."),
                        QT_TRANSLATE_NOOP("outbox::Health", "%1 tasks are dead in queue \"%2\"."))
                    .replace(u"%2"_s, m_queue->name.text),
                u"state:archived"_s);
        }
        if (m_outbox && m_outbox->failed.value_or(0) > 0) {
            add(HealthLevel::Watch, HealthReason::FailedRows,
                counted(*m_outbox->failed, QT_TRANSLATE_NOOP("outbox::Health", "One row failed."),
                        QT_TRANSLATE_NOOP("outbox::Health", "%1 rows failed.")),
                u"state:failed"_s);
        }
        if (m_outbox && m_outbox->parked.value_or(0) > 0) {
            add(HealthLevel::Watch, HealthReason::ParkedRows,
                counted(
                    *m_outbox->parked,
                    QT_TRANSLATE_NOOP("outbox::Health",
                                      "One row is parked: no relay sends it until it is released."),
                    QT_TRANSLATE_NOOP(
                        "outbox::Health",
                        "%1 rows are parked: no relay sends them until they are released.")),
                u"state:parked"_s);
        }
    }

    void served()
    {
        if (m_queue && m_queue->servers == 0) {
            add(HealthLevel::Watch, HealthReason::ServedByNobody,
                counted(m_queue->pending,
                        QT_TRANSLATE_NOOP("outbox::Health",
                                          "Queue \"%2\" is served by nobody; one task waits."),
                        QT_TRANSLATE_NOOP("outbox::Health",
                                          "Queue \"%2\" is served by nobody; %1 tasks wait."))
                    .replace(u"%2"_s, m_queue->name.text),
                u"state:pending"_s);
        }
    }

    void margin()
    {
        double worst = m_input.worstRelayDelaySeconds.value_or(0);
        if (m_outbox)
            worst = std::max(worst, m_outbox->oldestPendingSeconds.value_or(0));
        const auto retention = static_cast<double>(m_input.retentionSeconds);
        if (worst > 0 && retention < m_limits.margin * worst) {
            add(HealthLevel::Watch, HealthReason::ThinMargin,
                translated("Ids are kept for %1, the worst relay delay is %2: duplicates are near.")
                    .arg(spanText(retention), spanText(worst)));
        }
    }

    void clocks()
    {
        const double database = m_outbox ? m_outbox->clockOffsetSeconds : 0;
        const double redis = m_redis ? m_redis->clockOffsetSeconds : 0;
        const bool databaseIsWorse = std::abs(database) >= std::abs(redis);
        const double worse = databaseIsWorse ? database : redis;
        if (std::abs(worse) <= m_limits.clockOffset)
            return;
        const QString who = databaseIsWorse ? translated("database") : translated("Redis");
        add(HealthLevel::Watch, HealthReason::ClockOffset,
            (worse > 0 ? translated("The clock of the %1 server is %2 ahead of ours.")
                       : translated("The clock of the %1 server is %2 behind ours."))
                .arg(who, spanText(std::abs(worse))));
    }

    void snapshots()
    {
        if (m_redis && m_redis->rdbLastSaveStatus == "err"_L1) {
            add(HealthLevel::Watch, HealthReason::SnapshotFailing,
                translated("The last snapshot of Redis failed; it may refuse writes."));
        }
    }

    void indexes()
    {
        if (!m_outbox || m_outbox->missingIndexes.isEmpty()
            || (m_outbox->exact && m_outbox->rows() < m_limits.largeTable))
            return;
        const IndexAdvice &first = m_outbox->missingIndexes.constFirst(); // one at a time
        add(HealthLevel::Watch, HealthReason::IndexMissing, sentenceOf(first, m_outbox->rows()));
        m_found.last().cause.remedy = first.statement;
    }

    const HealthInput &m_input;
    const HealthLimits &m_limits;
    const OutboxSnapshot *m_outbox = nullptr; ///< only when young enough
    const QueueSnapshot *m_queue = nullptr;
    const RedisFacts *m_redis = nullptr;
    QList<HealthFinding> m_found;
};

} // namespace

QList<HealthFinding> findings(const HealthInput &input, const HealthLimits &limits)
{
    QList<HealthFinding> found = Findings(input, limits).all();
    sortWorstFirst(found);
    return found;
}

} // namespace outbox
