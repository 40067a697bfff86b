// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps what is seen of one system in a file, and tells what was seen before.
#pragma once

#include "connectors/history/historystore.h"
#include "connectors/room.h"
#include "models/alerts/alerttrial.h"
#include "models/profile/profile.h"
#include "models/system/earlierspan.h"
#include "models/system/historybuffer.h"
#include "models/system/systemhistory.h"

#include <QFuture>
#include <QObject>
#include <QTimer>

namespace outbox {

/// The file of a system. Its name is a digest of where database, table, Redis and queue are,
/// without users and options: whoever looks at the same system has the same file.
[[nodiscard]] QString historyFileOf(const Profile &profile, const QString &stateFolder);

/// Looking goes on whatever becomes of the file. Lives in the thread of the one who made it, and
/// the file in a room of its own; its destructor waits a little for what is under way.
class HistoryKeeper : public QObject
{
    Q_OBJECT

public:
    explicit HistoryKeeper(QString file, QObject *parent = nullptr);
    ~HistoryKeeper() override;

    /// Asks for what was seen until now; `recalled` answers, unless `failed` does. As long as
    /// another process keeps the file it is asked again.
    void recall();
    /// What the newest look at the outbox, or at the queues, told `history` at this time.
    void takeOutbox(const SystemHistory &history, const QDateTime &at);
    void takeQueues(const SystemHistory &history, const QDateTime &at);
    /// Judges a rule by what was seen in the last days; `ruleTried` answers, once for each time it
    /// is asked, in their order.
    void tryRule(const AlertRule &rule);
    void takeEvent(const HistoryEvent &event);
    /// Asks for the points of an earlier time; `earlierRead` answers, once for each time it is
    /// asked.
    void readEarlier(const EarlierQuestion &question);
    /// Writes what was taken, and waits until it is in the file or a second has passed.
    void finish();

signals:
    void recalled(const outbox::HistoryPoints &points);
    /// What another window has put into the file meanwhile, told with the next writing of this one;
    /// events of this one may be among it. What everybody sees for himself is not told.
    void eventsFound(const QList<outbox::HistoryEvent> &events);
    void ruleTried(const outbox::AlertRule &rule, const outbox::Result<outbox::AlertTrial> &trial);
    void earlierRead(const outbox::EarlierQuestion &question,
                     const outbox::Result<outbox::HistoryPoints> &points);
    /// The file was damaged; a sentence for a person.
    void setAside(const QString &notice);
    /// Nothing is kept from now on; told once, until `succeeded`.
    void failed(const outbox::Error &error);
    /// What is seen is kept again.
    void succeeded();

private:
    void take(const SystemHistory &history, Measure measure, const QDateTime &at);
    void writeLater();
    void write();
    void written(const Result<QString> &notice, const HistoryPoints &points);
    void tellEvents(const QList<HistoryEvent> &events);
    void tell(const Result<QString> &notice);

    QString m_file;
    HistoryBuffer m_buffer;
    QTimer m_later; ///< until what was taken is written
    bool m_isFailing = false;
    QFuture<void> m_written; ///< the last job
    Room<HistoryStore> m_room{QStringLiteral("history")};
};

} // namespace outbox
