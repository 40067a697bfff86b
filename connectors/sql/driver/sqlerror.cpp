// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/sqlerror.h"

#include "connectors/sql/driver/sqldatabases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString firstLineSaid(const QString &text)
{
    const QString trimmed = text.trimmed();
    return trimmed.section(u'\n', 0, 0).simplified();
}

Error keptRow(const QString &doing)
{
    // The code is the standard's "no data": without one the error could not be of a row.
    return {Error::Kind::Constraint, doing, u"the database kept the row, and gave no error"_s,
            u"02000"_s, u"Look at the triggers, the rules and the policies of the table."_s};
}

Error givenUp(const QString &doing)
{
    return {Error::Kind::Unreachable,
            doing,
            u"given up before the answer came"_s,
            {},
            u"It took longer than it may, or was cancelled; the session was dropped."_s};
}

bool wasForgotten(const Error &error)
{
    return error.code == u"26000" || error.code == u"42P05";
}

Error notTransactional(const QString &doing, const SqlDatabase &database)
{
    return {Error::Kind::Refused,
            doing,
            u"the table is kept by an engine that cannot roll back"_s,
            {},
            database.makeTransactional};
}

Error missingDriver(const QString &doing, const SqlDatabase &database)
{
    return {Error::Kind::Unsupported,
            doing,
            u"the Qt driver %1 is not installed"_s.arg(database.driver),
            {},
            u"sudo apt-get install "_s + database.driverPackage};
}

} // namespace outbox
