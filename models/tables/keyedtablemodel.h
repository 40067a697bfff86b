// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table that is refreshed by key: whatever stays keeps its index, so that selection, focus and
// scroll position of every view on it survive.
#pragma once

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/utctext.h"

#include <QAbstractTableModel>
#include <QDateTime>
#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <algorithm>
#include <functional>
#include <utility>

namespace outbox {

/// Roles that the tables of the console share.
enum TableRole {
    NumberRole = Qt::UserRole + 1, ///< the number behind the text of a count
    RowRole, ///< the whole row as a value
    StateRole, ///< the state of the row, for the delegate that paints it
    RawRole, ///< what other programs read: texts whole, times as ISO 8601 in UTC, else the display
    FilterRole, ///< the term of a filter that asks for the value of the cell; empty: none does
    SamplesRole, ///< of a header: a QStringList of texts that a cell must have room for
};

/// One column: the model asks it for everything, so that no column can forget a role.
/// Built in one expression: `Column(title, align, display).withTip(tip).explained(text)`.
template <typename Row> class TableColumn
{
public:
    using Text = std::function<QString(const Row &)>;
    using Value = std::function<QVariant(const Row &)>;

    /// `display` answers one line of plain text.
    TableColumn(QString title, Qt::Alignment alignment, Text display)
        : m_title(std::move(title)), m_alignment(alignment | Qt::AlignVCenter),
          m_display(std::move(display))
    { }

    /// Text from outside: one line of it in the cell, more of it in the tooltip.
    static TableColumn ofText(QString title, Text text)
    {
        return TableColumn(std::move(title), Qt::AlignLeft,
                           [text](const Row &row) { return cellText(text(row)); })
            .withTip([text](const Row &row) { return tipText(text(row)); })
            .withRaw(text);
    }

    /// A moment in words, and exactly in the tooltip; empty where `at` answers an invalid one.
    static TableColumn ofMoment(QString title, std::function<QDateTime(const Row &)> at)
    {
        return TableColumn(std::move(title), Qt::AlignLeft,
                           [at](const Row &row) {
                               const QDateTime when = at(row);
                               return when.isValid()
                                   ? momentText(when, QDateTime::currentDateTimeUtc())
                                   : QString();
                           })
            .withTip([at](const Row &row) { return exactTime(at(row)); })
            .withRaw([at](const Row &row) { return utcText(at(row)); })
            .withRoomFor(momentSamples());
    }

    /// For who wants to know more of a count than its text.
    TableColumn withNumber(Value number) &&
    {
        m_number = std::move(number);
        return std::move(*this);
    }
    /// The tooltip of a cell; `tip` escapes what comes from outside.
    TableColumn withTip(Text tip) &&
    {
        m_tip = std::move(tip);
        return std::move(*this);
    }
    /// A state for the delegate, see StateDelegate.
    TableColumn withState(Value state) &&
    {
        m_state = std::move(state);
        return std::move(*this);
    }
    /// What other programs read instead of the display; never more than a person may see of the
    /// row.
    TableColumn withRaw(Text raw) &&
    {
        m_raw = std::move(raw);
        return std::move(*this);
    }
    /// The term of the filter language that asks for the value of a cell.
    TableColumn withFilter(Text term) &&
    {
        m_filter = std::move(term);
        return std::move(*this);
    }
    /// The column is never fitted narrower than the widest of these, whatever the first rows show.
    TableColumn withRoomFor(const QStringList &samples) &&
    {
        m_samples = samples;
        return std::move(*this);
    }
    /// The tooltip of the header.
    TableColumn explained(QString text) &&
    {
        m_explanation = std::move(text);
        return std::move(*this);
    }

    [[nodiscard]] QVariant cell(const Row &row, int role) const
    {
        switch (role) {
        case Qt::DisplayRole:
            return m_display(row);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(m_alignment);
        case Qt::ToolTipRole:
            return m_tip ? QVariant(m_tip(row)) : QVariant();
        case NumberRole:
            return m_number ? m_number(row) : QVariant();
        case StateRole:
            return m_state ? m_state(row) : QVariant();
        case FilterRole:
            return m_filter ? QVariant(m_filter(row)) : QVariant();
        case RawRole:
            return m_raw ? m_raw(row) : m_display(row);
        default:
            return {};
        }
    }

    [[nodiscard]] QVariant header(int role) const
    {
        switch (role) {
        case Qt::DisplayRole:
            return m_title;
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(m_alignment);
        case Qt::ToolTipRole:
            return m_explanation.isEmpty() ? QVariant() : QVariant(m_explanation);
        case SamplesRole:
            return m_samples;
        default:
            return {};
        }
    }

private:
    QString m_title;
    Qt::Alignment m_alignment;
    Text m_display;
    Value m_number;
    Text m_tip;
    Value m_state;
    Text m_raw;
    Text m_filter;
    QStringList m_samples;
    QString m_explanation;
};

/// Holds the rows in the order they were given in. Lives in the thread of its views. A template
/// cannot carry Q_OBJECT; a concrete model adds signals if it needs any. `Row` has an operator==
/// that tells whether anything on screen changed; `Key` is hashable.
template <typename Row, typename Key> class KeyedTableModel : public QAbstractTableModel
{
public:
    using Column = TableColumn<Row>;
    using KeyOf = std::function<Key(const Row &)>;

    KeyedTableModel(QList<Column> columns, KeyOf keyOf, QObject *parent = nullptr)
        : QAbstractTableModel(parent), m_columns(std::move(columns)), m_keyOf(std::move(keyOf))
    { }

    /// Takes over `rows` in their order. Rows gone are removed, new ones inserted, changed ones
    /// announced, each in runs; rows that changed places are a layout change that carries every
    /// persistent index along. Of rows with the same key the first counts.
    void merge(const QList<Row> &rows)
    {
        QList<Row> wanted;
        wanted.reserve(rows.size());
        QHash<Key, int> wantedAt;
        wantedAt.reserve(rows.size());
        for (const Row &row : rows) {
            const Key key = m_keyOf(row);
            if (wantedAt.contains(key))
                continue;
            wantedAt.insert(key, static_cast<int>(wanted.size()));
            wanted.append(row);
        }
        removeGone(wantedAt);
        arrange(wantedAt);
        insertNew(wanted);
        announceChanged(wanted);
    }

    [[nodiscard]] const QList<Row> &rows() const { return m_rows; }
    [[nodiscard]] const Row &row(int at) const { return m_rows.at(at); }
    [[nodiscard]] bool contains(const Key &key) const { return rowOf(key) >= 0; }
    /// Where the row with this key stands; -1: nowhere.
    [[nodiscard]] int rowOf(const Key &key) const
    {
        for (int at = 0; at < m_rows.size(); ++at) {
            if (m_keyOf(m_rows.at(at)) == key)
                return at;
        }
        return -1;
    }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }

    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }

    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override
    {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
            return {};
        const Row &row = m_rows.at(index.row());
        return role == RowRole ? QVariant::fromValue(row)
                               : m_columns.at(index.column()).cell(row, role);
    }

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= m_columns.size())
            return {};
        return m_columns.at(section).header(role);
    }

