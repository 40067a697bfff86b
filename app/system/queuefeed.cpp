// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/queuefeed.h"

#include "app/settings/opening.h"
#include "models/filter/taskfilter.h"
#include "models/system/login.h"

#include <QSet>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int queueOverdueMs = 9000; // the socket's own deadlines come long before
constexpr int rareEvery = 5;
constexpr int pageOfTasks = 200;
constexpr qint64 largestMessage = 1024LL * 1024; ///< that is read without being asked for

Result<void> reopen(AsynqInspector &inspector, const RedisEndpoint &endpoint)
{
    return inspector.ready(endpoint, sessionName(u"outboxdeck"_s));
}

/// One page through the states of the request, which are a few: a state more costs three pipelines.
Result<TaskPage> list(AsynqInspector &inspector, const TaskRequest &request)
{
    const auto filter = TRY(TaskFilter::fromText(request.filter, QDateTime::currentDateTime()));
    TaskWalk walk(filter.statesToRead(), request.after);
    TaskPage whole;
    QSet<TaskId> known; // one that moved on meanwhile stands in two states
    while (!walk.isOver() && whole.tasks.size() < pageOfTasks) {
        const int rest = pageOfTasks - static_cast<int>(whole.tasks.size());
        const auto page = TRY(inspector.tasks(request.queue, walk.state(), rest, walk.after()));
        walk.passed(page);
        whole.tookMs += page.tookMs;
        for (const Task &task : page.tasks) {
            if (!known.contains(task.id))
                whole.tasks += task;
            known.insert(task.id);
        }
    }
    whole.next = walk.cursor();
    return whole;
}

} // namespace

QueueFeed::QueueFeed(Profile profile, ProfilePasswords secrets, QObject *parent)
    : SourceFeed(std::move(profile), std::move(secrets), queueOverdueMs, parent),
      m_tasks(2 * m_profile.refreshMs, queueOverdueMs, this), m_room(u"queue"_s)
{
    connect(&m_tasks, &Poller::due, this, &QueueFeed::askTasks);
}

void QueueFeed::setRunning(bool running)
{
    if (m_profile.isDatabaseOnly())
        return absent();
    SourceFeed::setRunning(running);
    if (!running)
        m_tasks.stop();
    else if (m_shown && !isTurnedAway())
        m_tasks.start();
}

void QueueFeed::refreshNow()
{
    if (m_profile.isDatabaseOnly())
        return;
    m_looks = 0;
    SourceFeed::refreshNow();
    if (m_shown && m_tasks.kick())
        askTasks();
}

void QueueFeed::showRetained(bool shown)
{
    m_retainedShown = shown;
    if (shown && isRunning()) {
        m_looks = 0;
        SourceFeed::refreshNow();
    }
}

void QueueFeed::askFigures()
{
    const auto endpoint = redisOf(m_profile, m_secrets);
    if (!endpoint)
        return lost(endpoint.error());
    QueueParts parts{m_profile.ownQueue()};
    parts.others = true;
    parts.knownDead = m_dead;
    if (m_looks++ % rareEvery == 0) {
        parts.servers = parts.dedup = parts.facts = parts.deadCause = true;
        parts.retained = m_retainedShown ? pageOfTasks : 0;
    }
    ask(
        m_room,
        [endpoint = *endpoint, parts](AsynqInspector &inspector) -> Result<QueueReading> {
            TRY(reopen(inspector, endpoint));
            return readQueues(inspector, parts);
        },
        [this](const Result<QueueReading> &answer) {
            if (!answer) {
                m_looks = 0;
                const bool isRefused = isLogInRefused(answer.error()); // it stays wrong
                if (isRefused)
                    m_tasks.stop();
                return lost(answer.error(), isRefused);
            }
            if (isTurnedAway() && isRunning() && m_shown)
                m_tasks.start();
            live(answer->tookMs);
            const auto dead = withMostDead(answer->queues);
            m_dead = dead == answer->queues.cend() ? std::nullopt : dead->deadCause;
            emit taken(answer->queues);
            if (answer->servers)
                emit serversTaken(*answer->servers, answer->workers);
            if (answer->dedup)
                emit dedupTaken(*answer->dedup);
            if (answer->facts)
                emit factsTaken(*answer->facts);
            if (answer->retained)
                emit retainedTaken(*answer->retained);
        });
}

