// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long a test waits for what will come. Qt gives up after 5 s, which servers, windows and other
// tests on two busy processors do need now and then; who waits for what comes pays nothing for more.
#pragma once

#include <QTest>

#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(statement) QTRY_VERIFY_WITH_TIMEOUT(statement, 20'000)
#define QTRY_VERIFY2(statement, description)                                                       \
    QTRY_VERIFY2_WITH_TIMEOUT(statement, description, 20'000)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 20'000)
