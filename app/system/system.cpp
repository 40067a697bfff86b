// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/system.h"

#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"
#include "models/phrases.h"
#include "models/system/login.h"
#include "models/system/verdict.h"

#include <utility>

namespace outbox {

System::System(Profile profile, ProfilePasswords secrets, SystemHistory &history,
               const QString &stateFolder, QObject *parent)
    : QObject(parent), m_target{std::move(profile), std::move(secrets), stateFolder},
      m_judge(m_target.profile, history),
      m_database(m_target.profile, m_target.secrets, stateFolder),
      m_queue(m_target.profile, m_target.secrets),
      m_exact(m_target.profile, m_target.secrets, stateFolder),
      m_payloads(m_target.profile, m_target.secrets),
      m_search(m_target.profile, m_target.secrets, stateFolder),
      m_tasks(m_target.profile, m_target.secrets), m_ids(m_target, m_database, m_queue)
{
    m_snapshot.intervalMs = m_target.profile.refreshMs;
    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &System::tell);
    if (m_target.profile.design)
        m_documents = std::make_unique<DesignFeed>(m_target.profile, m_target.secrets);
    joinLooks();
    connect(&m_queue, &QueueFeed::dedupTaken, this, [this](const DedupSnapshot &dedup) {
        m_judge.take(dedup);
        m_snapshot.dedup = dedup;
        show();
    });
    connect(&m_queue, &QueueFeed::factsTaken, this,
            [this](const RedisFacts &facts) { m_judge.take(facts); });
    connect(&m_database, &DatabaseFeed::rowsTaken, this, &System::joinRows);
    connect(&m_search, &RowSearch::found, this, &System::joinRows);
    connect(&m_queue, &QueueFeed::glanced, this, &System::joinGlances);
    connect(&m_ids, &IdQuestion::answered, this, [this](const IdVerdict &facts) {
        emit idAnswered(judged(facts,
                               {QDateTime::currentDateTimeUtc(), m_target.profile.retentionSeconds,
                                !m_judge.input().promiseTerms.rowsAreKept}));
    });
}

void System::joinLooks()
{
    const MessageSource *source = &messages();
    connect(source, &MessageSource::healthChanged, this, [this](const SourceHealth &health) {
        m_judge.input().databaseError = health.error;
        tellAway(HistoryEvent::Kind::Database, std::exchange(m_snapshot.database, health), health);
        if (health.state != SourceHealth::State::Failing)
            return; // the answer itself follows
        m_judge.history().missOutbox(QDateTime::currentDateTimeUtc());
        tell();
    });
    connect(&m_queue, &QueueFeed::healthChanged, this, [this](const SourceHealth &health) {
        m_judge.input().queueError = health.error;
        tellAway(HistoryEvent::Kind::Queue, std::exchange(m_snapshot.queue, health), health);
        if (health.state != SourceHealth::State::Failing)
            return;
        m_judge.history().missQueues(QDateTime::currentDateTimeUtc());
        tell();
    });
    connect(source, &MessageSource::intervalChanged, this, [this](int milliseconds) {
        m_snapshot.intervalMs = milliseconds;
        m_judge.input().databaseLookSeconds = double(milliseconds) / 1000;
    });
    connect(&m_queue, &QueueFeed::intervalChanged, this, [this](int milliseconds) {
        m_judge.input().queueLookSeconds = double(milliseconds) / 1000;
    });
    connect(source, &MessageSource::shapeKnown, this, [this](const OutboxShape &shape) {
        m_judge.input().promiseTerms.rowsAreKept
            = shape.processedHow != OutboxShape::ProcessedHow::Deleted;
    });
    connect(source, &MessageSource::taken, this, [this](const OutboxSnapshot &snapshot) {
        m_judge.take(snapshot);
        m_snapshot.outbox = snapshot;
        tell();
    });
    connect(&m_queue, &QueueFeed::taken, this, [this](const QList<QueueSnapshot> &queues) {
        m_judge.take(queues);
        m_snapshot.queues = queues;
        tell();
    });
}

void System::tellAway(HistoryEvent::Kind kind, const SourceHealth &before, const SourceHealth &now)
{
    const bool isDatabase = kind == HistoryEvent::Kind::Database;
    using State = SourceHealth::State;
    if (before.state == State::Failing && now.state == State::Live)
        addEvent(kind, isDatabase ? tr("The database answers again.") : tr("Redis answers again."));
    if (before.state != State::Live || now.state != State::Failing)
        return;
    if (now.error && isLogInRefused(*now.error)) { // it did answer; users are not kept
        const Source source = isDatabase ? Source::Database : Source::Queue;
        addEvent(kind, logInRefused(source, {}, *now.error) + u'.');
    } else {
        addEvent(kind,
                 isDatabase ? tr("The database does not answer.") : tr("Redis does not answer."));
    }
}

void System::addEvent(HistoryEvent::Kind kind, const QString &text)
{
    const HistoryEvent event{QDateTime::currentDateTimeUtc(), kind, clipped(text)};
    m_judge.history().addEvent(event);
    emit happened(event);
}

MessageSource &System::messages()
{
    if (m_documents)
        return *m_documents;
    return m_database;
}

void System::refreshNow()
{
    messages().refreshNow();
    m_queue.refreshNow();
}

void System::setPaused(bool paused)
{
    m_judge.setPaused(paused);
    messages().setRunning(!paused);
    m_queue.setRunning(!paused);
    paused ? m_tick.stop() : m_tick.start();
}

void System::setRelay(std::optional<RelayState> state, const std::optional<Error> &error,
                      std::optional<qint64> retentionSeconds)
{
    HealthInput &input = m_judge.input();
    input.retentionSeconds = retentionSeconds.value_or(m_target.profile.retentionSeconds);
    const bool isOther = input.relayHere != state;
    if (isOther)
        input.relaySince = QDateTime::currentDateTimeUtc();
    input.relayHere = state;
    input.relayError = error;
    if (!isOther || !state)
        return;
    if (*state == RelayState::Starting)
        addEvent(HistoryEvent::Kind::Relay, tr("Relay started here."));
    else if (*state == RelayState::Stopped)
        addEvent(HistoryEvent::Kind::Relay, tr("Relay stopped here."));
    else if (*state == RelayState::Failed)
        addEvent(HistoryEvent::Kind::Relay, tr("Relay failed here."));
}

void System::tell()
{
    if (!isPaused())
        m_tick.start(); // a second from now on
    if (m_judge.isReady()) {
        m_snapshot.health = m_judge.judge();
        emit healthTaken(*m_snapshot.health);
    }
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
    const bool uuidKeys = shape && shape->hasUuidKeys();
    told.page.rows.removeIf([&](const Message &row) {
        const auto state = told.inQueue.constFind(row.id.text);
        return truthOf(asking, row, uuidKeys,
                       state == told.inQueue.constEnd() ? std::nullopt : std::optional(*state))
            != Truth::Yes;
    });
    emit rowsJoined(told);
}

} // namespace outbox
