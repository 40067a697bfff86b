// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Business documents as they are listed: sizes and counts of their entries, without the documents.
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// One document without its content. A count that cannot be had is nullopt, and `problem` says why.
struct DocumentFacts
{
    QString id;
    QString version;
    qint64 bytes = 0; ///< of the document as text
    std::optional<qint64> undispatched; ///< entries with messages inside, or a list without any
    std::optional<qint64> dispatched; ///< entries that are null
    std::optional<qint64> malformed;
    std::optional<double> oldestUndispatchedSeconds; ///< age, where the shape has a time
    std::optional<double> oldestDispatchedSeconds;
    std::optional<double> changedSeconds; ///< since its last write, where the shape has a column
    QString problem;

    bool operator==(const DocumentFacts &) const = default;
};

/// One keyset page. `next` is empty on the last page.
struct DocumentPage
{
    QList<DocumentFacts> documents;
    QString next;
    double tookMs = 0;
    QStringList statements;

    bool operator==(const DocumentPage &) const = default;
};

/// A document with the version that it was read under.
struct StoredDocument
{
    QString id;
    QString version;
    QByteArray json;
    QDateTime readAt; ///< by the database's clock

    /// Whenever they were read.
    bool operator==(const StoredDocument &other) const
    {
        return id == other.id && version == other.version && json == other.json;
    }
};

} // namespace outbox
