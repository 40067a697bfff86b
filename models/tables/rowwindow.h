// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of an outbox of any size that a table shows: it slides over keyset pages, so that the
// table feels whole and memory stays flat.
#pragma once

#include "models/filter/pagerequest.h"
#include "models/message/message.h"

#include <optional>

namespace outbox {

/// Knows where the window begins and how long it is, and which questions bring it elsewhere. A move
/// up or a jump takes a question of its own (`seek…`), whose answer goes to `begin`. Pure.
class RowWindow
{
public:
    static constexpr int step = MessagePage::step;
    static constexpr int most = 3 * step; ///< rows at once

    /// Back to the first rows.
    void restart();
    /// What the table is to show, of the rows that `base` asks for.
    [[nodiscard]] PageRequest request(const PageRequest &base) const;
    /// The answer to `request`.
    void arrived(const MessagePage &page);
    [[nodiscard]] bool isAtStart() const { return m_top.isEmpty(); }
    [[nodiscard]] bool isAtEnd() const { return m_page.next.isEmpty(); }
    /// It cannot grow: more rows below cost those above.
    [[nodiscard]] bool isFull() const { return m_rows >= most; }
    /// How many rows stand above the window; nullopt after a jump into the middle.
    [[nodiscard]] std::optional<qint64> above() const { return m_above; }

    /// One has come near the end: false where no row follows; else `request` asks for more.
    [[nodiscard]] bool goDown();
    /// Finds the rows above the window.
    [[nodiscard]] PageRequest seekUp(const PageRequest &base) const;
    /// Finds the last rows.
    [[nodiscard]] static PageRequest seekLast(const PageRequest &base);
    /// Finds the first row, in the order of `base`, that is at least so old by the database's
    /// clock; at most so old where the oldest come first.
    [[nodiscard]] static PageRequest seekAge(const PageRequest &base, double seconds);
    /// Finds one row among those of `base`.
    [[nodiscard]] static PageRequest seekId(const PageRequest &base, const MessageId &id);
    /// Finds the rows above the one that was found.
    [[nodiscard]] static PageRequest seekAround(const PageRequest &base, const MessagePage &found);
    /// The window begins with the last row of `found`, the answer to a question the other way;
    /// `isUp` where that one was `seekUp`.
    void begin(const MessagePage &found, bool isUp);

private:
    [[nodiscard]] static PageRequest otherWay(const PageRequest &base, const QString &from,
                                              int rows);

    QString m_top; ///< cursor before the first row; empty = the first of all
    int m_rows = step;
    std::optional<qint64> m_above = 0;
    MessagePage m_page; ///< its rows left out
};

} // namespace outbox
