// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a row of an outbox holds, part by part: which part may be changed, which is locked and why,
// and an edit of one row.
#pragma once

#include "models/content/cell.h"
#include "models/ids.h"
#include "models/result.h"
#include "models/shape/catalog.h"
#include "models/shape/outboxshape.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// A part of a row as people name it. The first three are shown, and never changed.
enum class RowPart { Id, Created, Headers, Type, Queue, Due, Payload };

[[nodiscard]] QString word(RowPart part); ///< "payload", for JSON and differences
[[nodiscard]] QString label(RowPart part); ///< "Payload", for people

/// How the bytes of a part are read.
enum class PartForm {
    Json, ///< the column takes nothing else
    JsonText, ///< a text that is JSON by the mapping; the column takes any text
    Text,
    Bytes,
    Time,
};

/// One part, and the column that it stands in.
struct RowPartContent
{
    RowPart part = RowPart::Payload;
    QString column;
    QString type; ///< of the column, as the server writes it
    PartForm form = PartForm::Text;
    bool isRewritten = false; ///< the server writes it in its own way: jsonb
    QStringList labels; ///< the only texts that the column takes; empty: any
    qint64 mostBytes = -1; ///< that the column takes; -1: not known here
    qint64 mostCharacters = -1; ///< the same
    QString locked; ///< why it must not be changed; empty: it may
    Cell cell; ///< what it holds

    [[nodiscard]] bool mayChange() const { return locked.isEmpty(); }
    /// What a new value is to be: the kind stays as it is, too.
    [[nodiscard]] Cell::Kind kindToWrite() const;
    bool operator==(const RowPartContent &) const = default;
};

/// A row, or a task of a queue, as an editor shows it.
struct RowContent
{
    MessageId id; ///< of a task: the task's
    QString version; ///< `Message::version`; of a task: of its message, state and score
    QList<RowPartContent> parts; ///< in the order of the enum; without those that the shape lacks
    QueueName queue{}; ///< of a task; empty: it is a row

    /// nullptr where the shape has no such part.
    [[nodiscard]] const RowPartContent *part(RowPart part) const;
    [[nodiscard]] bool mayChange() const; ///< one part at least
    /// The first part that is not alike in both, which are of one table; nullopt: none.
    [[nodiscard]] std::optional<RowPart> firstOther(const RowContent &other) const;
    bool operator==(const RowContent &) const = default;
};

/// What somebody wants of one row, or of one task; what is not named stays as it is.
struct RowEdit
{
    std::optional<QByteArray> payload;
    std::optional<QString> type;
    std::optional<QString> queue;
    std::optional<QDateTime> due;
    /// What the editor showed: it must still stand. nullopt: what it holds when the plan is made.
    std::optional<RowContent> seen;

    [[nodiscard]] bool isEmpty() const { return !payload && !type && !queue && !due; }
    bool operator==(const RowEdit &) const = default;
};

/// One column of a row that an edit is about.
struct EditedCell
{
    RowPart part = RowPart::Payload;
    QString column;
    Cell seen; ///< the edit is carried out only where the column holds this still
    std::optional<Cell> now; ///< what it is to hold; nullopt: it is compared alone

    /// It is to hold something else.
    [[nodiscard]] bool changes() const { return now && *now != seen; }
    bool operator==(const EditedCell &) const = default;
};

/// The parts that `shape` names of the rows of `table`, without what a row holds.
[[nodiscard]] QList<RowPartContent> partsOf(const OutboxShape &shape, const CatalogTable &table);
/// The columns of those that may be changed.
[[nodiscard]] QStringList editableColumns(const OutboxShape &shape, const CatalogTable &table);

/// Why the part cannot hold this, line and column of wrong JSON among it; empty: nothing is wrong
/// that can be told without the database.
[[nodiscard]] QString whyNotHeld(const RowPartContent &part, const QByteArray &value);
/// Why a relay would not send it, or no receiver read it: a row without a type is parked, a text
/// may be JSON by the mapping alone. Empty: nothing is wrong that can be told here.
[[nodiscard]] QString whyNotSent(const RowPartContent &part, const QByteArray &value);

/// Bytes for an editor of hex: 16 a line.
[[nodiscard]] QString hexText(const QByteArray &bytes);
/// The bytes of such a text; blanks and breaks do not count. Fails with Invalid (line, column).
[[nodiscard]] Result<QByteArray> bytesOfHex(const QString &text);

/// Names the content that these cells are to have.
[[nodiscard]] QString digestOf(const QList<EditedCell> &cells);
/// The same of what a row holds in the parts that may be changed.
[[nodiscard]] QString digestOf(const RowContent &content);

} // namespace outbox
