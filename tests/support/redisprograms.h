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

/// Whether the program knows WAITAOF, by what it says of its version: Redis does since 7.2, and
/// Valkey began behind that.
enum class KnowsWaitAof { Yes, No };
[[nodiscard]] inline KnowsWaitAof waitAofOf(const QString &program)
{
    QProcess asked;
    asked.start(program, {QStringLiteral("--version")});
    if (!asked.waitForFinished())
        return KnowsWaitAof::No;
    const QString said = QString::fromLatin1(asked.readAll()); // "Redis server v=7.0.15 sha=…"
    const QString number = said.section(QStringLiteral(" v="), 1).section(QLatin1Char(' '), 0, 0);
    return QVersionNumber::fromString(number) >= QVersionNumber(7, 2) ? KnowsWaitAof::Yes
                                                                      : KnowsWaitAof::No;
}

/// In the column "program"; none where no server is installed.
inline void addRedisPrograms()
{
    QTest::addColumn<QString>("program");
    for (const QString &program : redisPrograms())
        QTest::newRow(qPrintable(program)) << program;
}
/// Only those that know it, or only those that do not; skips the test where there is none.
inline void addRedisPrograms(KnowsWaitAof wanted)
{
    QTest::addColumn<QString>("program");
    bool isAny = false;
    for (const QString &program : redisPrograms()) {
        if (waitAofOf(program) != wanted)
            continue;
        QTest::newRow(qPrintable(program)) << program;
        isAny = true;
    }
    if (!isAny && wanted == KnowsWaitAof::Yes)
        QSKIP("no server that knows WAITAOF is here: apt-get install valkey-server");
    if (!isAny)
        QSKIP("each server that is here knows WAITAOF");
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
