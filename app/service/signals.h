// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// SIGTERM and SIGINT as a Qt signal: the handler writes a byte, the event loop reads it.
#pragma once

#include <QObject>

#include <memory>

class QSocketNotifier;

namespace outbox {

/// At most one object of this class at a time; the old handlers come back with its end.
class Signals : public QObject
{
    Q_OBJECT

public:
    explicit Signals(QObject *parent = nullptr);
    ~Signals() override;

signals:
    /// `number`: SIGTERM or SIGINT. Sent once for each that arrived.
    void received(int number);

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace outbox
