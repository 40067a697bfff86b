// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Waits for a room's answer, with the event loop running.
#pragma once

#include "connectors/room.h"
#include "tests/support/patience.h"

#include <QTest>

namespace outbox {

/// Ends the test program when no answer comes within two minutes, as `patient` counts them.
template <typename T> T answerOf(QFuture<T> future)
{
    if (!QTest::qWaitFor([&] { return future.isFinished(); }, patient(120'000)))
        qFatal("a room did not answer");
    takeOver();
    return future.result();
}

} // namespace outbox
