// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A JSON document as a tree for looking at: numbers are their source text.
#pragma once

#include "models/payload/jsontokens.h"

#include <QAbstractItemModel>

namespace outbox {

class JsonTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Columns { Name, Value, Type, ColumnCount };
    /// The value's bytes as they stand in the source, for copying.
    static constexpr int SourceRole = Qt::UserRole + 20;

    explicit JsonTreeModel(QObject *parent = nullptr);

    void show(const JsonTree &tree);
    void clear() { show({}); }

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &child) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] const JsonNode &nodeAt(const QModelIndex &index) const;
    [[nodiscard]] QString nameOf(const JsonNode &node) const;
    [[nodiscard]] QString valueOf(const JsonNode &node) const;

    JsonTree m_tree;
};

} // namespace outbox
