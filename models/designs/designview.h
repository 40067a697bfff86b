// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one look at the documents of a design and at its tokens has found.
#pragma once

#include "models/designs/documents.h"
#include "models/designs/donestore.h"
#include "models/designs/nextstep.h"
#include "models/designs/token.h"

#include <optional>

namespace outbox {

/// One entry, and what is safe next for it.
struct SeenEntry
{
    QString document;
    QString version;
    OutboxEntry entry;
    NextStep next;
    std::optional<double> ageSeconds; ///< by the database's clock, where the shape has a time

    bool operator==(const SeenEntry &) const = default;
};

/// What all documents come to. A figure that cannot be had is nullopt.
struct DocumentSummary
{
    qint64 documents = 0;
    qint64 bytes = 0;
    DocumentFacts largest;
    qint64 undispatched = 0; ///< those that leaked are left out, where the other store was asked
    qint64 dispatched = 0;
    qint64 malformed = 0;
    qint64 unreadable = 0; ///< documents whose entries cannot be counted
    std::optional<qint64> leaked; ///< K15; only with another store
    std::optional<StoreDurability> store; ///< of that store
    std::optional<double> oldestUndispatchedSeconds;
    std::optional<double> oldestDispatchedSeconds;
    bool exact = true; ///< false: the look ended before the documents did
    double tookMs = 0;

    bool operator==(const DocumentSummary &) const = default;
};

struct JudgedToken
{
    Token token;
    TokenReach reach = TokenReach::Unknown;
    QString words;
    std::optional<qint64> ageSeconds{}; ///< in a table; nullopt: the store keeps no time

    bool operator==(const JudgedToken &) const = default;
};

struct TokenReport
{
    QList<JudgedToken> tokens;
    QStringList notes; ///< what was not read
    bool isCut = false; ///< there are more tokens
    double tookMs = 0;

    bool operator==(const TokenReport &) const = default;
};

/// Which of a design's lists is on screen; the others are not read.
enum class DesignList { None, Unsettled, Dispatched, Tokens };

/// One look of the console: the figures, and the list that was asked for.
struct DesignView
{
    DocumentSummary summary;
    DesignList list = DesignList::None;
    QList<SeenEntry> entries; ///< Unsettled, Dispatched
    bool isCut = false; ///< there are more entries
    std::optional<TokenReport> tokens; ///< Tokens
    QDateTime at; ///< our clock, UTC
    double tookMs = 0;

    bool operator==(const DesignView &) const = default;
};

} // namespace outbox
