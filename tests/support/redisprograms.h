// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The servers that speak as Redis does, for a test whose outcome differs between them.
#pragma once

#include <QFile>
#include <QStandardPaths>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>

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

/// In the column "program"; none where no server is installed.
inline void addRedisPrograms()
{
    QTest::addColumn<QString>("program");
    for (const QString &program : redisPrograms())
        QTest::newRow(qPrintable(program)) << program;
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
