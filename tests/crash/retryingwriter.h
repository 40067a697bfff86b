// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A writer that asks again until its rows are acknowledged, as a service does whose database may
// fail over.
#pragma once

#include "tests/support/plainpostgres.h"

#include <QElapsedTimer>

namespace outbox::crash {

/// Inserts the rows 1, 2, 3 … of `trialTables` at a steady pace, the same ones again where no
/// answer came. Never waits for the server: somebody calls `goOn` again and again.
class RetryingWriter
{
public:
    explicit RetryingWriter(int rowsASecond) : m_rowsASecond(rowsASecond) { }
    /// From now on the rows go there. What was under way is in doubt, and is sent again.
    void turnTo(const PrivatePostgres &server);
    void goOn();
    /// Begins nothing new; what is in doubt is sent until it is acknowledged.
    void finish() { m_isFinishing = true; }
    [[nodiscard]] bool hasFinished() const { return m_isFinishing && m_sent == m_acknowledged; }

    /// The rows 1 … so many were committed, says the server.
    [[nodiscard]] qint64 acknowledged() const { return m_acknowledged; }
    [[nodiscard]] qint64 retries() const { return m_retries; }
    /// The key of row `number`.
    [[nodiscard]] static QString keyOf(qint64 number);
    /// The same in SQL, of a number in SQL.
    [[nodiscard]] static QByteArray keySql(const QByteArray &number);

private:
    void giveUp();

    const PrivatePostgres *m_server = nullptr;
    PlainPostgres m_session;
    int m_rowsASecond;
    QElapsedTimer m_clock;
    qint64 m_sent = 0; ///< rows, the last batch among them
    qint64 m_acknowledged = 0;
    qint64 m_retries = 0;
    bool m_isOpen = false;
    bool m_isUnderWay = false;
    bool m_isFinishing = false;
};

} // namespace outbox::crash
