// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text from outside made safe to look at: what is invisible or turns the line around is shown as an
// escape.
#pragma once

#include <QString>
#include <QStringView>

namespace outbox {

/// One line: controls (line breaks too), bidi controls, zero-width characters and lone surrogates
/// become escapes such as \n and \u202e. At most `limit` characters are read, then an ellipsis.
[[nodiscard]] QString plainLine(QStringView text, qsizetype limit = 400);

/// As plainLine, but line feeds and tabs stay, and nothing is cut.
[[nodiscard]] QString plainBlock(QStringView text);

} // namespace outbox
