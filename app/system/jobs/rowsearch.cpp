// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/rowsearch.h"

#include "app/settings/opening.h"
#include "models/filter/pagerequest.h"

#include <cmath>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 firstSearched = 2'000;
constexpr qint64 mostSearchedAtOnce = 200'000;
/// A snapshot must not be held over 100 ms, and the next slice may be a cold one.
constexpr double wantedMsOfSearch = 40;
/// A slice that takes longer is asked for again with fewer rows.
constexpr int mostMsOfSearch = 1'000;
constexpr double shortestSearchRestMs = 2;
constexpr int toldEveryMs = 500;
constexpr int rowsOfSlice = 500;

/// So many rows that the next slice takes about the time it should; grows by doubling at most.
qint64 searchedAfter(qint64 rows, double tookMs)
{
    const double wanted = double(rows) * wantedMsOfSearch / qMax(tookMs, 0.1);
    return qBound(qint64(1), qint64(qMin(wanted, double(rows) * 2)), mostSearchedAtOnce);
}

} // namespace

RowSearch::RowSearch(Profile profile, ProfilePasswords secrets, QString stateFolder,
                     QObject *parent)
    : QObject(parent), m_target{std::move(profile), std::move(secrets), std::move(stateFolder)}
{ }

void RowSearch::begin(const OutboxShape &shape, const PageRequest &request, const QString &place,
                      const QList<Message> &known)
{
    drop();
    m_job.start();
    m_isHeld = true;
    m_shape = shape;
    m_asked = m_request = request;
    m_request.after = place;
    m_request.at = QDateTime::currentDateTime();
    m_found.page.reach = FilterReach::Scan;
    m_rows = firstSearched;
    m_state.at = QDateTime::currentDateTimeUtc();
    add(known);
    m_stopAt = m_state.found + m_each;
    m_running.start();
    tellRows();
    m_found.sinceTold.invalidate(); // the first ones are told at once
    searchNext();
}

void RowSearch::goOn()
{
    if (!m_isHeld || !m_state.mayGoOn())
        return;
    m_job.start();
    m_state.phase = Phase::Running;
    m_state.error.reset();
    m_stopAt = m_state.found + m_each;
    m_ranMs = m_state.runMs;
    m_running.start();
    emit progressed(m_state);
    searchNext();
}

Result<MessagePage> RowSearch::searchOne(OutboxSource &source, const StoreSettings &settings,
                                         const OutboxShape &shape, const QString &stateFolder,
                                         const PageRequest &request, qint64 rows)
{
    TRY(source.ready(settings, stateFolder, shape));
    return source.search(request, rows);
}

void RowSearch::searchNext()
{
    auto settings = storeSettingsOf(m_target.profile, m_target.secrets, StoreAccess::ReadOnly,
                                    u"outboxdeck"_s);
    if (!settings)
        return stop(Phase::Failed, settings.error());
    settings->statementTimeoutMs = mostMsOfSearch;
    const qint64 wanted = qMin(m_stopAt, qint64(m_most)) - m_state.found;
    m_request.limit = int(qBound(qint64(1), wanted, qint64(rowsOfSlice)));
    m_job.ask(
        [settings = *settings, shape = m_shape, folder = m_target.stateFolder, request = m_request,
         rows = m_rows](OutboxSource &source) {
            return searchOne(source, settings, shape, folder, request, rows);
        },
        [this](const Result<MessagePage> &slice) { take(slice); });
}

void RowSearch::take(const Result<MessagePage> &slice)
{
    m_state.runMs = m_ranMs + double(m_running.elapsed());
    if (!slice && slice.error().kind == Error::Kind::Timeout)
        return takeTimeout(slice.error());
    if (!slice)
        return stop(Phase::Failed, slice.error());
    m_state.searched += slice->searched;
    m_state.undecided += slice->undecided;
    m_state.byPages = slice->byPages;
    m_state.databaseMs += slice->tookMs;
    m_state.longestMs = qMax(m_state.longestMs, slice->longestMs);
    m_state.at = QDateTime::currentDateTimeUtc();
    m_found.page.statements = slice->statements;
    m_request.after = slice->next;
    m_rows
        = searchedAfter(slice->searched, slice->longestMs); // fewer than asked for where many match
    add(slice->rows);
    if (slice->next.isEmpty())
        return stop(Phase::Done);
    if (m_state.found >= m_most)
        return stop(Phase::TooMany);
    if (m_state.found >= m_stopAt)
        return stop(Phase::Full);
    m_job.rest(restAfter(slice->tookMs), [this] { searchNext(); });
    if (m_found.isUntold
        && (!m_found.sinceTold.isValid() || m_found.sinceTold.hasExpired(toldEveryMs)))
        tellRows();
    emit progressed(m_state);
}

int RowSearch::restAfter(double tookMs) const
{
    // A little more than need be: what a slice costs beside its statements is not measured.
    return int(std::ceil(qMax(1.1 * tookMs * (1 / m_share - 1), shortestSearchRestMs)));
}

/// Cold pages, or payloads so large that few rows take their time.
void RowSearch::takeTimeout(const Error &error)
{
    if (m_rows == 1)
        return stop(Phase::Failed, error);
    m_state.databaseMs += mostMsOfSearch;
    m_state.longestMs = qMax(m_state.longestMs, double(mostMsOfSearch));
    m_rows = qMax<qint64>(1, m_rows / 16);
    m_job.rest(restAfter(mostMsOfSearch), [this] { searchNext(); });
}

void RowSearch::add(const QList<Message> &rows)
{
    for (const Message &row : rows) {
        if (m_found.ids.contains(row.id) || m_found.page.rows.size() >= m_most)
            continue;
        m_found.ids += row.id;
        m_found.page.rows += row;
        m_found.isUntold = true;
    }
    m_state.found = m_found.page.rows.size();
}

void RowSearch::tellRows()
{
    m_found.isUntold = false;
    m_found.sinceTold.restart();
    m_found.page.searched = m_state.searched;
    m_found.page.undecided = m_state.undecided;
    m_found.page.next = m_request.after;
    m_found.page.tookMs = m_state.databaseMs;
    emit found(m_asked, m_found.page);
}

void RowSearch::cancel()
{
    if (!isRunning())
        return;
    m_state.runMs = m_ranMs + double(m_running.elapsed());
    stop(Phase::Cancelled);
}

void RowSearch::drop()
{
    if (!std::exchange(m_isHeld, false))
        return;
    m_job.stop();
    m_state = {};
    m_found.page = {};
    m_found.ids.clear();
    m_ranMs = 0;
}

void RowSearch::stop(Phase phase, const std::optional<Error> &error)
{
    m_state.phase = phase;
    m_state.error = error;
    m_job.stop();
    const auto run = m_job.run();
    tellRows();
    if (run == m_job.run() && m_isHeld) // whoever was told may have dropped it
        emit progressed(m_state);
}

} // namespace outbox
