// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/fleetmodel.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/system/exactcount.h"
#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation fleetText("outbox::FleetModel");

using FleetColumn = FleetModel::Column;

bool isWellRow(const FleetRow &row)
{
    return row.totals.has_value();
}

bool wasSeen(const FleetRow &row)
{
    return row.line.at.isValid();
}

QString fleetKey(const FleetRow &row)
{
    return isWellRow(row) ? u"\n"_s : row.line.key;
}

QString levelWords(const FleetRow &row)
{
    if (isWellRow(row))
        return label(HealthLevel::Ok);
    return wasSeen(row) ? label(row.line.report.level) : QString();
}

QVariant levelState(const FleetRow &row)
{
    if (isWellRow(row))
        return QVariant::fromValue(HealthLevel::Ok);
    return wasSeen(row) && !row.isStale() ? QVariant::fromValue(row.line.report.level) : QVariant();
}

QString systemName(const FleetRow &row)
{
    if (isWellRow(row))
        return {};
    return row.line.name.isEmpty() ? fleetText("(not readable)") : row.line.name;
}

QString sentenceWords(const FleetRow &row)
{
    if (isWellRow(row))
        return wellWords(*row.totals);
    return wasSeen(row) ? row.line.report.sentence : fleetText("Not looked at yet.");
}

QString sentenceTip(const FleetRow &row)
{
    if (isWellRow(row)) {
        return tipText(row.isOpen ? fleetText("Enter or a double click folds them.")
                                  : fleetText("Enter or a double click shows them."));
    }
    QStringList told{sentenceWords(row)};
    for (const HealthCause &cause : row.line.report.causes) {
        if (cause.text != told.constFirst())
            told += cause.text;
    }
    return tipText(told.join(u'\n'));
}

/// A count of a system, with a dash where it is not known.
FleetColumn fleetCount(const char *title, std::optional<qint64> FleetLine::*member,
                       bool FleetLine::*exact, const char *explanation)
{
    return FleetColumn(fleetText(title), Qt::AlignRight,
                       [member, exact](const FleetRow &row) {
                           if (isWellRow(row))
                               return QString();
                           return countOrDash(row.line.*member, !exact || row.line.*exact);
                       })
        .withNumber([member](const FleetRow &row) {
            const std::optional<qint64> &count = row.line.*member;
            return count ? QVariant(*count) : QVariant();
        })
        .explained(fleetText(explanation));
}

QString oldestWords(const FleetRow &row)
{
    if (isWellRow(row))
        return {};
    const auto &oldest = row.line.oldestPendingSeconds;
    return oldest ? spanText(*oldest) : u"-"_s;
}

QString ageWords(const FleetRow &row)
{
    if (isWellRow(row) || !row.ageSeconds)
        return {};
    constexpr qint64 fewSeconds = 120;
    return *row.ageSeconds < fewSeconds
        ? fleetText("%1 s ago").arg(*row.ageSeconds)
        : fleetText("%1 ago").arg(spanText(static_cast<double>(*row.ageSeconds)));
}

QList<FleetColumn> fleetColumns()
{
    return {
        FleetColumn(fleetText("Level"), Qt::AlignLeft, levelWords).withState(levelState),
        FleetColumn::ofText(fleetText("System"), systemName),
        FleetColumn::ofText(fleetText("Group"), [](const FleetRow &row) { return row.line.group; }),
        FleetColumn(fleetText("Sentence"), Qt::AlignLeft,
                    [](const FleetRow &row) { return cellText(sentenceWords(row)); })
            .withTip(sentenceTip),
        FleetColumn(fleetText("Oldest"), Qt::AlignRight, oldestWords)
            .withRoomFor(spanSamples())
            .explained(fleetText("Age of the oldest row that could go now")),
        fleetCount("Waiting", &FleetLine::waiting, &FleetLine::isWaitingExact,
                   "Rows that could go now"),
        fleetCount("Dead", &FleetLine::dead, nullptr, "Tasks of its queue that failed for good"),
        fleetCount("In queue", &FleetLine::depth, &FleetLine::isDepthExact,
                   "Tasks of its queue that are not done, the dead ones apart"),
        FleetColumn(fleetText("Looked at"), Qt::AlignLeft, ageWords)
            .withTip([](const FleetRow &row) { return exactTime(row.line.at); }),
    };
}

} // namespace

bool FleetRow::isStale() const
{
    return ageSeconds && static_cast<double>(*ageSeconds) > HealthLimits().stale;
}

FleetModel::FleetModel(QObject *parent) : KeyedTableModel(fleetColumns(), fleetKey, parent)
{ }

QString wellWords(const FleetTotals &totals)
{
    return fleetText("%1 of %2 are well").arg(countText(totals.ok), countText(totals.systems));
}

QList<FleetRow> fleetRows(const QList<FleetLine> &lines, const FleetFilter &filter, bool isOpen,
                          const QString &chosen, const QDateTime &now)
{
    QList<FleetRow> rows;
    QList<FleetRow> well;
    FleetTotals totals;
    const bool isFolding = filter.text.isEmpty();
    for (const FleetLine &line : lines) {
        if (!filter.fits(line))
            continue;
        FleetRow row;
        row.line = line;
        if (line.at.isValid())
            row.ageSeconds = qMax<qint64>(0, line.at.secsTo(now));
        HealthLevel level = line.report.level;
        if (level == HealthLevel::Ok && row.isStale()) // it was, and may be no more
            level = HealthLevel::Unknown;
        const bool isWell = level == HealthLevel::Ok;
        totals.add(level);
        if (!isFolding || !isWell)
            rows += row;
        else if (isOpen || line.key == chosen)
            well += row;
    }
    if (isFolding && totals.ok > 0) {
        FleetRow sum;
        sum.totals = totals;
        sum.isOpen = isOpen;
        rows += sum;
    }
    return rows + well;
}

} // namespace outbox
