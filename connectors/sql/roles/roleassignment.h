// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The columns of a table while their parts are given out; for the sources of columnroles.h only.
#pragma once

#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/roles/columnroles.h"

#include <QSet>

namespace outbox {

/// A column that has no part yet, and the words of its name.
struct Candidate
{
    const CatalogColumn *column = nullptr;
    QStringList words;
};

/// A time, or a number or text that is one by its name.
[[nodiscard]] inline bool timeLike(const Candidate &one)
{
    using namespace Qt::Literals::StringLiterals;
    static const QSet<QString> endings{u"at"_s,   u"on"_s,    u"time"_s,
                                       u"date"_s, u"until"_s, u"timestamp"_s};
    const TypeClass kind = one.column->typeClass;
    return kind == TypeClass::Time
        || ((kind == TypeClass::Integer || kind == TypeClass::Text) && !one.words.isEmpty()
            && endings.contains(one.words.constLast()));
}

[[nodiscard]] inline bool textual(const Candidate &one)
{
    return one.column->typeClass == TypeClass::Text || one.column->typeClass == TypeClass::Named;
}

/// Gives each column to one part at most, the surest parts first.
class RoleAssignment
{
public:
    explicit RoleAssignment(const CatalogTable &table)
    {
        for (const CatalogColumn &column : table.columns)
            m_free += {&column, wordsOf(column.name)};
    }

    void take(const QString &name)
    {
        m_free.removeIf([&name](const Candidate &one) { return one.column->name == name; });
    }

    /// The first free column that `fits`, the words of `order` deciding between several.
    template <typename Fits> QString cast(const QStringList &order, Fits fits)
    {
        for (const QString &word : order) {
            for (const Candidate &one : m_free) {
                if (hasWord(one.words, word) && fits(one)) {
                    QString name = one.column->name;
                    take(name);
                    return name;
                }
            }
        }
        return {};
    }

    [[nodiscard]] const QList<Candidate> &left() const { return m_free; }

private:
    QList<Candidate> m_free;
};

/// Which column holds what is sent, and which one nearly could.
void assignPayload(RoleAssignment &assignment, ColumnRoles &roles);
/// Or which two name a row of another table instead.
void assignReference(RoleAssignment &assignment, ColumnRoles &roles);

} // namespace outbox
