// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Our relay as a process that can be killed: says "at" when it stands at its point and goes on at a
// line from stdin. Ends when there is nothing to claim, or with --keep-on at SIGTERM.
#include "app/relay/relay.h"
#include "app/settings/opening.h"
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/wire/queuefence.h"
#include "tests/crash/seededbugs.h"
#include "tests/crash/standingqueue.h"
#include "tests/support/memoryparking.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>

#include <array>
#include <csignal>
#include <cstdio>
#include <poll.h>
#include <unistd.h>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

volatile std::sig_atomic_t stopAsked = 0;

void onTerm(int)
{
    stopAsked = 1;
}

void say(const char *word)
{
    std::puts(word);
    std::fflush(stdout);
}

/// Until the parent writes a line; the end of our parent is the end of us.
void standStill()
{
    say("at");
    char byte = 0;
    while (byte != '\n') {
        if (::read(STDIN_FILENO, &byte, 1) == 0)
            ::_exit(9);
    }
}

/// A pause that a signal ends.
void rest(int milliseconds)
{
    pollfd none{-1, 0, 0};
    ::poll(&none, 1, milliseconds);
}

struct Order
{
    StoreSettings store;
    Profile profile;
    RedisEndpoint redis;
    RelayRules rules;
    Bug bug = Bug::None;
    int batch = 10;
    int lanes = 2;
    int stopAt = -1;
    int redisTimeoutMs = 500;
    bool keepOn = false;
    QString log;
};

class Child
{
public:
    explicit Child(Order order) : m_order(std::move(order)) { }
    [[nodiscard]] Result<void> open();
    /// The exit code: 0 at a clean end, 3 after an error that rolled a batch back, 5 where Redis
    /// has lost what it was given.
    [[nodiscard]] int work();

private:
    void makeRelay();
    void reopen();

    Order m_order;
    std::array<OutboxStore, 2> m_stores;
    bool m_overlaps = false;
    AsynqQueue m_queue;
    std::optional<EventLog> m_log;
    std::optional<Milestones> m_milestones;
    std::optional<SteppingQueue> m_stepping;
    std::optional<WrongQueue> m_wrong;
    MemoryParking m_parking;
    OnlyBehindLast m_behindLast;
    std::optional<Relay> m_relay;
};

Result<void> Child::open()
{
    if (auto opened = m_stores.front().open(m_order.store); !opened)
        return opened;
    const auto shape = takeShape(m_stores.front(), m_order.profile);
    if (!shape)
        return passOn(shape);
    m_overlaps = m_order.lanes > 1 && m_stores.front().mayOverlap();
    if (m_overlaps) {
        if (auto opened = m_stores.back().open(m_order.store); !opened)
            return opened;
        if (auto used = m_stores.back().use(*shape); !used)
            return used;
    }
    if (auto opened = m_queue.open(m_order.redis, u"crash-relay"_s,
                                   std::chrono::milliseconds(m_order.redisTimeoutMs));
        !opened)
        return opened;
    if (m_order.bug == Bug::None)
        m_queue.watchLives("crash-" + QByteArray::number(::getpid()), {});
    if (!m_order.log.isEmpty())
        m_log.emplace(m_order.log);
    const Milestones::Place place{m_order.batch, m_order.stopAt, !m_stores.front().mayOverlap()};
    m_milestones.emplace(place, m_log ? &*m_log : nullptr, standStill);
    m_stepping.emplace(m_queue, *m_milestones);
    TaskQueue &queue = m_order.stopAt < 0 ? static_cast<TaskQueue &>(m_queue) : *m_stepping;
    m_wrong.emplace(queue, m_order.bug);
    makeRelay();
    return {};
}

void Child::makeRelay()
{
    Relay::Tools tools;
    tools.lanes = {&m_stores.front()};
    if (m_overlaps)
        tools.lanes += &m_stores.back();
    const bool behind = m_order.bug == Bug::OnlyBehindLast;
    tools.queue = &*m_wrong;
    tools.parking = behind ? static_cast<Parking *>(&m_behindLast) : &m_parking;
    tools.observer = [this, behind](RelayStage moment, const QList<MessageId> &ids) {
        behind ? m_behindLast.at(moment, ids) : m_milestones->at(moment, ids);
    };
    m_relay.emplace(std::move(tools), m_order.rules);
}

