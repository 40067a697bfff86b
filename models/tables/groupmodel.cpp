// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/groupmodel.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/translation.h"

#include <QLocale>

#include <numeric>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation groupText("outbox::GroupModel");

QString orNone(const QString &one, const char *none)
{
    return one.isEmpty() ? groupText(none) : cellText(one);
}

QString typeWords(const FailureGroup &group)
{
    return orNone(group.type, "no type");
}

QString causeWords(const FailureGroup &group)
{
    return orNone(group.cause, "no error noted");
}

QString queueOfGroup(const FailureGroup &group)
{
    return orNone(group.queue, "the usual queue");
}

QString hourWords(const FailureGroup &group)
{
    if (!group.hour)
        return groupText("time not known");
    return QLocale().toString(group.hour->toLocalTime(), u"ddd d MMM, HH:mm"_s);
}

QString shareWords(const FailureGroup &group)
{
    const double percent = group.share * 100;
    return percent > 0 && percent < 1 ? groupText("under 1 %")
                                      : groupText("%1 %").arg(qRound(percent));
}

GroupModel::Column timeColumn(const char *title, std::optional<QDateTime> FailureGroup::*at)
{
    return GroupModel::Column::ofMoment(
               groupText(title),
               [at](const FailureGroup &group) { return (group.*at).value_or(QDateTime()); })
        .withRoomFor({}) // errors have the room here
        .explained(groupText("Rows: when they were written. Tasks: when they last failed."));
}

QList<GroupModel::Column> failureGroupColumns()
{
    using Column = GroupModel::Column;
    const Qt::Alignment left = Qt::AlignLeft;
    return {
        Column(groupText("Type"), left, typeWords).withTip([](const FailureGroup &group) {
            return tipText(group.type);
        }),
        Column(groupText("Error"), left, causeWords)
            .withTip([](const FailureGroup &group) { return tipText(group.cause); })
            .explained(groupText("What changes from message to message stands as *")),
        Column(groupText("Queue"), left, queueOfGroup).withTip([](const FailureGroup &group) {
            return tipText(group.queue);
        }),
        Column(groupText("Hour"), left, hourWords),
        Column(groupText("Count"), Qt::AlignRight,
               [](const FailureGroup &group) { return countText(group.count); }),
        Column(groupText("Share"), left, shareWords),
        Column(groupText("Trend"), left, trendWords)
            .explained(
                groupText("How many there are from each part of the time that is looked at")),
        timeColumn("Oldest", &FailureGroup::first),
        timeColumn("Newest", &FailureGroup::last),
        Column::ofText(groupText("Note"), [](const FailureGroup &group) { return group.note; }),
    };
}

} // namespace

GroupModel::GroupModel(QObject *parent)
    : KeyedTableModel(
        failureGroupColumns(), [](const FailureGroup &group) { return group.key(); }, parent)
{ }

QList<GroupModel::Columns> GroupModel::shownColumns(GroupBy by, FailureSource source)
{
    QList<Columns> shown{Count, Share, Trend, First, Last};
    if (by == GroupBy::Hour)
        shown.prepend(Hour);
    if (by == GroupBy::Queue || source == FailureSource::Tasks)
        shown.prepend(Queue);
    if (by == GroupBy::Cause || by == GroupBy::Error)
        shown.prepend(Cause);
    if (by == GroupBy::Cause || by == GroupBy::Type)
        shown.prepend(Type);
    return shown;
}

QString trendWords(const FailureGroup &group)
{
    const auto middle = group.trend.begin() + group.trend.size() / 2;
    const int older = std::accumulate(group.trend.begin(), middle, 0);
    const int newer = std::accumulate(middle, group.trend.end(), 0);
    if (older + newer == 0)
        return {};
    if (newer > older * 3 / 2)
        return groupText("rising");
    return older > newer * 3 / 2 ? groupText("falling") : groupText("steady");
}

QString titleOf(const FailureGroup &group)
{
    switch (group.by) {
    case GroupBy::Cause:
        return typeWords(group) + u": "_s + causeWords(group);
    case GroupBy::Error:
        return causeWords(group);
    case GroupBy::Type:
        return typeWords(group);
    case GroupBy::Queue:
        return queueOfGroup(group);
    case GroupBy::Hour:
        break;
    }
    return hourWords(group);
}

} // namespace outbox
