// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/failuresample.h"

#include "models/filter/cause.h"
#include "models/phrases.h"

#include <QCoreApplication>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("outbox::FailureSample", source);
}

} // namespace

QList<FailureScope> scopesOf(FailureSource source)
{
    if (source == FailureSource::Rows) {
        return {{u"state:failed,parked"_s, text("Failed and parked"),
                 text("No row has failed or is parked")},
                {u"state:pending,locked age>5m"_s, text("Waiting over 5 min"),
                 text("No row waits longer than 5 min")}};
    }
    return {
        {u"state:retry,archived"_s, text("Retrying and dead"), text("No task is retried or dead")},
        {u"state:retry"_s, text("Retrying"), text("No task is retried")},
        {u"state:archived"_s, text("Dead"), text("No task is dead")}};
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
        return sample.items.isEmpty() ? text("none") : text("all %1").arg(read);
    if (sample.searched > 0)
        return text("%1 among the newest %2 rows").arg(read, countText(sample.searched));
    const bool isOfRows = sample.question.source == FailureSource::Rows;
    if (!sample.total)
        return isOfRows ? text("the newest %1 of more").arg(read) : text("%1 of more").arg(read);
    const QString total = (sample.totalIsExact ? QString() : u"~"_s) + countText(*sample.total);
    return isOfRows ? text("the newest %1 of %2").arg(read, total)
                    : text("%1 of %2").arg(read, total);
}

} // namespace outbox
