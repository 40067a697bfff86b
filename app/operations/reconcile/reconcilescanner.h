// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks for inconsistencies for a program with an event loop, in a room of its own, so that neither
// pages nor operations wait for it.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "connectors/room.h"
#include "models/operations/scanreport.h"

#include <QObject>

#include <stop_token>

namespace outbox {

/// Lives in the thread of the one who made it. Changes nothing: it is never armed.
class ReconcileScanner : public QObject
{
    Q_OBJECT

public:
    explicit ReconcileScanner(OperatorSessionSettings settings, QObject *parent = nullptr);
    ~ReconcileScanner() override;

    /// Nothing can be looked at before this.
    void open(const OutboxShape &shape);
    /// One look at a time.
    void look(const ScanOptions &terms);
    /// It ends soon, with a report that can be resumed.
    void stop() { m_stopper.request_stop(); }

signals:
    /// See `ScanContext::Progressed`.
    void progressed(const QString &phase, qint64 looked, qsizetype suspects);
    void ended(const outbox::ScanReport &report);
    void failed(const outbox::Error &error);

private:
    OperatorSessionSettings m_settings;
    std::stop_source m_stopper;
    bool m_isOpen = false;
    bool m_isLooking = false;
    Room<OperatorSession> m_session{QStringLiteral("look")}; ///< last: its thread ends first
};

} // namespace outbox
