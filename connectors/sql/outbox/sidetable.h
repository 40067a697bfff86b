// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What holds for each table of ours that an owner makes beside an outbox.
#pragma once

#include "models/shape/catalog.h"

#include <QString>
#include <QStringList>

namespace outbox {

/// Why a table of our name is none of ours, which has these columns and this primary key; empty
/// where it may be.
[[nodiscard]] QString whyNotOurs(const CatalogTable &table, const QStringList &columns,
                                 const QStringList &key);

} // namespace outbox
