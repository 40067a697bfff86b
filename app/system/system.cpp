// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/system.h"

#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"
#include "models/health/healthredis.h"
#include "models/system/verdict.h"

#include <utility>

namespace outbox {

System::System(Profile profile, Secrets secrets, SystemHistory &history, const QString &stateFolder,
               QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets)),
      m_history(history),
      m_watch(m_profile.environment == Environment::Demo ? HealthLimits::ofDemo() : HealthLimits()),
      m_database(m_profile, m_secrets, stateFolder), m_queue(m_profile, m_secrets),
      m_exact(m_profile, m_secrets, stateFolder), m_payloads(m_profile, m_secrets),
      m_search(m_profile, m_secrets, stateFolder), m_tasks(m_profile, m_secrets),
      m_places(m_profile, m_secrets, stateFolder)
{
    m_clock.start();
    m_input.retentionSeconds = m_profile.retentionSeconds;
    m_input.ownQueue = m_profile.queue;
    m_input.databaseLookSeconds = m_input.queueLookSeconds = double(m_profile.refreshMs) / 1000;
    m_snapshot.intervalMs = m_profile.refreshMs;
    m_judge.setInterval(1000);
    connect(&m_judge, &QTimer::timeout, this, &System::tell);
    if (m_profile.design) {
        m_documents = std::make_unique<DesignFeed>(m_profile, m_secrets);
        m_input.ofDocuments = true;
    }
    joinLooks();
    connect(&m_queue, &QueueFeed::dedupTaken, this, [this](const DedupSnapshot &dedup) {
        m_dedupAt = now();
        m_input.dedup = {dedup, 0};
        m_snapshot.dedup = dedup;
        show();
    });
    connect(&m_queue, &QueueFeed::factsTaken, this, [this](const RedisFacts &facts) {
        m_redisAt = now();
        if (m_input.redis) {
            const auto loss
                = lossBetween(m_input.redis->value, facts, QDateTime::currentDateTimeUtc());
            const bool isWorseKnown = m_input.redisLoss && isOfMost(*m_input.redisLoss);
            if (loss && (isOfMost(*loss) || !isWorseKnown))
                m_input.redisLoss = loss;
        }
        m_input.redis = {facts, 0};
    });
    connect(&m_database, &DatabaseFeed::rowsTaken, this, &System::joinRows);
    connect(&m_search, &RowSearch::found, this, &System::joinRows);
    connect(&m_queue, &QueueFeed::glanced, this, &System::joinGlances);
    connect(&m_database, &DatabaseFeed::found, this, &System::takeRow);
    connect(&m_queue, &QueueFeed::found, this, &System::takeTask);
    connect(&m_places, &IdPlaces::found, this, [this](const MessageId &id) {
        if (!m_asked && m_told == id) // what else is known is told with what is so now
            askId(id);
    });
}

void System::joinLooks()
{
    const MessageSource *source = &messages();
    connect(source, &MessageSource::healthChanged, this, [this](const SourceHealth &health) {
        m_input.databaseError = health.error;
        m_snapshot.database = health;
        if (health.state != SourceHealth::State::Failing)
            return; // the answer itself follows
        m_history.missOutbox(QDateTime::currentDateTimeUtc());
        tell();
    });
    connect(&m_queue, &QueueFeed::healthChanged, this, [this](const SourceHealth &health) {
        m_input.queueError = health.error;
        m_snapshot.queue = health;
        if (health.state != SourceHealth::State::Failing)
            return;
        m_history.missQueues(QDateTime::currentDateTimeUtc());
        tell();
    });
    connect(source, &MessageSource::intervalChanged, this, [this](int milliseconds) {
        m_snapshot.intervalMs = milliseconds;
        m_input.databaseLookSeconds = double(milliseconds) / 1000;
    });
    connect(&m_queue, &QueueFeed::intervalChanged, this,
            [this](int milliseconds) { m_input.queueLookSeconds = double(milliseconds) / 1000; });
    connect(source, &MessageSource::shapeKnown, this, [this](const OutboxShape &shape) {
        m_input.promiseTerms.rowsAreKept = shape.processedHow != OutboxShape::ProcessedHow::Deleted;
    });
    connect(source, &MessageSource::taken, this, [this](const OutboxSnapshot &snapshot) {
        m_outboxAt = now();
        m_input.outbox = {snapshot, 0};
        m_snapshot.outbox = snapshot;
        m_history.addOutbox(QDateTime::currentDateTimeUtc(), snapshot);
        tell();
    });
    connect(&m_queue, &QueueFeed::taken, this, [this](const QList<QueueSnapshot> &queues) {
        m_queueAt = now();
        m_input.queues = {queues, 0};
        m_snapshot.queues = queues;
        m_attempts.add(queues);
        m_input.attempts = m_attempts.counts();
        m_history.addQueues(QDateTime::currentDateTimeUtc(), queues);
        tell();
    });
}

