// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Business transactions beside each other on one outbox: they commit out of order, late, or not at
// all.
#pragma once

#include "tests/support/testoutbox.h"

#include <QList>

namespace outbox::crash {

/// Sessions with open transactions over the table of a PostgreSQL fixture, in plain SQL.
class Writers
{
public:
    Writers(const TestOutbox &fixture, BenchShape shape, int count);
    ~Writers();
    Writers(const Writers &) = delete;
    Writers &operator=(const Writers &) = delete;

    [[nodiscard]] bool open();
    /// Inserts rows in the writer's transaction, begun where none is open.
    [[nodiscard]] bool insert(int writer, int rows);
    [[nodiscard]] bool commit(int writer);
    [[nodiscard]] bool rollback(int writer);
    /// After the server was restarted: what was open is gone.
    [[nodiscard]] bool reopen();

    [[nodiscard]] int count() const { return static_cast<int>(m_writers.size()); }
    /// Keys of committed rows.
    [[nodiscard]] const QStringList &committed() const { return m_committed; }
    [[nodiscard]] qint64 rolledBack() const { return m_rolledBack; }

private:
    struct Writer
    {
        QString connection;
        QStringList open; ///< keys of its open transaction
    };
    [[nodiscard]] QString statement(int rows);

    DatabaseUrl m_url;
    BenchShape m_shape;
    QList<Writer> m_writers;
    QStringList m_committed;
    qint64 m_rolledBack = 0;
    qint64 m_nextReference = 1;
};

} // namespace outbox::crash
