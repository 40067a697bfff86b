// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of an address as the fields of a form show them, and the two ways between them.
#pragma once

#include <QString>

#include <functional>
#include <optional>

namespace outbox {

struct DatabaseParts
{
    enum class Kind { PostgreSql, MariaDb, Sqlite };
    Kind kind = Kind::PostgreSql;
    QString host; ///< or the folder of a socket; several with commas between
    QString port; ///< empty: the usual one; those of several hosts with commas between
    QString database; ///< its name; Sqlite: the path of the file
    QString user;

    bool operator==(const DatabaseParts &) const = default;
};

struct RedisParts
{
    enum class Kind { None, Server, Sentinels, Cluster, Socket };
    Kind kind = Kind::None;
    QString hosts; ///< one; of sentinels and a Cluster "h1:26379,h2"; of a socket its path
    QString port; ///< Server; empty: the usual one
    QString master; ///< Sentinels: the name by which they watch it
    QString database; ///< a number; empty: 0
    QString user;
    bool tls = false;

    bool operator==(const RedisParts &) const = default;
};

/// Made where addresses are read. No password is in any of this.
struct AddressParser
{
    /// nullopt where the address cannot be understood; an empty one has the parts of nothing.
    std::function<std::optional<DatabaseParts>(const QString &address)> databaseParts;
    std::function<std::optional<RedisParts>(const QString &address)> redisParts;
    /// The address with these parts; what they do not say stays as `address` says it.
    std::function<QString(const QString &address, const DatabaseParts &parts)> databaseAddress;
    std::function<QString(const QString &address, const RedisParts &parts)> redisAddress;
};

} // namespace outbox
