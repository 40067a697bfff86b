// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every store must do while its server stands still.
#pragma once

#include "connectors/room.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/patience.h"

#include <QElapsedTimer>

namespace outbox {

/// A call is given up by another thread, and the store can go on afterwards; ten rows are there.
inline void interruptFreesACall(PrivateServer &server, const DatabaseUrl &url)
{
    StoreSettings settings = settingsFor(url, StoreAccess::Relay);
    settings.statementTimeoutMs = 60'000;
    Room<OutboxStore> room(QStringLiteral("test"));
    auto opened = room.run([settings](OutboxStore &store) -> Result<OutboxStore *> {
        if (auto open = openOutbox(store, settings); !open)
            return passOn(open);
        return &store;
    });
    opened.waitForFinished();
    QVERIFY_RESULT(opened.result());
    OutboxStore *store = *opened.result();
    server.freeze();
    QElapsedTimer clock;
    clock.start();
    auto claimed = room.run([](OutboxStore &one) { return one.claim(3, {}); });
    QTRY_VERIFY((store->interrupt(), claimed.isFinished()));
    QVERIFY(clock.elapsed() < 5000);
    QCOMPARE(claimed.result().error().kind, Error::Kind::Unreachable);
    server.thaw();
    auto again = room.run([](OutboxStore &one) -> Result<QList<ClaimedMessage>> {
        if (auto open = one.ensureOpen(); !open)
            return passOn(open);
        return one.claim(3, {});
    });
    again.waitForFinished();
    QVERIFY_RESULT(again.result());
    QCOMPARE(again.result()->size(), 3);
}

/// A look ends in a timeout of our own.
inline void standstillIsATimeout(PrivateServer &server, const DatabaseUrl &url)
{
    StoreSettings settings = settingsFor(url, StoreAccess::ReadOnly);
    settings.statementTimeoutMs = 100;
    OutboxStore store;
    QVERIFY_RESULT(openOutbox(store, settings));
    server.freeze();
    const auto seen = store.snapshot();
    server.thaw();
    QCOMPARE(seen.error().kind, Error::Kind::Timeout);
    QVERIFY(!store.isOpen());
    QVERIFY_RESULT(store.ensureOpen());
    QVERIFY_RESULT(store.snapshot());
}

} // namespace outbox
