// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/relayrun.h"

#include "app/audit/recordwriter.h"
#include "app/cli/run/lastingtrouble.h"
#include "app/cli/run/tellplaces.h"
#include "app/service/metricssampler.h"
#include "app/service/relaymetrics.h"
#include "app/service/signals.h"
#include "app/service/systemdnotifier.h"
#include "app/settings/folders.h"
#include "connectors/asynq/wire/queuefence.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "models/health/promise.h"
#include "models/plaintext.h"
#include "models/system/snapshots.h"
#include "models/utctext.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QHash>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// So much later another worker may meet a row that one has parked: it reads what is parked anew
/// now and then.
constexpr qint64 workersDifferMs = 10'000;
constexpr qint64 closingMs = 5000; ///< beyond the grace: to close two connections, one in trouble

QString signalName(int number)
{
    return number == SIGINT ? u"SIGINT"_s
        : number == SIGTERM ? u"SIGTERM"_s
        : number == SIGUSR1 ? u"SIGUSR1"_s
                            : u"SIGUSR2"_s;
}

QJsonObject factsOf(const ParkedRow &row)
{
    return {{u"row"_s, row.id.text}, {u"reason"_s, row.reason}, {u"attempts"_s, row.attempts}};
}

void tellParked(const Printer &printer, const ParkedRow &row)
{
    printer.event(LogLevel::Warning, u"parked"_s,
                  u"parked row %1: %2"_s.arg(plainText(row.id.text), plainText(row.reason)),
                  factsOf(row));
}

void tellFailedTry(const Printer &printer, const ParkedRow &row)
{
    printer.event(LogLevel::Warning, u"row_failed"_s,
                  u"row %1 failed, try %2: %3"_s.arg(
                      plainText(row.id.text), QString::number(row.attempts), plainText(row.reason)),
                  factsOf(row));
}

void tellRolledBack(const Printer &printer, const RelayStep &step)
{
    const QString why = step.error ? plainText(oneLine(*step.error)) : QString();
    const bool isOpen = step.doubt == RelayStep::Doubt::Open;
    const QString text = isOpen
        ? u"batch %1 of %2 rows is in doubt, the answer to its COMMIT is lost: %3"_s
        : u"rolled back batch %1 of %2 rows: %3"_s;
    printer.event(LogLevel::Warning, isOpen ? u"in_doubt"_s : u"rolled_back"_s,
                  text.arg(QString::number(step.number), QString::number(step.claimed), why),
                  {{u"batch"_s, step.number},
                   {u"rows"_s, step.claimed},
                   {u"error"_s, step.error ? errorJson(*step.error) : QJsonObject()}});
}

void tellSettled(const Printer &printer, const RelayStep &step)
{
    const QString batch = u"batch %1 of %2 rows was "_s.arg(QString::number(step.number),
                                                            QString::number(step.claimed));
    printer.event(
        LogLevel::Notice, u"settled"_s,
        batch
            + (step.committed ? u"committed after all: its rows have left the outbox"_s
                              : u"rolled back: its rows are in the outbox"_s),
        {{u"batch"_s, step.number}, {u"rows"_s, step.claimed}, {u"committed"_s, step.committed}});
}

/// A trouble that lasts: since when, and how many rows wait in all.
void tellLasting(const Printer &printer, const QString &event, QString text, QJsonObject facts,
                 const LastingTrouble::Length &lasted, std::optional<qint64> rowsWaiting)
{
    if (lasted.tries > 1) {
        text += u"; for %1 s and %2 tries by now"_s.arg(lasted.milliseconds / 1000)
                    .arg(lasted.tries);
    }
    facts["tries"_L1] = lasted.tries;
    facts["after_ms"_L1] = lasted.milliseconds;
    if (rowsWaiting) {
        const bool isAll = *rowsWaiting < liveCaps.open;
        text += u"; %1%2 rows wait"_s.arg(isAll ? QString() : u"at least "_s,
                                          QString::number(*rowsWaiting));
        facts["rows_waiting"_L1] = *rowsWaiting;
    }
    printer.event(LogLevel::Warning, event, text, facts);
}

