// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was decoded as a tree for looking at, whatever its format.
#pragma once

#include "models/payload/payloadtree.h"

#include <QAbstractItemModel>

namespace outbox {

class PayloadTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Columns { Name, Value, Type, ColumnCount };
    static constexpr int ValueRole = Qt::UserRole + 20; ///< the whole value, for copying
    static constexpr int PathRole = Qt::UserRole + 21; ///< `$.card.number`

    explicit PayloadTreeModel(QObject *parent = nullptr);

    void show(const PayloadTree &tree);

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &child) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] const PayloadNode &nodeAt(const QModelIndex &index) const;
    [[nodiscard]] QString nameOf(const PayloadNode &node) const;
    [[nodiscard]] QString valueOf(const PayloadNode &node) const;

    PayloadTree m_tree;
};

} // namespace outbox
