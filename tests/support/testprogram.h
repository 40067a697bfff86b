// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One program for many tests. `app-tests tst_relay [arguments of Qt Test]` runs one of them, and
// without a name the program lists them.
#pragma once

#include <QTest>

namespace outbox {

/// Runs one test with the arguments of Qt Test; answers the exit code.
using RunTest = int (*)(int argc, char **argv);
/// Called before main(), by `OUTBOX_TEST`. `name` is "tst_relay::TestRelay".
bool addTest(const char *name, RunTest run);

} // namespace outbox

/// Makes a test part of its program: `OUTBOX_TEST(tst_relay::TestRelay)`. The namespace has the
/// name of the file, which is the name of the test.
#define OUTBOX_TEST(Test) OUTBOX_TEST_AT(Test, __COUNTER__)
#define OUTBOX_TEST_AT(Test, number) OUTBOX_TEST_NUMBERED(Test, number)
#define OUTBOX_TEST_NUMBERED(Test, number)                                                         \
    [[maybe_unused]] static const bool isTestAdded##number                                         \
        = outbox::addTest(#Test, [](int argc, char **argv) {                                       \
              Test test;                                                                           \
              return QTest::qExec(&test, argc, argv);                                              \
          });
