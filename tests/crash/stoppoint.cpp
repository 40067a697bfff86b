// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/stoppoint.h"

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

QString pointWords(int point, int rows)
{
    if (point == 0)
        return u"before claim"_s;
    if (point == 1)
        return u"after claim"_s;
    if (point == 2 * rows + 2)
        return u"before COMMIT"_s;
    if (point == 2 * rows + 3)
        return u"after COMMIT"_s;
    return (point % 2 == 0 ? u"before enqueue %1"_s : u"after enqueue %1"_s).arg(point / 2);
}

} // namespace outbox::crash
