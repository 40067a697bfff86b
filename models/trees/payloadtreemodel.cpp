// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trees/payloadtreemodel.h"

#include "models/payload/celltext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString PayloadTreeModel::nameOf(const PayloadNode &node) const
{
    if (node.parent < 0)
        return tr("(document)");
    if (tree().nodes.at(node.parent).kind == PayloadNode::Kind::Array)
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
        return tree().path(static_cast<int>(index.internalId()));
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

} // namespace outbox
