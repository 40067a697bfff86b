// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/relaymetrics.h"

#include "models/system/relaylist.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray number(double value)
{
    if (std::isinf(value))
        return value > 0 ? "+Inf" : "-Inf";
    if (value == std::floor(value) && std::abs(value) < 1e15)
        return QByteArray::number(static_cast<qint64>(value));
    return QByteArray::number(value, 'g', 12);
}

/// Bounds are label values, and read as text: one spelling for each.
QString bound(double value)
{
    QString text = QString::fromLatin1(number(value));
    return text.contains(u'.') || std::isinf(value) ? text : QString(text + u".0"_s);
}

QByteArray escaped(QString text)
{
    text.replace(u'\\', u"\\\\"_s).replace(u'\n', u"\\n"_s).replace(u'"', u"\\\""_s);
    return text.toUtf8();
}

/// Builds one page of OpenMetrics text. A family is begun, then its samples follow; a name appears
/// once.
class MetricsPage
{
public:
    using Labels = QList<std::pair<QByteArray, QString>>;

    /// `name` without suffix; `unit` is its last word, or empty.
    void gauge(const QByteArray &name, const QByteArray &help, const QByteArray &unit = {})
    {
        begin(name, "gauge", help, unit);
    }
    void counter(const QByteArray &name, const QByteArray &help)
    {
        begin(name, "counter", help, {});
        m_sampleName = name + "_total";
    }
    /// One of `states` is true at a time.
    void stateSet(const QByteArray &name, const QByteArray &help, const QStringList &states,
                  const QString &current)
    {
        begin(name, "stateset", help, {});
        for (const QString &state : states)
            sample({{name, state}}, state == current ? 1 : 0);
    }
    void histogram(const QByteArray &name, const QByteArray &help, const QByteArray &unit,
                   const Histogram &values)
    {
        begin(name, "histogram", help, unit);
        const size_t last = values.bounds().size();
        for (size_t i = 0; i < last; ++i) {
            line(name + "_bucket", {{"le", bound(values.bounds()[i])}},
                 static_cast<double>(values.countUpTo(i)));
        }
        const auto all = static_cast<double>(values.countUpTo(last));
        line(name + "_bucket", {{"le", u"+Inf"_s}}, all);
        line(name + "_count", {}, all);
        line(name + "_sum", {}, values.sum());
    }
    /// Of the family begun last. What is not known has no sample: never a 0 in its place.
    void sample(const Labels &labels, std::optional<double> value)
    {
        if (value)
            line(m_sampleName, labels, *value);
    }
    /// The whole page; nothing may be added after it.
    [[nodiscard]] QByteArray finish() { return m_text + "# EOF\n"; }

private:
    void begin(const QByteArray &name, const QByteArray &type, const QByteArray &help,
               const QByteArray &unit)
    {
        m_text += "# TYPE " + name + ' ' + type + '\n';
        if (!unit.isEmpty())
            m_text += "# UNIT " + name + ' ' + unit + '\n';
        m_text += "# HELP " + name + ' ' + help + '\n';
        m_sampleName = name;
    }
    void line(const QByteArray &name, const Labels &labels, double value)
    {
        m_text += name;
        char before = '{';
        for (const auto &[label, text] : labels) {
            m_text += before + label + "=\"" + escaped(text) + '"';
            before = ',';
        }
        m_text += (labels.isEmpty() ? " " : "} ") + number(value) + '\n';
    }

    QByteArray m_text;
    QByteArray m_sampleName;
};

template <typename T> std::optional<double> figure(const std::optional<T> &value)
{
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

double figure(qint64 value)
{
    return static_cast<double>(value);
}

void addRelay(MetricsPage &page, const RelayTotals &totals, RelayState now,
              const Histogram &batchSeconds)
{
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
                   "seconds", batchSeconds);
    QStringList states;
    for (const RelayState state :
         {RelayState::Starting, RelayState::Running, RelayState::Paused, RelayState::Draining,
          RelayState::BackingOff, RelayState::Stopping, RelayState::Stopped, RelayState::Failed})
        states += word(state);
    page.stateSet("outbox_relay_state", "Where the relay stands.", states, word(now));
}

/// Of all hosts, by what they do; the queue says which there are, and has told all of them.
void addRelayList(MetricsPage &page, const SourceFigures &sources)
{
    const QueueSnapshot &queue = *sources.queue;
    const QList<ListedRelay> relays = listRelays(
        {queue}, queue.name, sources.outbox ? longestWait(*sources.outbox) : std::nullopt);
    page.gauge("outbox_relays", "Relays of all hosts that the queue knows, by what they do.",
               "relays");
    for (const RelayActivity activity :
         {RelayActivity::Working, RelayActivity::Idle, RelayActivity::Silent,
          RelayActivity::Stopped, RelayActivity::Unknown}) {
        const auto count
            = std::count_if(relays.cbegin(), relays.cend(), [activity](const ListedRelay &relay) {
                  return relay.activity == activity;
              });
        page.sample({{"state", word(activity)}}, figure(static_cast<qint64>(count)));
    }
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
    if (sources.queue && !sources.queue->notes.contains(u"relays"_s))
        addRelayList(page, sources);
    if (sources.dedup) {
        page.gauge("outbox_dedup_retained_ids", "Ids that a second enqueue is refused for.", "ids");
        page.sample({{"queue", sources.dedup->name.text}}, figure(sources.dedup->retained));
    }
}

} // namespace

void Histogram::add(double value)
{
    const auto place = std::lower_bound(m_bounds.begin(), m_bounds.end(), value);
    ++m_counts[static_cast<size_t>(place - m_bounds.begin())];
    m_sum += value;
}

qint64 Histogram::countUpTo(size_t index) const
{
    qint64 count = 0;
    for (size_t i = 0; i <= index; ++i)
        count += m_counts[i];
    return count;
}

Histogram batchSecondsHistogram()
{
    return Histogram({0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10});
}

QByteArray relayMetrics(const RelayTotals &totals, RelayState state, const Histogram &batchSeconds,
                        const SourceFigures &sources)
{
    MetricsPage page;
    addRelay(page, totals, state, batchSeconds);
    addSources(page, sources);
    return page.finish();
}

} // namespace outbox
