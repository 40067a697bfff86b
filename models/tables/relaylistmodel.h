// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relays of a system on all hosts, one line each.
#pragma once

#include "models/system/relaylist.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

class RelayListModel : public KeyedTableModel<ListedRelay, QString>
{
    Q_OBJECT

public:
    enum Columns { Host, Version, Worker, Since, LastBatch, State, ColumnCount };

    explicit RelayListModel(QObject *parent = nullptr);
};

} // namespace outbox
