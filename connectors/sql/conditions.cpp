// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/conditions.h"

namespace outbox::conditions {

using namespace Qt::Literals::StringLiterals;

QString notNull(const QString &condition)
{
    return condition == yes || condition == no ? condition
                                               : u"coalesce("_s + condition + u", false)"_s;
}

QString opposite(const QString &condition)
{
    if (condition == yes)
        return no;
    return condition == no ? yes : QString(u"NOT ("_s + condition + u')');
}

QString both(const QStringList &conditions)
{
    QStringList kept;
    for (const QString &one : conditions) {
        if (one == no)
            return no;
        if (one != yes && !kept.contains(one))
            kept += one;
    }
    return kept.isEmpty() ? yes : kept.join(u" AND "_s);
}

QString either(const QStringList &conditions)
{
    QStringList kept;
    for (const QString &one : conditions) {
        if (one == yes)
            return yes;
        if (one != no)
            kept += one;
    }
    if (kept.isEmpty())
        return no;
    return kept.size() == 1 ? kept.constFirst()
                            : QString(u"(("_s + kept.join(u") OR ("_s) + u"))"_s);
}

} // namespace outbox::conditions
