// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/exactcounter.h"

#include "app/system/opening.h"
#include "connectors/answer.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 firstRows = 2'000;
constexpr qint64 fewestRows = 200;
constexpr qint64 mostRows = 100'000;
/// A snapshot must not be held over 100 ms, and the next slice may be a cold one.
constexpr double wantedMs = 30;
constexpr double shortestRestMs = 5;

/// So many rows that the next slice takes about the time it should; grows by doubling at most.
qint64 rowsAfter(qint64 rows, double tookMs)
{
    const double wanted = double(rows) * wantedMs / qMax(tookMs, 0.1);
    return qBound(fewestRows, qint64(qMin(wanted, double(rows) * 2)), mostRows);
}

} // namespace

ExactCounter::ExactCounter(Profile profile, Secrets secrets, QString stateFolder, QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets)),
      m_stateFolder(std::move(stateFolder))
{
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, &ExactCounter::countNext);
}

ExactCounter::~ExactCounter()
{
    if (m_room)
        m_room->interrupt(); // closing the room would wait for a server that stands still
}

void ExactCounter::start(const OutboxShape &shape)
{
    m_shape = shape;
    ++m_run;
    m_running = true;
    m_count = {};
    m_count.started = m_count.at = QDateTime::currentDateTimeUtc();
    m_next.clear();
    m_rows = firstRows;
    if (!m_room)
        m_room = std::make_unique<Room<CountingSession>>(u"counter"_s);
    countNext();
}

Result<void> ExactCounter::open(CountingSession &session, const StoreSettings &settings,
                                const OutboxShape &shape, const QString &stateFolder)
{
    OutboxParking parking;
    if (auto opened = parking.open(settings, shape, stateFolder); !opened)
        return opened;
    const auto parked = parking.rows();
    if (!parked)
        return passOn(parked);
    session.parked.clear();
    for (const ParkedRow &row : *parked)
        session.parked += row.id;
    return session.reader.open(settings, shape);
}

void ExactCounter::countNext()
{
    const auto settings = storeSettingsOf(m_profile, m_secrets, StoreAccess::Look, u"outboxdeck"_s);
    if (!settings)
        return end(passOn(settings));
    answerTo(this,
             m_room->run([settings = *settings, shape = m_shape, folder = m_stateFolder,
                          after = m_next, rows = m_rows](CountingSession &session) {
                 Result<void> opened;
                 if (!session.reader.isOpen())
                     opened = open(session, settings, shape, folder);
                 auto slice = opened ? session.reader.count(after, rows, session.parked)
                                     : Result<CountSlice>(passOn(opened));
                 if (!slice || slice->next.isEmpty())
                     session.reader.close();
                 return slice;
             }),
             [this, run = m_run](const Result<CountSlice> &slice) {
                 if (run == m_run && m_running)
                     take(slice);
             });
}

void ExactCounter::take(const Result<CountSlice> &slice)
{
    if (!slice)
        return end(passOn(slice));
    for (auto state = slice->rows.cbegin(); state != slice->rows.cend(); ++state)
        m_count.rows[state.key()] += state.value();
    m_count.seen += slice->seen;
    m_count.databaseMs += slice->tookMs;
    m_count.longestMs = qMax(m_count.longestMs, slice->longestMs);
    m_count.note = slice->note;
    m_count.at = QDateTime::currentDateTimeUtc();
    m_next = slice->next;
    m_rows = rowsAfter(m_rows, slice->longestMs);
    if (m_next.isEmpty()) {
        m_count.isComplete = true;
        return end(m_count);
    }
    // At most half of the time is spent in the database.
    m_rest.start(int(qMax(slice->tookMs, shortestRestMs)) + 1);
    emit progressed(m_count);
}

void ExactCounter::cancel()
{
    if (!m_running)
        return;
    m_room->interrupt();
    m_room->run([](CountingSession &session) {
        session.reader.close();
        return true;
    });
    end(fail(Error::Kind::Cancelled, u"counting the rows one by one"_s,
             u"stopped after %1 rows"_s.arg(m_count.seen)));
}

void ExactCounter::end(const Result<ExactCount> &count)
{
    m_running = false;
    m_rest.stop();
    emit ended(count);
}

} // namespace outbox
