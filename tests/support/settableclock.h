// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A clock that a test sets: the test program starts itself again with a library under it, and under
// the servers it starts, that lies about the time.
#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QMap>
#include <QString>

namespace outbox {

class SettableClock
{
public:
    /// In the program below the library, before the clock was set for the first time.
    SettableClock();

    /// Empty where it is not installed.
    [[nodiscard]] static QString library();
    /// True in the process that runs under it.
    [[nodiscard]] static bool isUnder();
    /// Runs a test function of this program in a process under the library; `said` is what it
    /// wrote.
    [[nodiscard]] static bool passes(const QMap<QString, QString> &environment,
                                     const QString &function, QByteArray &said);

    /// Milliseconds since 1970, to the second; the clock goes on from there.
    void set(qint64 moment);

private:
    qint64 m_start;
    QElapsedTimer m_since; ///< monotonic: the library leaves it alone
};

} // namespace outbox