void tellRecovered(const Printer &printer, const LastingTrouble::Length &lasted)
{
    printer.event(
        LogLevel::Notice, u"recovered"_s,
        u"works again after %1 ms and %2 tries"_s.arg(lasted.milliseconds).arg(lasted.tries),
        {{u"tries"_s, lasted.tries}, {u"after_ms"_s, lasted.milliseconds}});
}

void tellPlanned(const Printer &printer, const QString &schedule, const QDateTime &next)
{
    printer.event(LogLevel::Notice, u"planned"_s,
                  u"runs by \"%1\" (UTC), next at %2"_s.arg(schedule, utcText(next)),
                  {{u"schedule"_s, schedule}, {u"next"_s, utcText(next)}});
}

void tellRan(const Printer &printer, const JobRun &run)
{
    const double seconds = double(run.began.msecsTo(run.ended)) / 1000.0;
    const QString next = utcText(run.next);
    QString sentence = run.isElsewhere
        ? u"another process is at work on this table: this run is left out"_s
        : u"run of %1 s: %2 delivered, %3 parked"_s.arg(QString::number(seconds, 'f', 2))
              .arg(run.delivered)
              .arg(run.parked);
    if (run.missed > 0) {
        sentence += u"; it took longer than the schedule allows, %1 %2 left out"_s.arg(run.missed)
                        .arg(run.missed == 1 ? u"time was"_s : u"times were"_s);
    }
    const bool isOdd = run.isElsewhere || run.missed > 0;
    printer.event(isOdd ? LogLevel::Warning : LogLevel::Info, u"run"_s,
                  sentence + u"; next at "_s + next,
                  {{u"planned"_s, utcText(run.planned)},
                   {u"seconds"_s, seconds},
                   {u"delivered"_s, run.delivered},
                   {u"parked"_s, run.parked},
                   {u"missed"_s, run.missed},
                   {u"elsewhere"_s, run.isElsewhere},
                   {u"next"_s, next}});
}

/// How the run ends, and who asked for it.
struct Ending
{
    QString how = u"stopped"_s;
    QString why; ///< the signal that asked
    std::optional<Error> failure;
    int stopsAsked = 0;
};

/// Where a collector of metrics asks; closed where nobody collects.
class MetricsDoor
{
public:
    /// `page` makes the page; it is called for each request.
    [[nodiscard]] Result<void> open(const RelayOrder &order, std::function<QByteArray()> page)
    {
        m_server = std::make_unique<MetricsServer>(std::move(page), openMetricsType);
        const auto &[host, port] = *order.metrics;
        TRY(m_server->listen(host, port));
        m_sampler = std::make_unique<MetricsSampler>(order.look, order.shape, order.redis,
                                                     QueueName{order.settings.queue},
                                                     order.settings.stateFolder);
        m_sampler->refresh();
        return {};
    }
    [[nodiscard]] QString url() const { return m_server->url(); }
    void add(const RelayStep &step)
    {
        if (m_server)
            m_batchSeconds.add(step.tookMs() / 1000.0);
    }
    [[nodiscard]] QByteArray page(const RelayTotals &totals, RelayState state)
    {
        m_sampler->refresh();
        return relayMetrics(totals, state, m_batchSeconds, m_sampler->figures());
    }

private:
    Histogram m_batchSeconds = batchSecondsHistogram();
    std::unique_ptr<MetricsSampler> m_sampler;
    std::unique_ptr<MetricsServer> m_server;
};

class RelayRun
{
    using Clock = std::chrono::steady_clock;

public:
    RelayRun(const Printer &printer, const RelayOrder &order, int workers);
    [[nodiscard]] ExitCode untilEnd();

private:
    struct Worker
    {
        RelayDriver driver;
        int number = 0;
        bool hasEnded = false;
        bool leavesOut = false; ///< the rows of a queue that is broken or away
    };

