// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trees/jsontreemodel.h"

#include "models/payload/celltext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString JsonTreeModel::nameOf(const JsonNode &node) const
{
    if (node.parent < 0)
        return tr("(document)");
    if (node.keyAt < 0)
        return u'[' + QString::number(node.row) + u']';
    return cellText(tree().key(node));
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
        return cellText(tree().text(node));
    }
}

QVariant JsonTreeModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const JsonNode &node = nodeAt(index);
    if (role == SourceRole)
        return tree().raw(node).toByteArray();
    if (role == Qt::ToolTipRole && index.column() == Value && node.kind == JsonNode::Kind::String)
        return tipText(tree().text(node));
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

} // namespace outbox