MessageSource &System::messages()
{
    if (m_documents)
        return *m_documents;
    return m_database;
}

void System::open()
{
    setPaused(false);
}

void System::refreshNow()
{
    messages().refreshNow();
    m_queue.refreshNow();
}

void System::setPaused(bool paused)
{
    m_paused = paused;
    messages().setRunning(!paused);
    m_queue.setRunning(!paused);
    if (paused) {
        m_pausedAt = m_pausedAt.value_or(now());
        return m_judge.stop();
    }
    if (m_pausedAt) { // nobody asked meanwhile: that is no silence
        const double length = now() - *std::exchange(m_pausedAt, std::nullopt);
        for (double *at : {&m_outboxAt, &m_queueAt, &m_dedupAt, &m_redisAt})
            *at += length;
    }
    m_judge.start();
}

void System::setRelay(std::optional<RelayState> state, const std::optional<Error> &error,
                      std::optional<qint64> retentionSeconds)
{
    m_input.retentionSeconds = retentionSeconds.value_or(m_profile.retentionSeconds);
    if (m_input.relayHere != state)
        m_input.relaySince = QDateTime::currentDateTimeUtc();
    m_input.relayHere = state;
    m_input.relayError = error;
}

double System::now() const
{
    return double(m_clock.elapsed()) / 1000.0;
}

void System::tell()
{
    if (!m_paused)
        m_judge.start(); // a second from now on
    if ((m_input.outbox || m_input.databaseError) && (m_input.queues || m_input.queueError))
        judge();
    show();
}

void System::show()
{
    // How many ids are kept is counted with each look, what else is said of them seldom.
    if (m_snapshot.dedup && m_snapshot.queues) {
        for (const QueueSnapshot &queue : std::as_const(*m_snapshot.queues)) {
            if (queue.name == m_snapshot.dedup->name)
                m_snapshot.dedup->retained = queue.completed;
        }
    }
    emit changed(m_snapshot);
}

void System::judge()
{
    const double at = now();
    const auto age = [at](auto &seen, double when) {
        if (seen)
            seen->ageSeconds = at - when;
    };
    age(m_input.outbox, m_outboxAt);
    age(m_input.queues, m_queueAt);
    age(m_input.dedup, m_dedupAt);
    age(m_input.redis, m_redisAt);
    m_input.now = QDateTime::currentDateTimeUtc();
    m_input.inPerSecond = m_history.series(Measure::In).latest();
    m_input.outPerSecond = m_history.series(Measure::Out).latest();
    m_input.secondsSinceLeft = m_history.secondsSinceLeft(m_input.now);
    m_input.headSeconds = m_history.headSeconds(m_input.now);
    m_input.growingSeconds = m_history.growingSeconds(m_input.now);
    m_input.worstRelayDelaySeconds = m_history.worstLag();
    m_input.growthPerSecond = m_history.growthPerSecond();
    m_snapshot.health = m_watch.look(m_input);
    emit healthTaken(*m_snapshot.health);
}

QueueName System::queueOf(const Message &row) const
{
    return {row.queue.isEmpty() ? m_profile.queue : row.queue};
}

void System::joinRows(const PageRequest &request, const MessagePage &page)
{
    const OutboxPageView before
        = std::exchange(m_joining, {request, page, {}, {}, QDateTime::currentDateTimeUtc()});
    ++m_joinToken;
    QHash<QString, QList<TaskId>> byQueue;
    for (const Message &row : page.rows) {
        byQueue[queueOf(row).text] += row.task;
        // What was known of the same id stands until the queue answers, so that nothing flickers.
        if (const auto state = before.inQueue.constFind(row.id.text);
            state != before.inQueue.constEnd())
            m_joining.inQueue.insert(row.id.text, *state);
        if (const auto kept = before.keptUntil.constFind(row.id.text);
            kept != before.keptUntil.constEnd())
            m_joining.keptUntil.insert(row.id.text, *kept);
    }
    tellRows();
    for (auto queue = byQueue.cbegin(); queue != byQueue.cend(); ++queue)
        m_queue.glance({queue.key()}, queue.value(), m_joinToken);
}

