// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many tasks a second one relay can enqueue into a private Redis, by batch size; run by hand.
#include "app/demo/privateserver.h"
#include "connectors/asynq/asynqqueue.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTextStream>
#include <QUuid>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

QList<EnqueueRequest> batchOf(int size)
{
    QList<EnqueueRequest> batch;
    for (int i = 0; i < size; ++i) {
        EnqueueRequest request;
        request.id.text = QUuid::createUuid().toString(QUuid::WithoutBraces);
        request.queue.text = u"default"_s;
        request.type = u"mail:deliver"_s;
        request.payload = QByteArray(200, 'x');
        request.retentionSeconds = 86400;
        batch += request;
    }
    return batch;
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QTextStream out(stdout);
    PrivateRedis redis;
    AsynqQueue queue;
    if (const auto started = redis.start(); !started) {
        out << oneLine(started.error()) << '\n';
        return 1;
    }
    const auto endpoint = RedisEndpoint::fromUrl(redis.url());
    if (const auto opened = queue.open(*endpoint, u"bench"_s); !opened) {
        out << oneLine(opened.error()) << '\n';
        return 1;
    }
    constexpr int tasks = 100'000;
    for (const int size : {1, 10, 100, 1000}) {
        const int rounds = size == 1 ? tasks / 10 : tasks / size;
        qint64 spent = 0;
        QList<EnqueueRequest> batch;
        for (int round = 0; round < rounds; ++round) {
            batch = batchOf(size);
            QElapsedTimer clock;
            clock.start();
            const auto answers = queue.enqueue(batch);
            spent += clock.nsecsElapsed();
            if (!answers || answers->last().kind != EnqueueAnswer::Kind::Stored)
                return 1;
        }
        const double perSecond = 1e9 * rounds * size / static_cast<double>(spent);
        QElapsedTimer clock;
        clock.start();
        const auto again = queue.enqueue(batch);
        if (!again || again->last().kind != EnqueueAnswer::Kind::Exists)
            return 1;
        out << "batch " << size << ": " << qRound(perSecond) << " a second; the last one again "
            << static_cast<double>(clock.nsecsElapsed()) / 1e6 << " ms\n";
    }
    return 0;
}
