// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/fleet/fleetpoller.h"

#include "connectors/redis/endpoint.h"
#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/driver/sqldatabases.h"

#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int fleetTickMs = 100;
constexpr int fleetRestMs = 30'000;
/// So long a system waits for the room that has its sessions; then it goes to another one.
constexpr qint64 fleetPatienceMs = 1000;
constexpr qsizetype mostSilentRooms = mostRoomsOfFleet / 2;
/// So many rooms ask one database server at most: should it stop, two are left for other systems.
constexpr qsizetype mostRoomsOfServer = mostRoomsOfFleet - 2;

/// What several profiles have in common where they are of one server: not the user, not the
/// database. Empty where the address cannot be read, or there is none.
QString databaseServerOf(const Profile &profile)
{
    const auto url = DatabaseUrl::fromUrl(profile.databaseUrl);
    if (profile.databaseUrl.isEmpty() || !url)
        return {};
    QStringList parts{QString::number(static_cast<int>(url->dialect)), url->hostOrSocket(),
                      QString::number(url->actualPort())};
    if (databaseOf(url->dialect).isFile())
        parts += url->database;
    for (auto option = url->options.cbegin(); option != url->options.cend(); ++option)
        parts += option.key() + u'=' + option.value();
    return parts.join(u'\n');
}

QString queueServerOf(const Profile &profile)
{
    const auto redis = RedisEndpoint::fromUrl(profile.redisUrl);
    if (profile.redisUrl.isEmpty() || !redis)
        return {};
    return QStringList{u"redis"_s,
                       redis->host,
                       QString::number(redis->port),
                       redis->socketPath,
                       redis->sentinels ? redis->sentinels->text() : QString(),
                       hostListText(redis->seeds)}
        .join(u'\n');
}

/// Whether the one that was asked stood still, or may have.
bool wasSilent(const std::optional<Error> &error)
{
    return error
        && (error->kind == Error::Kind::Timeout || error->kind == Error::Kind::Unreachable);
}

int jittered(int milliseconds)
{
    const int tenth = milliseconds / 10;
    return milliseconds - tenth + QRandomGenerator::global()->bounded(2 * tenth + 1);
}

} // namespace

/// One source of a system, as the poller knows it.
struct FleetSource
{
    QString server; ///< empty: there is none to be asked
    std::optional<Error> refused; ///< it knows us and says no
    bool isAsked = false; ///< by the question in hand, or by the last one
    bool isOpen = false; ///< there is a session, and it answered last time
};

struct FleetPoller::Watched
{
    explicit Watched(const FleetSystem &saved) : system(saved)
    {
        if (!saved.target)
            return;
        memory = std::make_shared<ReadingJudge>(saved.target->profile);
        database.server = databaseServerOf(saved.target->profile);
        queue.server = queueServerOf(saved.target->profile);
    }

    FleetSystem system;
    std::shared_ptr<ReadingJudge> memory; ///< nullptr where its profile cannot be read
    FleetSource database;
    FleetSource queue;
    FleetRoom *home = nullptr; ///< where its sessions are
    int place = 0; ///< there
    qint64 dueMs = 0;
    qint64 askedMs = 0; ///< the last time
    bool isAsked = false;
    bool isSilent = false; ///< a server of it did not answer last time
    bool isToldClosed = false; ///< that no source of it could be asked
    bool isGone = false; ///< nobody wants to know any more

    /// None of its sources is to be asked.
    [[nodiscard]] bool isClosed(const ClosedSources &known) const
    {
        return (known.database || database.server.isEmpty())
            && (known.queue || queue.server.isEmpty()) && (known.database || known.queue);
    }
};

struct FleetPoller::FleetRoom
{
    std::shared_ptr<Room<FleetSessions>> room = std::make_shared<Room<FleetSessions>>(u"fleet"_s);
    std::unique_ptr<StatusQuestion> question; ///< the one in hand
    Entry asked; ///< whom it asks
    std::array<std::weak_ptr<Watched>, FleetSessions::places> owners;
    qint64 busySinceMs = 0;
    bool isOfSilent = false; ///< the question in hand is to a system that was silent

    [[nodiscard]] int freePlaces() const
    {
        return static_cast<int>(std::count_if(owners.begin(), owners.end(),
                                              [](const auto &owner) { return owner.expired(); }));
    }
    void drop(int place) const
    {
        room->run([place](FleetSessions &all) {
            all.drop(place);
            return true;
        });
    }
};

