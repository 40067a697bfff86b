// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/comparisonmodel.h"

#include "models/payload/celltext.h"
#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation comparedText("outbox::ComparisonModel");

QString tipOfStation(const std::optional<ComparedStep::Station> &station, const QDateTime &now)
{
    return station ? pointText(station->point, now) : QString();
}

QList<ComparedStepModel::Column> comparedStepColumns()
{
    using Column = ComparedStepModel::Column;
    const Qt::Alignment left = Qt::AlignLeft;
    return {
        Column(comparedText("Step"), left, [](const ShownStep &one) { return one.step; }),
        Column(comparedText("A"), left, [](const ShownStep &one) { return one.a; })
            .withTip([](const ShownStep &one) { return tipText(one.tipOfA); }),
        Column(comparedText("B"), left, [](const ShownStep &one) { return one.b; })
            .withTip([](const ShownStep &one) { return tipText(one.tipOfB); }),
        Column(comparedText("Difference"), left,
               [](const ShownStep &one) { return one.difference; }),
    };
}

QString fieldTitle(const ComparedField &field)
{
    return field.is == Likeness::NotKnown ? comparedText("%1 (not known)").arg(field.title)
                                          : field.title;
}

QList<ComparedFieldModel::Column> comparedFieldColumns()
{
    using Column = ComparedFieldModel::Column;
    return {
        Column::ofText(comparedText("Field"), fieldTitle),
        Column::ofText(comparedText("A"), [](const ComparedField &field) { return field.a; }),
        Column::ofText(comparedText("B"), [](const ComparedField &field) { return field.b; }),
    };
}

} // namespace

ComparedStepModel::ComparedStepModel(QObject *parent)
    : KeyedTableModel(
        comparedStepColumns(), [](const ShownStep &one) { return one.number; }, parent)
{ }

void ComparedStepModel::show(const Comparison &comparison)
{
    QList<ShownStep> shown;
    const ComparedJourneys &journeys = comparison.journeys;
    for (qsizetype at = 0; at < journeys.steps.size(); ++at) {
        const ComparedStep &step = journeys.steps.at(at);
        QString difference = stepDifferenceText(step);
        if (at == journeys.widest)
            difference = comparedText("%1, the most").arg(difference);
        shown += ShownStep{static_cast<int>(at),
                           stepName(step),
                           stationText(step.a, comparison.now),
                           stationText(step.b, comparison.now),
                           difference,
                           tipOfStation(step.a, comparison.now),
                           tipOfStation(step.b, comparison.now)};
    }
    merge(shown);
}

ComparedFieldModel::ComparedFieldModel(QObject *parent)
    : KeyedTableModel(
        comparedFieldColumns(), [](const ComparedField &field) { return field.name; }, parent)
{ }

} // namespace outbox
