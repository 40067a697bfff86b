// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// main() of a test whose one function may run for hours when asked to: Qt's watchdog ends a
// function after five minutes.
#pragma once

#include <QCoreApplication>
#include <QTest>

#define OUTBOX_LONG_TEST_MAIN(Test)                                                                \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        if (!qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT"))                                  \
            qputenv("QTEST_FUNCTION_TIMEOUT", "36000000"); /* ms */                                \
        QCoreApplication app(argc, argv);                                                          \
        Test test;                                                                                 \
        return QTest::qExec(&test, argc, argv);                                                    \
    }
