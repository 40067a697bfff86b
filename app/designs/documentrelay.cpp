// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/documentrelay.h"

#include "app/designs/documentstores.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Messages are out, or entries are gone, when this happens: nobody may read that nothing was done.
Failure halfDone(Error error)
{
    error.text += u"; what was sent before is sent"_s;
    return withUnknownEffect(std::move(error));
}

} // namespace

DocumentRelay::DocumentRelay(DocumentTools tools, Design design, DispatchRules rules)
    : m_tools(std::move(tools)), m_design(design), m_rules(std::move(rules))
{ }

void DocumentRelay::pass(const char *point) const
{
    if (m_tools.passed)
        m_tools.passed(point);
}

Result<void> DocumentRelay::mayCommit() const
{
    return m_tools.mayCommit ? m_tools.mayCommit() : Result<void>();
}

Result<QList<EntryOutcome>> DocumentRelay::settle(const QString &document,
                                                  const QStringList &incoming,
                                                  const QHash<QString, NextStep::Act> &meant)
{
    m_meant = meant;
    m_sent.clear();
    const auto endedBy = [this](const Error &error) { // what may be lost is not called sent
        return mayCommit() ? halfDone(error) : withUnknownEffect(error);
    };
    for (int i = 0; i < mostDocumentTries; ++i) {
        m_unreceived.clear();
        const auto done = tryOnce(document, incoming);
        if (!done)
            return m_sent.isEmpty() ? passOn(done) : endedBy(done.error());
        if (!*done)
            continue;
        QList<EntryOutcome> outcomes = **done;
        for (qsizetype one = 0; one < incoming.size(); ++one) {
            const auto token = m_unreceived.constFind(incoming.at(one));
            if (token == m_unreceived.constEnd())
                continue;
            const auto received = receive({incoming.at(one), document, *token});
            if (!received)
                return endedBy(received.error());
            outcomes[one] = *received;
        }
        return outcomes;
    }
    const QString why = u"others wrote the document %1 times in between"_s.arg(mostDocumentTries);
    return QList<EntryOutcome>(incoming.size(),
                               EntryOutcome{EntryOutcome::Kind::Changed, 0, 0, why});
}

bool DocumentRelay::isAsMeant(const QString &incoming, NextStep::Act act) const
{
    const auto meant = m_meant.constFind(incoming);
    return meant == m_meant.constEnd() || *meant == act || m_sent.contains(incoming);
}

Result<void> DocumentRelay::send(const QList<const OutboxEntry *> &entries)
{
    QList<OutgoingMessage> messages;
    QList<const OutboxEntry *> unsent;
    for (const OutboxEntry *entry : entries) {
        const auto sent = m_sent.constFind(entry->incoming);
        if (sent != m_sent.constEnd() && sent->messages == entry->messages)
            continue;
        messages += entry->messages;
        unsent += entry;
    }
    if (unsent.isEmpty())
        return {};
    // What is not on disk may vanish with the server, after its messages went out.
    TRY(m_tools.documents->makeDurable());
    pass("before dispatch");
    const auto report = TRY(dispatch(*m_tools.queue, messages, m_rules));
    pass("dispatched");
    TRY(mayCommit());
    qsizetype next = 0;
    for (const OutboxEntry *entry : unsent) {
        Sent sent{entry->messages, {EntryOutcome::Kind::Dispatched, 0, 0, {}}};
        for (qsizetype i = 0; i < entry->messages.size(); ++i) {
            const RowVerdict &one = report.at(next++);
            const bool isStored = one.act == RowVerdict::Act::Deliver;
            sent.outcome.stored += isStored ? 1 : 0;
            sent.outcome.alreadyThere += isStored || !one.reason.isEmpty() ? 0 : 1;
            if (!one.reason.isEmpty()) {
                sent.outcome.kind = EntryOutcome::Kind::Left;
                sent.outcome.reason = one.reason;
            }
        }
        m_sent.insert(entry->incoming, sent);
    }
    return {};
}

Result<EntryOutcome> DocumentRelay::receive(const IncomingMessage &incoming)
{
    const auto business = [](const QByteArray &) -> Result<BusinessResult> {
        return fail(Error::Kind::Conflict, u"going on with a message"_s,
                    u"its entry is gone, and only its receiver may run it"_s);
    };
    TRY(m_tools.documents->makeDurable());
    MessageHandler handler({m_tools.documents, m_tools.queue, nullptr, m_tools.tokens,
                            m_tools.passed, m_tools.mayCommit},
                           business, m_design, m_rules);
    const auto handled = handler.handle(incoming);
    if (!handled) {
        if (handled.error().kind != Error::Kind::Conflict)
            return passOn(handled);
        return EntryOutcome{EntryOutcome::Kind::Left, 0, 0, oneLine(handled.error())};
    }
    switch (*handled) {
    case MessageHandler::Handled::Done:
        return EntryOutcome{EntryOutcome::Kind::Dispatched, 0, 0, u"sent with its tokens"_s};
    case MessageHandler::Handled::Duplicate:
        return EntryOutcome{EntryOutcome::Kind::Changed, 0, 0,
                            u"its token was consumed meanwhile"_s};
    case MessageHandler::Handled::Conflict:
        break;
    }
    return EntryOutcome{EntryOutcome::Kind::Changed, 0, 0,
                        u"others wrote the document meanwhile"_s};
}

