// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/columnchoice.h"

#include <QHeaderView>
#include <QJsonArray>
#include <QScopedValueRollback>
#include <QTableView>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int widestColumn = 4000; // pixels; what is wider was no choice

} // namespace

ColumnChoice::ColumnChoice(QTableView *table) : QObject(table), m_table(table)
{
    const QHeaderView *head = table->horizontalHeader();
    connect(head, &QHeaderView::sectionResized, this, &ColumnChoice::noteWidth);
    connect(head, &QHeaderView::sectionMoved, this, &ColumnChoice::noteOrder);
}

void ColumnChoice::hideAtFirst(int column)
{
    m_hiddenAtFirst.insert(column);
    applyShown(column);
}

void ColumnChoice::setOffered(int column, bool offered)
{
    if (isOffered(column) == offered)
        return;
    if (offered)
        m_notOffered.remove(column);
    else
        m_notOffered.insert(column);
    applyShown(column);
}

void ColumnChoice::setShown(int column, bool shown)
{
    m_shown.insert(column, shown);
    applyShown(column);
    emit changed();
}

void ColumnChoice::fit(int column, int width)
{
    if (m_table->horizontalHeader()->stretchLastSection() && column == lastShown())
        return; // it has the room that is left
    const QScopedValueRollback<bool> quiet(m_isQuiet, true);
    m_table->setColumnWidth(column, m_widths.value(column, width));
}

void ColumnChoice::forgetWidths()
{
    m_widths.clear();
    emit changed();
}

void ColumnChoice::forget()
{
    m_shown.clear();
    m_widths.clear();
    m_isOrdered = false;
}

void ColumnChoice::reset()
{
    forget();
    QList<int> order;
    for (int column = 0; column < count(); ++column)
        order += column;
    arrange(order);
    apply();
    emit changed();
}

QJsonObject ColumnChoice::kept() const
{
    QJsonObject choice;
    if (m_isOrdered) {
        QJsonArray order;
        for (int place = 0; place < count(); ++place)
            order += titleOf(m_table->horizontalHeader()->logicalIndex(place));
        choice.insert("order"_L1, order);
    }
    QJsonObject shown;
    for (auto one = m_shown.begin(); one != m_shown.end(); ++one)
        shown.insert(titleOf(one.key()), one.value());
    if (!shown.isEmpty())
        choice.insert("shown"_L1, shown);
    QJsonObject widths;
    for (auto one = m_widths.begin(); one != m_widths.end(); ++one)
        widths.insert(titleOf(one.key()), one.value());
    if (!widths.isEmpty())
        choice.insert("widths"_L1, widths);
    return choice;
}

void ColumnChoice::restore(const QJsonObject &choice)
{
    forget();
    const QJsonObject shown = choice.value("shown"_L1).toObject();
    const QJsonObject widths = choice.value("widths"_L1).toObject();
    const QJsonArray titles = choice.value("order"_L1).toArray();
    QHash<QString, int> columns;
    for (int column = 0; column < count(); ++column) {
        const QString title = titleOf(column);
        columns.insert(title, column);
        if (const QJsonValue one = shown.value(title); one.isBool())
            m_shown.insert(column, one.toBool());
        if (const int width = widths.value(title).toInt(); width > 0 && width <= widestColumn)
            m_widths.insert(column, width);
    }
    QList<int> order;
    for (const auto &title : titles) {
        const int column = columns.value(title.toString(), -1);
        if (column >= 0 && !order.contains(column))
            order += column;
    }
    m_isOrdered = !order.isEmpty();
    // A column that was not there then stands behind the one that it follows in the model.
    for (int column = 0; column < count(); ++column) {
        if (!order.contains(column))
            order.insert(column == 0 ? 0 : order.indexOf(column - 1) + 1, column);
    }
    arrange(order);
    apply();
}

void ColumnChoice::apply()
{
    for (int column = 0; column < count(); ++column)
        applyShown(column);
    for (auto one = m_widths.begin(); one != m_widths.end(); ++one)
        fit(one.key(), one.value());
}

void ColumnChoice::applyShown(int column)
{
    const bool atFirst = !m_hiddenAtFirst.contains(column);
    const bool isShown = isFixed(column) ? atFirst : m_shown.value(column, atFirst);
    const QScopedValueRollback<bool> quiet(m_isQuiet, true);
    m_table->setColumnHidden(column, !isShown || !isOffered(column));
}

/// `order` has each column once.
void ColumnChoice::arrange(const QList<int> &order)
{
    const QScopedValueRollback<bool> quiet(m_isQuiet, true);
    QHeaderView *head = m_table->horizontalHeader();
    for (int place = 0; place < order.size(); ++place)
        head->moveSection(head->visualIndex(order.at(place)), place);
}

void ColumnChoice::noteWidth(int column, int before, int now)
{
    // What is hidden or shown has no width on one side; what stretches has none of its own.
    const bool stretches = column == lastShown()
        || m_table->horizontalHeader()->sectionResizeMode(column) != QHeaderView::Interactive;
    if (m_isQuiet || before == 0 || now == 0 || stretches)
        return;
    m_widths.insert(column, now);
    emit changed();
}

void ColumnChoice::noteOrder()
{
    if (m_isQuiet)
        return;
    m_isOrdered = true;
    emit changed();
}

int ColumnChoice::count() const
{
    return m_table->horizontalHeader()->count();
}

int ColumnChoice::lastShown() const
{
    const QHeaderView *head = m_table->horizontalHeader();
    for (int place = head->count() - 1; place >= 0; --place) {
        if (const int column = head->logicalIndex(place); !head->isSectionHidden(column))
            return column;
    }
    return -1;
}

QString ColumnChoice::titleOf(int column) const
{
    return m_table->model()->headerData(column, Qt::Horizontal).toString();
}

} // namespace outbox
