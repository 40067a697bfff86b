// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One operation on the command line: look, print the plan, and where a person said so carry it out
// and print the receipt.
#pragma once

#include "app/cli/output/printer.h"
#include "app/cli/run/operationoptions.h"
#include "app/operations/core/operation.h"
#include "app/operations/core/operatorsession.h"
#include "app/service/signals.h"
#include "connectors/room.h"

#include <QEventLoop>
#include <QFutureWatcher>
#include <QTimer>

#include <functional>
#include <memory>
#include <stop_token>

namespace outbox {

/// What is going to be done: how the plan is made, in the operator's room, and by whom it is
/// carried out; null: by the one operation for the plan's verb. `session.stop()` ends the making of
/// the plan, and `tell` takes sentences about its progress.
struct PlannedCommand
{
    using Tell = std::function<void(const QString &progress)>;
    std::function<Result<Plan>(OperatorSession &session, const Tell &tell)> plan;
    std::shared_ptr<const Operation> by;
};

/// `operation` plans what it does to the selection, and carries that out.
[[nodiscard]] PlannedCommand plannedBy(std::shared_ptr<const Operation> operation,
                                       Selection selection);

/// Owns the operator's room. SIGINT and SIGTERM end it between two chunks, and while it looks at
/// once; a second one breaks the connections.
/// Errors: those of the operator session and of the record.
class OperationRun
{
public:
    OperationRun(const Printer &printer, OperationOptions options);

    /// Plan, and receipt where --yes was given.
    [[nodiscard]] ExitCode run(const PlannedCommand &command);
    /// One job that only looks. Fails with Cancelled after a signal.
    template <typename Job> auto look(Job job);
    /// The code to end with once a signal came; nullopt while none has.
    [[nodiscard]] std::optional<ExitCode> signalled() const
    {
        return m_signal == 0 ? std::nullopt : std::optional(exitCodeOfSignal(m_signal));
    }
    [[nodiscard]] std::stop_token stopToken() const { return m_stop.get_token(); }

private:
    [[nodiscard]] Result<void> open();
    [[nodiscard]] ExitCode act(const PlannedCommand &command, const Plan &plan);
    [[nodiscard]] Result<void> arm();
    [[nodiscard]] Result<void> note(AuditEntry::Kind kind);
    [[nodiscard]] ExitCode refuse(const Plan &plan, Error error) const;
    [[nodiscard]] Consent consentFor(const Plan &plan) const;
    void print(const Plan &plan) const;
    void print(const Plan &plan, const Receipt &receipt) const;
    void onSignal(int number);
    /// From any thread; told within a second.
    void tell(const QString &progress)
    {
        postTo(&m_everySecond, [this, progress] { m_progress = progress; });
    }
    template <typename Job> auto waitFor(Job job);

    const Printer &m_printer;
    OperationOptions m_options;
    std::stop_source m_stop;
    Signals m_signals;
    int m_signal = 0; ///< the first that came
    bool m_isActing = false;
    bool m_isOpen = false;
    QTimer m_everySecond;
    QString m_progress; ///< what was not told yet
    Room<OperatorSession> m_session;
};

template <typename Job> auto OperationRun::waitFor(Job job)
{
    using Answer = std::invoke_result_t<Job, OperatorSession &>;
    QFutureWatcher<Answer> watcher;
    QEventLoop loop;
    QObject::connect(&watcher, &QFutureWatcherBase::finished, &loop, &QEventLoop::quit);
    watcher.setFuture(m_session.run(std::move(job)));
    if (!watcher.isFinished())
        loop.exec();
    takeOver();
    return watcher.result();
}

template <typename Job> auto OperationRun::look(Job job)
{
    using Answer = std::invoke_result_t<Job, OperatorSession &>;
    if (auto opened = open(); !opened)
        return Answer(passOn(opened));
    if (m_signal != 0)
        return Answer(fail(Error::Kind::Cancelled, QStringLiteral("looking"), {}));
    return waitFor(std::move(job));
}

} // namespace outbox
