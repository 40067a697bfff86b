// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The entries that a selection means (models/operations/designselection.h), for the plans of every
// operation on documents.
#pragma once

#include "app/designs/documentreader.h"
#include "app/operations/core/operatorsession.h"
#include "models/operations/plan.h"
#include "models/operations/selection.h"

#include <functional>

namespace outbox {

/// How the entries of all documents are walked through.
using EachEntry = Result<bool> (DocumentReader::*)(const DocumentReader::Show &show);
/// Puts an entry into the plan; `isInNamed`: the selection names its document.
using TakeEntry = std::function<Result<void>(const SeenEntry &seen, bool isInNamed)>;

/// Looks at the documents of the selection, where it names none at those that `each` shows, and has
/// every entry that is meant taken. A plan over all documents is cut, with a warning, at what the
/// profile allows. Fails with Cancelled where the plan is wanted no more.
[[nodiscard]] Result<void> takeMeant(const OperatorSession &session, const DesignPlace &place,
                                     const Selection &selection, EachEntry each, Plan &plan,
                                     const TakeEntry &take);

/// What a plan says it is about; `ofAll` where no document is named.
[[nodiscard]] QString meantText(const Selection &selection, const QString &ofAll);

} // namespace outbox
