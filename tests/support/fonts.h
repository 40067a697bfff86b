// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fonts for a test program with a window: without any, nothing in it has a size.
#pragma once

#include <QFontDatabase>
#include <QTest>

/// Use inside initTestCase(): skips the program where no font is installed; with
/// OUTBOX_REQUIRE_SERVERS=1 that is a failure, as a missing server is.
#define OUTBOX_NEED_FONTS()                                                                        \
    do {                                                                                           \
        if (QFontDatabase::families().isEmpty()) {                                                 \
            if (qEnvironmentVariableIsSet("OUTBOX_REQUIRE_SERVERS"))                               \
                QFAIL("no font is installed: apt-get install fonts-dejavu-core");                  \
            QSKIP("no font is installed: apt-get install fonts-dejavu-core");                      \
        }                                                                                          \
    } while (false)
