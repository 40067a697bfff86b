// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Signals of the system as a Qt signal: the handler writes a byte, the event loop reads it.
#pragma once

#include <QList>
#include <QObject>

#include <csignal>
#include <map>
#include <memory>

class QSocketNotifier;

namespace outbox {

/// At most one object of this class at a time; the old handlers come back with its end.
class Signals : public QObject
{
    Q_OBJECT

public:
    /// `numbers`: what is caught; SIGTERM and SIGINT where nothing else is said.
    explicit Signals(QObject *parent = nullptr);
    explicit Signals(const QList<int> &numbers, QObject *parent = nullptr);
    ~Signals() override;

signals:
    /// Sent once for each that arrived.
    void received(int number);

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::map<int, struct sigaction> m_before;
};

} // namespace outbox
