// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay's steps as a table, newest first, bounded.
#pragma once

#include "models/relay/relaystep.h"
#include "models/tables/keyedtablemodel.h"

#include <QAbstractTableModel>
#include <QList>

namespace outbox {

/// `StateRole` of the verdict's column answers its HealthLevel, Ok, Watch (parked, or given back)
/// or Broken, `RowRole` the RelayStep itself.
class RelayLogModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Time, Batch, Rows, Enqueued, Seen, Parked, Milliseconds, Verdict, ColumnCount };
    static constexpr qsizetype capacity = 2'000;

    explicit RelayLogModel(QObject *parent = nullptr);

    /// Steps in the order they were taken. A step that found nothing and failed at nothing is left
    /// out: an idle relay would push everything worth reading out of the ring.
    void add(const QList<RelayStep> &steps);
    void clear();
    /// Shows only steps that were rolled back or given back, set rows aside, or found rows in the
    /// queue already. They have a ring of their own: what goes well pushes none of them out.
    void setProblemsOnly(bool only);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

    /// Tab-separated with a header line; times in ISO form, UTC. Rows in the order given.
    [[nodiscard]] QString asText(const QList<int> &rows) const;

private:
    [[nodiscard]] const QList<RelayStep> &shown() const
    {
        return m_problemsOnly ? m_problems : m_steps;
    }
    void push(QList<RelayStep> &ring, const QList<RelayStep> &fresh);

    QList<TableColumn<RelayStep>> m_columns;
    QList<RelayStep> m_steps; ///< newest first
    QList<RelayStep> m_problems; ///< the same
    bool m_problemsOnly = false;
};

} // namespace outbox