void Child::reopen()
{
    while (!stopAsked) {
        auto open = m_queue.connection().ensureOpen();
        for (OutboxStore &store : m_stores) {
            if (open && (&store == &m_stores.front() || m_overlaps))
                open = store.ensureOpen();
        }
        if (open)
            return;
        rest(20);
    }
}

int Child::work()
{
    constexpr int idleMs = 10;
    say("ready");
    while (!stopAsked) {
        bool failed = false;
        bool isLost = false;
        for (const RelayStep &step : m_relay->turn(m_order.batch)) {
            if (!step.error)
                continue;
            failed = true;
            isLost = isLost || step.error->code == asynq::QueueFence::lostCode;
            std::fprintf(stderr, "%s\n", qPrintable(oneLine(*step.error)));
        }
        if (isLost)
            return 5;
        if (failed) {
            say("failed");
            if (!m_order.keepOn)
                return 3;
            reopen();
        } else if (m_relay->lastClaim().rows == 0 && !m_relay->isUnderWay()) {
            if (!m_order.keepOn)
                break;
            rest(idleMs);
        }
        if (m_order.bug == Bug::OnlyBehindLast)
            makeRelay(); // reads its parking at once
    }
    int code = 0;
    for (const RelayStep &step : m_relay->settle())
        code = step.error ? 3 : code;
    return m_wrong->flush() ? code : 3;
}

int failed(const Error &error)
{
    std::fprintf(stderr, "%s\n", qPrintable(oneLine(error)));
    return 4;
}

} // namespace

int main(int argc, char **argv)
{
    std::signal(SIGTERM, onTerm);
    std::signal(SIGPIPE, SIG_IGN);
    const QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    for (const char *name : {"database", "table", "redis", "batch", "lanes", "retention", "stop-at",
                             "bug", "log", "redis-timeout", "shape"})
        parser.addOption({QString::fromLatin1(name), {}, u"VALUE"_s});
    parser.addOption({u"keep-on"_s, {}});
    parser.process(app);
    const auto number = [&parser](const QString &name, int otherwise) {
        return parser.isSet(name) ? parser.value(name).toInt() : otherwise;
    };

    Order order;
    const auto url = DatabaseUrl::fromUrl(parser.value(u"database"_s));
    if (!url)
        return failed(url.error());
    const auto redis = RedisEndpoint::fromUrl(parser.value(u"redis"_s));
    if (!redis)
        return failed(redis.error());
    order.store.url = *url;
    order.store.access = StoreAccess::Relay;
    order.store.applicationName = u"crash-relay"_s;
    order.profile.table = parser.value(u"table"_s);
    if (parser.isSet(u"shape"_s)) {
        QFile file(parser.value(u"shape"_s));
        if (!file.open(QIODevice::ReadOnly))
            return 2;
        const auto shape = OutboxShape::fromJson(QJsonDocument::fromJson(file.readAll()).object());
        if (!shape)
            return failed(shape.error());
        order.profile.shape = *shape;
    }
    order.redis = *redis;
    order.rules.queue.text = u"default"_s;
    order.rules.retentionSeconds = number(u"retention"_s, 3600);
    order.batch = number(u"batch"_s, order.batch);
    order.lanes = number(u"lanes"_s, order.lanes);
    order.stopAt = number(u"stop-at"_s, order.stopAt);
    order.redisTimeoutMs = number(u"redis-timeout"_s, order.redisTimeoutMs);
    order.keepOn = parser.isSet(u"keep-on"_s);
    order.log = parser.value(u"log"_s);
    const auto bug = bugFrom(parser.isSet(u"bug"_s) ? parser.value(u"bug"_s) : word(Bug::None));
    if (!bug)
        return 2;
    order.bug = *bug;

    Child child(order);
    if (auto opened = child.open(); !opened)
        return failed(opened.error());
    return child.work();
}
