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

} // namespace

DatabaseFeed::DatabaseFeed(Profile profile, Secrets secrets, QString stateFolder, QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets)),
      m_stateFolder(std::move(stateFolder)), m_counts(m_profile.refreshMs, databaseOverdueMs, this),
      m_rows(2 * m_profile.refreshMs, databaseOverdueMs, this), m_room(u"reader"_s)
{
    connect(&m_counts, &Poller::due, this, &DatabaseFeed::askCounts);
    connect(&m_rows, &Poller::due, this, &DatabaseFeed::askRows);
    connect(&m_counts, &Poller::intervalChanged, this, &DatabaseFeed::intervalChanged);
    // libpq waits for ever on a server that stands still: only its socket can be shut.
    connect(&m_counts, &Poller::overdue, this, [this] { m_room.interrupt(); });
    connect(&m_rows, &Poller::overdue, this, [this] { m_room.interrupt(); });
}

DatabaseFeed::~DatabaseFeed()
{
    m_room.interrupt(); // closing the room would wait for a server that stands still
}

void DatabaseFeed::setRunning(bool running)
{
    m_running = running;
    if (!running) {
        m_counts.stop();
        m_rows.stop();
        return;
    }
    if (m_health.state == SourceHealth::State::NotConnected) {
        m_health.state = SourceHealth::State::Connecting;
        emit healthChanged(m_health);
    }
    m_counts.start();
    if (m_rowsLive && m_shape && !m_turnedAway)
        m_rows.start();
}

void DatabaseFeed::addCost(double tookMs, const Traffic &traffic)
{
    m_meter.add(tookMs, traffic);
    emit costChanged(m_meter.cost());
}

void DatabaseFeed::refreshNow()
{
    m_counts.kick();
    if (m_rowsWanted && m_shape)
        m_rows.kick();
}

Result<DatabaseFeed::Sample> DatabaseFeed::look(OutboxSource &source, const StoreSettings &settings,
                                                const Profile &profile, const QString &stateFolder,
                                                bool needsShape)
{
    OutboxStore &store = source.store();
    if (!store.isOpen()) {
        auto opened = needsShape ? source.open(settings, stateFolder) : source.ensureOpen();
        if (!opened && opened.error().kind == Error::Kind::Refused && !store.isOpen())
            return Sample{{}, {}, opened.error()};
        if (!opened)
            return passOn(opened);
    }
    Sample look;
    if (needsShape) {
        auto shape = source.recognize(profile);
        if (!shape)
            return passOn(shape);
        look.newShape = *shape;
    }
    auto snapshot = source.snapshot(liveCaps);
    if (!snapshot)
        return passOn(snapshot);
    look.snapshot = std::move(*snapshot);
    return look;
}

void DatabaseFeed::askCounts()
{
    const auto settings
        = storeSettingsOf(m_profile, m_secrets, StoreAccess::ReadOnly, u"outboxdeck"_s);
    if (!settings) {
        m_counts.failed();
        return lost(settings.error());
    }
    const bool needsShape = !m_shape.has_value();
    ask(
        [settings = *settings, profile = m_profile, folder = m_stateFolder,
         needsShape](OutboxSource &source) -> Result<Sample> {
            return look(source, settings, profile, folder, needsShape);
        },
        [this](const Result<Sample> &answer) {
            if (!answer) {
                m_counts.failed();
                return lost(answer.error());
            }
            if (answer->turnedAway)
                return turnedAway(*answer->turnedAway);
            m_counts.answered(answer->snapshot.tookMs);
            if (std::exchange(m_turnedAway, false) && m_running && m_rowsLive && m_shape)
                m_rows.start();
            m_meter.addRegular(&PollCost::figures, m_counts);
            m_health = {SourceHealth::State::Live,
                        QDateTime::currentDateTimeUtc(),
                        answer->snapshot.tookMs,
                        std::nullopt,
                        0,
                        {}};
            emit healthChanged(m_health);
            if (answer->newShape) {
                m_shape = answer->newShape;
                emit shapeKnown(*m_shape);
                if (m_rowsWanted)
                    showRows(m_request, m_rowsLive);
            }
            emit taken(answer->snapshot);
        });
}

void DatabaseFeed::lost(const Error &error)
{
    m_health.state = SourceHealth::State::Failing;
    m_health.error = error;
    m_health.retryInMs = m_counts.nextInMs();
    emit healthChanged(m_health);
}

void DatabaseFeed::turnedAway(const Error &error)
{
    m_turnedAway = true;
    m_counts.refused();
    m_rows.stop();
    lost(error);
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
    if (live && m_running && !m_turnedAway)
        m_rows.start();
    else
        m_rows.stop();
    m_rows.kick();
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
        if (auto opened = source.ensureOpen(); !opened)
            return passOn(opened);
        return source.page(request);
    };
}

void DatabaseFeed::askRows()
{
    if (m_request.after.isEmpty()) // "today" and "-15m" move on, but not from page to page
        m_rowsAt = QDateTime::currentDateTime();
    ask(pageOf(m_request),
        [this, token = m_rowsToken, request = m_request](const Result<MessagePage> &page) {
            if (page) {
                m_rows.answered(page->tookMs);
                m_meter.addRegular(&PollCost::list, m_rows);
            } else {
                m_rows.failed();
            }
            if (token != m_rowsToken) {
                if (m_rowsWanted)
                    m_rows.kick();
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
    ask(pageOf(request),
        [this, request](const Result<MessagePage> &page) { emit sought(request, page); });
}

void DatabaseFeed::find(const MessageId &id)
{
    using Answer = Result<std::optional<Message>>;
    ask(
        [id](OutboxSource &source) -> Answer {
            if (auto opened = source.ensureOpen(); !opened)
                return passOn(opened);
            return source.find(id, atOnceBytes);
        },
        [this, id](const Answer &row) { emit found(id, row); });
}

} // namespace outbox