    void watch(Worker &worker);
    void took(const Worker &worker, const QList<RelayStep> &steps);
    void leaves(const Worker &worker, const WaitingRows &rows);
    void answered(const Worker &worker, bool isWell);
    void backsOff(const Worker &worker, const Error &error, int milliseconds);
    void tellPromise(const RedisFacts &facts);
    void onSignal(int number);
    void stop();
    void togglePause();
    void drain();
    void tell();
    void keepRecord();
    [[nodiscard]] RelayState state() const;
    [[nodiscard]] QString standing() const;
    [[nodiscard]] RelayTotals totals() const;
    [[nodiscard]] QJsonObject totalsJson(bool last) const;

    const Printer &m_printer;
    const RelayOrder &m_order;
    SystemdNotifier m_voice;
    std::vector<std::unique_ptr<Worker>> m_workers;
    Signals m_signals;
    QTimer m_everySecond;
    QEventLoop m_loop;
    QElapsedTimer m_clock;
    QHash<MessageId, QElapsedTimer> m_parked; ///< since when that was last told
    QString m_promise;
    Ending m_ending;
    LastingTrouble m_trouble; ///< why workers back off
    std::unique_ptr<RecordWriter> m_record;
    bool m_paused = false;
    MetricsDoor m_metrics;
};

RelayRun::RelayRun(const Printer &printer, const RelayOrder &order, int workers)
    : m_printer(printer), m_order(order), m_signals({SIGTERM, SIGINT, SIGUSR1, SIGUSR2})
{
    for (int i = 0; i < workers; ++i) {
        m_workers.push_back(std::make_unique<Worker>());
        m_workers.back()->number = i;
        watch(*m_workers.back());
    }
    m_everySecond.setInterval(1000);
    QObject::connect(&m_everySecond, &QTimer::timeout, &m_loop, [this] { tell(); });
    QObject::connect(&m_signals, &Signals::received, &m_loop,
                     [this](int number) { onSignal(number); });
}

void RelayRun::watch(Worker &worker)
{
    RelayDriver &driver = worker.driver;
    QObject::connect(&driver, &RelayDriver::opened, &m_loop,
                     [this](const RedisFacts &facts, const RelayPlaces &places) {
                         const bool isFirst = m_promise.isEmpty();
                         tellPromise(facts);
                         if (isFirst) // each worker is told the same
                             tellPlaces(m_printer, places);
                     });
    QObject::connect(
        &driver, &RelayDriver::serverChanged, &m_loop, [this, &worker](const QString &text) {
            if (worker.number == 0) // each is told the same
                m_printer.event(LogLevel::Notice, u"server_changed"_s, plainText(text));
        });
    QObject::connect(&driver, &RelayDriver::answered, &m_loop,
                     [this, &worker](bool isWell) { answered(worker, isWell); });
    QObject::connect(&driver, &RelayDriver::queueRests, &m_loop,
                     [&worker](bool doesRest) { worker.leavesOut = doesRest; });
    QObject::connect(&driver, &RelayDriver::stepsTaken, &m_loop,
                     [this, &worker](const QList<RelayStep> &steps) { took(worker, steps); });
    QObject::connect(&driver, &RelayDriver::runPlanned, &m_loop, [this](const QDateTime &next) {
        tellPlanned(m_printer, m_order.settings.schedule->text(), next);
    });
    QObject::connect(&driver, &RelayDriver::runEnded, &m_loop,
                     [this](const JobRun &run) { tellRan(m_printer, run); });
    QObject::connect(&driver, &RelayDriver::backingOff, &m_loop,
                     [this, &worker](const Error &error, int milliseconds) {
                         backsOff(worker, error, milliseconds);
                     });
    QObject::connect(&driver, &RelayDriver::failed, &m_loop, [this](const Error &error) {
        m_ending.failure = error;
        for (const auto &other : m_workers)
            other->driver.stop();
    });
    QObject::connect(&driver, &RelayDriver::finished, &m_loop, [this, &worker](const QString &how) {
        if (m_ending.how == u"stopped"_s || how == u"abandoned"_s)
            m_ending.how = how;
        m_voice.gone(worker.number);
        m_trouble.worksAgain(worker.number, Clock::now());
        worker.hasEnded = true;
        if (std::all_of(m_workers.begin(), m_workers.end(),
                        [](const auto &one) { return one->hasEnded; }))
            m_loop.quit();
    });
}

