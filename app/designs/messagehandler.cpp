// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/messagehandler.h"
#include "models/utctext.h"

#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString newId()
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

} // namespace

MessageHandler::MessageHandler(DocumentTools tools, Business business, Design design,
                               DispatchRules rules, QList<HandlerStep> steps)
    : m_tools(std::move(tools)), m_business(std::move(business)), m_design(design),
      m_rules(std::move(rules)), m_steps(steps.isEmpty() ? stepsOf(design) : std::move(steps))
{ }

void MessageHandler::pass(const char *point) const
{
    if (m_tools.passed)
        m_tools.passed(point);
}

Result<void> MessageHandler::mayCommit() const
{
    return m_tools.mayCommit ? m_tools.mayCommit() : Result<void>();
}

Result<MessageHandler::Handled> MessageHandler::handle(const IncomingMessage &incoming)
{
    m_incoming = incoming;
    m_document.reset();
    m_state.reset();
    m_tokens.clear();
    for (const HandlerStep step : std::as_const(m_steps)) {
        const auto ended = TRY(run(step));
        if (ended)
            return *ended;
    }
    return Handled::Done;
}

Result<MessageHandler::Ended> MessageHandler::run(HandlerStep step)
{
    switch (step) {
    case HandlerStep::Load:
        return load();
    case HandlerStep::Check:
        return check();
    case HandlerStep::Persist:
        return persist();
    case HandlerStep::CreateTokens:
        return createTokens();
    case HandlerStep::Checkpoint:
        return checkpoint();
    case HandlerStep::Dispatch:
        return send();
    case HandlerStep::MarkDone:
        return markDone();
    case HandlerStep::CleanUp:
        break;
    }
    return cleanUp();
}

/// Always from the store: it may write a document in its own way, and copies must be the same.
Result<void> MessageHandler::read()
{
    m_document = TRY(m_tools.documents->find(m_incoming.document));
    m_state = TRY(OutboxState::read(m_document ? m_document->json : QByteArray("{}"),
                                    m_tools.documents->shape()));
    return {};
}

Result<MessageHandler::Ended> MessageHandler::load()
{
    TRY(read());
    pass("loaded");
    return Ended();
}

Result<MessageHandler::Ended> MessageHandler::check()
{
    bool isDone = false;
    if (m_design == Design::Tokens) {
        const auto have = TRY(m_tools.tokens->have({m_incoming.token}));
        isDone = !have.contains(m_incoming.token);
    } else {
        const auto have = TRY(m_tools.done->have({m_incoming.id}));
        isDone = have.contains(m_incoming.id);
    }
    pass("checked");
    return isDone ? Ended(Handled::Duplicate) : Ended();
}

Result<MessageHandler::Ended> MessageHandler::persist()
{
    if (entry())
        return Ended(); // another copy got so far
    const auto result = TRY(m_business(m_document ? m_document->json : QByteArray("{}")));
    const DocumentShape &shape = m_tools.documents->shape();
    const auto state = TRY(OutboxState::read(result.document, shape));
    QByteArray made = '{' + jsonString(shape.messagesMember) + ':' + result.messages;
    if (m_design == Design::Tokens) // so that a leftover can be told by the token that is gone
        made += ',' + jsonString(shape.tokenMember) + ':' + jsonString(m_incoming.token);
    if (!shape.timeMember.isEmpty()) {
        const QString now = utcText(QDateTime::currentDateTimeUtc());
        made += ',' + jsonString(shape.timeMember) + ':' + jsonString(now);
    }
    const auto json = TRY(state.withNew(m_incoming.id, made + '}'));
    pass("before persist");
    const auto written = TRY(m_document ? m_tools.documents->write(*m_document, json)
                                        : m_tools.documents->insert(m_incoming.document, json));
    if (!written)
        return Ended(Handled::Conflict);
    pass("persisted");
    TRY(read());
    return entry() ? Ended() : Ended(Handled::Conflict); // another copy is through already
}

Result<MessageHandler::Ended> MessageHandler::createTokens()
{
    const OutboxEntry *found = entry();
    if (!found || found->messages.isEmpty() || !found->messages.first().token.isEmpty())
        return Ended();
    QList<Token> tokens;
    const QString attempt = newId();
    for (qsizetype i = 0; i < found->messages.size(); ++i) {
        tokens += Token{newId(), attempt, m_incoming.id, QDateTime::currentDateTimeUtc()};
        m_tokens += tokens.last().id;
    }
    TRY(m_tools.tokens->create(tokens));
    pass("tokens created");
    TRY(mayCommit());
    return Ended();
}

Result<MessageHandler::Ended> MessageHandler::checkpoint()
{
    if (m_tokens.isEmpty())
        return Ended();
    const auto json = TRY(m_state->withTokens(m_incoming.id, m_tokens));
    pass("before checkpoint");
    const auto written = TRY(m_tools.documents->write(*m_document, json));
    if (!written)
        return Ended(Handled::Conflict);
    pass("checkpointed");
    TRY(read());
    return entry() ? Ended() : Ended(Handled::Conflict);
}

Result<MessageHandler::Ended> MessageHandler::send()
{
    const OutboxEntry *found = entry();
    if (!found)
        return Ended(Handled::Conflict);
    if (found->state == OutboxEntry::State::Malformed)
        return fail(Error::Kind::Invalid, u"dispatching "_s + m_incoming.id, found->problem);
    for (qsizetype i = 0; i < found->messages.size(); ++i) {
        OutgoingMessage message = found->messages.at(i);
        if (message.token.isEmpty() && i < m_tokens.size())
            message.token = m_tokens.at(i);
        pass("before dispatch");
        const auto report = TRY(dispatch(*m_tools.queue, {message}, m_rules));
        if (const QString &problem = report.first().reason; !problem.isEmpty())
            return fail(Error::Kind::Conflict, u"dispatching "_s + m_incoming.id, problem);
        pass("dispatched");
    }
    TRY(mayCommit());
    return Ended();
}

Result<MessageHandler::Ended> MessageHandler::markDone()
{
    pass("before mark");
    if (m_design == Design::Tokens) {
        TRY(m_tools.tokens->consume(m_incoming.token));
    } else {
        TRY(m_tools.done->add(m_incoming.id));
    }
    pass("marked");
    TRY(mayCommit());
    return Ended();
}

/// A document that was written meanwhile is read again: what is done stays done, and the next copy
/// would end at the check and leave the entry behind.
Result<MessageHandler::Ended> MessageHandler::cleanUp()
{
    for (int i = 0; i < mostDocumentTries; ++i) {
        const OutboxEntry *found = entry();
        const bool isEntity = m_design == Design::EntityState;
        if (!found || (isEntity && found->state == OutboxEntry::State::Dispatched))
            return Ended();
        const auto json = TRY(isEntity ? m_state->withDispatched(m_incoming.id)
                                       : m_state->without(m_incoming.id));
        pass("before clean-up");
        const auto written = TRY(m_tools.documents->write(*m_document, json));
        if (written) {
            pass("cleaned up");
            return Ended();
        }
        TRY(read());
    }
    return Ended(Handled::Conflict);
}

} // namespace outbox
