// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What became of messages, counted from outside the relay: a worker that counts what it runs, and
// plain SQL for what is left.
#pragma once

#include "app/demo/demoworker.h"
#include "tests/support/testoutbox.h"

#include <functional>
#include <QHash>

#include <limits>

namespace outbox::crash {

/// Consumes the queue "default" as asynq's workers do, with completion and retention.
class CountingWorker
{
public:
    /// Again after the server was restarted; what was counted stays.
    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint);
    /// Runs what waits, at most `most` tasks; answers how many.
    [[nodiscard]] Result<qint64> consume(qint64 most = std::numeric_limits<qint64>::max());
    /// How often a task ran.
    [[nodiscard]] const QHash<QString, int> &runs() const { return m_runs; }
    /// Of its first run, when payloads are kept.
    [[nodiscard]] QByteArray payload(const QString &task) const { return m_payloads.value(task); }
    void keepPayloads() { m_keepPayloads = true; }
    void forget();

private:
    std::unique_ptr<DemoWorker> m_worker;
    QHash<QString, int> m_runs;
    QHash<QString, QByteArray> m_payloads;
    bool m_keepPayloads = false;
};

struct Tally
{
    qint64 messages = 0;
    qint64 lost = 0; ///< neither run nor in the outbox
    qint64 duplicates = 0; ///< runs beyond the first
    qint64 left = 0; ///< still unprocessed in the outbox, run or not
    qint64 altered = 0; ///< run with another payload than was inserted
    qint64 ghosts = 0; ///< run, but never committed by a writer

    [[nodiscard]] bool isClean() const { return lost + duplicates + left + altered + ghosts == 0; }
    Tally &operator+=(const Tally &other);
};

[[nodiscard]] QString words(const Tally &tally);
/// `expected` are the keys of committed rows; `taskOf` names the task of a key.
[[nodiscard]] Tally tallyOf(const QStringList &expected, const QStringList &left,
                            const CountingWorker &worker,
                            const std::function<QString(const QString &)> &taskOf);

} // namespace outbox::crash
