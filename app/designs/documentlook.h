// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Walks through the documents of a design and tells what stands in their entries.
#pragma once

#include "app/designs/designdesk.h"
#include "models/designs/documents.h"

#include <functional>
#include <stop_token>

namespace outbox {

/// One entry, and what is safe next for it.
struct SeenEntry
{
    QString document;
    QString version;
    OutboxEntry entry;
    NextStep next;

    bool operator==(const SeenEntry &) const = default;
};

/// What all documents come to. A figure that cannot be had is nullopt.
struct DocumentSummary
{
    qint64 documents = 0;
    qint64 bytes = 0;
    DocumentFacts largest;
    qint64 undispatched = 0;
    qint64 dispatched = 0;
    qint64 malformed = 0;
    qint64 unreadable = 0; ///< documents whose entries cannot be counted
    std::optional<qint64> leaked; ///< K15; only with another store
    std::optional<StoreTrust> store; ///< of that store
    std::optional<double> oldestUndispatchedSeconds;
    std::optional<double> oldestDispatchedSeconds;
    bool exact = true; ///< false: the look ended before the documents did
    double tookMs = 0;

    bool operator==(const DocumentSummary &) const = default;
};

/// Blocking; over a desk that is open. Looks only, page by page, each page one short statement.
class DocumentLook
{
public:
    DocumentLook(DesignDesk &desk, Design design, std::stop_token stop = {});

    /// Of the first `most` documents.
    [[nodiscard]] Result<DocumentSummary> summary(qint64 most);
    /// Entries of one document; an empty list where it is not there.
    [[nodiscard]] Result<QList<SeenEntry>> entriesOf(const QString &document);
    /// Entries that need something, up to `most`; `isCut` says that there may be more.
    [[nodiscard]] Result<QList<SeenEntry>> unsettled(qsizetype most, bool &isCut);
    /// Entries that are null, up to `most`.
    [[nodiscard]] Result<QList<SeenEntry>> dispatched(qsizetype most, bool &isCut);

private:
    using Wanted = std::function<bool(const SeenEntry &)>;
    [[nodiscard]] Result<QList<SeenEntry>> collect(bool onlyUndispatched, const Wanted &isWanted,
                                                   qsizetype most, bool &isCut);

    DesignDesk &m_desk;
    Design m_design;
    std::stop_token m_stop;
};

} // namespace outbox
