// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The filter language, in all places that speak it.
#include "models/filter/activityfilter.h"
#include "models/filter/cause.h"
#include "models/filter/filter.h"
#include "models/filter/pattern.h"
#include "models/filter/rowfilter.h"
#include "models/filter/taskfilter.h"
#include "models/tables/statefilter.h"
#include "tests/fuzz/fuzzing.h"

using namespace outbox;

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QString text = QString::fromUtf8(fuzz::bytesOf(data, size));
    const auto filter = Filter::fromText(text);
    if (!filter) {
        fuzz::demand(filter.error().position <= text.size());
        fuzz::demand(!filter.error().text.isEmpty());
    } else {
        const auto again = Filter::fromText(filter->text());
        fuzz::demand(again.has_value() && *again == *filter);
    }
    const QDateTime now = QDateTime::fromSecsSinceEpoch(1'795'225'841, Qt::UTC);
    if (const auto page = pageRequestFromFilter(text, {}, now); !page)
        fuzz::demand(page.error().position <= text.size());
    if (const auto tasks = TaskFilter::fromText(text, now)) {
        Task task;
        task.type = text.left(40);
        task.lastError = text;
        static_cast<void>(tasks->of(task));
    }
    if (const auto activity = activityChecksOf(text, now))
        static_cast<void>(matches(*activity, {}));
    const QString cause = causeOf(text);
    fuzz::demand(fitsWildcards(cause, text) && cause.isEmpty() == text.isEmpty());
    const QStringList states = statesInFilter(text);
    static_cast<void>(filterWithStates(text, states));
    return 0;
}
