// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/outboxmodel.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/tables/statefilter.h"
#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation outboxText("outbox::OutboxModel");

QString stateTip(const OutboxRow &row)
{
    QString tip = label(row.message.state);
    if (!row.message.note.isEmpty())
        tip += u": "_s + row.message.note;
    if (!row.message.error.isEmpty())
        tip += u'\n' + row.message.error;
    return tipText(tip);
}

QString inQueueWords(const OutboxRow &row)
{
    if (!row.inQueue)
        return {};
    QString words = label(*row.inQueue);
    if (*row.inQueue != TaskState::Completed || !row.keptUntil)
        return words;
    return outboxText("%1, kept until %2")
        .arg(words, aboutMomentText(*row.keptUntil, QDateTime::currentDateTimeUtc()));
}

QString lockWords(const OutboxRow &row)
{
    return row.message.lockedBy ? cellText(holderWords(*row.message.lockedBy)) : QString();
}

QList<OutboxModel::Column> outboxColumns(const std::shared_ptr<const PayloadMasks> &masks)
{
    using Column = OutboxModel::Column;
    const Qt::Alignment left = Qt::AlignLeft;
    const Qt::Alignment right = Qt::AlignRight;
    return {
        Column(outboxText("State"), left,
               [](const OutboxRow &row) { return label(row.message.state); })
            .withState([](const OutboxRow &row) { return QVariant::fromValue(row.message.state); })
            .withFilter(
                [](const OutboxRow &row) { return termFor(u"state"_s, word(row.message.state)); })
            .withTip(stateTip),
        Column::ofText(outboxText("Id"), [](const OutboxRow &row) { return row.message.id.text; })
            .withFilter([](const OutboxRow &row) { return termFor(u"id"_s, row.message.id.text); }),
        Column::ofText(outboxText("Type"), [](const OutboxRow &row) { return row.message.type; })
            .withFilter([](const OutboxRow &row) { return termFor(u"type"_s, row.message.type); }),
        Column::ofMoment(
            outboxText("Created"),
            [](const OutboxRow &row) { return row.message.created.value_or(QDateTime()); }),
        Column(outboxText("Age"), right,
               [](const OutboxRow &row) {
                   return row.message.ageSeconds ? spanText(*row.message.ageSeconds) : QString();
               })
            .withRoomFor(spanSamples())
            .explained(outboxText("By the database's clock, when the page was read")),
        Column(outboxText("Attempts"), right,
               [](const OutboxRow &row) {
                   return row.message.attempts ? countText(*row.message.attempts) : QString();
               })
            .withFilter([](const OutboxRow &row) {
                return row.message.attempts
                    ? termFor(u"attempts"_s, QString::number(*row.message.attempts))
                    : QString();
            }),
        Column(outboxText("Locked by"), left, lockWords).withTip([](const OutboxRow &row) {
            return row.message.lockedBy ? tipText(holderWords(*row.message.lockedBy)) : QString();
        }),
        Column(outboxText("In queue"), left, inQueueWords)
            .withState([](const OutboxRow &row) {
                return row.inQueue ? QVariant::fromValue(*row.inQueue) : QVariant();
            })
            .withTip([](const OutboxRow &row) { return tipText(inQueueWords(row)); })
            .explained(outboxText("What stands under this id in the queue")),
        Column::ofText(outboxText("Last error"),
                       [](const OutboxRow &row) { return row.message.error; })
            .withFilter(
                [](const OutboxRow &row) { return termFor(u"error"_s, row.message.error); }),
        Column(outboxText("Payload"), left,
               [masks](const OutboxRow &row) {
                   return payloadPreview(
                       masks->shown(row.message.payload, row.message.payloadBytes));
               }),
    };
}

} // namespace

QString holderWords(const LockHolder &holder)
{
    if (holder.several)
        return outboxText("several sessions");
    QString words = holder.application.isEmpty() ? outboxText("not visible") : holder.application;
    if (holder.pid > 0) {
        words = holder.application.isEmpty() ? outboxText("process %1").arg(holder.pid)
                                             : outboxText("%1 (%2)").arg(words).arg(holder.pid);
    }
    if (holder.sinceSeconds)
        words += u", "_s + spanText(*holder.sinceSeconds);
    return words;
}

OutboxModel::OutboxModel(const PayloadMasks &masks, QObject *parent)
    : OutboxModel(std::make_shared<PayloadMasks>(masks), parent)
{ }

OutboxModel::OutboxModel(std::shared_ptr<PayloadMasks> masks, QObject *parent)
    : KeyedTableModel(
        outboxColumns(masks), [](const OutboxRow &row) { return row.message.id; }, parent),
      m_masks(std::move(masks))
{ }

void OutboxModel::setMasks(const PayloadMasks &masks)
{
    if (*m_masks == masks)
        return;
    *m_masks = masks;
    if (rowCount() > 0)
        emit dataChanged(index(0, Payload), index(rowCount() - 1, Payload));
}

void OutboxModel::setOrder(std::optional<bool> newestFirst)
{
    if (m_newestFirst == newestFirst)
        return;
    m_newestFirst = newestFirst;
    emit headerDataChanged(Qt::Horizontal, Created, Created);
}

QVariant OutboxModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool isOfOrder = role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole;
    if (m_newestFirst && isOfOrder && section == Created && orientation == Qt::Horizontal) {
        return *m_newestFirst
            ? outboxText("The newest rows come first. Click for the oldest first (Ctrl+Shift+O)")
            : outboxText("The oldest rows come first. Click for the newest first (Ctrl+Shift+O)");
    }
    return KeyedTableModel::headerData(section, orientation, role);
}

QList<OutboxRow> OutboxModel::joined(const OutboxPageView &page)
{
    QList<OutboxRow> rows;
    rows.reserve(page.page.rows.size());
    for (const Message &message : page.page.rows) {
        OutboxRow row{message, std::nullopt, std::nullopt};
        const auto task = page.inQueue.constFind(message.id.text);
        if (task != page.inQueue.constEnd())
            row.inQueue = *task;
        const auto kept = page.keptUntil.constFind(message.id.text);
        if (kept != page.keptUntil.constEnd())
            row.keptUntil = *kept;
        rows.append(std::move(row));
    }
    return rows;
}

} // namespace outbox
