// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/privatepgbouncer.h"

#include <QElapsedTimer>
#include <QFile>
#include <QLocalSocket>
#include <QStandardPaths>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Of a role, over all databases: the server has sixty.
constexpr int mostSessions = 20;

} // namespace

Result<void> PrivatePgbouncer::start(const PrivatePostgres &server, const QString &mode,
                                     int poolSize, const QString &ignored)
{
    const QString doing = u"starting a private pgbouncer"_s;
    QString program = QStandardPaths::findExecutable(u"pgbouncer"_s);
    if (program.isEmpty())
        program = QStandardPaths::findExecutable(u"pgbouncer"_s, {u"/usr/sbin"_s});
    if (program.isEmpty()) {
        return fail(Error::Kind::Unsupported, doing, u"pgbouncer is not installed"_s, {},
                    u"sudo apt-get install pgbouncer"_s);
    }
    const QString settings = folder() + u"/pgbouncer.ini"_s;
    QFile file(settings);
    if (!file.open(QIODevice::WriteOnly))
        return fail(Error::Kind::Refused, doing, file.errorString());
    // Roles that a test makes are looked up at the server, by the one that it began with.
    file.write(
        u"[databases]\n* = host=%1 auth_user=%6\n[pgbouncer]\nlisten_addr =\nlisten_port = 5432\n"
        "unix_socket_dir = %2\nauth_type = trust\nauth_file = %2/users.txt\npool_mode = "
        "%3\ndefault_pool_size = %4\n"
        "ignore_startup_parameters = %5\nserver_reset_query = DISCARD ALL\n"
        "max_user_connections = %7\n"_s
            .arg(server.socketFolder(), folder(), mode, QString::number(poolSize), ignored,
                 server.user(), QString::number(mostSessions))
            .toUtf8());
    file.setPermissions(file.permissions() | QFileDevice::ReadOther);
    file.close();
    QFile users(folder() + u"/users.txt"_s);
    if (!users.open(QIODevice::WriteOnly))
        return fail(Error::Kind::Refused, doing, users.errorString());
    users.write('"' + server.user().toUtf8() + "\" \"\"\n");
    users.setPermissions(users.permissions() | QFileDevice::ReadOther);
    users.close();
    QStringList arguments{settings};
    runAsNobody(program, arguments, u"KILL"_s);
    if (auto launched = launch(program, arguments, doing); !launched)
        return launched;
    QElapsedTimer clock;
    clock.start();
    while (isRunning() && !clock.hasExpired(10'000)) {
        QLocalSocket socket;
        socket.connectToServer(folder() + u"/.s.PGSQL.5432"_s);
        if (socket.waitForConnected(100))
            return {};
    }
    return fail(Error::Kind::Unreachable, doing, u"it did not open its socket"_s);
}

} // namespace outbox
