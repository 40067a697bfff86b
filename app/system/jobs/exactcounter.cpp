// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/exactcounter.h"

#include "app/settings/opening.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 firstCounted = 2'000;
constexpr qint64 fewestCounted = 200;
constexpr qint64 mostCounted = 100'000;
/// A snapshot must not be held longer; the next slice may be a cold one.
constexpr int mostMsOfCount = 100;
constexpr double wantedMsOfCount = 30;
constexpr double shortestCountRestMs = 5;

/// So many rows that the next slice takes about the time it should: fewer at once, down to a
/// quarter, and more by half.
qint64 countedAfter(qint64 rows, double tookMs)
{
    const double factor = qBound(0.25, wantedMsOfCount / qMax(tookMs, 0.1), 1.5);
    return qBound(fewestCounted, qint64(double(rows) * factor), mostCounted);
}

} // namespace

struct ExactCounter::Session
{
    SliceReader reader;
    QList<MessageId> parked; ///< as they were at the first slice

    void interrupt() noexcept { reader.interrupt(); }
    void close() { reader.close(); }
};

ExactCounter::ExactCounter(Profile profile, ProfilePasswords secrets, QString stateFolder,
                           QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets)),
      m_stateFolder(std::move(stateFolder)), m_job(u"counter"_s)
{ }

ExactCounter::~ExactCounter() = default;

void ExactCounter::start(const OutboxShape &shape)
{
    m_job.start();
    m_shape = shape;
    m_count = {};
    m_count.started = m_count.at = QDateTime::currentDateTimeUtc();
    m_rows = firstCounted;
    m_mostMs = mostMsOfCount;
    countNext();
}

Result<void> ExactCounter::open(Session &session, const StoreSettings &settings,
                                const OutboxShape &shape, const QString &stateFolder)
{
    OutboxParking parking;
    TRY(parking.open(settings, shape, stateFolder));
    const auto parked = TRY(parking.rows());
    session.parked.clear();
    for (const ParkedRow &row : parked)
        session.parked += row.id;
    return session.reader.open(settings, shape);
}

void ExactCounter::countNext()
{
    const auto settings
        = storeSettingsOf(m_profile, m_secrets, StoreAccess::ReadOnly, u"outboxdeck"_s);
    if (!settings)
        return end(passOn(settings));
    m_job.ask(
        [settings = *settings, shape = m_shape, folder = m_stateFolder, after = m_count.next,
         rows = m_rows, limit = m_mostMs](Session &session) {
            Result<void> opened;
            if (!session.reader.isOpen())
                opened = open(session, settings, shape, folder);
            return opened ? session.reader.count(after, rows, session.parked, limit)
                          : Result<ExactCount>(passOn(opened));
        },
        [this](const Result<ExactCount> &slice) { take(slice); });
}

void ExactCounter::take(const Result<ExactCount> &slice)
{
    if (!slice) {
        if (slice.error().kind == Error::Kind::Timeout && tryLess())
            return;
        return end(passOn(slice));
    }
    m_mostMs = mostMsOfCount;
    for (auto state = slice->rows.cbegin(); state != slice->rows.cend(); ++state)
        m_count.rows[state.key()] += state.value();
    m_count.seen += slice->seen;
    m_count.tookMs += slice->tookMs;
    m_count.longestMs = qMax(m_count.longestMs, slice->longestMs);
    m_count.note = slice->note;
    m_count.at = QDateTime::currentDateTimeUtc();
    m_count.next = slice->next;
    m_rows = countedAfter(m_rows, slice->longestMs);
    if (m_count.next.isEmpty()) {
        m_count.isComplete = true;
        return end(m_count);
    }
    // At most half of the time is spent in the database.
    m_job.rest(int(qMax(slice->tookMs, shortestCountRestMs)) + 1, [this] { countNext(); });
    emit progressed(m_count);
}

bool ExactCounter::tryLess()
{
    if (m_mostMs == 0)
        return false;
    m_count.tookMs += m_mostMs;
    m_count.longestMs = qMax(m_count.longestMs, double(m_mostMs));
    m_job.rest(m_mostMs, [this] { countNext(); });
    if (m_rows > fewestCounted)
        m_rows = qMax(fewestCounted, m_rows / 4);
    else
        m_mostMs = 0; // even so few take longer: a cold disk, or somebody holds the table
    return true;
}

void ExactCounter::cancel()
{
    if (!isRunning())
        return;
    end(fail(Error::Kind::Cancelled, u"counting the rows one by one"_s,
             u"stopped after %1 rows"_s.arg(m_count.seen)));
}

void ExactCounter::end(const Result<ExactCount> &count)
{
    m_job.stop();
    emit ended(count);
}

} // namespace outbox
