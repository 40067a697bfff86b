// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/dispatch.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Of the first message whose queue is away; nullopt where none is.
std::optional<Error> whyAway(const QList<EnqueueRequest> &requests,
                             const QList<EnqueueAnswer> &answers)
{
    const auto away
        = std::find_if(answers.cbegin(), answers.cend(), [](const EnqueueAnswer &answer) {
              return answer.kind == EnqueueAnswer::Kind::QueueAway;
          });
    if (away == answers.cend())
        return std::nullopt;
    const EnqueueRequest &request = requests.at(away - answers.cbegin());
    const QString node = away->node.isEmpty() ? QString() : u" at "_s + away->node;
    return Error{Error::Kind::Unreachable, u"dispatching %1 messages"_s.arg(requests.size()),
                 u"task \"%1\": the node%2 of queue %3 does not take it now: %4"_s.arg(
                     request.id.text, node, request.queue.text, away->detail),
                 away->code, u"Send again when it does: what is out already is not taken twice"_s};
}

} // namespace

EnqueueRequest requestFor(const OutgoingMessage &message, const DispatchRules &rules)
{
    EnqueueRequest request;
    request.id.text = message.token.isEmpty() ? message.id : message.token;
    request.queue = message.queue.isEmpty() ? rules.queue : QueueName{message.queue};
    request.type = message.type;
    request.payload = message.payload;
    request.retentionSeconds = rules.retentionSeconds;
    return request;
}

Result<QList<RowVerdict>> dispatch(TaskQueue &queue, const QList<OutgoingMessage> &messages,
                                   const DispatchRules &rules)
{
    QList<RowVerdict> report;
    if (messages.isEmpty())
        return report;
    QList<EnqueueRequest> requests;
    for (const OutgoingMessage &message : messages)
        requests += requestFor(message, rules);
    const auto answers = TRY(queue.enqueue(requests));
    if (answers.size() != requests.size()) {
        return fail(Error::Kind::Protocol, u"dispatching %1 messages"_s.arg(requests.size()),
                    u"%1 answers came"_s.arg(answers.size()));
    }
    if (auto away = whyAway(requests, answers))
        return tl::unexpected(*std::move(away));
    for (qsizetype i = 0; i < answers.size(); ++i) {
        RowVerdict verdict = verdictOn({messages.at(i).id}, answers.at(i));
        switch (verdict.act) {
        case RowVerdict::Act::Deliver:
        case RowVerdict::Act::AlreadyQueued:
        case RowVerdict::Act::AlreadyDone:
        case RowVerdict::Act::DeadInQueue:
            verdict.reason.clear();
            break;
        case RowVerdict::Act::Park:
        case RowVerdict::Act::ParkAfterTries:
        case RowVerdict::Act::WaitForQueue:
        case RowVerdict::Act::RollBack:
            verdict.reason = u"message \"%1\": %2"_s.arg(messages.at(i).id, verdict.reason);
            break;
        }
        report += verdict;
    }
    return report;
}

} // namespace outbox
