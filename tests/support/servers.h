// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Private servers for a test program: started once, or skipped with the package name; with
// OUTBOX_REQUIRE_SERVERS=1 a missing server is a failure.
#pragma once

#include "app/demo/privateserver.h"

#include <QTest>

/// Use inside initTestCase(): starts `server` with the given arguments.
#define OUTBOX_START_SERVER(server, ...)                                                           \
    do {                                                                                           \
        const auto started = (server).start(__VA_ARGS__);                                          \
        if (!started.has_value()) {                                                                \
            const bool required = qEnvironmentVariableIsSet("OUTBOX_REQUIRE_SERVERS");             \
            if (started.error().kind == outbox::Error::Kind::Unsupported && !required)             \
                QSKIP(qPrintable(outbox::oneLine(started.error())));                               \
            QFAIL(qPrintable(outbox::oneLine(started.error())));                                   \
        }                                                                                          \
    } while (false)
