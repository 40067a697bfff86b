// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relaymemory.h"

#include "app/settings/jsonfile.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int memoryVersion = 1;
constexpr int mostRelays = 64; ///< into one Redis, from one machine
constexpr int writeEveryMs = 1000;

/// The server without users and passwords; with sentinels it is the same one whoever is its master.
QString nameOf(const RedisEndpoint &redis)
{
    if (redis.isCluster()) {
        QStringList seeds = hostListText(redis.seeds).split(u',');
        seeds.sort(); // in whatever order they are named
        return u"cluster "_s + seeds.join(u',');
    }
    QString where = redis.socketPath;
    if (redis.sentinels)
        where = redis.sentinels->text();
    else if (where.isEmpty())
        where = redis.host + u':' + QString::number(redis.port);
    return u"%1/%2"_s.arg(where, QString::number(redis.database));
}

bool byQueue(const QueueLife &one, const QueueLife &other)
{
    return one.queue.text < other.queue.text;
}

} // namespace

void RelayMemory::open(const QString &folder, const RedisEndpoint &redis)
{
    *this = {};
    const QByteArray digest
        = QCryptographicHash::hash(nameOf(redis).toUtf8(), QCryptographicHash::Sha256).toHex();
    const QString stem = folder + u'/' + QString::fromLatin1(digest.left(32));
    for (int slot = 0; slot < mostRelays && !m_lock && ensurePrivateFolder(folder); ++slot) {
        const QString path = u"%1-%2"_s.arg(stem).arg(slot);
        auto lock = PrivateFile::open(path + u".lock"_s, PrivateFile::Mode::Append);
        if (!lock)
            break;
        if (!lock->lock(PrivateFile::Share::Alone, std::chrono::milliseconds(0)))
            continue;
        m_lock = *std::move(lock);
        m_file = path + u".json"_s;
        read();
    }
    if (m_relay.isEmpty())
        m_relay = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
}

void RelayMemory::read()
{
    if (!QFileInfo::exists(m_file))
        return;
    const auto document = readJsonFile(m_file);
    if (!document || document->object().value("version"_L1).toInt() != memoryVersion)
        return;
    const QJsonObject json = document->object();
    m_relay = json.value("relay"_L1).toString().toLatin1();
    const QJsonArray queues = json.value("queues"_L1).toArray();
    for (const auto &value : queues) {
        const QJsonObject queue = value.toObject();
        m_lives += QueueLife{{queue.value("queue"_L1).toString()},
                             queue.value("life"_L1).toString().toLatin1(),
                             queue.value("committed"_L1).toInteger()};
    }
    m_known = m_lives;
    m_isLossTold = json.value("loss_told"_L1).toBool();
}

void RelayMemory::add(const QList<RelayLife> &lines)
{
    for (const auto &[relay, reached] : lines) {
        const auto known = std::find_if(
            m_known.begin(), m_known.end(),
            [queue = reached.queue](const QueueLife &one) { return one.queue == queue; });
        if (known == m_known.end())
            m_known += QueueLife{reached.queue, reached.life,
                                 relay == m_relay ? reached.committed : qint64{0}};
        else if (relay == m_relay && reached.committed > known->committed)
            *known = reached;
    }
}

void RelayMemory::takeLoss()
{
    if (std::exchange(m_isLossTold, false))
        save(m_lives);
}

void RelayMemory::write(const QList<QueueLife> &lives)
{
    QList<QueueLife> sorted = lives;
    std::sort(sorted.begin(), sorted.end(), byQueue);
    if (sorted != m_lives)
        save(sorted);
}

void RelayMemory::save(const QList<QueueLife> &sorted)
{
    if (m_file.isEmpty())
        return;
    QJsonArray queues;
    for (const QueueLife &one : sorted) {
        queues.append(QJsonObject{{u"queue"_s, one.queue.text},
                                  {u"life"_s, QString::fromLatin1(one.life)},
                                  {u"committed"_s, one.committed}});
    }
    QJsonObject json{{u"version"_s, memoryVersion},
                     {u"relay"_s, QString::fromLatin1(m_relay)},
                     {u"queues"_s, queues}};
    if (m_isLossTold)
        json["loss_told"_L1] = true;
    if (writeJsonFile(m_file, QJsonDocument(json)))
        m_lives = sorted;
}

void RelayMemory::keep(const QList<QueueLife> &lives)
{
    if (m_sinceWrite.isValid() && !m_sinceWrite.hasExpired(writeEveryMs))
        return;
    m_sinceWrite.start();
    write(lives);
}

void RelayMemory::close(const QList<QueueLife> &lives)
{
    write(lives);
    m_lock.reset();
    m_file.clear();
}

void RelayMemory::forget()
{
    if (!m_file.isEmpty())
        QFile::remove(m_file); // also where the disk is full
    m_lives.clear();
    m_known.clear();
    m_relay = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    m_isLossTold = true;
    save({});
}

} // namespace outbox