void RelayRun::took(const Worker &worker, const QList<RelayStep> &steps)
{
    for (const RelayStep &step : steps) {
        for (const ParkedRow &row : step.failed)
            tellFailedTry(m_printer, row);
        for (const ParkedRow &row : step.parked) {
            // Each worker meets the same row; later it was released by hand, and fails again.
            QElapsedTimer &told = m_parked[row.id];
            if (m_workers.size() > 1 && told.isValid() && !told.hasExpired(workersDifferMs))
                continue;
            told.start();
            tellParked(m_printer, row);
        }
        for (const WaitingRows &rows : step.error ? QList<WaitingRows>() : step.waiting)
            leaves(worker, rows);
        if (step.doubt == RelayStep::Doubt::Settled)
            tellSettled(m_printer, step);
        else if (step.error && step.claimed > 0
                 && (step.doubt == RelayStep::Doubt::Open
                     || m_trouble.isDue(u"rolled_back"_s, *step.error, Clock::now())))
            tellRolledBack(m_printer, step);
        if (step.committed)
            m_metrics.add(step);
    }
}

void RelayRun::answered(const Worker &worker, bool isWell)
{
    m_voice.answered(worker.number, isWell);
    if (!isWell || worker.leavesOut)
        return;
    if (const auto lasted = m_trouble.worksAgain(worker.number, Clock::now()))
        tellRecovered(m_printer, *lasted);
}

void RelayRun::backsOff(const Worker &worker, const Error &error, int milliseconds)
{
    const auto now = Clock::now();
    m_trouble.failed(worker.number, error, now);
    if (!m_trouble.isDue(u"backing_off"_s, error, now))
        return;
    tellLasting(m_printer, u"backing_off"_s,
                u"next try in %1 ms: "_s.arg(milliseconds) + plainText(oneLine(error)),
                {{u"next_try_ms"_s, milliseconds}, {u"error"_s, errorJson(error)}},
                m_trouble.length(now), worker.driver.rowsWaiting());
}

void RelayRun::leaves(const Worker &worker, const WaitingRows &rows)
{
    const auto now = Clock::now();
    m_trouble.failed(worker.number, rows.error, now);
    if (!m_trouble.isDue(u"queue_away "_s + rows.node, rows.error, now))
        return;
    tellLasting(
        m_printer, u"queue_away"_s, plainText(oneLine(rows.error)),
        {{u"node"_s, rows.node}, {u"rows"_s, rows.rows}, {u"error"_s, errorJson(rows.error)}},
        m_trouble.length(now), worker.driver.rowsWaiting());
}

void RelayRun::tellPromise(const RedisFacts &facts)
{
    const RelaySettings &settings = m_order.settings;
    const bool hasBarrier = databaseOf(m_order.store.url.dialect).hasBarrier();
    DurabilityTerms terms;
    terms.rowsAreKept = m_order.shape.processedHow != OutboxShape::ProcessedHow::Deleted;
    terms.waitReplicas = settings.replicas;
    terms.waitAof = settings.onDisk;
    if (hasBarrier)
        terms.barrier = settings.barrier;
    const QString known = std::exchange(m_promise, promise(facts, terms));
    if (known == m_promise)
        return; // each worker is told the same
    const QString barrier = !hasBarrier ? u"none"_s : settings.barrier ? u"on"_s : u"off"_s;
    QJsonObject said{{u"wait_replicas"_s, settings.replicas}, {u"barrier"_s, barrier}};
    if (settings.onDisk)
        said.insert(u"wait_aof"_s, true);
    m_printer.event(LogLevel::Info, u"durability"_s,
                    u"durability: %1 (WAIT %2, %3barrier %4)"_s.arg(
                        m_promise,
                        settings.replicas > 0 ? QString::number(settings.replicas) : u"off"_s,
                        settings.onDisk ? u"WAITAOF on, "_s : QString(), barrier),
                    said);
}

