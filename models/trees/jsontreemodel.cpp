// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trees/jsontreemodel.h"

#include "models/payload/celltext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

JsonTreeModel::JsonTreeModel(QObject *parent) : QAbstractItemModel(parent)
{ }

void JsonTreeModel::show(const JsonTree &tree)
{
    beginResetModel();
    m_tree = tree;
    endResetModel();
}

const JsonNode &JsonTreeModel::nodeAt(const QModelIndex &index) const
{
    return m_tree.nodes.at(static_cast<qsizetype>(index.internalId()));
}

QModelIndex JsonTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const int node = parent.isValid() ? nodeAt(parent).children.at(row) : 0;
    return createIndex(row, column, static_cast<quintptr>(node));
}

QModelIndex JsonTreeModel::parent(const QModelIndex &child) const
{
    if (!child.isValid())
        return {};
    const int above = nodeAt(child).parent;
    if (above < 0)
        return {};
    return createIndex(m_tree.nodes.at(above).row, 0, static_cast<quintptr>(above));
}

int JsonTreeModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return m_tree.nodes.isEmpty() ? 0 : 1;
    return parent.column() == 0 ? static_cast<int>(nodeAt(parent).children.size()) : 0;
}

int JsonTreeModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QString JsonTreeModel::nameOf(const JsonNode &node) const
{
    if (node.parent < 0)
        return tr("(document)");
    if (node.keyAt < 0)
        return u'[' + QString::number(node.row) + u']';
    return cellText(m_tree.key(node));
}

QString JsonTreeModel::valueOf(const JsonNode &node) const
{
    const int inside = static_cast<int>(node.children.size());
    switch (node.kind) {
    case JsonNode::Kind::Object:
        return counted(inside, tr("1 member"), tr("%1 members"));
    case JsonNode::Kind::Array:
        return counted(inside, tr("1 element"), tr("%1 elements"));
    default:
        return cellText(m_tree.text(node));
    }
}

QVariant JsonTreeModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const JsonNode &node = nodeAt(index);
    if (role == SourceRole)
        return m_tree.raw(node).toByteArray();
    if (role == Qt::ToolTipRole && index.column() == Value && node.kind == JsonNode::Kind::String)
        return tipText(m_tree.text(node));
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Name:
        return nameOf(node);
    case Value:
        return valueOf(node);
    default:
        break;
    }
    switch (node.kind) {
    case JsonNode::Kind::Object:
        return tr("object");
    case JsonNode::Kind::Array:
        return tr("array");
    case JsonNode::Kind::String:
        return tr("text");
    case JsonNode::Kind::Number:
        return tr("number");
    case JsonNode::Kind::True:
    case JsonNode::Kind::False:
        return tr("flag");
    case JsonNode::Kind::Null:
        break;
    }
    return tr("null");
}

QVariant JsonTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
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
