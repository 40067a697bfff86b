// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/conditions.h"

namespace outbox::conditions {

using namespace Qt::Literals::StringLiterals;

QString opposite(const QString &condition)
{
    if (condition == sqlTrue)
        return sqlFalse;
    return condition == sqlFalse ? sqlTrue : QString(u"NOT ("_s + condition + u')');
}

QString both(const QStringList &conditions)
{
    QStringList kept;
    for (const QString &one : conditions) {
        if (one == sqlFalse)
            return sqlFalse;
        if (one != sqlTrue && !kept.contains(one))
            kept += one;
    }
    return kept.isEmpty() ? sqlTrue : kept.join(u" AND "_s);
}

QString either(const QStringList &conditions)
{
    QStringList kept;
    for (const QString &one : conditions) {
        if (one == sqlTrue)
            return sqlTrue;
        if (one != sqlFalse)
            kept += one;
    }
    if (kept.isEmpty())
        return sqlFalse;
    return kept.size() == 1 ? kept.constFirst()
                            : QString(u"(("_s + kept.join(u") OR ("_s) + u"))"_s);
}

} // namespace outbox::conditions