ExitCode RelayRun::untilEnd()
{
    m_clock.start();
    if (auto heard = m_voice.open(static_cast<int>(m_workers.size())); !heard)
        return m_printer.error(heard.error());
    if (m_order.metrics) {
        const auto page = [this] { return m_metrics.page(totals(), state()); };
        if (auto serving = m_metrics.open(m_order, page); !serving)
            return m_printer.error(serving.error());
        m_printer.event(LogLevel::Info, u"metrics"_s, u"metrics at "_s + m_metrics.url(),
                        {{u"url"_s, m_metrics.url()}});
    }
    keepRecord();
    m_everySecond.start();
    // A relay that refuses at once must find the loop running.
    QTimer::singleShot(0, &m_loop, [this] {
        for (const auto &worker : m_workers) {
            RelaySettings settings = m_order.settings;
            settings.worker = worker->number + 1;
            worker->driver.start(m_order.store, m_order.shape, m_order.redis, settings,
                                 m_order.drain);
        }
    });
    m_loop.exec();
    m_voice.stopping(closingMs);
    m_record->write(relayEnd(m_order.entry, m_ending.failure ? u"failed"_s : m_ending.how,
                             m_ending.why, totals(), m_ending.failure));
    m_record->finish();
    QCoreApplication::processEvents(); // which tells where that failed
    if (m_ending.failure) {
        const ExitCode code = m_printer.error(*m_ending.failure);
        // Who starts it again accepts the loss: nobody may do so without having read of it.
        return m_ending.failure->code == asynq::QueueFence::lostCode ? ExitCode::Partly : code;
    }
    const RelayTotals sum = totals();
    if (m_printer.isJson()) {
        m_printer.object(totalsJson(true));
    } else {
        m_printer.line(u"%1: %2 enqueued, %3 already queued, %4 already done, %5 dead in queue, "
                       u"%6 parked; %7 batches, %8 rolled back%9, "_s.arg(
                           m_ending.how, QString::number(sum.enqueued),
                           QString::number(sum.alreadyQueued), QString::number(sum.alreadyDone),
                           QString::number(sum.deadInQueue), QString::number(sum.parked),
                           QString::number(sum.batches), QString::number(sum.rollbacks),
                           sum.inDoubt > 0 ? u", %1 in doubt"_s.arg(sum.inDoubt) : QString())
                       + QString::number(double(m_clock.elapsed()) / 1000.0, 'f', 2) + u" s"_s);
    }
    return sum.parked > 0 && m_ending.how == u"drained"_s ? ExitCode::Partly : ExitCode::Ok;
}

void RelayRun::onSignal(int number)
{
    if (number == SIGUSR1)
        return togglePause();
    m_ending.why
        = m_ending.stopsAsked > 0 ? u"a second "_s + signalName(number) : signalName(number);
    if (number == SIGUSR2)
        drain();
    else
        stop();
}

void RelayRun::keepRecord()
{
    m_record = std::make_unique<RecordWriter>(
        Folders::standard({}, m_order.settings.stateFolder).auditFile());
    m_record->setTable(m_order.store, m_order.shape.table);
    QObject::connect(m_record.get(), &RecordWriter::failed, &m_loop, [this](const Error &error) {
        m_printer.event(LogLevel::Warning, u"unrecorded"_s,
                        u"goes on without this on record: "_s + plainText(oneLine(error)),
                        {{u"error"_s, errorJson(error)}});
    });
    const RelaySettings &settings = m_order.settings;
    const OutboxShape &shape = m_order.shape;
    const QString queue = shape.hasShards() ? shape.queueShards.text() : settings.queue;
    QString detail
        = u"to queue \"%1\", batches of up to %2"_s.arg(queue, QString::number(settings.batch));
    if (m_workers.size() > 1)
        detail += u", %1 workers"_s.arg(m_workers.size());
    if (settings.schedule)
        detail += u", "_s + settings.schedule->text();
    if (m_order.drain)
        detail += u", until the outbox is empty"_s;
    m_record->write(relayEntry(m_order.entry, u"started"_s, detail));
}

