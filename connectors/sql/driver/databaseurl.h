// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a database is: the URL of one of any kind (`sqldatabases.h`) as a value.
#pragma once

#include "models/result.h"

#include <QMap>
#include <QString>
#include <QStringList>

namespace outbox {

struct DatabaseUrl
{
    enum class Dialect { PostgreSql, Sqlite, MariaDb };
    Dialect dialect{};
    /// Name, address, or the folder of a unix socket; several of them stand with commas between.
    QString host;
    /// 0 = the dialect's own. Those of several hosts are the option "port", with commas between.
    int port = 0;
    QString database; ///< name; Sqlite: absolute path of the file
    QString user;
    QString password; ///< never shown, logged or saved
    bool passwordInUrl = false; ///< the caller warns about it
    /// Words of the client library, such as sslmode (libpq) or unix_socket; see
    /// `SqlDatabase::checkUrl`.
    QMap<QString, QString> options;

    /// Reads the forms of cli.md. Fails with Invalid, or Unsupported for a scheme we do not speak.
    [[nodiscard]] static Result<DatabaseUrl> fromUrl(const QString &url);
    /// Of a server that listens where its kind usually does; 0 for files.
    [[nodiscard]] static int usualPort(Dialect dialect);
    [[nodiscard]] bool hasSeveralHosts() const { return host.contains(QLatin1Char(',')); }
    [[nodiscard]] int actualPort() const { return port > 0 ? port : usualPort(dialect); }
    [[nodiscard]] QString hostOrSocket() const;
    /// For people and logs: never holds the password.
    [[nodiscard]] QString shown() const;
    bool operator==(const DatabaseUrl &) const = default;
};

/// Invalid where one of several `hosts` of the URL has no name, or their ports do not fit.
[[nodiscard]] Result<void> checkHostList(const DatabaseUrl &url, const QStringList &hosts,
                                         const QString &doing);

} // namespace outbox
