// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A JSON document as a tree for looking at: numbers are their source text.
#pragma once

#include "models/payload/jsontokens.h"
#include "models/trees/treemodel.h"

namespace outbox {

class JsonTreeModel : public TreeModel<JsonTree, JsonNode>
{
    Q_OBJECT

public:
    /// The value's bytes as they stand in the source, for copying.
    static constexpr int SourceRole = Qt::UserRole + 20;

    using TreeModel::TreeModel;

    void clear() { show({}); }

    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;

private:
    [[nodiscard]] QString nameOf(const JsonNode &node) const;
    [[nodiscard]] QString valueOf(const JsonNode &node) const;
};

} // namespace outbox
