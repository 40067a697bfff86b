// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is too large for one statement, read in parts by a session of its own: all the rows of an
// outbox, to be counted, and large payloads.
#pragma once

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "connectors/sql/session/databasesession.h"
#include "models/system/exactcount.h"

#include <memory>

namespace outbox {

struct PayloadSlice
{
    QByteArray bytes;
    qint64 stored = 0; ///< how many there are in all

    bool operator==(const PayloadSlice &) const = default;
};

/// Only looks. Every part is one or two short statements, and nothing is held between them.
/// Blocking; made and used in one thread (that of its room), but for `interrupt`.
/// Errors: those of `SqlSession`; Unsupported where the table has no key to walk along.
class SliceReader
{
public:
    /// Connects, and checks every name of the shape against the catalog. `settings` ask for
    /// ReadOnly access.
    [[nodiscard]] Result<void> open(const StoreSettings &settings, const OutboxShape &shape);
    void close()
    {
        m_session.close();
        m_dialect.reset();
    }
    [[nodiscard]] bool isOpen() const { return m_dialect && m_session.isUp(); }

    /// Counts up to `rows` rows behind the place `after` (empty: the start), each in its state; the
    /// rows in `parked` that nobody holds are counted apart. Unsupported where the table has no key
    /// to walk along; Timeout where a statement took longer than `mostMs` (0: than the settings
    /// allow) and the server ended it, which SQLite cannot.
    [[nodiscard]] Result<ExactCount> count(const QString &after, qint64 rows,
                                           const QList<MessageId> &parked, int mostMs = 0);

    /// Bytes of the payload of the row `id` from `from` on, `bytes` at most. Fails with Conflict
    /// where the row is gone, with Unsupported where the payload stands elsewhere.
    [[nodiscard]] Result<PayloadSlice> payload(const MessageId &id, qint64 from, qint64 bytes);

    /// As `DatabaseSession::interrupt`.
    void interrupt() noexcept { m_session.interrupt(); }

private:
    [[nodiscard]] Result<void> prepare(const OutboxShape &shape);
    [[nodiscard]] Result<void> limitStatements(int mostMs, const QString &doing);

    DatabaseSession m_session;
    std::unique_ptr<Dialect> m_dialect;
    int m_limitMs = 0; ///< that of the session now
};

} // namespace outbox