private:
    void removeGone(const QHash<Key, int> &wantedAt)
    {
        const auto gone = [&](int at) { return !wantedAt.contains(m_keyOf(m_rows.at(at))); };
        int last = static_cast<int>(m_rows.size()) - 1;
        while (last >= 0) {
            if (!gone(last)) {
                --last;
                continue;
            }
            int first = last;
            while (first > 0 && gone(first - 1))
                --first;
            beginRemoveRows({}, first, last);
            m_rows.remove(first, last - first + 1);
            endRemoveRows();
            last = first - 1;
        }
    }

    /// Brings the rows that stay into their new order; a no-op nearly always.
    void arrange(const QHash<Key, int> &wantedAt)
    {
        QList<std::pair<int, int>> order; // place among the wanted, place now
        order.reserve(m_rows.size());
        bool sorted = true;
        for (int at = 0; at < m_rows.size(); ++at) {
            order.append({wantedAt.value(m_keyOf(m_rows.at(at))), at});
            sorted = sorted && (at == 0 || order.at(at - 1).first < order.at(at).first);
        }
        if (sorted)
            return;
        emit layoutAboutToBeChanged({}, VerticalSortHint);
        std::sort(order.begin(), order.end());
        QList<Row> arranged;
        arranged.reserve(m_rows.size());
        QList<int> placeOf(m_rows.size());
        for (const auto &[wanted, now] : std::as_const(order)) {
            placeOf[now] = static_cast<int>(arranged.size());
            arranged.append(m_rows.at(now));
        }
        m_rows = std::move(arranged);
        const QModelIndexList before = persistentIndexList();
        QModelIndexList after;
        after.reserve(before.size());
        for (const QModelIndex &one : before)
            after.append(index(placeOf.at(one.row()), one.column()));
        changePersistentIndexList(before, after);
        emit layoutChanged({}, VerticalSortHint);
    }

    void insertNew(const QList<Row> &wanted)
    {
        int at = 0;
        while (at < wanted.size()) {
            if (at < m_rows.size() && m_keyOf(m_rows.at(at)) == m_keyOf(wanted.at(at))) {
                ++at;
                continue;
            }
            int last = at;
            while (
                last + 1 < wanted.size()
                && (at >= m_rows.size() || m_keyOf(m_rows.at(at)) != m_keyOf(wanted.at(last + 1))))
                ++last;
            beginInsertRows({}, at, last);
            m_rows.insert(at, last - at + 1, Row());
            std::copy(wanted.cbegin() + at, wanted.cbegin() + last + 1, m_rows.begin() + at);
            endInsertRows();
            at = last + 1;
        }
    }

    void announceChanged(const QList<Row> &wanted)
    {
        int at = 0;
        while (at < wanted.size()) {
            if (m_rows.at(at) == wanted.at(at)) {
                ++at;
                continue;
            }
            const int first = at;
            while (at < wanted.size() && !(m_rows.at(at) == wanted.at(at))) {
                m_rows[at] = wanted.at(at);
                ++at;
            }
            emit dataChanged(index(first, 0), index(at - 1, columnCount() - 1));
        }
    }

    QList<Column> m_columns;
    KeyOf m_keyOf;
    QList<Row> m_rows;
};

} // namespace outbox
