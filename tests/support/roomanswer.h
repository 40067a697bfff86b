// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Waits for a room's answer, with the event loop running.
#pragma once

#include <QFuture>
#include <QTest>

namespace outbox {

/// Ends the test program when no answer comes within two minutes.
template <typename T> T answerOf(QFuture<T> future)
{
    if (!QTest::qWaitFor([&] { return future.isFinished(); }, 120'000))
        qFatal("a room did not answer");
    return future.result();
}

} // namespace outbox
