// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters by chance, the same ones at each run: trees of terms, and texts that are none.
#pragma once

#include "models/filter/filter.h"

#include <QRandomGenerator>
#include <QStringList>

#include <functional>

namespace outbox {

class RandomFilters
{
public:
    /// Prints its seed; OUTBOX_FILTER_SEED asks for another one.
    explicit RandomFilters(const char *test, quint32 seed = 20261122)
        : m_random(qEnvironmentVariableIntValue("OUTBOX_FILTER_SEED")
                       ? static_cast<quint32>(qEnvironmentVariableIntValue("OUTBOX_FILTER_SEED"))
                       : seed)
    {
        qInfo("%s: seed %d", test,
              qEnvironmentVariableIntValue("OUTBOX_FILTER_SEED")
                  ? qEnvironmentVariableIntValue("OUTBOX_FILTER_SEED")
                  : static_cast<int>(seed));
    }

    [[nodiscard]] int below(int end) { return m_random.bounded(end); }
    template <typename T> [[nodiscard]] T oneOf(const QList<T> &all)
    {
        return all.at(below(static_cast<int>(all.size())));
    }

    /// Terms of any kind, right or not, in any nesting.
    [[nodiscard]] Filter tree()
    {
        return tree([this] { return term(); });
    }
    /// Any nesting of what `makeTerm` gives.
    [[nodiscard]] Filter tree(const std::function<FilterTerm()> &makeTerm)
    {
        m_left = 6;
        Filter filter;
        const int parts = below(4);
        for (int i = 0; i < parts; ++i) {
            // One Any alone is written without brackets, a part of several with them.
            filter.root.parts += node(FilterNode::Kind::All, 3, makeTerm);
        }
        return filter;
    }
    /// The pieces of the language thrown together.
    [[nodiscard]] QString garbage()
    {
        static const QStringList pieces{
            QStringLiteral("state"),      QStringLiteral(":"),      QStringLiteral("pending"),
            QStringLiteral(" "),          QStringLiteral("or"),     QStringLiteral(" or "),
            QStringLiteral("and"),        QStringLiteral("not "),   QStringLiteral("-"),
            QStringLiteral("("),          QStringLiteral(")"),      QStringLiteral("\""),
            QStringLiteral("\\"),         QStringLiteral(","),      QStringLiteral(".."),
            QStringLiteral("."),          QStringLiteral("["),      QStringLiteral("0]"),
            QStringLiteral("payload"),    QStringLiteral("age>5m"), QStringLiteral("=~"),
            QStringLiteral("!="),         QStringLiteral("<="),     QStringLiteral("\u00df\u0130"),
            QStringLiteral("\U0001F600"), QStringLiteral("*?%_!'")};
        QString text;
        for (int i = below(14); i >= 0; --i)
            text += oneOf(pieces);
        if (below(50) == 0)
            text += QChar(0xdc00);
        return text;
    }

private:
    using Kind = FilterNode::Kind;

    FilterNode node(Kind outer, int depth, const std::function<FilterTerm()> &makeTerm)
    {
        const int choice = depth > 0 && m_left > 1 ? below(10) : 0;
        if (choice < 6) {
            --m_left;
            return {Kind::Term, makeTerm(), {}};
        }
        if (choice < 8)
            return {Kind::Not, {}, {node(Kind::Not, depth - 1, makeTerm)}};
        const Kind kind = outer == Kind::All ? Kind::Any
            : outer == Kind::Any             ? Kind::All
            : choice == 8                    ? Kind::All
                                             : Kind::Any;
        FilterNode group{kind, {}, {}};
        for (int parts = 2 + below(2); parts > 0; --parts)
            group.parts += node(kind, depth - 1, makeTerm);
        return group;
    }

    FilterTerm term()
    {
        static const QStringList fields{QString(),
                                        QString(),
                                        QStringLiteral("state"),
                                        QStringLiteral("a_1"),
                                        QStringLiteral("payload.User[3].x"),
                                        QStringLiteral("col.X-y")};
        FilterTerm term;
        term.field = oneOf(fields);
        if (!term.isWord())
            term.op = static_cast<FilterOp>(below(9));
        const int values = term.isWord() ? 1 : 1 + below(3);
        for (int i = 0; i < values; ++i)
            term.values += value(term.isWord());
        return term;
    }

    FilterValue value(bool ofWord)
    {
        FilterValue value;
        value.quoted = below(3) == 0;
        static const QStringList letters{
            QStringLiteral("a"), QStringLiteral("B"),         QStringLiteral("7"),
            QStringLiteral("*"), QStringLiteral("%"),         QStringLiteral("\u00e4"),
            QStringLiteral("-"), QStringLiteral("?"),         QStringLiteral("'"),
            QStringLiteral("/"), QStringLiteral("\U0001F600")};
        static const QStringList onlyQuoted{
            QStringLiteral(" "), QStringLiteral("\""), QStringLiteral("\\"), QStringLiteral("("),
            QStringLiteral(","), QStringLiteral(".."), QStringLiteral(":")};
        value.text = value.quoted || below(4) ? oneOf(letters) : QStringLiteral("x");
        for (int i = below(6); i > 0; --i)
            value.text += value.quoted && below(3) == 0 ? oneOf(onlyQuoted) : oneOf(letters);
        if (value.quoted)
            return value;
        if (ofWord && value.text.startsWith(QLatin1Char('-')))
            value.text.replace(0, 1, QLatin1Char('w')); // it would be a negation
        if (!ofWord && below(5) == 0)
            value.to = oneOf(letters) + QStringLiteral("z");
        return value;
    }

    QRandomGenerator m_random;
    int m_left = 0;
};

} // namespace outbox
