// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the long trials by hand have in common: relays as they are shipped, which are started again
// when they end, a wait that keeps an ear on them, and a table of what came out.
#pragma once

#include "tests/crash/ground.h"

#include <QRegularExpression>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace outbox::crash {

/// What relays said of tasks that Redis has lost.
struct ToldLoss
{
    int notices = 0;
    qint64 rows = 0; ///< of the lives that ended with it
    bool isAtLeast = false; ///< a relay sent more rows than it keeps count of

    ToldLoss &operator+=(const ToldLoss &other);
    /// How many of so many lost rows nobody told of.
    [[nodiscard]] qint64 untoldOf(qint64 lost) const;
};

/// Processes of `outboxctl relay` over one outbox, with a service manager that starts each of them
/// again when it ends. Their state folder is that of XDG_STATE_HOME.
class TrialRelays
{
public:
    /// `arguments` are those of each relay, behind "relay".
    TrialRelays(int count, QStringList arguments);

    [[nodiscard]] Result<void> start();
    /// Hears all of them, and starts those again that have ended.
    [[nodiscard]] Result<void> tend();
    /// Tends them until `isSo`; false where that took longer than `milliseconds`.
    [[nodiscard]] Result<bool> waitFor(int milliseconds, const std::function<bool()> &isSo);
    /// The same, but fails with Timeout and these words; two minutes.
    [[nodiscard]] Result<void> await(const QString &what, const std::function<bool()> &isSo);
    /// One of them dies by SIGKILL; `tend` starts it again.
    void kill(int relay);
    /// Ends all of them by SIGTERM.
    [[nodiscard]] Result<void> stop();

    /// What was told since it was asked before.
    [[nodiscard]] ToldLoss takeTold() { return std::exchange(m_told, {}); }
    [[nodiscard]] int endsWithLoss() const { return m_endsWithLoss; }
    [[nodiscard]] int otherEnds() const { return m_otherEnds; }
    /// The last words of a relay that ended for another reason.
    [[nodiscard]] QByteArray lastWords() const { return m_lastWords; }

private:
    [[nodiscard]] Result<void> startOne(std::unique_ptr<RelayProcess> &relay) const;
    void takeEnd(RelayProcess &relay);

    QStringList m_arguments;
    std::vector<std::unique_ptr<RelayProcess>> m_relays;
    QRegularExpression m_loss;
    ToldLoss m_told;
    int m_endsWithLoss = 0;
    int m_otherEnds = 0;
    QByteArray m_lastWords;
};

/// Statements that make "outbox" with uuid keys, whose rows go when they are delivered, or are
/// marked by `completed_at`; and "written", to which each writer adds the keys of its rows in the
/// same transaction. The key is the id of the task.
[[nodiscard]] QByteArray trialTables(bool keepsRows);
/// The condition of a row of "outbox" that waits.
[[nodiscard]] QByteArray waitingRow(bool keepsRows);

/// "median / worst" of milliseconds, as seconds; "-" where there are none.
[[nodiscard]] QString secondsText(QList<qint64> milliseconds);
/// A line that says whether the worst of these times is within what is wanted of `what`; empty
/// where there are none.
[[nodiscard]] QString verdictText(const QString &what, const QList<qint64> &milliseconds,
                                  qint64 wantedMs);
/// What goes on behind how often relays ended, with the last words; empty where none did.
[[nodiscard]] QString lastWordsText(int ends, const QByteArray &lastWords);
/// Lines of cells, the first one a heading, as aligned text.
[[nodiscard]] QString columnsText(const QList<QStringList> &lines);

} // namespace outbox::crash