Result<void> DocumentRelay::markDone(const QStringList &incoming)
{
    if (!m_tools.done)
        return {};
    for (const QString &id : incoming) {
        TRY(m_tools.done->add(id));
        pass("marked done");
    }
    return {};
}

Result<DocumentRelay::Outcomes> DocumentRelay::tryOnce(const QString &document,
                                                       const QStringList &incoming)
{
    const auto seen = TRY(m_tools.documents->find(document));
    pass("loaded");
    const auto all = [&incoming](EntryOutcome::Kind kind, const QString &why) {
        return QList<EntryOutcome>(incoming.size(), EntryOutcome{kind, 0, 0, why});
    };
    if (!seen)
        return all(EntryOutcome::Kind::Nothing, u"the document is gone"_s);
    const auto state = OutboxState::read(seen->json, m_tools.documents->shape());
    if (!state)
        return all(EntryOutcome::Kind::Left, oneLine(state.error()));

    QList<const OutboxEntry *> entries;
    for (const QString &id : incoming) {
        if (const OutboxEntry *entry = state->entry(id))
            entries += entry;
    }
    const auto done = TRY(areDone(entries, m_tools.done, m_tools.tokens));
    if (!done.isEmpty())
        pass("checked");
    QHash<QString, EntryOutcome> outcomes;
    QList<const OutboxEntry *> unsent;
    QStringList cleaned; // in the order in which they leave the map
    for (const OutboxEntry *entry : std::as_const(entries)) {
        const auto known = done.constFind(entry->incoming);
        const NextStep step
            = nextStep(*entry, m_design,
                       known == done.constEnd() ? std::nullopt : std::optional<bool>(*known));
        if (!isAsMeant(entry->incoming, step.act)) {
            outcomes.insert(entry->incoming, {EntryOutcome::Kind::Changed, 0, 0, step.reason});
            continue;
        }
        if (step.act == NextStep::Act::Dispatch && m_design == Design::Tokens)
            m_unreceived.insert(entry->incoming, entry->token);
        else if (step.act == NextStep::Act::Dispatch)
            unsent += entry;
        else if (step.act == NextStep::Act::Remove)
            cleaned += entry->incoming;
        const auto kind = step.act == NextStep::Act::Remove ? EntryOutcome::Kind::Removed
            : step.act == NextStep::Act::LeaveAlone         ? EntryOutcome::Kind::Left
                                                            : EntryOutcome::Kind::Nothing;
        outcomes.insert(entry->incoming, {kind, 0, 0, step.reason});
    }
    TRY(send(unsent));
    QStringList out;
    for (const OutboxEntry *entry : std::as_const(unsent)) {
        const EntryOutcome outcome = m_sent.value(entry->incoming).outcome;
        outcomes.insert(entry->incoming, outcome);
        if (outcome.kind == EntryOutcome::Kind::Dispatched)
            out += entry->incoming;
    }
    TRY(markDone(out));
    cleaned += out;
    const auto written = TRY(write(*seen, *state, cleaned));
    if (!written)
        return Outcomes();
    QList<EntryOutcome> answers;
    for (const QString &id : std::as_const(cleaned)) { // an earlier try has sent it
        if (const auto sent = m_sent.constFind(id); sent != m_sent.constEnd())
            outcomes.insert(id, sent->outcome);
    }
    for (const QString &id : incoming)
        answers += outcomes.value(id, {EntryOutcome::Kind::Nothing, 0, 0, u"the entry is gone"_s});
    return answers;
}

Result<bool> DocumentRelay::write(const StoredDocument &seen, OutboxState state,
                                  const QStringList &cleaned)
{
    QByteArray json;
    for (const QString &id : cleaned) {
        json = TRY(m_design == Design::EntityState ? state.withDispatched(id) : state.without(id));
        state = TRY(OutboxState::read(json, m_tools.documents->shape()));
    }
    if (cleaned.isEmpty())
        return true;
    pass("before clean-up");
    TRY(mayCommit());
    auto written = m_tools.documents->write(seen, json);
    if (written)
        pass("cleaned up");
    return written;
}

} // namespace outbox
