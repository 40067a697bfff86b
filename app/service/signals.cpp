// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/signals.h"

#include <QSocketNotifier>

#include <fcntl.h>
#include <unistd.h>

namespace outbox {

namespace {

int pipeEnds[2] = {-1, -1};

/// Only async-signal-safe calls here.
void onSignal(int number)
{
    const auto byte = static_cast<unsigned char>(number);
    [[maybe_unused]] const ssize_t written = ::write(pipeEnds[1], &byte, 1);
}

} // namespace

Signals::Signals(QObject *parent) : Signals({SIGTERM, SIGINT}, parent)
{ }

Signals::Signals(const QList<int> &numbers, QObject *parent) : QObject(parent)
{
    Q_ASSERT(pipeEnds[0] == -1);
    if (::pipe2(pipeEnds, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    m_notifier = std::make_unique<QSocketNotifier>(pipeEnds[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        unsigned char byte = 0;
        while (::read(pipeEnds[0], &byte, 1) == 1)
            emit received(byte);
    });
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    for (const int number : numbers)
        ::sigaction(number, &action, &m_before[number]);
}

Signals::~Signals()
{
    if (pipeEnds[0] == -1)
        return;
    for (const auto &[number, action] : m_before)
        ::sigaction(number, &action, nullptr);
    m_notifier.reset();
    ::close(pipeEnds[0]);
    ::close(pipeEnds[1]);
    pipeEnds[0] = pipeEnds[1] = -1;
}

} // namespace outbox
