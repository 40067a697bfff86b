// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// main() of a test whose one function may run for hours when asked to: Qt's watchdog ends a
// function after five minutes. And the seeds that such a test is asked for.
#pragma once

#include <QCoreApplication>
#include <QStringList>
#include <QTest>

#include <utility>

namespace outbox::crash {

/// The first and the last seed by this variable, which says "7" or "1-100"; `usual` where it is not
/// set.
[[nodiscard]] inline std::pair<quint32, quint32> seedsBy(const char *variable, const QString &usual)
{
    const QStringList ends = qEnvironmentVariable(variable, usual).split(QLatin1Char('-'));
    return {ends.first().toUInt(), ends.last().toUInt()};
}

} // namespace outbox::crash

#define OUTBOX_LONG_TEST_MAIN(Test)                                                                \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        if (!qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT"))                                  \
            qputenv("QTEST_FUNCTION_TIMEOUT", "36000000"); /* ms */                                \
        QCoreApplication app(argc, argv);                                                          \
        Test test;                                                                                 \
        return QTest::qExec(&test, argc, argv);                                                    \
    }
