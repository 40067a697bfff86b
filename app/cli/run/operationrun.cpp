// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/operationrun.h"

#include "app/cli/output/planjson.h"
#include "app/cli/output/plantext.h"
#include "app/cli/run/systemreader.h"
#include "app/settings/opening.h"
#include "models/phrases.h"
#include "models/plaintext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

PlannedCommand plannedBy(std::shared_ptr<const Operation> operation, Selection selection)
{
    const auto plan = [operation, selection = std::move(selection)](OperatorSession &session,
                                                                    const PlannedCommand::Tell &) {
        return operation->plan(session, selection);
    };
    return {plan, std::move(operation)};
}

OperationRun::OperationRun(const Printer &printer, OperationOptions options)
    : m_printer(printer), m_options(std::move(options)), m_session(u"operator"_s)
{
    QObject::connect(&m_signals, &Signals::received, &m_everySecond,
                     [this](int number) { onSignal(number); });
    QObject::connect(&m_everySecond, &QTimer::timeout, &m_everySecond, [this] {
        if (!m_progress.isEmpty())
            m_printer.note(m_progress);
        m_progress.clear();
    });
    m_everySecond.start(1000);
}

void OperationRun::onSignal(int number)
{
    const bool isFirst = m_signal == 0;
    if (isFirst)
        m_signal = number;
    m_stop.request_stop();
    if (!m_isActing || !isFirst)
        m_session.interrupt();
    else
        m_printer.note(u"stopping after this chunk"_s);
}

Result<void> OperationRun::open()
{
    if (m_isOpen)
        return {};
    OperatorSessionSettings settings;
    settings.profile = m_options.target.profile;
    settings.look = m_options.target.secrets;
    settings.stateFolder = m_options.stateFolder;
    settings.face = u"outboxctl"_s;
    const auto mapped = settings.profile.shape
        ? std::optional(settings.profile.refined(*settings.profile.shape))
        : std::nullopt;
    if (mapped && !mapped->lacksSource()) {
        settings.shape = *mapped;
    } else if (!settings.profile.databaseUrl.isEmpty()) {
        settings.shape = TRY(SystemReader(m_options.target).openDatabase());
    }
    auto opened = waitFor([settings, stop = m_stop.get_token()](OperatorSession &session) {
        session.setStop(stop);
        return session.open(settings);
    });
    m_isOpen = opened.has_value();
    return opened;
}

ExitCode OperationRun::run(const PlannedCommand &command)
{
    const auto plan = look([this, &command](OperatorSession &session) {
        return command.plan(session, [this](const QString &text) { tell(text); });
    });
    if (const auto code = signalled()) {
        m_printer.note(u"outboxctl: stopped before anything was done"_s);
        return *code;
    }
    if (!plan)
        return m_printer.error(plan.error());
    print(*plan);
    const ExitCode code = exitCodeOf(*plan);
    if (plan->unread && plan->items.isEmpty())
        return m_printer.error(*plan->unread);
    const bool mayAct = code == ExitCode::Ok || code == ExitCode::Partly;
    if (!m_options.confirmed || !mayAct)
        return code;
    const auto counts = plan->counts();
    if (counts.value(Outcome::NothingToDo) == plan->items.size()) {
        m_printer.note(u"outboxctl: nothing to do"_s);
        return code;
    }
    const ExitCode acted = act(command, *plan);
    return acted == ExitCode::Ok ? code : acted;
}

ExitCode OperationRun::act(const PlannedCommand &command, const Plan &plan)
{
    if (auto armed = arm(); !armed)
        return m_printer.error(armed.error());
    OperationControl control;
    control.cancel = m_stop.get_token();
    control.chunk = m_options.chunk;
    control.pauseMs = m_options.pauseMs;
    control.progressed = [this](const OperationProgress &progress) {
        tell(u"%1: %2 of %3"_s.arg(progress.phase, countText(progress.done),
                                   countText(progress.total)));
    };
    m_isActing = true;
    const auto receipt = waitFor([&](OperatorSession &session) {
        return (command.by ? *command.by : *operationFor(plan.verb))
            .carryOut(session, plan, consentFor(plan), control);
    });
    m_isActing = false;
    if (m_options.isLocked && !m_options.unlockReason.isEmpty()) {
        if (auto locked = note(AuditEntry::Kind::Lock); !locked)
            m_printer.note(u"outboxctl: "_s + plainText(oneLine(locked.error())));
    }
    if (!receipt) {
        const auto code = signalled();
        const ExitCode refused = refuse(plan, receipt.error());
        return code && receipt.error().kind == Error::Kind::Cancelled ? *code : refused;
    }
    print(plan, *receipt);
    if (receipt->error)
        m_printer.note(u"outboxctl: "_s + plainText(oneLine(*receipt->error)));
    const auto code = signalled();
    return code && receipt->cancelled ? *code : exitCodeOf(*receipt);
}

/// A locked profile stays unarmed, so that the engine refuses and records it.
Result<void> OperationRun::arm()
{
    if (m_options.isLocked) {
        if (m_options.unlockReason.isEmpty())
            return {};
        TRY(note(AuditEntry::Kind::Unlock));
    }
    return waitFor([acting = m_options.acting](OperatorSession &session) -> Result<void> {
        session.arm(acting);
        return {};
    });
}

Result<void> OperationRun::note(AuditEntry::Kind kind)
{
    return waitFor([kind, reason = m_options.unlockReason,
                    remark = m_options.consent.note](OperatorSession &session) -> Result<void> {
        AuditEntry entry = entryAbout(kind, session.profile(), session.face(), session.target());
        entry.what = reason;
        entry.note = remark;
        const auto appended = session.audit().append(entry);
        return appended ? Result<void>() : passOn(appended);
    });
}

/// The engine's hints are for a person before a dialog; here they name options.
ExitCode OperationRun::refuse(const Plan &plan, Error error) const
{
    const Consent consent = consentFor(plan);
    if (plan.acting() > 0 && objection(withConsent(plan, consent), consent))
        error.hint = u"To carry the plan out, add: "_s + optionsFor(plan);
    if (m_options.isLocked && m_options.unlockReason.isEmpty()
        && error.kind == Error::Kind::Refused) {
        error.text = u"profile \"%1\" is read-only"_s.arg(plainText(m_options.target.profile.name));
        error.hint = u"Unlock it for this once: --unlock REASON"_s;
    }
    return m_printer.error(error);
}

/// Only production asks for the typed text itself; elsewhere --yes says it. A text that was given
/// counts wherever one is asked for.
Consent OperationRun::consentFor(const Plan &plan) const
{
    Consent consent = m_options.consent;
    if (!m_options.isTyped && plan.environment != Environment::Production)
        consent.typed = textToType(withConsent(plan, consent));
    return consent;
}

void OperationRun::print(const Plan &plan) const
{
    if (m_printer.isJson()) {
        m_printer.object({{u"plan"_s, toJson(plan)}});
        return;
    }
    m_printer.line(toText(plan));
    if (!m_options.confirmed && plan.acting() > 0)
        m_printer.line(u"Nothing was changed. To carry it out, add: "_s + optionsFor(plan));
}

void OperationRun::print(const Plan &plan, const Receipt &receipt) const
{
    if (m_printer.isJson())
        m_printer.object({{u"receipt"_s, toJson(receipt)}});
    else
        m_printer.line(toText(plan, receipt));
}

} // namespace outbox
