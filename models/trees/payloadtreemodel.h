// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was decoded as a tree for looking at, whatever its format.
#pragma once

#include "models/payload/payloadtree.h"
#include "models/trees/treemodel.h"

namespace outbox {

class PayloadTreeModel : public TreeModel<PayloadTree, PayloadNode>
{
    Q_OBJECT

public:
    static constexpr int ValueRole = Qt::UserRole + 20; ///< the whole value, for copying
    static constexpr int PathRole = Qt::UserRole + 21; ///< `$.card.number`

    using TreeModel::TreeModel;

    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;

private:
    [[nodiscard]] QString nameOf(const PayloadNode &node) const;
    [[nodiscard]] QString valueOf(const PayloadNode &node) const;
};

} // namespace outbox
