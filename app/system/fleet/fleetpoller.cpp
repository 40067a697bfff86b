// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/fleet/fleetpoller.h"

#include "connectors/redis/endpoint.h"
#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/driver/sqldatabases.h"

#include <QRandomGenerator>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int fleetTickMs = 100;
constexpr int fleetRestMs = 30'000;
/// So long a system waits for the room of its address, where that asks others; then all of that
/// address go to another one.
constexpr qint64 fleetPatienceMs = 1000;
constexpr qsizetype systemsOfRoom = 8; ///< from so many on another room is made
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

/// What systems share that are opened in the same way: a session, in one room. Those without a
/// database share a room where they have the same Redis server. One of them is asked at a time.
struct FleetPoller::Address
{
    Address() = default;
    Address(const Target &target, const QString &program)
    {
        if (const auto wanted = databaseSettingsOf(target, program))
            settings = *wanted;
        else
            queueServer = queueServerOf(target.profile);
        database.server = databaseServerOf(target.profile);
    }
    [[nodiscard]] bool isThatOf(const Address &other) const
    {
        return settings == other.settings && queueServer == other.queueServer;
    }
    /// A session with the database may stand, or be opened just now.
    [[nodiscard]] bool mayHaveSession() const { return wasOpened || (isAsked && database.isAsked); }

    std::optional<StoreSettings> settings; ///< nullopt: no database is named
    QString queueServer; ///< where no database is named
    FleetSource database;
    int number = 0; ///< by which rooms know it
    FleetRoom *home = nullptr; ///< where its systems are asked; nullptr: nothing is open
    qint64 askedMs = 0; ///< one of them, the last time
    bool isAsked = false; ///< one of them is asked now
    bool wasOpened = false; ///< the session, which may be lost since
    bool isSilent = false; ///< the database did not answer when it was asked last
};

struct FleetPoller::Watched
{
    Watched(const FleetSystem &saved, std::shared_ptr<Address> itsAddress, int itsNumber)
        : system(saved), address(std::move(itsAddress)), number(itsNumber)
    {
        if (!saved.target)
            return;
        memory = std::make_shared<ReadingJudge>(saved.target->profile);
        queue.server = queueServerOf(saved.target->profile);
    }

    FleetSystem system;
    std::shared_ptr<Address> address; ///< never nullptr
    int number; ///< by which rooms know it
    std::shared_ptr<ReadingJudge> memory; ///< nullptr where its profile cannot be read
    FleetSource queue;
    qint64 dueMs = 0;
    qint64 askedMs = 0; ///< the last time
    bool isAsked = false;
    bool isSilent = false; ///< a server of it did not answer last time
    bool isToldClosed = false; ///< that no source of it could be asked
    bool isGone = false; ///< nobody wants to know any more

    /// None of its sources is to be asked.
    [[nodiscard]] bool isClosed(const ClosedSources &known) const
    {
        return (known.database || address->database.server.isEmpty())
            && (known.queue || queue.server.isEmpty()) && (known.database || known.queue);
    }
    /// A look may take long: it did, or one at its database did.
    [[nodiscard]] bool mayBeSilent() const
    {
        return isSilent || (address->database.isAsked && address->isSilent);
    }
    [[nodiscard]] FleetPlace place() const { return {address->number, number}; }
};

struct FleetPoller::FleetRoom
{
    std::shared_ptr<Room<FleetSessions>> room = std::make_shared<Room<FleetSessions>>(u"fleet"_s);
    std::unique_ptr<StatusQuestion> question; ///< the one in hand
    Entry asked; ///< whom it asks
    qint64 busySinceMs = 0;
    bool isOfSilent = false; ///< the question in hand is to a system that was silent

