// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/taskfetcher.h"

#include "app/settings/opening.h"
#include "models/phrases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Result<Task> fetch(AsynqInspector &inspector, const RedisEndpoint &endpoint, const QueueName &queue,
                   const TaskId &id)
{
    const QString doing = u"fetching the task "_s + id.text;
    TRY(inspector.open(endpoint, sessionName(u"outboxdeck"_s)));
    const auto task = inspector.find(queue, id, TaskFetcher::mostBytes);
    inspector.close();
    if (!task)
        return passOn(task);
    if (!*task)
        return fail(Error::Kind::Conflict, doing, u"the task is no longer there"_s);
    if ((*task)->payload.isEmpty() && (*task)->payloadBytes > TaskFetcher::mostBytes) {
        return fail(Error::Kind::Refused, doing,
                    u"it has %1, and no more than %2 are held in memory"_s.arg(
                        bytesText((*task)->payloadBytes), bytesText(TaskFetcher::mostBytes)));
    }
    return **task;
}

} // namespace

TaskFetcher::TaskFetcher(Profile profile, ProfilePasswords secrets, QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets))
{ }

void TaskFetcher::start(const QueueName &queue, const TaskId &id)
{
    m_job.start();
    const auto endpoint = redisOf(m_profile, m_secrets);
    if (!endpoint) {
        m_job.stop();
        return emit ended(id, passOn(endpoint));
    }
    m_job.ask([endpoint = *endpoint, queue,
               id](AsynqInspector &inspector) { return fetch(inspector, endpoint, queue, id); },
              [this, id](const Result<Task> &task) {
                  m_job.stop();
                  emit ended(id, task);
              });
}

} // namespace outbox
