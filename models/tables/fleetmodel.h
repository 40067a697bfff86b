// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// All saved systems, a line each; those that are well are one line until it is opened.
#pragma once

#include "models/health/fleet.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

/// One system; or, where there are `totals`, all systems that are well.
struct FleetRow
{
    FleetLine line; ///< of one system
    std::optional<qint64> ageSeconds; ///< of its look
    std::optional<FleetTotals> totals; ///< of the systems that are meant, well or not
    bool isOpen = false; ///< those that are well stand below it

    /// Too old to be taken for what is now.
    [[nodiscard]] bool isStale() const;
    bool operator==(const FleetRow &) const = default;
};

class FleetModel : public KeyedTableModel<FleetRow, QString>
{
    Q_OBJECT

public:
    enum Columns { Level, Name, Group, Sentence, Oldest, Waiting, Dead, Queue, Age, ColumnCount };

    explicit FleetModel(QObject *parent = nullptr);
};

/// What is shown of `lines`, which are in their order. Systems that are well are folded unless
/// `isOpen`, or the filter asks for a text; the one with the key `chosen` is always there where the
/// filter fits it.
[[nodiscard]] QList<FleetRow> fleetRows(const QList<FleetLine> &lines, const FleetFilter &filter,
                                        bool isOpen, const QString &chosen, const QDateTime &now);

/// "183 of 200 are well"
[[nodiscard]] QString wellWords(const FleetTotals &totals);

} // namespace outbox
