// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real Galera cluster of three private MariaDB servers, and a plain hand at each of them.
#pragma once

#include "tests/support/privatemariadb.h"

#include <QStringList>

#include <array>

namespace outbox {

/// The nodes listen on the loopback, begin with equal data, and need no transfer of it. One that
/// was killed does not come back. A node that is gone is left out after a second or two.
/// Errors: those of `PrivateServer`; Timeout where it does not get ready; Protocol with the code of
/// the server for a statement that fails.
class GaleraWorld
{
public:
    static constexpr int nodes = 3;

    /// With the database "shop" and the account "deck", which may do everything in it.
    [[nodiscard]] Result<void> start();
    [[nodiscard]] PrivateMariadb &node(int which) { return m_nodes.at(size_t(which)).server; }
    [[nodiscard]] quint16 portOf(int which) const { return m_nodes.at(size_t(which)).port; }
    /// "mysql://…" with these nodes in their order.
    [[nodiscard]] QString url(const QList<int> &order = {0, 1, 2}) const;
    /// The first column of each row, or nothing; as root, by a session of its own.
    [[nodiscard]] Result<QStringList> ask(int which, const QString &sql);
    /// Runs each of these in one session.
    [[nodiscard]] Result<void> run(int which, const QStringList &statements);
    /// Makes the empty table shop.outbox, by the node `which`.
    [[nodiscard]] Result<void> makeOutbox(int which);
    /// Cuts a node off from the others, and waits until it takes no statement.
    [[nodiscard]] Result<void> isolate(int which);
    /// Lets it come back, and waits until it is in step.
    [[nodiscard]] Result<void> letBack(int which);
    /// Waits until so many are in step with each other, as this one says.
    [[nodiscard]] Result<void> awaitNodes(int count, int asked);
    /// Reads by the node `which` what all nodes have committed before.
    [[nodiscard]] Result<QStringList> askInStep(int which, const QString &sql);

private:
    struct Node
    {
        PrivateMariadb server;
        quint16 port = 0;
        quint16 groupPort = 0;
    };
    [[nodiscard]] QStringList arguments(int which) const;
    /// The first column of what the last of these answers.
    [[nodiscard]] Result<QStringList> inOneSession(int which, const QStringList &statements);
    /// Writes down, as if the three had been one cluster that went down in good order, that each of
    /// them has all of it.
    [[nodiscard]] Result<void> writeState(int which) const;

    std::array<Node, nodes> m_nodes;
};

} // namespace outbox