    void drop(const FleetPlace &place) const
    {
        room->run([place](FleetSessions &all) {
            all.dropSystem(place);
            return true;
        });
    }
    void dropAddress(int address) const
    {
        room->run([address](FleetSessions &all) {
            all.dropAddress(address);
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
        kept.push_back(known == m_systems.end()
                           ? std::make_shared<Watched>(wanted, addressOf(wanted), ++m_lastNumber)
                           : std::exchange(*known, nullptr));
        if (!kept.back()->memory)
            emit looked(unreadSystem(kept.back()->system));
    }
    const std::vector<Entry> left = std::exchange(m_systems, std::move(kept));
    for (const Entry &one : left) {
        if (!one)
            continue;
        one->isGone = true;
        if (!one->isAsked)
            forget(*one);
    }
}

std::shared_ptr<FleetPoller::Address> FleetPoller::addressOf(const FleetSystem &system)
{
    if (!system.target) // it is never asked
        return std::make_shared<Address>();
    auto address = std::make_shared<Address>(*system.target, m_program);
    std::erase_if(m_addresses, [](const auto &known) { return known.expired(); });
    for (const auto &known : m_addresses) {
        if (auto same = known.lock(); same->isThatOf(*address))
            return same;
    }
    address->number = ++m_lastNumber;
    m_addresses.push_back(address);
    return address;
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
        system->address->database.refused.reset();
        system->queue.refused.reset();
        system->dueMs = 0;
    }
    if (isRunning())
        askDue();
}

FleetCost FleetPoller::cost() const
{
    FleetCost cost = m_meter.cost(m_clock.elapsed());
    cost.sessions = std::count_if(m_addresses.begin(), m_addresses.end(), [](const auto &known) {
        const auto address = known.lock();
        return address && address->database.isOpen;
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
    return {whyNot(system.address->database), whyNot(system.queue)};
}

void FleetPoller::ask(const Entry &system)
{
    Address &address = *system->address;
    if (address.isAsked)
        return;
    const qint64 now = m_clock.elapsed();
    ClosedSources known = knownOf(*system, now);
    if (system->isToldClosed && system->isClosed(known))
        return; // nothing new can be seen of it
    address.database.isAsked = !address.database.server.isEmpty() && !known.database;
    system->queue.isAsked = !system->queue.server.isEmpty() && !known.queue;
    FleetRoom *room = roomFor(*system, now);
    if (!room)
        return;
    if (address.database.isAsked && !address.wasOpened)
        makeWayForSession();
    room->asked = system;
    if (!known.database && !address.database.isOpen)
        m_away.trying(address.database.server, now);
    if (!known.queue && !system->queue.isOpen)
        m_away.trying(system->queue.server, now);
    address.isAsked = true;
    address.askedMs = now;
    system->isAsked = true;
    system->askedMs = now;
    room->busySinceMs = now;
    room->isOfSilent = system->mayBeSilent();
    room->question = std::make_unique<StatusQuestion>(
        *system->system.target, QuestionPlace{room->room, system->place(), m_program},
        system->memory, std::move(known),
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
    system->address->isAsked = false;
    judgeServers(*system, look, closed);
    system->isToldClosed = system->isClosed(knownOf(*system, now));
    m_meter.add(now, cost.processorMs, cost.traffic);
    if (!isRunning() && !m_rest.isActive())
        leave(*system->address);
    if (system->isGone) {
        forget(*system);
        return;
    }
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
    FleetSource &database = system.address->database;
    judge(database, closed.database, errorOf(look.outbox));
    judge(system.queue, closed.queue, errorOf(look.queue));
    if (database.isAsked) {
        system.address->wasOpened = !closed.database;
        system.address->isSilent = wasSilent(errorOf(look.outbox));
    }
    system.isSilent = (!database.server.isEmpty() && wasSilent(errorOf(look.outbox)))
        || (!system.queue.server.isEmpty() && wasSilent(errorOf(look.queue)));
}

qsizetype FleetPoller::systemsIn(const FleetRoom &room) const
{
    return std::count_if(m_systems.begin(), m_systems.end(),
                         [&room](const Entry &system) { return system->address->home == &room; });
}

FleetPoller::FleetRoom *FleetPoller::freeRoom()
{
    FleetRoom *best = nullptr;
    qsizetype fewest = 0;
    for (const auto &room : m_rooms) {
        if (room->question)
            continue;
        const qsizetype systems = systemsIn(*room);
        if (best && systems >= fewest)
            continue;
        best = room.get();
        fewest = systems;
    }
    if ((!best || fewest >= systemsOfRoom)
        && m_rooms.size() < static_cast<std::size_t>(mostRoomsOfFleet)) {
        m_rooms.push_back(std::make_unique<FleetRoom>());
        best = m_rooms.back().get();
    }
    return best;
}

FleetPoller::FleetRoom *FleetPoller::roomFor(const Watched &system, qint64 now)
{
    Address &address = *system.address;
    const auto asksSilent = [](const auto &room) { return room->question && room->isOfSilent; };
    if (system.mayBeSilent()
        && std::count_if(m_rooms.begin(), m_rooms.end(), asksSilent) >= mostSilentRooms)
        return nullptr;
    const auto asksItsServer = [&address](const auto &room) {
        if (!room->question)
            return false;
        const FleetSource &asked = room->asked->address->database;
        return asked.isAsked && asked.server == address.database.server;
    };
    if (address.database.isAsked
        && std::count_if(m_rooms.begin(), m_rooms.end(), asksItsServer) >= mostRoomsOfServer)
        return nullptr;
    FleetRoom *home = address.home;
    if (home && !home->question)
        return home;
    // Another room would need a second session: who is held up by its own database waits for it.
    if (home
        && (home->asked->address == system.address || now - home->busySinceMs < fleetPatienceMs))
        return nullptr;
    FleetRoom *room = freeRoom();
    if (!room)
        return nullptr;
    leave(address);
    address.home = room;
    return room;
}

void FleetPoller::makeWayForSession()
{
    std::shared_ptr<Address> oldest;
    qsizetype sessions = 0;
    for (const auto &known : m_addresses) {
        const auto address = known.lock();
        if (!address || !address->mayHaveSession())
            continue;
        ++sessions;
        if (!address->isAsked && (!oldest || address->askedMs < oldest->askedMs))
            oldest = address;
    }
    if (sessions >= mostSessionsOfFleet && oldest)
        leave(*oldest);
}

void FleetPoller::leave(Address &address)
{
    if (!address.home)
        return;
    address.home->dropAddress(address.number);
    address.home = nullptr;
    address.wasOpened = false;
    address.database.isOpen = false;
    for (const Entry &system : m_systems) {
        if (system->address.get() == &address)
            system->queue.isOpen = false;
    }
}

void FleetPoller::forget(const Watched &system)
{
    Address &address = *system.address;
    if (address.home)
        address.home->drop(system.place());
    const auto isThere = [&address](const Entry &one) { return one->address.get() == &address; };
    if (!address.isAsked && std::none_of(m_systems.begin(), m_systems.end(), isThere))
        leave(address);
}

void FleetPoller::closeSessions()
{
    for (const auto &known : m_addresses) {
        if (const auto address = known.lock(); address && !address->isAsked)
            leave(*address);
    }
}

} // namespace outbox
