// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The families themselves: what tells them, and the members of a shape that only their makers
// know. "@name" stands for a column, "#name" for a table beside; spelling does not matter.
#pragma once

#include <QLatin1StringView>
#include <QList>

namespace outbox {

struct FamilyText
{
    QLatin1StringView name;
    QLatin1StringView columns; ///< all of them, but one in five
    QLatin1StringView table; ///< what its name contains; may be empty
    QLatin1StringView beside; ///< tables that must stand beside it
    QLatin1StringView shape; ///< JSON; empty where the columns say it all
};

[[nodiscard]] const QList<FamilyText> &familyTexts();

} // namespace outbox
