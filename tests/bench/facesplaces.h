// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Outboxes on private servers that tell what a stranger's statements have cost them.
#pragma once

#include "tests/bench/bigoutbox.h"
#include "tests/support/privatemariadb.h"

#include <QTemporaryDir>

#include <memory>

namespace outbox {

/// One outbox in a database of its own.
struct FacesPlace
{
    QString database; ///< its name, on MariaDB that of its user, too
    QString url;
    QString shapeFile; ///< its mapping, confirmed, as one that our relay may work on
};

/// A server, or a folder of SQLite files. Its failures end the program: nobody needs half a figure.
class FacesServer
{
public:
    virtual ~FacesServer() = default;
    [[nodiscard]] virtual QString name() const = 0;
    [[nodiscard]] virtual Result<void> start() = 0;
    /// Fills the table `outbox`, with the indexes that the program itself asks for.
    [[nodiscard]] Result<FacesPlace> place(const QString &database, BigOutbox outbox);
    /// Milliseconds that statements have taken in the server so far. Where nobody but the program
    /// itself works: the time that all its processes which ended took, or the one that runs as
    /// `pid`, whatever they did.
    [[nodiscard]] virtual double spentMs(const FacesPlace &place, qint64 pid) const = 0;
    /// The statements that took the most of it, a line each; nothing where the server tells none.
    [[nodiscard]] virtual QStringList dearest(const FacesPlace &) const { return {}; }
    /// Whether the time holds what the program needs for itself, too.
    [[nodiscard]] virtual bool isOfProgram() const { return false; }

protected:
    /// Makes the database and fills the table; answers its URL.
    [[nodiscard]] virtual Result<QString> fill(const QString &database, const BigOutbox &outbox)
        = 0;
    QTemporaryDir m_folder;
};

[[nodiscard]] std::unique_ptr<FacesServer> facesOfPostgres();
[[nodiscard]] std::unique_ptr<FacesServer> facesOfMariadb();
[[nodiscard]] std::unique_ptr<FacesServer> facesOfSqlite();

} // namespace outbox
