// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/messagecomparer.h"

#include "app/settings/opening.h"
#include "app/system/jobs/rowandtask.h"
#include "models/system/verdict.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString comparingFace = u"outboxdeck"_s;

/// A source is not opened any more, and waited for, where nobody wants the answer.
Result<void> stillAsked(const std::stop_token &stop)
{
    if (stop.stop_requested())
        return fail(Error::Kind::Cancelled, u"comparing two messages"_s, u"it was taken back"_s);
    return {};
}

/// What one message is read with.
struct ComparedRead
{
    Target target;
    std::optional<OutboxShape> shape; ///< nullopt: the database has not told it yet
    std::stop_token stop;
};

Result<std::optional<Message>> comparedRow(ComparedSessions &sessions, const ComparedRead &read,
                                           const MessageId &key)
{
    const Target &target = read.target;
    if (target.profile.design)
        return std::optional<Message>(); // its messages have no rows
    if (!read.shape) {
        return fail(Error::Kind::Unreachable, u"looking for the row"_s,
                    u"the database has not answered yet"_s);
    }
    TRY(stillAsked(read.stop));
    const auto settings = TRY(
        storeSettingsOf(target.profile, target.secrets, StoreAccess::ReadOnly, comparingFace));
    TRY(sessions.source.ready(settings, target.stateFolder, *read.shape));
    return sessions.source.find(key, MessageComparer::mostBytes);
}

Result<AsynqInspector *> comparedTasks(ComparedSessions &sessions, const ComparedRead &read)
{
    TRY(stillAsked(read.stop));
    const auto endpoint = TRY(redisOf(read.target.profile, read.target.secrets));
    TRY(sessions.tasks.ready(endpoint, sessionName(comparingFace)));
    return &sessions.tasks;
}

IdVerdict comparedMessage(ComparedSessions &sessions, const ComparedRead &read,
                          const ComparedId &asked)
{
    const Profile &profile = read.target.profile;
    OutboxShape shape;
    if (read.shape)
        shape = *read.shape;
    else if (profile.shape)
        shape = profile.refined(*profile.shape);
    const auto findRow
        = [&sessions, &read](const MessageId &key) { return comparedRow(sessions, read, key); };
    const QueueName queue = asked.queue.isEmpty() ? QueueName{profile.queue} : asked.queue;
    IdVerdict facts = rowAndTask(findRow, comparedTasks(sessions, read), shape, queue, asked.id,
                                 MessageComparer::mostBytes);
    sessions.search.setSystem(read.target, shape, comparingFace);
    if (!read.stop.stop_requested())
        facts = sessions.search.search(facts, read.stop);
    return judged(facts,
                  {QDateTime::currentDateTimeUtc(), profile.retentionSeconds,
                   shape.processedHow == OutboxShape::ProcessedHow::Deleted});
}

} // namespace

MessageComparer::MessageComparer(Target target, QObject *parent)
    : QObject(parent), m_target(std::move(target))
{ }

MessageComparer::~MessageComparer()
{
    m_stop.request_stop();
}

void MessageComparer::start(const ComparedId &a, const ComparedId &b)
{
    cancel();
    m_stop = {};
    m_job.start();
    m_job.ask(
        [read = ComparedRead{m_target, m_shape, m_stop.get_token()}, a,
         b](ComparedSessions &sessions) {
            const IdVerdict first = comparedMessage(sessions, read, a);
            const IdVerdict second = comparedMessage(sessions, read, b);
            return comparisonOf(first, second, QDateTime::currentDateTimeUtc(),
                                read.target.profile.masks);
        },
        [this, a, b](const Comparison &comparison) {
            m_job.stop();
            emit ended(a, b, comparison);
        });
}

void MessageComparer::cancel()
{
    m_stop.request_stop();
    m_job.stop();
}

} // namespace outbox
