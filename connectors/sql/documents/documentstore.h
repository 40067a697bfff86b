// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One table of business documents with a map of outgoing messages: looks at it, and writes a
// document where nobody wrote it since it was read.
#pragma once

#include "connectors/sql/driver/storesettings.h"
#include "models/designs/documents.h"
#include "models/designs/documentshape.h"

#include <memory>
#include <optional>

namespace outbox {

/// So often a document is read anew that others wrote in between.
inline constexpr int mostDocumentTries = 10;

/// Blocking; one database session, made and used in one thread (that of its room). Every statement
/// has a deadline and is its own transaction, so nothing is held between calls.
/// Errors: those of `SqlSession`; Invalid and Unsupported for what the shape names.
class DocumentStore
{
public:
    DocumentStore();
    ~DocumentStore();
    DocumentStore(const DocumentStore &) = delete;
    DocumentStore &operator=(const DocumentStore &) = delete;

    /// Connects and checks every name of `shape` against the catalog. Fails with Invalid and the
    /// nearest name as a hint, with Unsupported for columns of types that do not serve, or with
    /// Refused for writing to a table that cannot roll back.
    [[nodiscard]] Result<void> open(const StoreSettings &settings, const DocumentShape &shape);
    void close();
    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] const DocumentShape &shape() const;

    /// Documents by id with sizes and counts. Where the database cannot take documents apart (text
    /// columns of PostgreSQL) they are read whole. `after` is the id of the last document before;
    /// empty: from the start. `limit` documents are looked at, listed or not: what a look may cost.
    /// `onlyUndispatched`: only those with messages inside, or with a problem.
    [[nodiscard]] Result<DocumentPage> page(const QString &after, int limit = 100,
                                            bool onlyUndispatched = false);
    /// nullopt when it is not there.
    [[nodiscard]] Result<std::optional<StoredDocument>> find(const QString &id);

    // Relay or Act access only.

    /// True when the document was still as `seen` and is `json` now, under the version that is
    /// answered by the next read; false when somebody wrote it, or it is gone.
    [[nodiscard]] Result<bool> write(const StoredDocument &seen, const QByteArray &json);
    /// True when the document is new; false when its id was there.
    [[nodiscard]] Result<bool> insert(const QString &id, const QByteArray &json);
    /// Everything that this session has read is on the server's disk: a document that its writer
    /// committed without waiting could vanish after its messages went out. Does nothing where the
    /// database has no such thing.
    [[nodiscard]] Result<void> makeDurable();

    /// From any thread: ends what this store waits for.
    void interrupt() noexcept;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace outbox
