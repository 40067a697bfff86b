// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What failed in a made-up system, for tests of views.
#pragma once

#include "models/groups/failuresample.h"

#include "models/filter/cause.h"

namespace outbox::sample {

/// `count` items over the last 24 hours: one cause in two of three, the others fewer and fewer.
inline FailureSample failures(const FailureQuestion &question, int count)
{
    using namespace Qt::Literals::StringLiterals;
    struct Kind
    {
        QString type;
        QString error;
        int every;
    };
    static const QList<Kind> kinds{
        {u"email:deliver"_s, u"dial tcp 10.0.3.%1:25: connect: connection refused"_s, 1},
        {u"webhook:call"_s, u"POST https://hooks.example.org/v1/%1: 503 Service Unavailable"_s, 3},
        {u"invoice:render"_s, u"template \"invoice-%1\": field <b>total</b> is missing"_s, 7},
        {u"email:deliver"_s, u"550 mailbox \"ana%1@example.org\" unavailable"_s, 13},
        {u"image:resize"_s, u""_s, 29}};
    FailureSample sample;
    sample.question = question;
    sample.at = QDateTime::currentDateTimeUtc();
    for (int number = 0; number < count; ++number) {
        const Kind *kind = &kinds.first();
        for (const Kind &one : kinds) {
            if (number % one.every == one.every - 1)
                kind = &one;
        }
        FailedItem item;
        item.id = QString::number(number);
        item.type = kind->type;
        item.error = kind->error.contains(u"%1"_s) ? kind->error.arg(number) : kind->error;
        item.cause = causeOf(item.error);
        item.queue = number % 5 ? u"default"_s : u"critical"_s;
        // More and more of the first kind, the others evenly.
        const double part = double(number) / qMax(1, count);
        item.at
            = sample.at.addSecs(-qint64(86'000 * (kind == &kinds.first() ? part * part : part)));
        sample.items += item;
    }
    sample.total = sample.items.size();
    return sample;
}

} // namespace outbox::sample
