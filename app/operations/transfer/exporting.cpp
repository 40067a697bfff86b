// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/transfer/exporting.h"

#include <QHash>

#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

qint64 bytesOf(const PlanItem &item)
{
    if (item.rowSeen)
        return item.rowSeen->payloadBytes;
    return item.taskSeen ? item.taskSeen->payloadBytes : 0;
}

ExportHead headOf(const Plan &plan)
{
    ExportHead head;
    head.operation = plan.operation;
    head.verb = plan.verb;
    head.profile = plan.profile;
    head.target = plan.target;
    head.at = QDateTime::currentDateTimeUtc();
    return head;
}

/// Cuts `items` into pages and hands each to `write`.
template <typename Write>
Result<void> page(const QList<PlanItem> &items, const OperationControl &control, Write write)
{
    qsizetype from = 0;
    while (from < items.size()) {
        if (control.cancel.stop_requested()) {
            return fail(Error::Kind::Cancelled, u"exporting"_s,
                        u"it was cancelled; nothing was done"_s);
        }
        qsizetype to = from;
        qint64 bytes = 0;
        do {
            bytes += std::max<qint64>(0, bytesOf(items.at(to++)));
        } while (to < items.size() && to - from < exportPageItems
                 && bytes + bytesOf(items.at(to)) <= exportPageBytes);
        TRY(write(items.mid(from, to - from)));
        from = to;
        if (control.progressed)
            control.progressed({from, items.size(), u"Exporting"_s});
        pass(control, "exporting");
    }
    return {};
}

/// Makes the file when the first item comes: only then the columns are known.
Result<void> begin(std::optional<ExportWriter> &writer, const QString &file, const ExportHead &head)
{
    if (writer)
        return {};
    auto created = TRY(ExportWriter::create(file, head));
    writer.emplace(std::move(created));
    return {};
}

using Written = Result<std::optional<ExportWriter>>;

Written finish(std::optional<ExportWriter> writer, const OperationControl &control)
{
    if (writer) {
        TRY(writer->finish());
        pass(control, "exported");
    }
    return Written(std::move(writer));
}

/// What the receipt says of the file that `written` became.
Result<void> noteExport(const Written &written, const QString &file, Receipt &receipt)
{
    if (!written)
        return passOn(written);
    receipt.exportFile = *written ? file : QString();
    receipt.exportChecksum = *written ? (*written)->checksum() : QByteArray();
    return {};
}

} // namespace

QList<PlanItem> actingItems(const Plan &plan)
{
    QList<PlanItem> items;
    for (const PlanItem &item : plan.items) {
        if (item.isActedOn())
            items += item;
    }
    return items;
}

Result<void> eachExported(const QString &file, const std::function<void(const StoredTask &)> &take)
{
    auto reader = TRY(ExportReader::open(file));
    while (true) {
        const auto item = TRY(reader.next());
        if (!item)
            return {};
        if (const auto *task = std::get_if<StoredTask>(&*item))
            take(*task);
    }
}

Result<ExportReader> exportOf(const Activity &undone)
{
    if (undone.exportFile.isEmpty())
        return cannotUndo(undone, u"nothing was exported"_s);
    auto reader = TRY(ExportReader::open(undone.exportFile));
    if (reader.checksum() != undone.exportChecksum)
        return notTheExport(undone, u"Put the exported file back in its place"_s);
    return reader;
}

Result<std::optional<ExportWriter>> writeRows(OutboxEditor &reader, const QList<PlanItem> &rows,
                                              const QString &file, ExportHead head,
                                              const OperationControl &control)
{
    std::optional<ExportWriter> writer;
    head.table = reader.shape().table.text();
    const auto written = page(rows, control, [&](const QList<PlanItem> &items) -> Result<void> {
        QList<MessageId> ids;
        QHash<MessageId, TaskId> tasks;
        for (const PlanItem &item : items) {
            ids += item.row;
            tasks.insert(item.row, item.task);
        }
        auto whole = TRY(reader.whole(ids));
        for (WholeRow &row : whole) {
            row.task = tasks.value(row.id);
            head.columns = row.columns;
            TRY(begin(writer, file, head));
            TRY(writer->add(row));
        }
        return {};
    });
    return written ? finish(std::move(writer), control) : passOn(written);
}

Result<std::optional<ExportWriter>> writeTasks(TaskEditor &reader, const QList<PlanItem> &tasks,
                                               const QString &file, ExportHead head,
                                               const OperationControl &control)
{
    std::optional<ExportWriter> writer;
    const auto written = page(tasks, control, [&](const QList<PlanItem> &items) -> Result<void> {
        QHash<QueueName, QList<TaskId>> ids; // findings of several queues may be repaired
        for (const PlanItem &item : items)
            ids[item.queue] += item.task;
        for (auto queue = ids.cbegin(); queue != ids.cend(); ++queue) {
            const auto stored = TRY(reader.stored(queue.key(), queue.value()));
            for (const StoredTask &task : stored) {
                head.queue = task.queue.text;
                TRY(begin(writer, file, head));
                TRY(writer->add(task));
            }
        }
        return {};
    });
    return written ? finish(std::move(writer), control) : passOn(written);
}

Result<void> exportRows(OperatorSession &session, const Plan &plan, Receipt &receipt,
                        const OperationControl &control)
{
    const auto editor = TRY(session.rowEditor());
    const QString file = session.exportFile(plan.operation);
    return noteExport(writeRows(*editor, actingItems(plan), file, headOf(plan), control), file,
                      receipt);
}

Result<void> exportTasks(OperatorSession &session, const Plan &plan, const QList<PlanItem> &tasks,
                         Receipt &receipt, const OperationControl &control)
{
    const auto editor = TRY(session.taskEditor());
    const QString file = session.exportFile(plan.operation);
    return noteExport(writeTasks(*editor, tasks, file, headOf(plan), control), file, receipt);
}

} // namespace outbox
