// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is asked before the window closes while something runs here.
#pragma once

#include <QObject>

namespace outbox {

class MessageBar;

/// Asks inside the page, never with a box on top. Lives as long as the window.
class CloseQuestion : public QObject
{
    Q_OBJECT

public:
    explicit CloseQuestion(MessageBar *messages, QObject *parent = nullptr);

    void setRelayRunning(bool running);
    void setOperationRunning(bool running);
    /// False: it was asked, and the window stays for now.
    [[nodiscard]] bool mayClose();

signals:
    void drainAndCloseAsked();
    void stopAndCloseAsked();
    /// The operation is to be cancelled after the batch in hand.
    void cancelAndCloseAsked();

private:
    void withdraw();

    MessageBar *m_messages;
    bool m_relay = false;
    bool m_operation = false;
};

} // namespace outbox
