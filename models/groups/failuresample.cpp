// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/failuresample.h"

#include "models/filter/cause.h"
#include "models/phrases.h"
#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation failureSampleText("outbox::FailureSample");

} // namespace

QList<FailureScope> scopesOf(FailureSource source)
{
    if (source == FailureSource::Rows) {
        return {{u"state:failed,parked"_s, failureSampleText("Failed and parked"),
                 failureSampleText("No row has failed or is parked")},
                {u"state:pending,locked age>5m"_s, failureSampleText("Waiting over 5 min"),
                 failureSampleText("No row waits longer than 5 min")}};
    }
    return {
        {u"state:retry,archived"_s, failureSampleText("Retrying and dead"),
         failureSampleText("No task is retried or dead")},
        {u"state:retry"_s, failureSampleText("Retrying"), failureSampleText("No task is retried")},
        {u"state:archived"_s, failureSampleText("Dead"), failureSampleText("No task is dead")}};
}

FailedItem itemOf(const Message &row)
{
    return {row.id.text,        row.type,
            row.queue,          row.error.left(FailedItem::mostErrorCharacters),
            causeOf(row.error), row.created};
}

FailedItem itemOf(const Task &task)
{
    return {task.id.text,
            task.type,
            task.queue.text,
            task.lastError.left(FailedItem::mostErrorCharacters),
            causeOf(task.lastError),
            task.lastFailed};
}

QDateTime FailureSample::from() const
{
    return question.withinSeconds ? at.addSecs(-*question.withinSeconds) : QDateTime();
}

Filter filterOf(const FailureQuestion &question, const QDateTime &at)
{
    Filter filter = Filter::fromText(question.scope).value_or(Filter());
    if (question.withinSeconds) {
        const QString field = question.source == FailureSource::Rows ? u"created"_s : u"failed"_s;
        const QString since = at.toUTC().addSecs(-*question.withinSeconds).toString(Qt::ISODate);
        filter.root.parts += FilterNode{
            FilterNode::Kind::Term, {field, FilterOp::GreaterOrEqual, {{since, {}, false}}}, {}};
    }
    return filter;
}

QString sizeWords(const FailureSample &sample)
{
    const QString read = countText(sample.items.size());
    if (sample.isWhole)
        return sample.items.isEmpty() ? failureSampleText("none")
                                      : failureSampleText("all %1").arg(read);
    if (sample.searched > 0)
        return failureSampleText("%1 among the newest %2 rows")
            .arg(read, countText(sample.searched));
    const bool isOfRows = sample.question.source == FailureSource::Rows;
    if (!sample.total)
        return isOfRows ? failureSampleText("the newest %1 of more").arg(read)
                        : failureSampleText("%1 of more").arg(read);
    const QString total = (sample.totalIsExact ? QString() : u"~"_s) + countText(*sample.total);
    return isOfRows ? failureSampleText("the newest %1 of %2").arg(read, total)
                    : failureSampleText("%1 of %2").arg(read, total);
}

} // namespace outbox
