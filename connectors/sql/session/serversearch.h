// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// In which order the servers of an address are asked, how long each, and what is told where none of
// them will do. Each database connects by itself, and judges what a server says of itself.
#pragma once

#include "connectors/sql/driver/storesettings.h"
#include "models/result.h"

#include <QDeadlineTimer>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

inline constexpr int serverPatienceMs = 1000; ///< of one server, where there are others

/// One server that an address names, or one address of it.
struct DatabaseServer
{
    QString host; ///< or the folder of a socket; empty: the client library's own
    QString address; ///< of the host; empty: the client library finds it
    QString port; ///< empty: the client library's own

    /// "db-2:5433", or the folder of its socket.
    [[nodiscard]] QString shown() const;
};

/// One search for a server, which may take as long as the settings let a connect take, without the
/// time in which names are looked up: each server has a second, and where none has answered those
/// that were late share what is left. Those that gave no answer in time are asked last, also by the
/// next search with the same memory.
class ServerSearch
{
public:
    /// Settings and memory outlive the search. `servers`, at least one, are in the order of the
    /// address.
    ServerSearch(const StoreSettings &settings, ServerMemory &memory, QList<DatabaseServer> servers,
                 QString doing);
    /// Goes to the next server; false: there is none to be asked any more. The others of this class
    /// are about that server.
    [[nodiscard]] bool next();
    [[nodiscard]] const DatabaseServer &server() const { return m_servers.at(m_now); }
    [[nodiscard]] QString name() const { return server().shown(); }
    /// So many milliseconds that server has to let somebody in.
    [[nodiscard]] int patienceMs() const;
    /// So many milliseconds that server has to say what it is; a session gives `usualMs`, a search
    /// of a second in all no more than that. One lets everybody in and answers nothing where it is
    /// a pooler before a server that stands still.
    [[nodiscard]] int meetingMs(int usualMs) const;
    [[nodiscard]] bool hasOthers() const { return m_servers.size() > 1; }
    /// Whether the session is to keep that server, which will do; `isWanted`: it is what is wished
    /// for first. Else the session asks for the next one.
    [[nodiscard]] bool takes(bool isWanted);
    /// That server failed; by Timeout it is one of those that were late.
    void failed(const Error &error);
    /// That server could not be connected to; `isLate`: it gave no answer in its time.
    void unmet(const Error &error, bool isLate);
    /// That server answered, and is not what is wanted, whatever others say: the error is
    /// Unreachable with `noPrimaryCode`.
    void turnDown(const QString &why, const QString &hint);
    /// Why no server was taken. Unreachable with `noPrimaryCode` where one was turned down, which
    /// `noneFits` says of all; Refused where each that answered refused.
    [[nodiscard]] Error error(const QString &noneFits) const;
    /// Of the server that was taken: a relay goes on with no other `system`, the identifier of its
    /// cluster, than the first. Empty: it is not known. Refused with `otherSystemCode`.
    [[nodiscard]] Result<void> remember(const QString &system);

private:
    [[nodiscard]] std::optional<qsizetype> nextIndex();
    void late();

    const StoreSettings &m_settings;
    ServerMemory &m_memory;
    QString m_doing;
    QList<DatabaseServer> m_servers;
    QDeadlineTimer m_deadline; ///< begins when the names were looked up, which nothing bounds
    QList<Error> m_errors; ///< of each of them; without a text where it was not asked
    QList<qsizetype> m_left; ///< to be asked still
    QList<qsizetype> m_late; ///< gave no answer in time
    qsizetype m_now = -1; ///< is being asked
    std::optional<qsizetype> m_second; ///< would do where no better one is found
    bool m_isLast = false; ///< `m_second` is asked again, or those that were late
    bool m_isTurnedDown = false; ///< one answered, and is not what is wanted
};

} // namespace outbox
