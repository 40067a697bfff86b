// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Faults that a sanitizer must report, each planted on purpose: who reports nothing may be switched
// off.
#include "connectors/room.h"

#include <QByteArrayView>
#include <QCoreApplication>
#include <QThread>

#include <atomic>
#include <limits>
#include <memory>

using namespace outbox;

namespace {

struct Owned
{
};

/// A room's job and the owner of the room write one number, and nothing orders the two.
int race()
{
    int number = 0;
    std::atomic_bool isWritten{false};
    Room<Owned> room(QStringLiteral("bench"));
    QFuture<int> answer = room.run([&](Owned &) {
        while (!isWritten.load(std::memory_order_relaxed))
            QThread::yieldCurrentThread();
        return ++number;
    });
    ++number;
    isWritten.store(true, std::memory_order_relaxed);
    answer.waitForFinished();
    return number;
}

int freed()
{
    auto number = std::make_unique<int>(1);
    const int *const seen = number.get();
    number.reset();
    return *seen;
}

int overflow(int more)
{
    return std::numeric_limits<int>::max() + more;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QByteArrayView fault(argc > 1 ? argv[1] : "");
    if (fault == "race")
        return race();
    return fault == "freed" ? freed() : overflow(argc);
}
