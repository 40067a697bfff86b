// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an edit changes, as a person reads it: a unified difference of lines.
#pragma once

#include "models/content/rowcontent.h"
#include "models/payload/payloadmasks.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// The document with one member or element a line. Its tokens stand as they were: digits, names
/// that are there twice, escapes. nullopt for what is no JSON, and for more than 1 MB of it.
[[nodiscard]] std::optional<QByteArray> laidOutJson(const QByteArray &source);

/// "@@ -1,3 +1,4 @@" and its lines, with three lines around each change; empty where nothing
/// differs. Untrusted: show it as plain text.
[[nodiscard]] QString unifiedDifference(const QStringList &before, const QStringList &after);

/// Of all cells that are to hold something else: the name of the part, then what differs. JSON is
/// laid out first, bytes are dumped; of more than 1 MB only sizes and digests are told. Of the
/// payload what `masks` let be seen, and that what they hide differs. Untrusted: show it as plain
/// text.
[[nodiscard]] QString differenceOf(const QList<EditedCell> &cells, const PayloadMasks &masks);

} // namespace outbox
