// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The file in which the history of one system is kept: SQLite, bounded, shared by all windows.
#pragma once

#include "models/result.h"
#include "models/system/historypoint.h"

#include <QString>

#include <functional>

namespace outbox {

/// A point stands once in the file, whoever saw it: what two processes see in the same time is
/// joined. So does an event: that a source was lost, or is back, is one event within a minute. A
/// process that is killed loses what it did not hand over. Blocking, for one thread; waits a second
/// at most for another process. Times are seconds since 1970 (UTC). Errors: Unsupported without
/// Qt's driver, Refused for a file that cannot be written (rights, full disk), Conflict where
/// another process keeps it, Invalid where it is damaged and cannot be set aside. Unsupported too
/// for a file of a newer version: it is never written, nor moved.
class HistoryStore
{
public:
    /// The file is never larger; beside it stands a log of 1 MiB or little more while it is open.
    static constexpr qint64 mostBytes = 32LL * 1024 * 1024;

    HistoryStore() = default;
    ~HistoryStore() { close(); }
    HistoryStore(const HistoryStore &) = delete;
    HistoryStore &operator=(const HistoryStore &) = delete;

    /// Opens the file, whose folder must be there, or makes it, for its owner alone. One of an
    /// earlier version gets what it lacks and keeps all that it has. One that is damaged gets
    /// another name, and an empty one takes its place; what is answered says so to a person, and is
    /// empty where nothing was set aside.
    [[nodiscard]] Result<QString> open(const QString &file);
    void close();
    /// False too where the file was deleted, or set aside by another process: what is written then
    /// would be found by nobody.
    [[nodiscard]] bool isOpen() const;

    /// Adds what was seen to what is there and forgets a part of what is too old by `now`, and
    /// events beyond the newest `mostHistoryEvents`; all of it or nothing. The file is open.
    [[nodiscard]] Result<void> put(const HistoryPoints &points, qint64 now);
    /// What charts show that end at `now`: seconds of the last hour, minutes of the day before it,
    /// quarters of an hour and events of thirty days. The file is open.
    [[nodiscard]] Result<HistoryPoints> recent(qint64 now);
    /// Events that were put, by anybody, since the file was opened or events were read last; a step
    /// along an index where there are none. The file is open.
    [[nodiscard]] Result<QList<HistoryEvent>> newEvents();
    /// Points that begin in [from, to). The file is open.
    [[nodiscard]] Result<QList<HistoryPoint>> read(HistoryTier tier, qint64 from, qint64 to);
    /// Whether an error says that the file is damaged: to open it again sets it aside.
    [[nodiscard]] static bool isDamage(const Error &error);

private:
    enum class Fitness { Fine, Damaged };

    [[nodiscard]] Result<Fitness> checkedFile();
    [[nodiscard]] Result<Fitness> openFile();
    [[nodiscard]] Result<Fitness> makeTables();
    [[nodiscard]] Result<Fitness> addWhatIsLacking();
    [[nodiscard]] Result<void> addEventTable();
    [[nodiscard]] Result<QString> setAside();
    [[nodiscard]] Result<void> plain(const QString &sql);
    [[nodiscard]] Result<qint64> number(const QString &sql);
    [[nodiscard]] Result<void> putAll(const HistoryPoints &points, qint64 now);
    [[nodiscard]] Result<void> putTier(HistoryTier tier, const QList<HistoryPoint> &points);
    [[nodiscard]] Result<void> putEvents(const QList<HistoryEvent> &events, qint64 now);
    [[nodiscard]] Result<bool> isTold(const HistoryEvent &event);
    [[nodiscard]] Result<QList<HistoryEvent>> readEvents(const QString &condition);
    [[nodiscard]] Result<void> forget(HistoryTier tier, qint64 before, qsizetype most);
    [[nodiscard]] bool isAtItsBound();
    /// Does all of `write` or nothing, and once more where the oldest seconds have to make room for
    /// it.
    [[nodiscard]] Result<void> withRoom(const std::function<Result<void>()> &write);
    /// All of it, or nothing.
    [[nodiscard]] Result<void> inTransaction(const std::function<Result<void>()> &write);

    QString m_file;
    QString m_name; ///< of the QSqlDatabase; empty = closed
    quint64 m_inode = 0; ///< of the file that was opened
    qint64 m_lastEvent = 0; ///< the row of the newest one that was read
    bool m_isSuspect = false; ///< damage was met: to open it checks the whole file
};

} // namespace outbox
