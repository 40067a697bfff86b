// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/relayrun.h"

#include "models/plaintext.h"

#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

RelayRun::RelayRun(const Printer &printer, Order order, int workers)
    : m_printer(printer), m_order(std::move(order)), m_how(u"stopped"_s)
{
    for (int i = 0; i < workers; ++i) {
        m_drivers.push_back(std::make_unique<RelayDriver>());
        watch(*m_drivers.back());
    }
    m_everySecond.setInterval(1000);
    QObject::connect(&m_everySecond, &QTimer::timeout, &m_loop, [this] { tell(); });
    QObject::connect(&m_signals, &Signals::received, &m_loop,
                     [this](int number) { onSignal(number); });
}

RelayRun::~RelayRun() = default;

void RelayRun::watch(RelayDriver &driver)
{
    QObject::connect(&driver, &RelayDriver::stepsTaken, &m_loop,
                     [this](const QList<RelayStep> &steps) {
                         for (const RelayStep &step : steps) {
                             for (const ParkedRow &row : step.failed) {
                                 m_printer.note(u"relay: row %1 failed, try %2: %3"_s.arg(
                                     plainText(row.id.text), QString::number(row.attempts),
                                     plainText(row.reason)));
                             }
                             for (const ParkedRow &row : step.parked) {
                                 m_parked.insert(row.id); // each worker meets the same row
                                 m_printer.note(u"relay: parked row %1: %2"_s.arg(
                                     plainText(row.id.text), plainText(row.reason)));
                             }
                         }
                     });
    QObject::connect(&driver, &RelayDriver::opened, &m_loop, [this](const QString &parkingPlace) {
        if (std::exchange(m_placeTold, true))
            return; // the same for each worker
        m_printer.note(u"relay: rows that cannot be delivered are parked in "_s + parkingPlace);
    });
    QObject::connect(&driver, &RelayDriver::backingOff, &m_loop,
                     [this](const Error &error, int milliseconds) {
                         m_printer.note(u"relay: rolled back; %1; next try in %2 ms"_s.arg(
                             plainText(oneLine(error)), QString::number(milliseconds)));
                     });
    QObject::connect(&driver, &RelayDriver::failed, &m_loop, [this](const Error &error) {
        m_failure = error;
        for (const auto &other : m_drivers)
            other->stop();
    });
    QObject::connect(&driver, &RelayDriver::finished, &m_loop, [this](const QString &how) {
        if (m_how == u"stopped"_s || how == u"abandoned"_s)
            m_how = how;
        if (--m_running == 0)
            m_loop.quit();
    });
}

ExitCode RelayRun::untilEnd()
{
    m_clock.start();
    m_running = m_drivers.size();
    if (m_printer.isJson())
        m_everySecond.start();
    // A relay that refuses at once must find the loop running.
    QTimer::singleShot(0, &m_loop, [this] {
        for (const auto &driver : m_drivers)
            driver->start(m_order.store, m_order.shape, m_order.redis, m_order.settings,
                          m_order.drain);
    });
    m_loop.exec();
    if (m_failure)
        return m_printer.error(*m_failure);
    const RelayTotals sum = totals();
    if (m_printer.isJson()) {
        m_printer.object(totalsJson(true));
    } else {
        m_printer.line(u"%1: %2 enqueued, %3 already queued, %4 already done, %5 dead in queue, "
                       u"%6 parked; %7 batches, %8 rolled back, %9 s"_s.arg(
                           m_how, QString::number(sum.enqueued), QString::number(sum.alreadyQueued),
                           QString::number(sum.alreadyDone), QString::number(sum.deadInQueue),
                           QString::number(sum.parked), QString::number(sum.batches),
                           QString::number(sum.rollbacks),
                           QString::number(double(m_clock.elapsed()) / 1000.0, 'f', 2)));
    }
    return sum.parked > 0 && m_how == u"drained"_s ? ExitCode::Partly : ExitCode::Ok;
}

void RelayRun::onSignal(int)
{
    ++m_signalsSeen;
    m_printer.note(m_signalsSeen == 1 ? u"relay: stopping, the batch in hand is finished first"_s
                                      : u"relay: rolling back now"_s);
    for (const auto &driver : m_drivers)
        m_signalsSeen == 1 ? driver->stop() : driver->abandon();
}

RelayTotals RelayRun::totals() const
{
    RelayTotals sum;
    for (const auto &driver : m_drivers) {
        const RelayTotals &one = driver->totals();
        sum.enqueued += one.enqueued;
        sum.alreadyQueued += one.alreadyQueued;
        sum.alreadyDone += one.alreadyDone;
        sum.deadInQueue += one.deadInQueue;
        sum.batches += one.batches;
        sum.rollbacks += one.rollbacks;
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
                     {u"seconds"_s, std::round(double(m_clock.elapsed()) / 10.0) / 100.0}};
    if (last)
        json["stopped"_L1] = m_how;
    else
        json["state"_L1] = word(m_drivers.front()->state());
    return json;
}

void RelayRun::tell()
{
    m_printer.object(totalsJson(false));
}

} // namespace outbox
