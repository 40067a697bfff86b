// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/sqlerror.h"

#include <QHash>

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

Error missingDriver(const QString &doing, const QString &driver)
{
    static const QHash<QString, QString> packages{{u"QMYSQL"_s, u"libqt6sql6-mysql"_s},
                                                  {u"QSQLITE"_s, u"libqt6sql6-sqlite"_s}};
    return {Error::Kind::Unsupported,
            doing,
            u"the Qt driver %1 is not installed"_s.arg(driver),
            {},
            u"sudo apt-get install "_s + packages.value(driver)};
}

} // namespace outbox
