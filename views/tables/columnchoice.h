// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person chose of the columns of a table: which are shown, in which order, how wide.
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QObject>
#include <QSet>

class QTableView;

namespace outbox {

/// Columns are those of the table's model, which it has for good. What is kept names them by their
/// titles, so that it fits models that have other columns, too. Lives in the GUI thread.
class ColumnChoice : public QObject
{
    Q_OBJECT

public:
    /// `table` is the parent; it needs no model yet.
    explicit ColumnChoice(QTableView *table);

    /// This column stays shown, or hidden, whatever was chosen.
    void setFixed(int column) { m_fixed = column; }
    /// This column is hidden until a person shows it.
    void hideAtFirst(int column);
    /// A column that says nothing for what is listed now is hidden, and not offered to a person;
    /// what was chosen of it stays.
    void setOffered(int column, bool offered);
    [[nodiscard]] bool isOffered(int column) const { return !m_notOffered.contains(column); }
    /// Whether no person may hide or show the column.
    [[nodiscard]] bool isFixed(int column) const { return column == m_fixed; }
    /// As a person does it.
    void setShown(int column, bool shown);
    /// Takes a width in pixels where a person chose no other.
    void fit(int column, int width);
    /// What a person chose of widths has no meaning any more; `fit` brings others.
    void forgetWidths();
    /// As if nothing had been chosen; widths are those before until `fit` brings others.
    void reset();

    /// What was chosen, for `restore`; empty: nothing.
    [[nodiscard]] QJsonObject kept() const;
    /// Takes the place of what was chosen. Columns that it does not name, and whatever cannot be
    /// understood, are as if nothing had been chosen.
    void restore(const QJsonObject &choice);

signals:
    /// A person chose something, or took it back.
    void changed();

private:
    void forget();
    void apply();
    void applyShown(int column);
    void arrange(const QList<int> &order);
    void noteWidth(int column, int before, int now);
    void noteOrder();
    [[nodiscard]] int count() const;
    [[nodiscard]] int lastShown() const;
    [[nodiscard]] QString titleOf(int column) const;

    QTableView *m_table;
    int m_fixed = -1; ///< -1: none
    QSet<int> m_notOffered;
    QSet<int> m_hiddenAtFirst;
    QHash<int, bool> m_shown; ///< chosen
    QHash<int, int> m_widths; ///< chosen, in pixels
    bool m_isOrdered = false; ///< the order is chosen
    bool m_isQuiet = false; ///< what changes now is no choice
};

} // namespace outbox
