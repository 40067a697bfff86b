// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/taskmodel.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/tables/statefilter.h"
#include "models/translation.h"
#include "models/utctext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation taskPhrase("outbox::TaskModel");

/// The time `whenWords` speaks of.
std::optional<QDateTime> when(const Task &task)
{
    switch (task.state) {
    case TaskState::Pending:
        return task.pendingSince;
    case TaskState::Active:
        return task.leaseUntil;
    case TaskState::Scheduled:
    case TaskState::Retry:
        return task.nextRun;
    case TaskState::Archived:
        return task.archivedAt;
    case TaskState::Completed:
        return task.keptUntil;
    default:
        return std::nullopt;
    }
}

QString errorTip(const Task &task)
{
    QString tip = task.lastError;
    if (!task.note.isEmpty())
        tip = task.note + (tip.isEmpty() ? QString() : u'\n' + tip);
    return tipText(tip);
}

/// A lease and a window end soon: what `whenWords` says of these is shorter.
QStringList whenSamples()
{
    QStringList samples;
    for (const QString &moment : momentSamples())
        samples += {taskPhrase("since %1").arg(moment), taskPhrase("next %1").arg(moment)};
    return samples;
}

QList<TaskModel::Column> taskColumns(const std::shared_ptr<const PayloadMasks> &masks)
{
    using Column = TaskModel::Column;
    const Qt::Alignment left = Qt::AlignLeft;
    return {
        Column(taskPhrase("State"), left, [](const Task &task) { return label(task.state); })
            .withState([](const Task &task) { return QVariant::fromValue(task.state); })
            .withTip([](const Task &task) {
                return tipText(taskPhrase("asynq: %1").arg(word(task.state)));
            })
            .withFilter([](const Task &task) {
                return soundTaskStates().contains(task.state)
                    ? termFor(u"state"_s, word(task.state))
                    : QString();
            }),
        Column::ofText(taskPhrase("Id"), [](const Task &task) { return task.id.text; })
            .withFilter([](const Task &task) { return termFor(u"id"_s, task.id.text); }),
        Column::ofText(taskPhrase("Type"), [](const Task &task) { return task.type; })
            .withFilter([](const Task &task) { return termFor(u"type"_s, task.type); }),
        Column(taskPhrase("Retried"), Qt::AlignRight,
               [](const Task &task) {
                   return task.damaged
                       ? QString()
                       : taskPhrase("%1 of %2").arg(task.retried).arg(task.maxRetry);
               }),
        Column(taskPhrase("When"), left, whenWords)
            .withTip([](const Task &task) { return exactTime(when(task).value_or(QDateTime())); })
            .withRaw([](const Task &task) {
                const auto at = when(task);
                return at ? utcText(*at) : QString();
            })
            .withRoomFor(whenSamples())
            .explained(taskPhrase(
                "The next run, the time it waits since, or the end of the dedup window")),
        Column(taskPhrase("Last error"), left,
               [](const Task &task) { return cellText(task.damaged ? task.note : task.lastError); })
            .withTip(errorTip)
            .withRaw([](const Task &task) { return task.damaged ? task.note : task.lastError; })
            .withFilter([](const Task &task) {
                return task.damaged ? QString() : termFor(u"error"_s, task.lastError);
            }),
        Column(taskPhrase("Payload"), left,
               [masks](const Task &task) {
                   return task.damaged
                       ? QString()
                       : payloadPreview(masks->shown(task.payload, task.payloadBytes));
               }),
    };
}

} // namespace

QString whenWords(const Task &task)
{
    const auto at = when(task);
    if (!at)
        return {};
    const QDateTime now = QDateTime::currentDateTimeUtc();
    switch (task.state) {
    case TaskState::Scheduled:
    case TaskState::Retry:
        return taskPhrase("next %1").arg(momentText(*at, now));
    case TaskState::Active:
        return taskPhrase("lease until %1").arg(momentText(*at, now));
    case TaskState::Completed:
        return taskPhrase("kept until %1").arg(aboutMomentText(*at, now));
    default:
        return taskPhrase("since %1").arg(momentText(*at, now));
    }
}

TaskModel::TaskModel(const PayloadMasks &masks, QObject *parent)
    : TaskModel(std::make_shared<PayloadMasks>(masks), parent)
{ }

TaskModel::TaskModel(std::shared_ptr<PayloadMasks> masks, QObject *parent)
    : KeyedTableModel(
        taskColumns(masks), [](const Task &task) { return task.id; }, parent),
      m_masks(std::move(masks))
{ }

void TaskModel::setMasks(const PayloadMasks &masks)
{
    if (*m_masks == masks)
        return;
    *m_masks = masks;
    if (rowCount() > 0)
        emit dataChanged(index(0, Payload), index(rowCount() - 1, Payload));
}

namespace {

constexpr Translation retainedText("outbox::RetainedModel");

QList<RetainedModel::Column> retainedColumns()
{
    using Column = RetainedModel::Column;
    const Qt::Alignment right = Qt::AlignRight;
    return {
        Column::ofMoment(retainedText("Refused until"),
                         [](const Task &one) { return one.keptUntil.value_or(QDateTime()); })
            .explained(retainedText("An estimate: the janitor's server and clock decide")),
        Column::ofText(retainedText("Id"), [](const Task &one) { return one.id.text; }),
        Column::ofMoment(retainedText("Completed"),
                         [](const Task &one) { return one.completedAt.value_or(QDateTime()); }),
        Column(retainedText("Kept for"), right,
               [](const Task &one) { return spanText(static_cast<double>(one.retentionSeconds)); })
            .withRoomFor(spanSamples()),
        Column(retainedText("Payload"), right,
               [](const Task &one) { return bytesText(one.payloadBytes); }),
        Column::ofText(retainedText("Type"), [](const Task &one) { return one.type; }),
    };
}

} // namespace

RetainedModel::RetainedModel(QObject *parent)
    : KeyedTableModel(
        retainedColumns(), [](const Task &one) { return one.id; }, parent)
{ }

} // namespace outbox
