// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/closequestion.h"

#include "views/frame/messagebar.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString messageId = u"close"_s;

} // namespace

CloseQuestion::CloseQuestion(MessageBar *messages, QObject *parent)
    : QObject(parent), m_messages(messages)
{
    connect(m_messages, &MessageBar::actAsked, this, [this](const QString &id, const QString &act) {
        if (id != messageId)
            return;
        m_messages->remove(id);
        if (act == u"drainAndClose"_s)
            emit drainAndCloseAsked();
        else if (act == u"stopAndClose"_s)
            emit stopAndCloseAsked();
        else if (act == u"cancelAndClose"_s)
            emit cancelAndCloseAsked();
    });
}

void CloseQuestion::setRelayRunning(bool running)
{
    m_relay = running;
    withdraw();
}

void CloseQuestion::setOperationRunning(bool running)
{
    m_operation = running;
    withdraw();
}

void CloseQuestion::withdraw()
{
    if (!m_relay && !m_operation)
        m_messages->remove(messageId);
}

bool CloseQuestion::mayClose()
{
    if (m_operation) {
        m_messages->add({messageId,
                         HealthLevel::Watch,
                         tr("An operation is under way. It can be cancelled after the batch in "
                            "hand: what was done stays done, and stands in the record."),
                         {{u"cancelAndClose"_s, tr("Cancel it and close")}}});
    } else if (m_relay) {
        m_messages->add({messageId,
                         HealthLevel::Watch,
                         tr("A relay runs here. Draining sends what is left and then closes; "
                            "stopping rolls the batch in hand back, which is always safe."),
                         {{u"drainAndClose"_s, tr("Drain and close")},
                          {u"stopAndClose"_s, tr("Stop now and close")}}});
    }
    return !m_operation && !m_relay;
}

} // namespace outbox
