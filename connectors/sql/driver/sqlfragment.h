// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A statement or a part of one, together with the values of its placeholders. Pure text.
#pragma once

#include <QList>
#include <QString>
#include <QStringBuilder>
#include <QVariantList>

#include <concepts>
#include <utility>

namespace outbox {

/// The values stand in the order of their placeholders, and `+` keeps it so: what is put together
/// from fragments cannot have a value in the place of another one. A placeholder is "?", or "$1" and
/// so on, which `+` counts on. A QStringList among the values is an array (PostgreSQL) or a JSON
/// array (SQLite), a QByteArray is bytes. Quotation marks are closed within a fragment.
struct SqlFragment
{
    QString text;
    QVariantList values;

    SqlFragment() = default;
    SqlFragment(QString sql, QVariantList bound = {})
        : text(std::move(sql)), values(std::move(bound))
    { }
    template <typename A, typename B>
    SqlFragment(const QStringBuilder<A, B> &sql) : text(sql)
    { }
    SqlFragment(std::same_as<char16_t> auto sign) : text(QChar(sign)) { }

    /// One value where placeholders are question marks.
    [[nodiscard]] static SqlFragment of(const QVariant &value);
    /// One value where they are numbered, cast to `type`.
    [[nodiscard]] static SqlFragment of(const QVariant &value, const QString &type);
    /// `pattern` with `parts` in the places of %1 to %9, each of them as often as it is named.
    [[nodiscard]] static SqlFragment filled(const QString &pattern,
                                            const QList<SqlFragment> &parts);
    [[nodiscard]] static SqlFragment joined(const QList<SqlFragment> &parts,
                                            const QString &between);

    [[nodiscard]] bool isEmpty() const { return text.isEmpty(); }
    SqlFragment &operator+=(const SqlFragment &other);
    friend SqlFragment operator+(SqlFragment a, const SqlFragment &b)
    {
        a += b;
        return a;
    }
    friend bool operator==(const SqlFragment &a, const SqlFragment &b) = default;
};

} // namespace outbox
