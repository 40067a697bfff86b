// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/findingmodel.h"

#include "models/operations/planwords.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/translation.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation findingText("outbox::FindingModel");

QString idOf(const Finding &finding)
{
    if (!finding.row.isEmpty())
        return finding.row.text;
    return finding.task.isEmpty() ? finding.subject : finding.task.text;
}

/// One id may be found twice under one kind: in two queues, or by two keys.
QString keyOf(const Finding &finding)
{
    return QString(word(finding.kind) + u'\n' + finding.queue.text + u'\n' + idOf(finding) + u'\n'
                   + finding.subject);
}

QString sinceWords(const FindingGroup &group)
{
    return group.since ? momentText(*group.since, QDateTime::currentDateTimeUtc())
                       : findingText("not known");
}

QList<FindingGroupModel::Column> groupColumns()
{
    using Column = FindingGroupModel::Column;
    return {
        Column(findingText("Kind"), Qt::AlignLeft,
               [](const FindingGroup &group) {
                   return QString(word(group.kind) + u"  "_s + textOf(group.kind).title);
               })
            .withTip([](const FindingGroup &group) { return tipText(textOf(group.kind).why); }),
        Column(findingText("Where"), Qt::AlignLeft,
               [](const FindingGroup &group) { return word(textOf(group.kind).place); }),
        Column(findingText("Count"), Qt::AlignRight,
               [](const FindingGroup &group) { return countText(group.count); }),
        Column(findingText("Since"), Qt::AlignLeft, sinceWords)
            .withRoomFor(momentSamples())
            .explained(findingText("The oldest, as long as we know of it")),
        Column(findingText("Repair"), Qt::AlignLeft, repairWords)
            .withTip([](const FindingGroup &group) { return tipText(textOf(group.kind).repair); }),
    };
}

QList<FindingModel::Column> findingColumns()
{
    using Column = FindingModel::Column;
    return {
        Column(findingText("Outcome"), Qt::AlignLeft,
               [](const Finding &one) { return expectationWords(Verb::Reconcile, one.expected); })
            .withState([](const Finding &one) { return QVariant::fromValue(one.expected); }),
        Column::ofText(findingText("Id"), [](const Finding &one) { return idOf(one); }),
        Column(findingText("Queue"), Qt::AlignLeft,
               [](const Finding &one) { return cellText(one.queue.text); }),
        Column::ofText(findingText("Evidence"), [](const Finding &one) { return one.evidence; }),
        Column::ofText(findingText("Reason"), [](const Finding &one) { return one.reason; }),
    };
}

} // namespace

QList<FindingGroup> groupsOf(const ScanReport &report)
{
    QMap<FindingKind, FindingGroup> groups;
    for (const Finding &finding : report.findings) {
        FindingGroup &group = groups[finding.kind];
        group.kind = finding.kind;
        ++group.count;
        if (finding.isRepairable())
            ++group.repairable;
        if (finding.since && (!group.since || *finding.since < *group.since))
            group.since = finding.since;
    }
    return groups.values();
}

QString repairWords(const FindingGroup &group)
{
    if (group.repairable > 0)
        return findingText("%1 can be repaired").arg(countText(group.repairable));
    switch (textOf(group.kind).offer) {
    case RepairOffer::NotNeeded:
        return findingText("none needed: it ends by itself");
    case RepairOffer::Elsewhere:
        return findingText("fix with another verb or a setting");
    case RepairOffer::Here:
        return findingText("not as they stand now");
    case RepairOffer::Never:
        break;
    }
    return findingText("needs your decision");
}

QString lookWords(const ScanReport &report, const QDateTime &now)
{
    const QString looked
        = findingText("%1 rows, %2 tasks and %3 keys in %4 at %5")
              .arg(countText(report.rows), countText(report.tasks), countText(report.keys),
                   spanText(report.tookMs / 1000), momentText(report.at, now));
    return report.complete ? QString(looked + u'.')
        : report.position
        ? QString(looked + u"; "_s + findingText("stopped before its end."))
        : QString(looked + u"; "_s + findingText("not everything could be read."));
}

FindingGroupModel::FindingGroupModel(QObject *parent)
    : KeyedTableModel(
        groupColumns(), [](const FindingGroup &group) { return static_cast<int>(group.kind); },
        parent)
{ }

FindingModel::FindingModel(QObject *parent) : KeyedTableModel(findingColumns(), keyOf, parent)
{ }

} // namespace outbox
