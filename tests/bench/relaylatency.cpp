// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/relaylatency.h"

#include "app/relay/relaydriver.h"
#include "app/settings/opening.h"
#include "connectors/answer.h"
#include "connectors/room.h"

#include <QElapsedTimer>
#include <QEventLoop>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Writer and worker in one, in a thread of its own: the relay's driver needs ours.
class Sampler
{
public:
    [[nodiscard]] Result<void> open(const PrivatePostgres &postgres, const RedisEndpoint &redis)
    {
        if (auto opened = m_writer.open(postgres); !opened)
            return opened;
        return m_worker.open(redis, RedisConnection::Access::Act, u"worker"_s,
                             std::chrono::seconds(10));
    }
    [[nodiscard]] Result<QList<double>> take(WakeUp how, int samples)
    {
        const QByteArray notify = how == WakeUp::Notify ? "NOTIFY outbox;" : "";
        QList<double> milliseconds;
        for (int sample = 0; sample < samples; ++sample) {
            // Idle again, and at no fixed place between two looks.
            if (auto idle = m_writer.run("SELECT pg_sleep(0.002 + random() * 0.02)"); !idle)
                return passOn(idle);
            if (auto written
                = m_writer.run("BEGIN;" + notify
                               + "INSERT INTO outbox VALUES (gen_random_uuid(), 'mail:deliver', "
                                 "decode(repeat('7b', 200), 'hex'))");
                !written) {
                return passOn(written);
            }
            if (auto committed = m_writer.run("COMMIT"); !committed)
                return passOn(committed);
            QElapsedTimer clock;
            clock.start();
            const auto id
                = m_worker.command({"BRPOP", "asynq:{default}:pending", "5"}, u"working"_s);
            const double spent = static_cast<double>(clock.nsecsElapsed()) / 1e6;
            if (!id)
                return passOn(id);
            if (id->isNil())
                return fail(Error::Kind::Timeout, u"working"_s, u"no task came within 5 s"_s);
            milliseconds += spent;
        }
        std::sort(milliseconds.begin(), milliseconds.end());
        return milliseconds;
    }

private:
    PlainPostgres m_writer;
    RedisConnection m_worker;
};

} // namespace

Result<QList<double>> measureLatency(BenchDesk &desk, WakeUp how, int samples)
{
    if (auto laid = desk.layEmpty(); !laid)
        return passOn(laid);
    OutboxStore looker;
    if (auto opened = looker.open(desk.settings(StoreAccess::ReadOnly)); !opened)
        return passOn(opened);
    const auto shape = takeShape(looker, Profile());
    if (!shape)
        return passOn(shape);

    RelaySettings settings;
    settings.stateFolder = desk.stateFolder(); // which the desk clears with Redis
    settings.pollMs = how == WakeUp::Poll ? 10 : 500;
    if (how == WakeUp::Notify)
        settings.notifyChannel = u"outbox"_s;
    QEventLoop loop;
    std::optional<Error> error;
    RelayDriver driver;
    QObject::connect(&driver, &RelayDriver::failed, &loop, [&](const Error &why) {
        error = why;
        loop.quit();
    });
    QObject::connect(&driver, &RelayDriver::stateChanged, &loop, [&](RelayState state) {
        if (state == RelayState::Running)
            loop.quit();
    });
    driver.start(desk.settings(StoreAccess::Relay), *shape, desk.redis(), settings);
    loop.exec();
    if (error)
        return tl::unexpected(*error);

    Result<QList<double>> answer;
    Room<Sampler> room(u"sampler"_s);
    const auto take = [&desk, how, samples](Sampler &sampler) -> Result<QList<double>> {
        if (auto opened = sampler.open(desk.postgres(), desk.redis()); !opened)
            return passOn(opened);
        return sampler.take(how, samples);
    };
    answerTo(&loop, room.run(take), [&](const Result<QList<double>> &taken) {
        answer = taken;
        loop.quit();
    });
    loop.exec();
    QObject::connect(&driver, &RelayDriver::finished, &loop, [&loop] { loop.quit(); });
    driver.stop();
    loop.exec();
    return answer;
}

} // namespace outbox
