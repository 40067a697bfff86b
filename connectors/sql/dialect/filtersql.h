// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A filter as a condition in SQL with bound values. What a database cannot tell exactly is pushed
// as a condition that holds for at least the rows that match, and finished by the predicate.
#pragma once

#include "connectors/sql/dialect/rowstates.h"
#include "connectors/sql/driver/sqlfragment.h"
#include "models/filter/predicate.h"
#include "models/shape/catalog.h"
#include "models/shape/outboxshape.h"

#include <functional>

namespace outbox {

/// A filter taken apart: `condition` is for the database, and every row that matches fulfils it.
/// `rest` is for the predicate; without parts the condition was exact. Both together are the
/// filter.
struct FilterPush
{
    SqlFragment condition; ///< "true" where nothing can be pushed, "false" where no row can match
    CheckNode rest;
};

/// What becomes of the texts that payloads must hold. Within: the database reads every payload of
/// the rows it is asked for, which is cheap in few rows alone. Apart: they are left to the
/// predicate.
enum class PayloadTexts { Apart, Within };

/// Writes conditions for the table named t. Leaves answer conditions that may be NULL for false.
class FilterSql
{
public:
    FilterSql(const OutboxShape &shape, const CatalogTable &table, const SqlFlavor &flavor)
        : m_shape(shape), m_table(table), m_flavor(flavor)
    { }
    virtual ~FilterSql() = default;
    FilterSql(const FilterSql &) = delete;
    FilterSql &operator=(const FilterSql &) = delete;

    /// Fails with Invalid for a column that is not there, and with Unsupported for what neither the
    /// database nor the predicate can tell; both with the position in the filter's text.
    [[nodiscard]] Result<FilterPush> push(const CheckNode &checks, PayloadTexts texts);

protected:
    /// `exact`: false where rows may fulfil it that do not match.
    struct Condition
    {
        SqlFragment sql;
        bool exact = true;
    };
    /// A text of a row: an expression, and its column where it is one as it stands.
    struct Cell
    {
        SqlFragment text;
        const CatalogColumn *column = nullptr;
    };

    [[nodiscard]] RowStates states() const { return {m_shape, m_table, m_flavor}; }
    /// By a row lock, where these can be seen.
    [[nodiscard]] virtual QString isHeld() const;
    [[nodiscard]] SqlFragment number(const QVariant &value) const;
    [[nodiscard]] QString textOf(const CatalogColumn &column) const
    {
        return m_flavor.textOf(m_table, column.name);
    }
    [[nodiscard]] virtual QString keyText() const;
    [[nodiscard]] virtual SqlFragment
    isMissing(const Cell &cell) const; ///< NULL or without letters
    [[nodiscard]] virtual SqlFragment equals(const Cell &cell, const QString &text) const;
    [[nodiscard]] virtual SqlFragment fits(const Cell &cell, const QString &wildcards) const;
    /// `folded` stands in it, whatever the case.
    [[nodiscard]] virtual Condition holds(const Cell &cell, const QString &folded) const;
    /// The same of payloads, whose bytes may be no text of any encoding.
    [[nodiscard]] virtual Condition payloadHolds(const CatalogColumn &column,
                                                 const QString &folded) const = 0;
    /// `pattern` is one of LIKE … ESCAPE '!'.
    [[nodiscard]] SqlFragment isLike(const SqlFragment &text, const QString &pattern) const;
    /// The key, of one column: whether it holds texts; is `text`, and is a text that begins with
    /// `start`, by its index.
    [[nodiscard]] bool isTextKey(const CatalogColumn &key) const;
    [[nodiscard]] virtual Condition keyIs(const CatalogColumn &key, const QString &text) const;
    [[nodiscard]] virtual Condition textKeyBegins(const CatalogColumn &key,
                                                  const QString &start) const = 0;
    [[nodiscard]] virtual QString payloadBytes(const CatalogColumn &column) const;
    [[nodiscard]] QString microseconds(const CatalogColumn &column) const
    {
        return m_flavor.microseconds(m_table, column.name, m_shape.zoneOf(column.name));
    }
    [[nodiscard]] bool needsZone(const CatalogColumn &column) const;
    /// A time in a span of milliseconds since 1970, and an age in a span of seconds.
    [[nodiscard]] virtual SqlFragment timeWithin(const CatalogColumn &column,
                                                 const FilterSpan &span) const = 0;
    [[nodiscard]] virtual SqlFragment agedWithin(const CatalogColumn &column,
                                                 const FilterSpan &span) const = 0;
    /// A member of a document in a column; nullopt where the database cannot look into it, or not
    /// as the predicate does.
    [[nodiscard]] virtual std::optional<Condition> memberMeets(const CatalogColumn &column,
                                                               const FieldCheck &check) const;