void System::joinGlances(quint64 token, const QueueName &queue,
                         const QHash<TaskId, TaskGlance> &glances)
{
    if (token != m_joinToken)
        return;
    for (const Message &row : std::as_const(m_joining.page.rows)) {
        if (queueOf(row) != queue)
            continue;
        m_joining.inQueue.remove(row.id.text);
        m_joining.keptUntil.remove(row.id.text);
        const auto glance = glances.constFind(row.task);
        if (glance == glances.constEnd())
            continue;
        m_joining.inQueue.insert(row.id.text, glance->state);
        if (glance->keptUntil)
            m_joining.keptUntil.insert(row.id.text, *glance->keptUntil);
    }
    tellRows();
}

void System::tellRows()
{
    const auto checks
        = checksOf(m_joining.request.filter, FilterSubject::Rows, QDateTime::currentDateTime());
    const CheckNode asking = checks ? queuePart(*checks) : CheckNode();
    if (asking.isEverything()) {
        emit rowsJoined(m_joining);
        return;
    }
    // Of a row that the queue was not asked about yet nobody knows whether it matches.
    OutboxPageView told = m_joining;
    const auto shape = m_database.shape();
    const RowPredicate predicate(asking, shape && shape->hasUuidKeys());
    told.page.rows.removeIf([&](const Message &row) {
        const auto state = told.inQueue.constFind(row.id.text);
        return predicate.of(row,
                            state == told.inQueue.constEnd() ? std::nullopt : std::optional(*state))
            != Truth::Yes;
    });
    emit rowsJoined(told);
}

void System::askId(const MessageId &id)
{
    Pending asked;
    asked.verdict.message = id;
    const auto &shape = m_database.shape();
    asked.verdict.taskId = shape ? taskOfTyped(*shape, id) : TaskId{id.text};
    asked.verdict.queue.text = m_profile.queue;
    asked.key = id;
    m_asked = asked;
    if (m_documents)
        takeRow(asked.key, std::optional<Message>()); // no rows: the queue alone knows the id
    else
        m_database.find(asked.key);
}

void System::takeRow(const MessageId &id, const Result<std::optional<Message>> &row)
{
    if (!m_asked || m_asked->rowIn || m_asked->key != id)
        return; // an older question
    const auto &shape = m_database.shape();
    const auto key = shape ? shape->keyIn({id.text}) : std::nullopt;
    if (row && !*row && id == m_asked->verdict.message && key && *key != id) {
        m_asked->key = *key; // somebody gave the id of a task
        return m_database.find(*key);
    }
    m_asked->rowIn = true;
    IdVerdict &verdict = m_asked->verdict;
    if (row)
        verdict.row = *row;
    else
        verdict.rowError = row.error();
    if (verdict.row) {
        verdict.queue = queueOf(*verdict.row);
        verdict.taskId = verdict.row->task;
    }
    // Of a row that is there the id counts in its own queue. Copies: an answer that comes at once
    // ends the question.
    if (verdict.row)
        return m_queue.find(QueueName(verdict.queue), TaskId(verdict.taskId));
    QList<TaskId> ids = m_places.tasksOf(verdict.message);
    ids << verdict.taskId << TaskId{verdict.message.text};
    verdict.taskId = ids.constFirst();
    m_queue.findAnywhere(QueueName(verdict.queue), ids);
}

void System::takeTask(const QueueName &queue, const TaskId &id,
                      const Result<std::optional<Task>> &task)
{
    if (!m_asked || !m_asked->rowIn || m_asked->verdict.queue != queue
        || m_asked->verdict.taskId != id)
        return; // somebody else's look at another task
    IdVerdict asked = std::exchange(m_asked, std::nullopt)->verdict;
    if (task)
        asked.task = *task;
    else
        asked.taskError = task.error();
    if (asked.task) {
        asked.queue = asked.task->queue;
        asked.taskId = asked.task->id;
    }
    m_told = asked.message;
    emit idAnswered(judged(m_places.added(asked),
                           {QDateTime::currentDateTimeUtc(), m_profile.retentionSeconds,
                            !m_input.promiseTerms.rowsAreKept}));
    m_places.look(asked, m_database.shape().value_or(OutboxShape()));
}

} // namespace outbox
