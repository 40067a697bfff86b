// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/relaylogmodel.h"

#include "models/plaintext.h"
#include "models/system/healthreport.h"
#include "models/translation.h"
#include "models/utctext.h"

#include <QLocale>

#include <algorithm>
#include <iterator>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The relay gave the rows back before it sent any of them: their queue rests, say.
bool isGivenBackUnsent(const RelayStep &step)
{
    return !step.error && !step.committed && step.isWhole() && step.doubt == RelayStep::Doubt::None;
}

HealthLevel levelOf(const RelayStep &step)
{
    // A step that sets rows aside is rolled back on purpose; the others go with the next one.
    if (!step.error && (!step.isWhole() || isGivenBackUnsent(step)))
        return HealthLevel::Watch;
    if (!step.committed)
        return HealthLevel::Broken;
    return step.deadInQueue == 0 ? HealthLevel::Ok : HealthLevel::Watch;
}

/// Somebody may want to know of it later.
bool isNoRoutine(const RelayStep &step)
{
    return levelOf(step) != HealthLevel::Ok || step.seenBefore() > 0;
}

constexpr Translation relayLogText("outbox::RelayLogModel");

QString stepVerdict(const RelayStep &step)
{
    if (step.doubt == RelayStep::Doubt::Open) {
        return relayLogText("in doubt, its COMMIT was not answered: %1")
            .arg(shownText(oneLine(*step.error)));
    }
    if (step.error)
        return relayLogText("rolled back: %1").arg(shownText(oneLine(*step.error)));
    if (step.doubt == RelayStep::Doubt::Settled) {
        return step.committed ? relayLogText("was in doubt: committed")
                              : relayLogText("was in doubt: rolled back");
    }
    if (!step.parked.isEmpty()) {
        const ParkedRow &first = step.parked.first();
        const QString which = step.parked.size() == 1 ? shownText(first.id.text)
                                                      : relayLogText("%1 and %2 more")
                                                            .arg(shownText(first.id.text))
                                                            .arg(step.parked.size() - 1);
        return relayLogText("set aside %1: %2; the others follow")
            .arg(which, shownText(first.reason));
    }
    if (!step.failed.isEmpty()) {
        const ParkedRow &first = step.failed.first();
        return relayLogText("row %1 failed: %2; it is tried again alone")
            .arg(shownText(first.id.text), shownText(first.reason));
    }
    if (!step.waiting.isEmpty()) {
        const WaitingRows &first = step.waiting.first();
        return relayLogText("%n rows wait: %1", nullptr, first.rows)
            .arg(shownText(oneLine(first.error)));
    }
    if (isGivenBackUnsent(step))
        return relayLogText("given back before anything was sent; its rows come again");
    if (step.deadInQueue > 0)
        return relayLogText("committed; %n dead in queue", nullptr, step.deadInQueue);
    return relayLogText("committed");
}

QString phasesTip(const RelayStep &step)
{
    return plainTooltip(relayLogText("claim %1 ms, enqueue %2 ms, commit %3 ms")
                            .arg(step.claimMs, 0, 'f', 1)
                            .arg(step.enqueueMs, 0, 'f', 1)
                            .arg(step.commitMs, 0, 'f', 1));
}

TableColumn<RelayStep> stepCount(const char *title, qint64 (*count)(const RelayStep &step))
{
    return TableColumn<RelayStep>(
        relayLogText(title), Qt::AlignRight,
        [count](const RelayStep &step) { return QLocale().toString(count(step)); });
}

QList<TableColumn<RelayStep>> relayLogColumns()
{
    using Column = TableColumn<RelayStep>;
    return {
        Column(relayLogText("Time"), Qt::AlignLeft,
               [](const RelayStep &step) { return step.at.toLocalTime().toString(u"HH:mm:ss"_s); }),
        stepCount("Batch", [](const RelayStep &step) { return step.number; }),
        stepCount("Rows", [](const RelayStep &step) { return qint64(step.claimed); }),
        stepCount("Enqueued", [](const RelayStep &step) { return qint64(step.enqueued); }),
        stepCount("Already queued",
                  [](const RelayStep &step) { return qint64(step.seenBefore()); }),
        stepCount("Parked", [](const RelayStep &step) { return qint64(step.parked.size()); }),
        Column(relayLogText("ms"), Qt::AlignRight,
               [](const RelayStep &step) { return QLocale().toString(step.tookMs(), 'f', 0); })
            .withTip(phasesTip),
        Column(relayLogText("Result"), Qt::AlignLeft, stepVerdict)
            .withState([](const RelayStep &step) { return QVariant::fromValue(levelOf(step)); })
            .withTip([](const RelayStep &step) { return plainTooltip(stepVerdict(step)); }),
    };
}

} // namespace

RelayLogModel::RelayLogModel(QObject *parent)
    : QAbstractTableModel(parent), m_columns(relayLogColumns())
{ }

void RelayLogModel::add(const QList<RelayStep> &steps)
{
    QList<RelayStep> fresh;
    for (auto step = steps.crbegin(); step != steps.crend() && fresh.size() < capacity; ++step) {
        if (step->claimed > 0 || step->error || !step->parked.isEmpty())
            fresh.append(*step);
    }
    QList<RelayStep> problems;
    std::copy_if(fresh.cbegin(), fresh.cend(), std::back_inserter(problems), isNoRoutine);
    push(m_steps, fresh);
    push(m_problems, problems);
}

void RelayLogModel::push(QList<RelayStep> &ring, const QList<RelayStep> &fresh)
{
    if (fresh.isEmpty())
        return;
    const bool isShown = &ring == &shown();
    const qsizetype kept = std::min(ring.size(), capacity - fresh.size());
    if (kept < ring.size()) {
        if (isShown)
            beginRemoveRows({}, static_cast<int>(kept), static_cast<int>(ring.size() - 1));
        ring.resize(kept);
        if (isShown)
            endRemoveRows();
    }
    if (isShown)
        beginInsertRows({}, 0, static_cast<int>(fresh.size() - 1));
    ring = fresh + ring;
    if (isShown)
        endInsertRows();
}

void RelayLogModel::clear()
{
    beginResetModel();
    m_steps.clear();
    m_problems.clear();
    endResetModel();
}

void RelayLogModel::setProblemsOnly(bool only)
{
    if (only == m_problemsOnly)
        return;
    beginResetModel();
    m_problemsOnly = only;
    endResetModel();
}

int RelayLogModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(shown().size());
}

int RelayLogModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RelayLogModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RelayStep &step = shown().at(index.row());
    return role == RowRole ? QVariant::fromValue(step)
                           : m_columns.at(index.column()).cell(step, role);
}

QVariant RelayLogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    return m_columns.at(section).header(role);
}

QString RelayLogModel::asText(const QList<int> &rows) const
{
    QStringList lines{u"at\tbatch\trows\tenqueued\tseen\tparked\tms\tverdict"_s};
    for (const int row : rows) {
        if (row < 0 || row >= shown().size())
            continue;
        const RelayStep &step = shown().at(row);
        lines.append(QStringList{utcText(step.at), QString::number(step.number),
                                 QString::number(step.claimed), QString::number(step.enqueued),
                                 QString::number(step.seenBefore()),
                                 QString::number(step.parked.size()),
                                 QString::number(step.tookMs(), 'f', 1), stepVerdict(step)}
                         .join(u'\t'));
    }
    return lines.join(u'\n') + u'\n';
}

} // namespace outbox
