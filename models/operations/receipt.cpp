// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/receipt.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QMap<Outcome, qsizetype> counted(const QList<ReceiptItem> &items)
{
    QMap<Outcome, qsizetype> counts;
    for (const ReceiptItem &item : items)
        ++counts[item.outcome];
    return counts;
}

} // namespace

QMap<Outcome, qsizetype> Receipt::counts() const
{
    return counted(items);
}

QMap<Outcome, qsizetype> Receipt::trimmedCounts() const
{
    return counted(trimmed);
}

qsizetype Receipt::count(Outcome outcome) const
{
    return std::count_if(items.begin(), items.end(),
                         [outcome](const ReceiptItem &item) { return item.outcome == outcome; });
}

bool Receipt::isInDoubt() const
{
    return counts().contains(Outcome::InDoubt) || trimmedCounts().contains(Outcome::InDoubt);
}

QString Receipt::sentence() const
{
    const auto words = [](const QMap<Outcome, qsizetype> &counts) {
        QStringList parts;
        for (const Outcome outcome : allOutcomes()) {
            if (counts.contains(outcome) || outcome == Outcome::Done)
                parts += QLocale::c().toString(counts.value(outcome)) + u' ' + label(outcome);
        }
        return parts.join(u", "_s);
    };
    const QString sentence = words(counts());
    return trimmed.isEmpty()
        ? sentence
        : QString(sentence + u"; trimmed to make room: "_s + words(trimmedCounts()));
}

} // namespace outbox
