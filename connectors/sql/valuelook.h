// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A bounded look at values, for what the catalog alone cannot tell: read-only, at most 1,000 rows.
#pragma once

#include "connectors/sql/databaseurl.h"
#include "models/catalog.h"
#include "models/result.h"

namespace outbox {

class SqlSession;

/// Completes `finding`. A table that may not be read becomes a question, not an error.
[[nodiscard]] Result<void> lookAtValues(SqlSession &session, const Catalog &catalog,
                                        DatabaseUrl::Dialect dialect, ProbeFinding &finding);

} // namespace outbox
