// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Walks through the documents of a design and tells what stands in their entries.
#pragma once

#include "app/designs/documentstores.h"
#include "models/designs/designview.h"

#include <functional>
#include <stop_token>

namespace outbox {

/// How old an entry was when its document was read, by the database's clock; nullopt where nobody
/// knows.
[[nodiscard]] std::optional<double> ageOf(const OutboxEntry &entry, const StoredDocument &document);

/// What the database takes for a document and we do not (a name twice, nested without end): it
/// keeps no other from being looked at.
[[nodiscard]] bool isUnreadable(const Result<QList<SeenEntry>> &entries);

/// Blocking; over a stores that is open. Looks only, page by page, each page one short statement.
/// Errors: those of the stores; Invalid for a document that is none.
class DocumentReader
{
public:
    DocumentReader(DocumentStores &stores, Design design, std::stop_token stop = {});

    /// Of the first `most` documents.
    [[nodiscard]] Result<DocumentSummary> summary(qint64 most);
    /// Entries of one document; an empty list where it is not there. See `isUnreadable`.
    [[nodiscard]] Result<QList<SeenEntry>> entriesOf(const QString &document);
    /// False: enough.
    using Show = std::function<Result<bool>(const SeenEntry &)>;
    /// Entries that need something, one after another, so that nobody has to keep them all. True
    /// when every one was shown; false when `show` had enough, or it was stopped.
    [[nodiscard]] Result<bool> eachUnsettled(const Show &show);
    /// The same of entries that are null.
    [[nodiscard]] Result<bool> eachDispatched(const Show &show);
    /// Entries that need something, up to `most` or until it is stopped; `isCut` says that there
    /// may be more.
    [[nodiscard]] Result<QList<SeenEntry>> unsettled(qsizetype most, bool &isCut);
    /// The same of entries that are null.
    [[nodiscard]] Result<QList<SeenEntry>> dispatched(qsizetype most, bool &isCut);

private:
    using Wanted = std::function<bool(const SeenEntry &)>;
    [[nodiscard]] Result<bool> walk(bool onlyUndispatched, const Wanted &isWanted,
                                    const Show &show);

    DocumentStores &m_stores;
    Design m_design;
    std::stop_token m_stop;
};

} // namespace outbox
