// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trees/payloadtreemodel.h"

#include "models/payload/celltext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

PayloadTreeModel::PayloadTreeModel(QObject *parent) : QAbstractItemModel(parent)
{ }

void PayloadTreeModel::show(const PayloadTree &tree)
{
    beginResetModel();
    m_tree = tree;
    endResetModel();
}

const PayloadNode &PayloadTreeModel::nodeAt(const QModelIndex &index) const
{
    return m_tree.nodes.at(static_cast<qsizetype>(index.internalId()));
}

QModelIndex PayloadTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const int node = parent.isValid() ? nodeAt(parent).children.at(row) : 0;
    return createIndex(row, column, static_cast<quintptr>(node));
}

QModelIndex PayloadTreeModel::parent(const QModelIndex &child) const
{
    if (!child.isValid())
        return {};
    const int above = nodeAt(child).parent;
    if (above < 0)
        return {};
    return createIndex(m_tree.nodes.at(above).row, 0, static_cast<quintptr>(above));
}

int PayloadTreeModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return m_tree.nodes.isEmpty() ? 0 : 1;
    return parent.column() == 0 ? static_cast<int>(nodeAt(parent).children.size()) : 0;
}

int PayloadTreeModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QString PayloadTreeModel::nameOf(const PayloadNode &node) const
{
    if (node.parent < 0)
        return tr("(document)");
    if (m_tree.nodes.at(node.parent).kind == PayloadNode::Kind::Array)
        return u'[' + QString::number(node.row) + u']';
    return cellText(node.name);
}

QString PayloadTreeModel::valueOf(const PayloadNode &node) const
{
    const int inside = static_cast<int>(node.children.size());
    switch (node.kind) {
    case PayloadNode::Kind::Map:
        return counted(inside, tr("1 member"), tr("%1 members"));
    case PayloadNode::Kind::Array:
        return counted(inside, tr("1 element"), tr("%1 elements"));
    default:
        return cellText(node.value);
    }
}

QVariant PayloadTreeModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const PayloadNode &node = nodeAt(index);
    if (role == ValueRole)
        return node.value;
    if (role == PathRole)
        return m_tree.path(static_cast<int>(index.internalId()));
    if (role == Qt::ToolTipRole && index.column() == Value)
        return tipText(node.value);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Name:
        return nameOf(node);
    case Value:
        return valueOf(node);
    default:
        return node.type;
    }
}

QVariant PayloadTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Name");
    case Value:
        return tr("Value");
    case Type:
        return tr("Type");
    default:
        return {};
    }
}

} // namespace outbox
