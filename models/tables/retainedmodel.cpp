// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/retainedmodel.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/translation.h"

namespace outbox {

namespace {

constexpr Translation retainedText("outbox::RetainedModel");

QString moment(const std::optional<QDateTime> &at)
{
    return at ? momentText(*at, QDateTime::currentDateTimeUtc()) : QString();
}

QString exact(const std::optional<QDateTime> &at)
{
    return at ? exactTime(*at) : QString();
}

QVariant sortable(const std::optional<QDateTime> &at)
{
    return at ? QVariant(*at) : QVariant();
}

QList<RetainedModel::Column> retainedColumns()
{
    using Column = RetainedModel::Column;
    const Qt::Alignment left = Qt::AlignLeft;
    const Qt::Alignment right = Qt::AlignRight;
    return {
        Column(retainedText("Refused until"), left,
               [](const Task &one) { return moment(one.keptUntil); })
            .sortedBy([](const Task &one) { return sortable(one.keptUntil); })
            .withTip([](const Task &one) { return exact(one.keptUntil); })
            .explained(retainedText("An estimate: the janitor's server and clock decide")),
        Column(retainedText("Id"), left, [](const Task &one) { return cellText(one.id.text); })
            .withTip([](const Task &one) { return tipText(one.id.text); }),
        Column(retainedText("Completed"), left,
               [](const Task &one) { return moment(one.completedAt); })
            .sortedBy([](const Task &one) { return sortable(one.completedAt); })
            .withTip([](const Task &one) { return exact(one.completedAt); }),
        Column(retainedText("Kept for"), right,
               [](const Task &one) { return spanText(static_cast<double>(one.retentionSeconds)); })
            .sortedBy([](const Task &one) { return one.retentionSeconds; }),
        Column(retainedText("Payload"), right,
               [](const Task &one) { return bytesText(one.payloadBytes); })
            .sortedBy([](const Task &one) { return one.payloadBytes; }),
        Column(retainedText("Type"), left, [](const Task &one) { return cellText(one.type); })
            .withTip([](const Task &one) { return tipText(one.type); }),
    };
}

} // namespace

RetainedModel::RetainedModel(QObject *parent)
    : KeyedTableModel(
        retainedColumns(), [](const Task &one) { return one.id; }, parent)
{ }

} // namespace outbox
