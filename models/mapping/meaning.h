// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a column of an outbox may mean, and which columns are of a type that can carry it.
#pragma once

#include "models/shape/catalog.h"

#include <QList>
#include <QString>

namespace outbox {

/// One place for a column in a shape.
enum class Meaning {
    Key,
    Type,
    Payload,
    ReferenceTable,
    ReferenceId,
    Headers,
    Queue,
    Created,
    Order,
    Due,
    Processed,
    ProcessedTime,
    LeaseEnd,
    Owner,
    LockTime,
    Failed,
    Attempts,
    MostAttempts,
    LastError,
};

[[nodiscard]] QList<Meaning> allMeanings();
/// For people: "Key", "Last error" …
[[nodiscard]] QString label(Meaning meaning);
/// The member of a shape whose reasons a probe gives for it.
[[nodiscard]] QString memberOf(Meaning meaning);
/// Where a shape keeps the column of a meaning; nullptr for the order, which is a list.
[[nodiscard]] QString OutboxShape::*placeOf(Meaning meaning);
/// The column of `shape` with this meaning; empty where none has it.
[[nodiscard]] QString columnOf(const OutboxShape &shape, Meaning meaning);

/// True where a column of this type can mean that under `shape`. `isLoose`: any column may hold
/// any kind of value (SQLite).
[[nodiscard]] bool canCarry(Meaning meaning, const OutboxShape &shape, const CatalogTable &table,
                            const CatalogColumn &column, bool isLoose);

/// Whether what the column holds is a moment in a known zone only. In a loose table any text may be
/// such a time.
[[nodiscard]] bool needsZone(const CatalogColumn &column, bool isLoose);

/// 16 bytes that are a uuid.
[[nodiscard]] bool isUuidBytes(const CatalogColumn &column);
[[nodiscard]] OutboxShape::KeyForm keyFormOf(const CatalogColumn &key);
/// Uuids are unique everywhere, texts in their table, numbers in one life of their table. It
/// follows from key and created column alone: an id that changes with the rows at hand is no dedup
/// id.
[[nodiscard]] QString taskIdTemplateOf(const OutboxShape &shape);
[[nodiscard]] OutboxShape::PayloadForm payloadFormOf(const CatalogColumn &payload);

} // namespace outbox
