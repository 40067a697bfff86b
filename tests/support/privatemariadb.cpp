// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/privatemariadb.h"

#include "tests/support/filebytes.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLocalSocket>
#include <QStandardPaths>

#include <csignal>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int startDeadlineMs = 30'000;
const QString doing = u"starting a private MariaDB"_s;

/// Debian keeps servers where only root's PATH leads.
QString programNamed(const QString &name)
{
    const QString found = QStandardPaths::findExecutable(name);
    return found.isEmpty() ? QStandardPaths::findExecutable(name, {u"/usr/sbin"_s}) : found;
}

Result<QString> needed(const QString &name)
{
    const QString program = programNamed(name);
    if (program.isEmpty()) {
        return fail(Error::Kind::Unsupported, doing, name + u" is not installed"_s, {},
                    u"sudo apt-get install mariadb-server"_s);
    }
    return program;
}

/// Small and quick: one of them for each test program, beside all the others.
QStringList thrifty()
{
    return {u"--innodb-buffer-pool-size=16M"_s, u"--innodb-log-file-size=8M"_s,
            u"--innodb-doublewrite=0"_s,        u"--innodb-flush-log-at-trx-commit=2"_s,
            u"--innodb-use-native-aio=0"_s,     u"--debug-no-sync"_s,
            u"--max-allowed-packet=512M"_s,     u"--skip-name-resolve"_s};
}

} // namespace

PrivateMariadb::PrivateMariadb()
{
    m_stopSignal = SIGKILL; // what it holds is thrown away
    m_deathSignal = SIGKILL;
}

Result<void> PrivateMariadb::start(const QStringList &extra)
{
    auto made = make(extra);
    return made ? restart() : made;
}

Result<void> PrivateMariadb::make(const QStringList &extra)
{
    m_extra = extra;
    auto program = needed(u"mariadb-install-db"_s);
    if (!program)
        return passOn(program);
    // In a common folder for temporary tables one that starts removes those of the others.
    QStringList init{u"--no-defaults"_s, u"--datadir="_s + dataFolder(), u"--tmpdir="_s + folder(),
                     u"--auth-root-authentication-method=normal"_s, u"--skip-test-db"_s};
    init += thrifty();
    runAsNobody(*program, init, u"KILL"_s);
    return runToEnd(*program, init, doing);
}

Result<void> PrivateMariadb::makeFrom(const PrivateMariadb &other, const QStringList &extra)
{
    m_extra = extra;
    return runToEnd(u"cp"_s, {u"-a"_s, other.dataFolder(), dataFolder()}, doing);
}

Result<void> PrivateMariadb::restart()
{
    auto begun = begin();
    return begun ? awaitGreeting() : begun;
}

Result<void> PrivateMariadb::begin()
{
    auto program = needed(u"mariadbd"_s);
    if (!program)
        return passOn(program);
    QFile::remove(socketPath());
    QStringList arguments{u"--no-defaults"_s,
                          u"--datadir="_s + dataFolder(),
                          u"--socket="_s + socketPath(),
                          u"--pid-file="_s + m_folder.filePath(u"pid"_s),
                          u"--tmpdir="_s + folder(),
                          u"--skip-networking"_s,
                          u"--character-set-server=utf8mb4"_s};
    arguments += thrifty() + m_extra;
    runAsNobody(*program, arguments, u"KILL"_s);
    return launch(*program, arguments, doing);
}

Result<void> PrivateMariadb::awaitGreeting()
{
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < startDeadlineMs && isRunning()) {
        QLocalSocket socket;
        socket.connectToServer(socketPath());
        // It greets whoever comes, once it is there for them.
        if (socket.waitForConnected(200) && socket.waitForReadyRead(2000))
            return {};
        m_process->waitForFinished(20);
    }
    return fail(Error::Kind::Unreachable, doing,
                u"the server does not answer: "_s + QString::fromUtf8(log().right(400)).trimmed());
}

void PrivateMariadb::stop()
{
    if (!isRunning())
        return;
    thaw();
    ::kill(static_cast<pid_t>(pid()), SIGTERM);
    m_process->waitForFinished(10'000);
}

QStringList PrivateMariadb::listensOn(quint16 port)
{
    return {u"--skip-networking=0"_s, u"--bind-address=127.0.0.1"_s, u"--port=%1"_s.arg(port)};
}

QString PrivateMariadb::socketPath() const
{
    return m_folder.filePath(u"m.sock"_s);
}

QString PrivateMariadb::user() const
{
    return u"root"_s;
}

QString PrivateMariadb::url(const QString &database) const
{
    return urlFor(user(), database);
}

QString PrivateMariadb::urlFor(const QString &account, const QString &database) const
{
    return u"mysql://%1@/%2?unix_socket=%3"_s.arg(account, database, socketPath());
}

QByteArray PrivateMariadb::log() const
{
    return fileBytes(m_folder.filePath(u"server.log"_s));
}

} // namespace outbox
