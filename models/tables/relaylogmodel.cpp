// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/relaylogmodel.h"

#include "models/plaintext.h"
#include "models/system/healthreport.h"

#include <QLocale>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

HealthLevel levelOf(const RelayStep &step)
{
    // A step that sets rows aside is rolled back on purpose; the others go with the next one.
    if (!step.error && (!step.parked.isEmpty() || !step.failed.isEmpty()))
        return HealthLevel::Watch;
    if (!step.committed)
        return HealthLevel::Broken;
    return step.deadInQueue == 0 ? HealthLevel::Ok : HealthLevel::Watch;
}

} // namespace

RelayLogModel::RelayLogModel(QObject *parent) : QAbstractTableModel(parent)
{ }

void RelayLogModel::add(const QList<RelayStep> &steps)
{
    QList<RelayStep> fresh;
    for (auto step = steps.crbegin(); step != steps.crend() && fresh.size() < capacity; ++step) {
        if (step->claimed > 0 || step->error || !step->parked.isEmpty())
            fresh.append(*step);
    }
    if (fresh.isEmpty())
        return;
    const qsizetype kept = std::min(m_steps.size(), capacity - fresh.size());
    if (kept < m_steps.size()) {
        beginRemoveRows({}, static_cast<int>(kept), static_cast<int>(m_steps.size() - 1));
        m_steps.resize(kept);
        endRemoveRows();
    }
    beginInsertRows({}, 0, static_cast<int>(fresh.size() - 1));
    m_steps = fresh + m_steps;
    endInsertRows();
}

void RelayLogModel::clear()
{
    beginResetModel();
    m_steps.clear();
    endResetModel();
}

int RelayLogModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_steps.size());
}

int RelayLogModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString RelayLogModel::cell(const RelayStep &step, int column) const
{
    const QLocale locale;
    switch (column) {
    case Time:
        return step.at.toLocalTime().toString(u"HH:mm:ss"_s);
    case Batch:
        return locale.toString(step.number);
    case Rows:
        return locale.toString(step.claimed);
    case Enqueued:
        return locale.toString(step.enqueued);
    case Seen:
        return locale.toString(step.alreadyQueued + step.alreadyDone + step.deadInQueue);
    case Parked:
        return locale.toString(step.parked.size());
    case Milliseconds:
        return locale.toString(step.claimMs + step.enqueueMs + step.commitMs, 'f', 0);
    case Verdict:
        break;
    default:
        return {};
    }
    if (step.doubt == RelayStep::Doubt::Open)
        return tr("in doubt, its COMMIT was not answered: %1").arg(shownText(oneLine(*step.error)));
    if (step.error)
        return tr("rolled back: %1").arg(shownText(oneLine(*step.error)));
    if (step.doubt == RelayStep::Doubt::Settled)
        return step.committed ? tr("was in doubt: committed") : tr("was in doubt: rolled back");
    if (!step.parked.isEmpty()) {
        const ParkedRow &first = step.parked.first();
        const QString which = step.parked.size() == 1
            ? shownText(first.id.text)
            : tr("%1 and %2 more").arg(shownText(first.id.text)).arg(step.parked.size() - 1);
        return tr("set aside %1: %2; the others follow").arg(which, shownText(first.reason));
    }
    if (!step.failed.isEmpty()) {
        const ParkedRow &first = step.failed.first();
        return tr("row %1 failed: %2; it is tried again alone")
            .arg(shownText(first.id.text), shownText(first.reason));
    }
    if (!step.committed)
        return tr("rolled back");
    if (step.deadInQueue > 0)
        return tr("committed; %n dead in queue", nullptr, step.deadInQueue);
    return tr("committed");
}

QVariant RelayLogModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RelayStep &step = m_steps.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return cell(step, index.column());
    case Qt::TextAlignmentRole: {
        const bool text = index.column() == Time || index.column() == Verdict;
        return QVariant::fromValue(Qt::AlignVCenter | (text ? Qt::AlignLeft : Qt::AlignRight));
    }
    case Qt::ToolTipRole:
        if (index.column() == Verdict)
            return plainTooltip(cell(step, Verdict));
        if (index.column() == Milliseconds) {
            return plainTooltip(tr("claim %1 ms, enqueue %2 ms, commit %3 ms")
                                    .arg(step.claimMs, 0, 'f', 1)
                                    .arg(step.enqueueMs, 0, 'f', 1)
                                    .arg(step.commitMs, 0, 'f', 1));
        }
        return {};
    case StateRole:
        return QVariant::fromValue(levelOf(step));
    case RowRole:
        return QVariant::fromValue(step);
    default:
        return {};
    }
}

QVariant RelayLogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool text = section == Time || section == Verdict;
        return QVariant::fromValue(Qt::AlignVCenter | (text ? Qt::AlignLeft : Qt::AlignRight));
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case Time:
        return tr("Time");
    case Batch:
        return tr("Batch");
    case Rows:
        return tr("Rows");
    case Enqueued:
        return tr("Enqueued");
    case Seen:
        return tr("Seen before");
    case Parked:
        return tr("Parked");
    case Milliseconds:
        return tr("ms");
    case Verdict:
        return tr("Verdict");
    case ColumnCount:
        break;
    }
    return {};
}

QString RelayLogModel::asText(const QList<int> &rows) const
{
    QStringList lines{u"at\tbatch\trows\tenqueued\tseen\tparked\tms\tverdict"_s};
    for (const int row : rows) {
        if (row < 0 || row >= m_steps.size())
            continue;
        const RelayStep &step = m_steps.at(row);
        const int seen = step.alreadyQueued + step.alreadyDone + step.deadInQueue;
        const double took = step.claimMs + step.enqueueMs + step.commitMs;
        lines.append(QStringList{
            step.at.toUTC().toString(Qt::ISODateWithMs), QString::number(step.number),
            QString::number(step.claimed), QString::number(step.enqueued), QString::number(seen),
            QString::number(step.parked.size()), QString::number(took, 'f', 1), cell(step, Verdict)}
                         .join(u'\t'));
    }
    return lines.join(u'\n') + u'\n';
}

} // namespace outbox