void QueueFeed::showTasks(const std::optional<TaskRequest> &request)
{
    m_shown = m_profile.isDatabaseOnly() ? std::nullopt : request;
    ++m_tasksToken;
    if (!m_shown) {
        m_tasks.stop();
        return;
    }
    if (isRunning() && !isTurnedAway())
        m_tasks.start();
    if (m_tasks.kick())
        askTasks();
}

void QueueFeed::askTasks()
{
    const auto endpoint = redisOf(m_profile, m_secrets);
    if (!endpoint || !m_shown) {
        m_tasks.failed();
        return;
    }
    ask(
        m_room,
        [endpoint = *endpoint, request = *m_shown](AsynqInspector &inspector) -> Result<TaskPage> {
            TRY(reopen(inspector, endpoint));
            return list(inspector, request);
        },
        [this, token = m_tasksToken, request = *m_shown](const Result<TaskPage> &page) {
            if (page) {
                m_tasks.answered(page->tookMs);
                m_meter.addRegular(&PollCost::list, m_tasks);
            } else {
                m_tasks.failed();
            }
            if (token != m_tasksToken) {
                if (m_shown && m_tasks.kick())
                    askTasks();
                return;
            }
            if (page)
                emit tasksTaken(request, *page);
            else
                emit tasksFailed(page.error());
        });
}

void QueueFeed::readTasks(const QueueName &queue, TaskState state, int limit, const QString &after,
                          int payloadBytes, quint64 token)
{
    const auto endpoint = redisOf(m_profile, m_secrets);
    if (!endpoint) {
        emit tasksRead(token, passOn(endpoint));
        return;
    }
    ask(
        m_room,
        [endpoint = *endpoint, queue, state, limit, after,
         payloadBytes](AsynqInspector &inspector) -> Result<TaskPage> {
            TRY(reopen(inspector, endpoint));
            return inspector.tasks(queue, state, limit, after, payloadBytes);
        },
        [this, token](const Result<TaskPage> &page) { emit tasksRead(token, page); });
}

void QueueFeed::find(const QueueName &queue, const TaskId &id)
{
    askFor(queue, id, [queue, id](AsynqInspector &inspector) {
        return inspector.find(queue, id, largestMessage);
    });
}

void QueueFeed::findAnywhere(const QueueName &queue, const QList<TaskId> &ids)
{
    askFor(queue, ids.value(0), [queue, ids](AsynqInspector &inspector) {
        return inspector.findAnywhere(queue, ids, largestMessage);
    });
}

template <typename Search>
void QueueFeed::askFor(const QueueName &queue, const TaskId &id, Search search)
{
    using Answer = Result<std::optional<Task>>;
    const auto endpoint = redisOf(m_profile, m_secrets);
    if (!endpoint) {
        emit found(queue, id, Answer(passOn(endpoint)));
        return;
    }
    ask(
        m_room,
        [endpoint = *endpoint, search](AsynqInspector &inspector) -> Answer {
            TRY(reopen(inspector, endpoint));
            return search(inspector);
        },
        [this, queue, id](const Answer &task) { emit found(queue, id, task); });
}

void QueueFeed::glance(const QueueName &queue, const QList<TaskId> &ids, quint64 token)
{
    using Answer = Result<QHash<TaskId, TaskGlance>>;
    ask(
        m_room,
        [queue, ids](AsynqInspector &inspector) -> Answer { return inspector.glance(queue, ids); },
        [this, token, queue](const Answer &glances) {
            emit glanced(token, queue, glances.value_or(QHash<TaskId, TaskGlance>()));
        });
}

} // namespace outbox