void RelayRun::stop()
{
    const bool isFirst = ++m_ending.stopsAsked == 1;
    if (isFirst)
        m_voice.stopping(m_order.settings.graceMs + closingMs);
    m_printer.event(LogLevel::Notice, isFirst ? u"stopping"_s : u"abandoning"_s,
                    isFirst ? u"stopping, the batch in hand is finished first"_s
                            : u"rolling back now"_s);
    for (const auto &worker : m_workers)
        isFirst ? worker->driver.stop() : worker->driver.abandon();
}

void RelayRun::togglePause()
{
    if (m_ending.stopsAsked > 0)
        return;
    m_paused = !m_paused;
    m_printer.event(LogLevel::Notice, m_paused ? u"paused"_s : u"resumed"_s,
                    m_paused ? u"paused: nothing is claimed until the next SIGUSR1"_s
                             : u"resumed"_s);
    m_record->write(
        relayEntry(m_order.entry, m_paused ? u"paused"_s : u"resumed"_s, signalName(SIGUSR1)));
    for (const auto &worker : m_workers)
        m_paused ? worker->driver.pause() : worker->driver.resume();
}

void RelayRun::drain()
{
    if (m_ending.stopsAsked > 0)
        return;
    m_paused = false;
    m_printer.event(LogLevel::Notice, u"draining"_s, u"draining, ends when the outbox is empty"_s);
    for (const auto &worker : m_workers)
        worker->driver.drain();
}

RelayState RelayRun::state() const
{
    return m_workers.front()->driver.state();
}

QString RelayRun::standing() const
{
    const RelayTotals sum = totals();
    const QString counts = u"%1 delivered, %2 parked, %3 rolled back"_s.arg(sum.delivered())
                               .arg(sum.parked)
                               .arg(sum.rollbacks);
    const auto &error = m_trouble.error();
    return error ? u"%1: %2; %3"_s.arg(word(state()), plainText(oneLine(*error)), counts)
                 : u"%1: %2"_s.arg(word(state()), counts);
}

RelayTotals RelayRun::totals() const
{
    RelayTotals sum;
    for (const auto &worker : m_workers) {
        const RelayTotals &one = worker->driver.totals();
        sum.enqueued += one.enqueued;
        sum.alreadyQueued += one.alreadyQueued;
        sum.alreadyDone += one.alreadyDone;
        sum.deadInQueue += one.deadInQueue;
        sum.batches += one.batches;
        sum.rollbacks += one.rollbacks;
        sum.inDoubt += one.inDoubt;
    }
    sum.parked = m_parked.size();
    return sum;
}

QJsonObject RelayRun::totalsJson(bool last) const
{
    const RelayTotals sum = totals();
    QJsonObject json{{u"enqueued"_s, sum.enqueued},
                     {u"already_queued"_s, sum.alreadyQueued},
                     {u"already_done"_s, sum.alreadyDone},
                     {u"dead_in_queue"_s, sum.deadInQueue},
                     {u"parked"_s, sum.parked},
                     {u"batches"_s, sum.batches},
                     {u"rollbacks"_s, sum.rollbacks},
                     {u"in_doubt"_s, sum.inDoubt},
                     {u"seconds"_s, std::round(double(m_clock.elapsed()) / 10.0) / 100.0}};
    if (last) {
        json["stopped"_L1] = m_ending.how;
    } else {
        json["state"_L1] = word(state());
        json["durability"_L1] = m_promise;
    }
    return json;
}

void RelayRun::tell()
{
    if (m_printer.isJson())
        m_printer.object(totalsJson(false));
    m_voice.status(standing());
    if (const auto problem = m_voice.takeProblem()) {
        m_printer.event(LogLevel::Warning, u"unheard"_s, plainText(oneLine(*problem)),
                        {{u"error"_s, errorJson(*problem)}});
    }
}

} // namespace

ExitCode runRelays(const Printer &printer, const RelayOrder &order, int workers)
{
    return RelayRun(printer, order, workers).untilEnd();
}

} // namespace outbox
