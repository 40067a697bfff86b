// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a relay knows of its queues from run to run: a private file of the state folder, and what
// the database adds to it.
#pragma once

#include "app/settings/privatefile.h"
#include "connectors/redis/endpoint.h"
#include "models/system/queuelife.h"

#include <QElapsedTimer>
#include <QList>

#include <optional>

namespace outbox {

/// One file for each relay that works into a Redis from this machine at the same time; a lock
/// beside it, held while the relay works, gives each its own. Without a folder that may be written
/// the relay has a name for this run alone, and remembers nothing.
class RelayMemory
{
public:
    /// Takes the first file that no other relay has. `folder` is absolute.
    void open(const QString &folder, const RedisEndpoint &redis);
    /// A name that no other relay has, the same in each run of this one.
    [[nodiscard]] const QByteArray &relay() const { return m_relay; }
    [[nodiscard]] const QList<QueueLife> &lives() const { return m_known; }
    /// Adds lines of the table outbox_fence that Redis still holds, the newest first. Of its own
    /// lines and the file the higher number counts; of a queue that the relay does not know it
    /// knows the life from then on.
    void add(const QList<RelayLife> &lines);
    /// The last run ended by a loss, and told it: this one takes what it finds.
    [[nodiscard]] bool isLossTold() const { return m_isLossTold; }
    /// It was taken: the next loss is another one.
    void takeLoss();
    /// The file; empty: nothing is remembered on this host.
    [[nodiscard]] const QString &place() const { return m_file; }
    /// Writes them down where they changed and the last time is a second ago. What is not written
    /// is less to check in the next run, and nothing else.
    void keep(const QList<QueueLife> &lives);
    /// The same at once, and lets others have the file.
    void close(const QList<QueueLife> &lives);
    /// What was known is over, and a loss is told: the next run takes what it finds.
    void forget();

private:
    void read();
    void write(const QList<QueueLife> &lives);
    void save(const QList<QueueLife> &sorted);

    QString m_file; ///< empty: nothing is remembered
    std::optional<PrivateFile> m_lock;
    QByteArray m_relay;
    QList<QueueLife> m_lives; ///< as written
    QList<QueueLife> m_known; ///< the same, and what the database added
    bool m_isLossTold = false;
    QElapsedTimer m_sinceWrite;
};

} // namespace outbox