FleetPoller::FleetPoller(QString program, QObject *parent)
    : QObject(parent), m_program(std::move(program))
{
    m_clock.start();
    m_tick.setInterval(fleetTickMs);
    connect(&m_tick, &QTimer::timeout, this, &FleetPoller::askDue);
    m_rest.setSingleShot(true);
    m_rest.setInterval(fleetRestMs);
    connect(&m_rest, &QTimer::timeout, this, &FleetPoller::closeSessions);
}

FleetPoller::~FleetPoller()
{
    for (const auto &room : m_rooms) // all of them first: they end beside each other
        room->room->interrupt();
}

void FleetPoller::setSystems(const QList<FleetSystem> &systems)
{
    std::vector<Entry> kept;
    for (const FleetSystem &wanted : systems) {
        const auto isIt = [&wanted](const Entry &one) { return one && one->system == wanted; };
        const auto known = std::find_if(m_systems.begin(), m_systems.end(), isIt);
        kept.push_back(known == m_systems.end() ? std::make_shared<Watched>(wanted)
                                                : std::exchange(*known, nullptr));
        if (!kept.back()->memory)
            emit looked(unreadSystem(kept.back()->system));
    }
    for (const Entry &one : m_systems) {
        if (!one)
            continue;
        one->isGone = true;
        if (!one->isAsked)
            leave(*one);
    }
    m_systems = std::move(kept);
}

void FleetPoller::start()
{
    m_rest.stop();
    if (isRunning())
        return;
    m_meter.start(m_clock.elapsed());
    m_tick.start();
    askDue();
}

void FleetPoller::stop()
{
    m_tick.stop();
    m_rest.start();
}

void FleetPoller::lookNow()
{
    for (const Entry &system : m_systems) {
        system->database.refused.reset();
        system->queue.refused.reset();
        system->dueMs = 0;
    }
    if (isRunning())
        askDue();
}

FleetCost FleetPoller::cost() const
{
    FleetCost cost = m_meter.cost(m_clock.elapsed());
    cost.sessions = std::count_if(m_systems.begin(), m_systems.end(), [](const Entry &system) {
        return system->home && (system->database.isOpen || system->queue.isOpen);
    });
    return cost;
}

void FleetPoller::askDue()
{
    const qint64 now = m_clock.elapsed();
    std::vector<Entry> due;
    for (const Entry &system : m_systems) {
        if (system->memory && !system->isAsked && system->dueMs <= now)
            due.push_back(system);
    }
    std::stable_sort(due.begin(), due.end(), [](const Entry &one, const Entry &other) {
        return one->dueMs < other->dueMs;
    });
    for (const Entry &system : due)
        ask(system);
}

ClosedSources FleetPoller::knownOf(const Watched &system, qint64 now) const
{
    const auto whyNot = [this, now](const FleetSource &source) -> std::optional<Error> {
        if (source.server.isEmpty() || source.isOpen)
            return std::nullopt;
        if (source.refused)
            return source.refused;
        const AwayServers::Away *away = m_away.closed(source.server, now);
        return away ? std::optional<Error>(away->error) : std::nullopt;
    };
    return {whyNot(system.database), whyNot(system.queue)};
}

void FleetPoller::ask(const Entry &system)
{
    const qint64 now = m_clock.elapsed();
    ClosedSources known = knownOf(*system, now);
    if (system->isToldClosed && system->isClosed(known))
        return; // nothing new can be seen of it
    system->database.isAsked = !system->database.server.isEmpty() && !known.database;
    system->queue.isAsked = !system->queue.server.isEmpty() && !known.queue;
    FleetRoom *room = roomFor(system, now);
    if (!room)
        return;
    room->asked = system;
    if (!known.database && !system->database.isOpen)
        m_away.trying(system->database.server, now);
    if (!known.queue && !system->queue.isOpen)
        m_away.trying(system->queue.server, now);
    system->isAsked = true;
    system->askedMs = now;
    room->busySinceMs = now;
    room->isOfSilent = system->isSilent;
    room->question = std::make_unique<StatusQuestion>(
        *system->system.target, QuestionPlace{room->room, system->place, m_program}, system->memory,
        std::move(known),
        [this, system, room](const SystemReading &look, const ClosedSources &closed) {
            take(system, look, closed, room->question->cost());
        });
    room->question->start([this, room] {
        postTo(this, [this, room] { // here a step of it may still be on the stack
            room->question.reset();
            room->asked.reset();
            if (isRunning())
                askDue();
        });
    });
}

