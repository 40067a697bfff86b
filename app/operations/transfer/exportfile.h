// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows and tasks in a file, byte for byte: written before they are deleted, read to put them back.
#pragma once

#include "connectors/asynq/edit/taskeditor.h"
#include "connectors/sql/edit/outboxeditor.h"
#include "models/operations/verb.h"
#include "models/result.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <variant>

namespace outbox {

/// The first line: where the others come from.
struct ExportHead
{
    QString operation; ///< uuid
    std::optional<Verb> verb; ///< that deleted them afterwards; nullopt: a plain export
    QString profile;
    QString target; ///< for people, without secrets
    QString table; ///< of the rows; empty where there are tasks only
    QString queue; ///< of the tasks; empty where there are rows only
    QDateTime at; ///< UTC
    QStringList columns; ///< of every row, in the order of its cells
    QStringList types; ///< as the server names them, one for each column; empty: not known

    bool operator==(const ExportHead &) const = default;
};

using ExportItem = std::variant<WholeRow, StoredTask>;

/// What is written first, beside `file`, of an export that takes the place of what is there. No two
/// are the same: nobody's file is emptied by it, and no other export writes to it.
[[nodiscard]] QString partialName(const QString &file);

/// Writes a partial file, mode 0600, which becomes `file` in `finish`. One JSON object a line;
/// text that is UTF-8 stands as a string, other bytes as base64. Blocking; holds one block of 64
/// KiB beside the row it is given. After an error, and when it ends before `finish`, nothing is
/// left.
/// Errors: those of `PrivateFile`; Conflict where the file is there, Invalid for an item that it
/// cannot hold.
class ExportWriter
{
public:
    enum class IfThere {
        Refuse, ///< fails with Conflict; the folder is made (0700), the partial file is `.partial`
        Replace, ///< it stays as it is until `finish`; the folder must be there, see `partialName`
    };
    /// `file` is absolute.
    [[nodiscard]] static Result<ExportWriter> create(const QString &file, const ExportHead &head,
                                                     IfThere ifThere = IfThere::Refuse);
    ~ExportWriter();
    ExportWriter(ExportWriter &&) noexcept;
    ExportWriter &operator=(ExportWriter &&) noexcept;

    /// Fails with Invalid for a row with other columns than the head names.
    [[nodiscard]] Result<void> add(const WholeRow &row);
    [[nodiscard]] Result<void> add(const StoredTask &task);
    [[nodiscard]] qint64 count() const; ///< rows and tasks so far
    [[nodiscard]] const QByteArray &checksum() const; ///< as the reader's; empty before `finish`
    /// Returns when file and folder are on disk under the final name. With Replace, an error of
    /// unknown effect: the file has its name and stays, but a crash may take that back.
    [[nodiscard]] Result<void> finish();

private:
    struct Private;
    explicit ExportWriter(std::unique_ptr<Private> parts);
    std::unique_ptr<Private> d;
};

/// Reads such a file line by line. Whatever cannot be understood is Invalid and names the line; the
/// text may come from anybody. Blocking; holds one item at a time.
/// Errors: Invalid for a damaged file, Unsupported for one of a later version.
class ExportReader
{
public:
    /// A place in the file, between two items.
    struct Place
    {
        qint64 offset = 0; ///< bytes from the beginning
        qint64 line = 0; ///< 1 = the head

        bool operator==(const Place &) const = default;
    };

    /// Checks count and checksum of the whole file before anything of it can be had.
    [[nodiscard]] static Result<ExportReader> open(const QString &file);
    ~ExportReader();
    ExportReader(ExportReader &&) noexcept;
    ExportReader &operator=(ExportReader &&) noexcept;

    [[nodiscard]] const ExportHead &head() const;
    [[nodiscard]] qint64 count() const; ///< rows and tasks
    [[nodiscard]] QByteArray checksum() const; ///< hex SHA-256, names the content
    /// nullopt: that was the last one.
    [[nodiscard]] Result<std::optional<ExportItem>> next();
    /// Where the next item begins; `moveTo` goes back to a place that this said of the same file.
    [[nodiscard]] Place place() const;
    [[nodiscard]] Result<void> moveTo(const Place &place);

private:
    struct Private;
    explicit ExportReader(std::unique_ptr<Private> parts);
    std::unique_ptr<Private> d;
};

} // namespace outbox
