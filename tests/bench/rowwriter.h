// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Somebody who changes the table "outbox" of bigoutbox.h all the time.
#pragma once

#include "connectors/room.h"
#include "tests/support/plainpostgres.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <algorithm>

namespace outbox {

/// Marks old rows and brings as many new ones, some twenty times a second, in a session of its own.
class RowWriter : public QObject
{
public:
    /// `firstNew`: behind the number of the last row that is there.
    RowWriter(const QString &url, int changesPerSecond, qint64 firstNew);
    /// Rows, since the start.
    [[nodiscard]] qint64 perSecond() const
    {
        return m_changed * 1000 / std::max<qint64>(1, m_since.elapsed());
    }

private:
    void write();

    Room<PlainPostgres> m_room;
    QString m_url;
    int m_batch;
    qint64 m_next;
    qint64 m_changed = 0;
    bool m_busy = false;
    QTimer m_timer;
    QElapsedTimer m_since;
};

} // namespace outbox
