// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/relaymetrics.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

template <typename T> std::optional<double> figure(const std::optional<T> &value)
{
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

double figure(qint64 value)
{
    return static_cast<double>(value);
}

void addRelay(MetricsPage &page, const RelayFigures &figures)
{
    const RelayTotals &totals = figures.totals;
    page.counter("outbox_relay_messages",
                 "Rows that this relay took off the outbox or set aside, by what became of them.");
    page.sample({{"result", u"enqueued"_s}}, figure(totals.enqueued));
    page.sample({{"result", u"already_queued"_s}}, figure(totals.alreadyQueued));
    page.sample({{"result", u"already_done"_s}}, figure(totals.alreadyDone));
    page.sample({{"result", u"dead_in_queue"_s}}, figure(totals.deadInQueue));
    page.sample({{"result", u"parked"_s}}, figure(totals.parked));
    page.counter("outbox_relay_batches", "Transactions of this relay, by how they ended.");
    page.sample({{"result", u"committed"_s}}, figure(totals.batches));
    page.sample({{"result", u"rolled_back"_s}}, figure(totals.rollbacks));
    page.gauge("outbox_relay_batches_in_doubt",
               "Transactions whose COMMIT was not answered, and may have gone or not.");
    page.sample({}, figure(totals.inDoubt));
    page.histogram("outbox_relay_batch_seconds", "Time of a committed batch, claim to COMMIT.",
                   "seconds", figures.batchSeconds);
    QStringList states;
    for (const RelayState state :
         {RelayState::Starting, RelayState::Running, RelayState::Paused, RelayState::Draining,
          RelayState::BackingOff, RelayState::Stopping, RelayState::Stopped, RelayState::Failed})
        states += word(state);
    page.stateSet("outbox_relay_state", "Where the relay stands.", states, word(figures.state));
}

void addSources(MetricsPage &page, const SourceFigures &sources)
{
    page.gauge("outbox_source_up", "Whether the last look at the source was answered.");
    page.sample({{"source", u"database"_s}}, figure(sources.databaseUp));
    page.sample({{"source", u"queue"_s}}, figure(sources.queueUp));
    if (sources.outbox) {
        const OutboxSnapshot &rows = *sources.outbox;
        page.gauge("outbox_pending_rows", "Due rows that no one holds.", "rows");
        page.sample({}, figure(rows.pending));
        page.gauge("outbox_locked_rows", "Rows that an open transaction or a live lease holds.",
                   "rows");
        page.sample({}, figure(rows.locked));
        page.gauge("outbox_parked_rows", "Rows set aside: no relay sends them.", "rows");
        page.sample({}, figure(rows.parked));
        page.gauge("outbox_waiting_rows", "Rows that are not due yet.", "rows");
        page.sample({}, figure(rows.waiting));
        page.gauge("outbox_failed_rows", "Rows that are marked as failed.", "rows");
        page.sample({}, figure(rows.failed));
        page.gauge("outbox_unnamed_rows", "Rows in states that the mapping does not name.", "rows");
        page.sample({}, figure(rows.unknown));
        page.gauge("outbox_oldest_pending_age_seconds", "Age of the oldest due row.", "seconds");
        page.sample({}, rows.oldestPendingSeconds);
        page.gauge("outbox_counts_exact",
                   "0 where counting rows stopped at its limit, or goes by a guess.");
        page.sample({}, rows.exact ? 1 : 0);
        page.gauge("outbox_mapping_confirmed",
                   "0 where all numbers of rows are read by a mapping that is a guess.");
        page.sample({}, rows.guess ? 0 : 1);
        page.gauge("outbox_mapping_confidence_ratio", "How sure that guess is.", "ratio");
        page.sample({}, rows.guess ? rows.guess->confidence : std::nullopt);
    }
    if (sources.queue) {
        const QueueSnapshot &queue = *sources.queue;
        page.gauge("outbox_queue_tasks", "Tasks in the queue, by state.", "tasks");
        const auto tasks = [&](const QString &state, std::optional<double> count) {
            page.sample({{"queue", queue.name.text}, {"state", state}}, count);
        };
        tasks(u"pending"_s, figure(queue.pending));
        tasks(u"active"_s, figure(queue.active));
        tasks(u"scheduled"_s, figure(queue.scheduled));
        tasks(u"retry"_s, figure(queue.retry));
        tasks(u"archived"_s, figure(queue.archived));
        tasks(u"completed"_s, figure(queue.completed));
        tasks(u"aggregating"_s, figure(queue.aggregating));
        page.gauge("outbox_queue_paused", "1 where the queue is paused.");
        page.sample({{"queue", queue.name.text}}, queue.paused ? 1 : 0);
        page.gauge("outbox_queue_servers", "Live servers that serve the queue.");
        page.sample({{"queue", queue.name.text}}, figure(queue.servers));
        page.gauge("outbox_queue_oldest_pending_age_seconds", "For how long the next task waits.",
                   "seconds");
        page.sample({{"queue", queue.name.text}}, queue.oldestPendingSeconds);
    }
    if (sources.dedup) {
        page.gauge("outbox_dedup_retained_ids", "Ids that a second enqueue is refused for.", "ids");
        page.sample({{"queue", sources.dedup->name.text}}, figure(sources.dedup->retained));
    }
}

} // namespace

Histogram batchSecondsHistogram()
{
    return Histogram({0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10});
}

QByteArray relayMetrics(const RelayFigures &figures)
{
    MetricsPage page;
    addRelay(page, figures);
    addSources(page, figures.sources);
    return page.finish();
}

} // namespace outbox
