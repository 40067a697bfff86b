// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many promotions of a standby of PostgreSQL under a writer, a worker, and relays as they are
// shipped: which acknowledged rows ran never, or more than once.
#pragma once

#include "tests/crash/retryingwriter.h"
#include "tests/crash/trial.h"
#include "tests/support/faultproxy.h"
#include "tests/support/privatestandby.h"

#include <QTemporaryDir>

#include <array>
#include <optional>

namespace outbox::crash {

enum class PrimaryFault {
    Killed,
    Hung, ///< it stands still (SIGSTOP), and wakes after the promotion
    CutOff, ///< it lives, and nothing comes through between it and the relays
};

struct PromotionOrder
{
    int promotions = 20; ///< the primary is killed and stands still by turns
    bool isCutOff = false; ///< each time it is cut off instead
    bool isSynchronous = true; ///< a COMMIT waits for the standby
    int rowsASecond = 1000;
    int relays = 2;
    int detectionMs = 2000; ///< between the fault and the promotion
};

struct PromotionRound
{
    PrimaryFault fault = PrimaryFault::Killed;
    qint64 waiting = 0; ///< rows at a primary that is cut off, just before the promotion
    qint64 pauseMs = 0; ///< from pg_promote() to the first task that ran
};

struct PromotionReport
{
    bool isSynchronous = true;
    QList<PromotionRound> rounds;
    qint64 acknowledged = 0; ///< rows
    qint64 retries = 0; ///< of the writer
    qint64 lost = 0; ///< committed on the last primary, out of the outbox, and never run
    qint64 doubled = 0; ///< runs beyond the first
    /// Acknowledged, not on the last primary, and never run: they went with a primary.
    qint64 gone = 0;
    qint64 ghosts = 0; ///< run, though not on the last primary
    int otherEnds = 0; ///< of relays, but for a loss
    int endsWithLoss = 0; ///< no relay may find Redis at fault here
    QByteArray lastWords;

    /// A synchronous standby has all that was acknowledged; of another one running.md says that
    /// rows may go with the primary.
    [[nodiscard]] qint64 untold() const { return lost + (isSynchronous ? gone + ghosts : 0); }
};

[[nodiscard]] QString word(PrimaryFault fault);
/// One line for each kind of fault, the count of rows, and whether the times are as they are
/// wanted.
[[nodiscard]] QString tableOf(const PromotionReport &report);

/// Owns its servers. What ran is counted by the worker, what was acknowledged by the writer.
/// Errors: those of the servers; Timeout where something that must come does not.
class PromotionTrial
{
public:
    explicit PromotionTrial(PromotionOrder order);
    /// Tells each round as it ends.
    [[nodiscard]] Result<PromotionReport>
    run(const std::function<void(const PromotionRound &)> &tell);

private:
    [[nodiscard]] Result<void> open();
    /// The other server becomes a standby of the primary, made from it.
    [[nodiscard]] Result<void> makeStandby();
    /// The URL of both servers, by their lines where they will be cut off.
    [[nodiscard]] Result<QString> makeUrl();
    [[nodiscard]] PrimaryFault faultOf(int number) const;
    void strike(PrimaryFault fault);
    [[nodiscard]] Result<PromotionRound> tryOne(PrimaryFault fault);
    /// Writer and worker go on until `isSo`; Timeout after two minutes.
    [[nodiscard]] Result<void> goOnUntil(const QString &what, const std::function<bool()> &isSo);
    [[nodiscard]] Result<void> goOnUntilRun(qint64 more);
    /// Writer and worker take one step.
    void goOn();
    [[nodiscard]] Result<void> drain();
    [[nodiscard]] Result<void> judge();

    PromotionOrder m_order;
    QTemporaryDir m_state;
    PrivateRedis m_redis;
    std::array<PrivateStandby, 2> m_servers;
    std::array<FaultProxy, 2> m_lines; ///< to the servers, where they will be cut off
    std::size_t m_primary = 0;
    RetryingWriter m_writer;
    CountingWorker m_worker;
    qint64 m_ran = 0; ///< tasks
    Result<void> m_working; ///< what the worker met
    std::optional<TrialRelays> m_relays;
    PromotionReport m_report;
};

} // namespace outbox::crash
