// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What models of a tree have in common: which node stands where, and the columns. The cells are
// those of the concrete model.
#pragma once

#include "models/translation.h"

#include <QAbstractItemModel>

namespace outbox {

inline constexpr Translation treeText("outbox::TreeModel");

/// Shows a tree with one root. Lives in the thread of its views. A template cannot carry Q_OBJECT;
/// a concrete model does. `Tree` has a list `nodes` of `Node`, the root first; a `Node` has
/// `parent` (-1: it is the root), `row`, its place among the parent's children, and `children`,
/// indexes of nodes.
template <typename Tree, typename Node> class TreeModel : public QAbstractItemModel
{
public:
    enum Columns { Name, Value, Type, ColumnCount };

    explicit TreeModel(QObject *parent = nullptr) : QAbstractItemModel(parent) { }

    /// Shows this tree instead of the one before; without nodes: nothing.
    void show(const Tree &tree)
    {
        beginResetModel();
        m_tree = tree;
        endResetModel();
    }

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex &parent = {}) const override
    {
        if (!hasIndex(row, column, parent))
            return {};
        const int node = parent.isValid() ? nodeAt(parent).children.at(row) : 0;
        return createIndex(row, column, static_cast<quintptr>(node));
    }

    [[nodiscard]] QModelIndex parent(const QModelIndex &child) const override
    {
        if (!child.isValid())
            return {};
        const int above = nodeAt(child).parent;
        if (above < 0)
            return {};
        return createIndex(m_tree.nodes.at(above).row, 0, static_cast<quintptr>(above));
    }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override
    {
        if (!parent.isValid())
            return m_tree.nodes.isEmpty() ? 0 : 1;
        return parent.column() == 0 ? static_cast<int>(nodeAt(parent).children.size()) : 0;
    }

    [[nodiscard]] int columnCount(const QModelIndex & = {}) const override { return ColumnCount; }

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override
    {
        if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
            return {};
        switch (section) {
        case Name:
            return treeText("Name");
        case Value:
            return treeText("Value");
        case Type:
            return treeText("Type");
        default:
            return {};
        }
    }

protected:
    [[nodiscard]] const Tree &tree() const { return m_tree; }
    /// Of a valid index of this model.
    [[nodiscard]] const Node &nodeAt(const QModelIndex &index) const
    {
        return m_tree.nodes.at(static_cast<qsizetype>(index.internalId()));
    }

private:
    Tree m_tree;
};

} // namespace outbox
