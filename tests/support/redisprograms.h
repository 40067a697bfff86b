// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The servers that speak as Redis does, for a test whose outcome differs between them.
#pragma once

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>
#include <QVersionNumber>

namespace outbox {

/// redis-server and valkey-server as far as they are installed; behind them the programs that
/// OUTBOX_REDIS_SERVERS names, by their paths with ":" between.
[[nodiscard]] inline QStringList redisPrograms()
{
    QStringList programs;
    for (const QString &name : {QStringLiteral("redis-server"), QStringLiteral("valkey-server")}) {
        if (const QString program = QStandardPaths::findExecutable(name); !program.isEmpty())
            programs += program;
    }
    return programs
        + qEnvironmentVariable("OUTBOX_REDIS_SERVERS").split(QLatin1Char(':'), Qt::SkipEmptyParts);
}

/// How a program answers WAITAOF, by what it says of its version (see `whyDiskIsMistold`).
enum class WaitAof {
    Unknown, ///< it is no command
    Early, ///< under everysec also for what was only written
    Synced, ///< for that alone which was synced
};
[[nodiscard]] inline WaitAof waitAofOf(const QString &program)
{
    QProcess asked;
    asked.start(program, {QStringLiteral("--version")});
    if (!asked.waitForFinished())
        return WaitAof::Unknown;
    const QString said = QString::fromLatin1(asked.readAll()); // "Redis server v=7.0.15 sha=…"
    const QString number = said.section(QStringLiteral(" v="), 1).section(QLatin1Char(' '), 0, 0);
    const QVersionNumber version = QVersionNumber::fromString(number);
    if (version < QVersionNumber(7, 2))
        return WaitAof::Unknown;
    const bool isEarly = said.startsWith(QStringLiteral("Valkey"))
        ? version >= QVersionNumber(8)
        : version >= QVersionNumber(7, 4) && version < QVersionNumber(8);
    return isEarly ? WaitAof::Early : WaitAof::Synced;
}

/// In the column "program"; none where no server is installed.
inline void addRedisPrograms()
{
    QTest::addColumn<QString>("program");
    for (const QString &program : redisPrograms())
        QTest::newRow(qPrintable(program)) << program;
}
/// Only those that answer WAITAOF so; skips the test where there is none.
inline void addRedisPrograms(const QList<WaitAof> &wanted)
{
    QTest::addColumn<QString>("program");
    bool isAny = false;
    for (const QString &program : redisPrograms()) {
        if (!wanted.contains(waitAofOf(program)))
            continue;
        QTest::newRow(qPrintable(program)) << program;
        isAny = true;
    }
    if (!isAny)
        QSKIP("no server that answers WAITAOF so is here: OUTBOX_REDIS_SERVERS names more");
}

/// While it lives, servers that are started as redis-server are this program.
class RedisProgram
{
public:
    explicit RedisProgram(const QString &program)
    {
        const bool isLinked
            = QFile::link(program, m_folder.filePath(QStringLiteral("redis-server")));
        qputenv("PATH", QFile::encodeName(isLinked ? m_folder.path() : QString()) + ':' + m_path);
    }
    ~RedisProgram() { qputenv("PATH", m_path); }
    RedisProgram(const RedisProgram &) = delete;
    RedisProgram &operator=(const RedisProgram &) = delete;

private:
    QByteArray m_path = qgetenv("PATH");
    QTemporaryDir m_folder;
};

} // namespace outbox