void FleetPoller::take(const Entry &system, const SystemReading &look, const ClosedSources &closed,
                       const QuestionCost &cost)
{
    const qint64 now = m_clock.elapsed();
    system->isAsked = false;
    judgeServers(*system, look, closed);
    system->isToldClosed = system->isClosed(knownOf(*system, now));
    m_meter.add(now, cost.processorMs, cost.traffic);
    // Sessions that could not be opened know a shape that may be the obstacle.
    const bool isStuck = closed.database && !wasSilent(closed.database);
    if (system->isGone || isStuck || (!isRunning() && !m_rest.isActive()))
        leave(*system);
    if (system->isGone)
        return;
    // What a server that is away took is no cost of looking at it: that is tried by its own rule.
    const double tookMs = system->isSilent ? 0 : cost.tookMs;
    system->dueMs = system->askedMs + jittered(fleetIntervalMs(look.report.level, tookMs));
    emit looked(fleetReadingOf(system->system, look));
}

void FleetPoller::judgeServers(Watched &system, const SystemReading &look,
                               const ClosedSources &closed)
{
    const qint64 now = m_clock.elapsed();
    const auto judge = [this, now](FleetSource &source, const std::optional<Error> &whyClosed,
                                   const std::optional<Error> &error) {
        if (!source.isAsked)
            return;
        source.isOpen = !whyClosed && !wasSilent(error);
        if (whyClosed && AwayServers::isOfServer(*whyClosed))
            m_away.failed(source.server, *whyClosed, now);
        else if (whyClosed || source.isOpen) // also who refuses us is there
            m_away.answered(source.server);
        if (whyClosed && whyClosed->kind == Error::Kind::Refused)
            source.refused = whyClosed;
    };
    const auto errorOf = [](const auto &result) {
        return result ? std::nullopt : std::optional<Error>(result.error());
    };
    judge(system.database, closed.database, errorOf(look.outbox));
    judge(system.queue, closed.queue, errorOf(look.queue));
    system.isSilent = (!system.database.server.isEmpty() && wasSilent(errorOf(look.outbox)))
        || (!system.queue.server.isEmpty() && wasSilent(errorOf(look.queue)));
}

FleetPoller::FleetRoom *FleetPoller::freeRoom()
{
    FleetRoom *best = nullptr;
    for (const auto &room : m_rooms) {
        if (!room->question && (!best || room->freePlaces() > best->freePlaces()))
            best = room.get();
    }
    if ((!best || best->freePlaces() == 0)
        && m_rooms.size() < static_cast<std::size_t>(mostRoomsOfFleet)) {
        m_rooms.push_back(std::make_unique<FleetRoom>());
        best = m_rooms.back().get();
    }
    return best;
}

FleetPoller::FleetRoom *FleetPoller::roomFor(const Entry &system, qint64 now)
{
    const auto asksSilent = [](const auto &room) { return room->question && room->isOfSilent; };
    if (system->isSilent
        && std::count_if(m_rooms.begin(), m_rooms.end(), asksSilent) >= mostSilentRooms)
        return nullptr;
    const auto asksItsDatabase = [&system](const auto &room) {
        return room->question && room->asked->database.isAsked
            && room->asked->database.server == system->database.server;
    };
    if (system->database.isAsked
        && std::count_if(m_rooms.begin(), m_rooms.end(), asksItsDatabase) >= mostRoomsOfServer)
        return nullptr;
    if (system->home && !system->home->question)
        return system->home;
    if (system->home && now - system->home->busySinceMs < fleetPatienceMs)
        return nullptr;
    FleetRoom *room = freeRoom();
    if (!room)
        return nullptr;
    leave(*system);
    settle(system, *room);
    return room;
}

void FleetPoller::settle(const Entry &system, FleetRoom &room)
{
    auto &owners = room.owners;
    auto place = std::find_if(owners.begin(), owners.end(),
                              [](const auto &owner) { return owner.expired(); });
    if (place == owners.end()) {
        place = std::min_element(owners.begin(), owners.end(),
                                 [](const auto &one, const auto &other) {
                                     return one.lock()->askedMs < other.lock()->askedMs;
                                 });
        leave(*place->lock());
    }
    system->home = &room;
    system->place = static_cast<int>(place - owners.begin());
    *place = system;
    system->memory->setShape({}); // nothing of it is open there
}

void FleetPoller::leave(Watched &system)
{
    if (!system.home)
        return;
    system.home->owners.at(static_cast<std::size_t>(system.place)).reset();
    system.home->drop(system.place);
    system.home = nullptr;
    system.database.isOpen = false;
    system.queue.isOpen = false;
}

void FleetPoller::closeSessions()
{
    for (const Entry &system : m_systems) {
        if (!system->isAsked)
            leave(*system);
    }
}

} // namespace outbox
