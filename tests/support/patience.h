// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long a test waits for what will come. Qt gives up after 5 s, which servers, windows and other
// tests on two busy processors do need now and then; who waits for what comes pays nothing for
// more.
#pragma once

#include <QTest>

namespace outbox {

/// As long, and longer where the build's OUTBOX_SLOWNESS says that sanitizers slow all of it down.
inline int patient(int ms)
{
    return ms * qMax(1, qEnvironmentVariableIntValue("OUTBOX_SLOWNESS"));
}

} // namespace outbox

#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(statement) QTRY_VERIFY_WITH_TIMEOUT(statement, outbox::patient(20'000))
#define QTRY_VERIFY2(statement, description)                                                       \
    QTRY_VERIFY2_WITH_TIMEOUT(statement, description, outbox::patient(20'000))
#define QTRY_COMPARE(actual, expected)                                                             \
    QTRY_COMPARE_WITH_TIMEOUT(actual, expected, outbox::patient(20'000))
