// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/findingmodel.h"

#include "models/operations/findingwords.h"
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
        Column(findingText("What is inconsistent"), Qt::AlignLeft,
               [](const FindingGroup &group) { return findingSentence(group.kind, group.count); })
            .withTip([](const FindingGroup &group) { return tipText(textOf(group.kind).why); }),
        Column(findingText("Count"), Qt::AlignRight,
               [](const FindingGroup &group) { return countText(group.count); }),
        Column(findingText("What can be done"), Qt::AlignLeft, repairWords)
            .withTip([](const FindingGroup &group) { return tipText(textOf(group.kind).repair); }),
        Column(findingText("Since"), Qt::AlignLeft, sinceWords)
            .withRoomFor(momentSamples())
            .explained(findingText("The oldest, as long as we know of it")),
        Column(findingText("Where"), Qt::AlignLeft,
               [](const FindingGroup &group) { return word(textOf(group.kind).place); }),
        Column(findingText("Kind"), Qt::AlignLeft,
               [](const FindingGroup &group) {
                   return QString(word(group.kind) + u"  "_s + textOf(group.kind).title);
               })
            .explained(findingText("Its name for outboxctl and in the documents")),
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
        if (finding.expected == Outcome::SecondExecution)
            ++group.again;
        if (finding.since && (!group.since || *finding.since < *group.since))
            group.since = finding.since;
    }
    return groups.values();
}

QString repairWords(const FindingGroup &group)
{
    if (group.repairable > 0) {
        const QString here
            = findingText("%1 can be repaired here").arg(countText(group.repairable));
        return group.again > 0
            ? QString(here + u"; "_s
                      + findingText("%1 may run a second time").arg(countText(group.again)))
            : here;
    }
    switch (textOf(group.kind).offer) {
    case RepairOffer::NotNeeded:
        return findingText("no repair needed: it goes away");
    case RepairOffer::Elsewhere:
        return fixWords(group.kind);
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
        = findingText("Checked at %1: %2 rows, %3 tasks and %4 keys in %5")
              .arg(momentText(report.at, now), countText(report.rows), countText(report.tasks),
                   countText(report.keys), spanText(report.tookMs / 1000));
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

void FindingGroupModel::setGroups(const QList<FindingGroup> &groups)
{
    QSet<FindingKind> leftOut;
    for (const FindingGroup &group : groups) {
        if (m_leftOut.contains(group.kind))
            leftOut += group.kind;
    }
    m_leftOut = leftOut;
    merge(groups);
}

QList<FindingKind> FindingGroupModel::chosen() const
{
    QList<FindingKind> kinds;
    for (const FindingGroup &group : rows()) {
        if (group.repairable > 0 && !m_leftOut.contains(group.kind))
            kinds += group.kind;
    }
    return kinds;
}

qsizetype FindingGroupModel::chosenRepairs() const
{
    qsizetype count = 0;
    for (const FindingGroup &group : rows()) {
        if (!m_leftOut.contains(group.kind))
            count += group.repairable;
    }
    return count;
}

bool FindingGroupModel::isOffered(const QModelIndex &index) const
{
    return index.column() == Meaning
        && checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)
        && row(index.row()).repairable > 0;
}

QVariant FindingGroupModel::data(const QModelIndex &index, int role) const
{
    if (role != Qt::CheckStateRole)
        return KeyedTableModel::data(index, role);
    if (!isOffered(index))
        return {};
    return m_leftOut.contains(row(index.row()).kind) ? Qt::Unchecked : Qt::Checked;
}

Qt::ItemFlags FindingGroupModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags plain = KeyedTableModel::flags(index);
    return isOffered(index) ? plain | Qt::ItemIsUserCheckable : plain;
}

bool FindingGroupModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || !isOffered(index))
        return false;
    const FindingKind kind = row(index.row()).kind;
    if (static_cast<Qt::CheckState>(value.toInt()) == Qt::Checked)
        m_leftOut.remove(kind);
    else
        m_leftOut.insert(kind);
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit chosenChanged();
    return true;
}

FindingModel::FindingModel(QObject *parent) : KeyedTableModel(findingColumns(), keyOf, parent)
{ }

} // namespace outbox
