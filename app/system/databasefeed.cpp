// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/databasefeed.h"

#include "app/settings/opening.h"
#include "models/filter/pagerequest.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Larger payloads are brought on demand only (`PayloadFetcher`).
constexpr qint64 atOnceBytes = qint64{1024} * 1024;
/// A filter that no index answers keeps the server busy up to its deadline each time.
constexpr int mostTimeouts = 3;
constexpr int databaseOverdueMs
    = 9000; // longer than connect and statement deadlines together should take

/// What one look brought.
struct Sample
{
    OutboxSnapshot snapshot;
    std::optional<OutboxShape> newShape;
    std::optional<Error> turnedAway; ///< at the door: a login that is wrong stays wrong
};

Result<Sample> sampleOf(OutboxSource &source, const StoreSettings &settings, const Profile &profile,
                        const QString &stateFolder, bool needsShape)
{
    const auto shape = source.recognize(settings, stateFolder, profile, needsShape);
    if (!shape && shape.error().kind == Error::Kind::Refused && !source.store().isOpen())
        return Sample{{}, {}, shape.error()};
    if (!shape)
        return passOn(shape);
    Sample look;
    if (needsShape)
        look.newShape = *shape;
    look.snapshot = TRY(source.snapshot(liveCaps, Arrivals::Asked));
    return look;
}

} // namespace

DatabaseFeed::DatabaseFeed(Profile profile, ProfilePasswords secrets, QString stateFolder,
                           QObject *parent)
    : MessageSource(std::move(profile), std::move(secrets), databaseOverdueMs, parent),
      m_stateFolder(std::move(stateFolder)),
      m_rows(2 * m_profile.refreshMs, databaseOverdueMs, this), m_room(u"reader"_s)
{
    connect(&m_rows, &Poller::due, this, &DatabaseFeed::askRows);
    // libpq waits for ever on a server that stands still: only its socket can be shut.
    connect(&m_figures, &Poller::overdue, this, [this] { m_room.interrupt(); });
    connect(&m_rows, &Poller::overdue, this, [this] { m_room.interrupt(); });
}

DatabaseFeed::~DatabaseFeed()
{
    m_room.interrupt(); // closing the room would wait for a server that stands still
}

void DatabaseFeed::setRunning(bool running)
{
    MessageSource::setRunning(running);
    if (!running)
        m_rows.stop();
    else if (m_rowsLive && m_shape && !isTurnedAway())
        m_rows.start();
}

void DatabaseFeed::refreshNow()
{
    MessageSource::refreshNow();
    if (m_rowsWanted && m_shape && m_rows.kick())
        askRows();
}

void DatabaseFeed::askFigures()
{
    const auto settings
        = storeSettingsOf(m_profile, m_secrets, StoreAccess::ReadOnly, u"outboxdeck"_s);
    if (!settings)
        return lost(settings.error());
    const bool needsShape = !m_shape.has_value();
    ask(
        m_room,
        [settings = *settings, profile = m_profile, folder = m_stateFolder,
         needsShape](OutboxSource &source) -> Result<Sample> {
            return sampleOf(source, settings, profile, folder, needsShape);
        },
        [this](const Result<Sample> &answer) {
            if (!answer)
                return lost(answer.error());
            if (answer->turnedAway) {
                m_rows.stop();
                return lost(*answer->turnedAway, true);
            }
            if (isTurnedAway() && isRunning() && m_rowsLive && m_shape)
                m_rows.start();
            live(answer->snapshot.tookMs);
            if (answer->newShape) {
                m_shape = answer->newShape;
                emit shapeKnown(*m_shape);
                if (m_rowsWanted)
                    showRows(m_request, m_rowsLive);
            }
            emit taken(answer->snapshot);
        });
}

void DatabaseFeed::showRows(const PageRequest &request, bool live)
{
    m_request = request;
    m_timeouts = 0;
    m_rowsWanted = true;
    m_rowsLive = live;
    ++m_rowsToken;
    if (!m_shape)
        return; // asked again as soon as the shape is known
    if (live && isRunning() && !isTurnedAway())
        m_rows.start();
    else
        m_rows.stop();
    if (m_rows.kick())
        askRows();
}

void DatabaseFeed::hideRows()
{
    m_rowsWanted = m_rowsLive = false;
    ++m_rowsToken;
    m_rows.stop();
}

std::function<Result<MessagePage>(OutboxSource &)> DatabaseFeed::pageOf(PageRequest request) const
{
    request.at = m_rowsAt;
    return [request](OutboxSource &source) -> Result<MessagePage> {
        TRY(source.ensureOpen());
        return source.page(request);
    };
}

void DatabaseFeed::askRows()
{
    if (m_request.after.isEmpty()) // "today" and "-15m" move on, but not from page to page
        m_rowsAt = QDateTime::currentDateTime();
    ask(m_room, pageOf(m_request),
        [this, token = m_rowsToken, request = m_request](const Result<MessagePage> &page) {
            if (page) {
                m_rows.answered(page->tookMs);
                m_meter.addRegular(&PollCost::list, m_rows);
            } else {
                m_rows.failed();
            }
            if (token != m_rowsToken) {
                if (m_rowsWanted && m_rows.kick())
                    askRows();
                return;
            }
            const bool isTooSlow
                = !page && page.error().kind == Error::Kind::Timeout && !request.filter.isEmpty();
            m_timeouts = isTooSlow ? m_timeouts + 1 : 0;
            if ((page && page->reach == FilterReach::Scan) || m_timeouts >= mostTimeouts)
                m_rows.stop(); // a search is done when it is asked for, not again and again
            if (page)
                emit rowsTaken(request, *page);
            else
                emit rowsFailed(page.error());
        });
}

void DatabaseFeed::seek(const PageRequest &request)
{
    ask(m_room, pageOf(request),
        [this, request](const Result<MessagePage> &page) { emit sought(request, page); });
}

void DatabaseFeed::find(const MessageId &id)
{
    using Answer = Result<std::optional<Message>>;
    ask(
        m_room,
        [id](OutboxSource &source) -> Answer {
            TRY(source.ensureOpen());
            return source.find(id, atOnceBytes);
        },
        [this, id](const Answer &row) { emit found(id, row); });
}

} // namespace outbox