    /// `number >= ? AND number < ?`.
    [[nodiscard]] SqlFragment within(const SqlFragment &number, const FilterSpan &span,
                                     double unit = 1) const;
    /// Any of the patterns, and missing or given where that is asked for.
    [[nodiscard]] Condition textMeets(const Cell &cell, const FieldCheck &check,
                                      bool emptyIsMissing) const;
    /// A whole number, `name`, whose decimals begin with `start`.
    [[nodiscard]] SqlFragment numberBegins(const QString &name, const QString &start) const;
    [[nodiscard]] static SqlFragment either(const QList<SqlFragment> &conditions);

    const OutboxShape &m_shape;
    const CatalogTable &m_table;
    const SqlFlavor &m_flavor;
    PayloadTexts m_texts = PayloadTexts::Apart;
    bool m_isOfOpenRows = false; ///< no processed row can match

private:
    /// Rows that match fulfil it (over), or those that fulfil it match (under).
    enum class Side { Over, Under };

    [[nodiscard]] Condition node(const CheckNode &node, Side side);
    [[nodiscard]] Condition group(const CheckNode &node, Side side);
    [[nodiscard]] Condition negated(const Condition &condition) const;
    [[nodiscard]] Condition leaf(const FieldCheck &check, Side side);
    [[nodiscard]] std::optional<Condition> ofField(const FieldCheck &check);
    [[nodiscard]] static Condition anyOf(qsizetype count,
                                         const std::function<Condition(qsizetype)> &one);
    [[nodiscard]] Condition idMeets(const FieldCheck &check);
    [[nodiscard]] Condition keyBegins(const CatalogColumn &key, const QString &start) const;
    [[nodiscard]] Condition keyFits(const CatalogColumn &key, const FilterPattern &pattern);
    [[nodiscard]] Condition wordMeets(const FieldCheck &check);
    [[nodiscard]] Condition typeMeets(const FieldCheck &check);
    /// Holds for other errors, too.
    [[nodiscard]] Condition causeMeets(const FieldCheck &check);
    [[nodiscard]] Condition inStates(const FieldCheck &check) const;
    [[nodiscard]] Condition numberMeets(const QString &number, const FieldCheck &check,
                                        double unit = 1);
    [[nodiscard]] Condition countMeets(const QString &column, const FieldCheck &check);
    [[nodiscard]] Condition timeMeets(const QString &column, const FieldCheck &check, bool byAge);
    [[nodiscard]] Condition waitMeets(const FieldCheck &check);
    [[nodiscard]] std::optional<Condition> columnMeets(const FieldCheck &check);
    [[nodiscard]] static Condition constant(bool holds);
    /// Refuses where the times of the column are in a zone that nobody said.
    [[nodiscard]] bool isTold(const CatalogColumn &column, const FieldCheck &check);
    void refuse(const FieldCheck &check, Error::Kind kind, const QString &text,
                const QString &hint = {});

    std::optional<Error> m_fault;
};

/// A pattern of LIKE … ESCAPE '!' for texts that hold `folded`; letters beyond ASCII are any.
[[nodiscard]] QString likePart(const QString &folded);

/// The same for bytes that may be of any encoding.
struct ByteText
{
    QString pattern; ///< letters beyond ASCII are any bytes
    QString longest; ///< the longest part without such letters
    bool exact = true; ///< there are none
};
/// `backslash`: how the pattern writes a backslash of the text.
[[nodiscard]] ByteText byteText(const QString &folded,
                                const QString &backslash = QStringLiteral("\\"));
[[nodiscard]] bool isAscii(QStringView text);

} // namespace outbox
