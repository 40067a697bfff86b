// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// QVERIFY for a Result: prints what was being done and what happened.
#pragma once

#include "models/result.h"

#include <QTest>

#define QVERIFY_RESULT(result)                                                                     \
    do {                                                                                           \
        const auto &verified = (result);                                                           \
        if (!verified.has_value())                                                                 \
            QFAIL(qPrintable(outbox::oneLine(verified.error())));                                  \
    } while (false)
