// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/documentrelay.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostTries = 10;

using Kind = EntryOutcome::Kind;

} // namespace

DocumentRelay::DocumentRelay(Tools tools, Design design, DispatchRules rules)
    : m_tools(std::move(tools)), m_design(design), m_rules(std::move(rules))
{ }

void DocumentRelay::pass(const char *point) const
{
    if (m_tools.passed)
        m_tools.passed(point);
}

Result<EntryOutcome> DocumentRelay::settle(const QString &document, const QString &incoming)
{
    m_sent.clear();
    m_report = {};
    for (int i = 0; i < mostTries; ++i) {
        const auto done = tryOnce(document, incoming);
        if (!done)
            return passOn(done);
        if (*done)
            return **done;
    }
    return EntryOutcome{Kind::Changed, m_report.stored, m_report.alreadyThere,
                        u"others wrote the document %1 times in between"_s.arg(mostTries)};
}

Result<NextStep> DocumentRelay::stepFor(const OutboxEntry &entry)
{
    if (m_tools.tokens && !entry.token.isEmpty()) {
        const auto have = m_tools.tokens->have({entry.token});
        if (!have)
            return passOn(have);
        pass("checked");
        return nextStep(entry, m_design, !have->contains(entry.token));
    }
    if (!m_tools.done)
        return nextStep(entry, m_design);
    const auto have = m_tools.done->have({entry.incoming});
    if (!have)
        return passOn(have);
    pass("checked");
    return nextStep(entry, m_design, have->contains(entry.incoming));
}

Result<Dispatch> DocumentRelay::send(const OutboxEntry &entry)
{
    if (m_sent == entry.messages && !m_sent.isEmpty())
        return m_report;
    // What is not on disk may vanish with the server, after its messages went out.
    if (auto durable = m_tools.documents->makeDurable(); !durable)
        return passOn(durable);
    pass("before dispatch");
    const auto report = dispatch(*m_tools.queue, entry.messages, m_rules);
    if (!report)
        return report;
    pass("dispatched");
    m_sent = entry.messages;
    m_report = *report;
    return report;
}

Result<std::optional<EntryOutcome>> DocumentRelay::tryOnce(const QString &document,
                                                           const QString &incoming)
{
    const auto seen = m_tools.documents->find(document);
    if (!seen)
        return passOn(seen);
    pass("loaded");
    if (!*seen)
        return EntryOutcome{Kind::Nothing, 0, 0, u"the document is gone"_s};
    const auto state = OutboxState::read((*seen)->json, m_tools.documents->shape());
    if (!state)
        return EntryOutcome{Kind::Left, 0, 0, oneLine(state.error())};
    const OutboxEntry *entry = state->entry(incoming);
    if (!entry)
        return EntryOutcome{Kind::Nothing, 0, 0, u"the entry is gone"_s};
    const auto step = stepFor(*entry);
    if (!step)
        return passOn(step);
    const bool dispatches = step->act == NextStep::Act::Dispatch;
    if (step->act == NextStep::Act::Keep)
        return EntryOutcome{Kind::Nothing, 0, 0, step->reason};
    if (step->act == NextStep::Act::LeaveAlone)
        return EntryOutcome{Kind::Left, 0, 0, step->reason};
    if (dispatches) {
        const auto report = send(*entry);
        if (!report)
            return passOn(report);
        if (!report->isComplete())
            return EntryOutcome{Kind::Left, report->stored, report->alreadyThere, report->problem};
        if (m_tools.done) {
            if (auto added = m_tools.done->add(incoming); !added)
                return passOn(added);
            pass("marked done");
        }
    }
    const auto cleaned = m_design == Design::EntityState ? state->withDispatched(incoming)
                                                         : state->without(incoming);
    if (!cleaned)
        return passOn(cleaned);
    pass("before clean-up");
    const auto written = m_tools.documents->write(**seen, *cleaned);
    if (!written)
        return passOn(written);
    pass("cleaned up");
    if (!*written)
        return std::optional<EntryOutcome>();
    return EntryOutcome{dispatches ? Kind::Dispatched : Kind::Removed, m_report.stored,
                        m_report.alreadyThere, step->reason};
}

} // namespace outbox
