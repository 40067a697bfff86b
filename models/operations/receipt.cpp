// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/receipt.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QMap<Outcome, qsizetype> Receipt::counts() const
{
    QMap<Outcome, qsizetype> counts;
    for (const ReceiptItem &item : items)
        ++counts[item.outcome];
    return counts;
}

qsizetype Receipt::count(Outcome outcome) const
{
    return std::count_if(items.begin(), items.end(),
                         [outcome](const ReceiptItem &item) { return item.outcome == outcome; });
}

QString Receipt::sentence() const
{
    const QMap<Outcome, qsizetype> counted = counts();
    QStringList parts;
    for (const Outcome outcome : allOutcomes()) {
        if (counted.contains(outcome) || outcome == Outcome::Done)
            parts += QLocale::c().toString(counted.value(outcome)) + u' ' + label(outcome);
    }
    return parts.join(u", "_s);
}

} // namespace outbox
