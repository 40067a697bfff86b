// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What MariaDB said, as an Error: its number to kind and hint.
#include "connectors/sql/driver/sqlerror.h"

#include <QHash>
#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct MariadbMeaning
{
    Error::Kind kind = Error::Kind::Protocol;
    QString hint;
};

const QHash<int, MariadbMeaning> &mariadbMeanings()
{
    static const QString ended = u"The server ended the session."_s;
    static const QString held = u"Another session holds a lock on the rows or the table."_s;
    static const QString deadline = u"The statement ran into its deadline or was cancelled."_s;
    static const QString readOnly = u"The session or the server is read-only."_s;
    static const QString rights = u"The user lacks a right: ask the owner for it."_s;
    static const QString login = u"Check user, password and TLS settings."_s;
    static const QString changed = u"The table is not what it was: probe it again."_s;
    static const QString larger
        = u"A value is larger than the server's max_allowed_packet; ask for a larger one."_s;
    static const QHash<int, MariadbMeaning> known{
        // gone, or never there
        {1040, {Error::Kind::Unreachable, u"The server has no connection left."_s}},
        {1053, {Error::Kind::Unreachable, ended}},
        {1152, {Error::Kind::Unreachable, ended}},
        {1203, {Error::Kind::Unreachable, u"The user has no connection left."_s}},
        {1226, {Error::Kind::Unreachable, u"The user has no connection left."_s}},
        {1927, {Error::Kind::Unreachable, ended}},
        {2002, {Error::Kind::Unreachable, {}}},
        {2003, {Error::Kind::Unreachable, {}}},
        {2005, {Error::Kind::Unreachable, u"Check the name of the host."_s}},
        {2006, {Error::Kind::Unreachable, ended}},
        {2012, {Error::Kind::Unreachable, {}}},
        {2013, {Error::Kind::Unreachable, ended}},
        {2014, {Error::Kind::Unreachable, {}}},
        {2027, {Error::Kind::Unreachable, {}}},
        {2055, {Error::Kind::Unreachable, ended}},
        // late
        {1205, {Error::Kind::Timeout, held}},
        {3572, {Error::Kind::Timeout, held}},
        {1317, {Error::Kind::Timeout, deadline}},
        {1969, {Error::Kind::Timeout, deadline}},
        {3024, {Error::Kind::Timeout, deadline}},
        // not now
        {1020, {Error::Kind::Conflict, {}}},
        {1213,
         {Error::Kind::Conflict, u"The server rolled the transaction back to end a deadlock."_s}},
        // not allowed
        {1044, {Error::Kind::Refused, rights}},
        {1045, {Error::Kind::Refused, login}},
        {1049, {Error::Kind::Refused, u"Check the name of the database."_s}},
        {1130, {Error::Kind::Refused, u"The server takes no connections from this host."_s}},
        {1142, {Error::Kind::Refused, rights}},
        {1143, {Error::Kind::Refused, rights}},
        {1227, {Error::Kind::Refused, rights}},
        {1251, {Error::Kind::Refused, login}},
        {1290, {Error::Kind::Refused, readOnly}},
        {1370, {Error::Kind::Refused, rights}},
        {1698, {Error::Kind::Refused, login}},
        {1792, {Error::Kind::Refused, readOnly}},
        {1836, {Error::Kind::Refused, readOnly}},
        {2026, {Error::Kind::Refused, login}},
        {2059, {Error::Kind::Refused, login}},
        {1021, {Error::Kind::Refused, u"The disk of the server is full."_s}},
        {1114, {Error::Kind::Refused, u"The disk of the server is full."_s}},
        {1153, {Error::Kind::Refused, larger}},
        {2020, {Error::Kind::Refused, larger}},
        {1665, {Error::Kind::Refused, u"Set binlog_format to MIXED or ROW on the server."_s}},
        // against a rule of the table
        {1048, {Error::Kind::Constraint, {}}},
        {1062, {Error::Kind::Constraint, {}}},
        {1364, {Error::Kind::Constraint, {}}},
        {1451, {Error::Kind::Constraint, {}}},
        {1452, {Error::Kind::Constraint, {}}},
        {3819, {Error::Kind::Constraint, {}}},
        {4025, {Error::Kind::Constraint, {}}},
        // cannot be a value, or is no such name
        {1054, {Error::Kind::Invalid, changed}},
        {1064, {Error::Kind::Invalid, {}}},
        {1146, {Error::Kind::Invalid, changed}},
        {1175, {Error::Kind::Invalid, changed}},
        {1264, {Error::Kind::Invalid, {}}},
        {1265, {Error::Kind::Invalid, {}}},
        {1267, {Error::Kind::Invalid, {}}},
        {1292, {Error::Kind::Invalid, {}}},
        {1366, {Error::Kind::Invalid, {}}},
        {1406, {Error::Kind::Invalid, {}}},
        {1411, {Error::Kind::Invalid, {}}},
        {1178, {Error::Kind::Unsupported, {}}},
        {1235, {Error::Kind::Unsupported, {}}},
    };
    return known;
}

} // namespace

namespace {

/// The server names the right, the user and the table; what is left is to say it as a GRANT.
QString grantIn(const QString &said, int code)
{
    static const QRegularExpression onTable(
        u"^(?<right>[A-Z ]+) command denied to user (?<user>'[^']*'@'[^']*')"
        "(?: for column '(?<column>[^']*)' in)?(?: for)? table (?<table>.+)$"_s);
    static const QRegularExpression onServer(
        u"at least one of\\) the (?<right>[A-Z ]+) privilege"_s);
    if (code == 1227) {
        const auto found = onServer.match(said);
        return found.hasMatch() ? u"GRANT %1 ON *.*"_s.arg(found.captured(u"right")) : QString();
    }
    const auto found = onTable.match(said);
    if (!found.hasMatch())
        return {};
    const QString column = found.captured(u"column");
    return u"GRANT %1%2 ON %3 TO %4"_s.arg(
        found.captured(u"right"), column.isEmpty() ? QString() : u" (`%1`)"_s.arg(column),
        QString(found.captured(u"table")).replace(u'\'', u'`'), found.captured(u"user"));
}

} // namespace

Error mariadbError(const QString &doing, const QString &text, const QString &code)
{
    const QString said = text.trimmed().section(u'\n', 0, 0).simplified();
    if (code.isEmpty() || code == u"0") {
        return {Error::Kind::Unreachable,
                doing,
                said.isEmpty() ? u"the connection was lost"_s : said,
                {},
                {}};
    }
    MariadbMeaning meaning = mariadbMeanings().value(code.toInt());
    if (const QString grant = grantIn(said, code.toInt()); !grant.isEmpty())
        meaning.hint = u"An owner gives the right: "_s + grant;
    return {meaning.kind, doing, said, code, meaning.hint};
}

bool endsMariadbSession(const QString &code)
{
    // After a packet that is too large the server closes the line as well.
    static const QList<int> numbers{1053, 1152, 1153, 1927, 2002, 2003, 2005,
                                    2006, 2012, 2013, 2014, 2020, 2027, 2055};
    return code.isEmpty() || numbers.contains(code.toInt());
}

} // namespace outbox
