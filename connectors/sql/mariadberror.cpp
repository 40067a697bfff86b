// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What MariaDB said, as an Error: its number to kind and hint.
#include "connectors/sql/sqlerror.h"

#include <QHash>
#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Kind = Error::Kind;

struct Meaning
{
    Kind kind = Kind::Protocol;
    QString hint;
};

const QHash<int, Meaning> &meanings()
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
    static const QHash<int, Meaning> known{
        // gone, or never there
        {1040, {Kind::Unreachable, u"The server has no connection left."_s}},
        {1053, {Kind::Unreachable, ended}},
        {1152, {Kind::Unreachable, ended}},
        {1203, {Kind::Unreachable, u"The user has no connection left."_s}},
        {1226, {Kind::Unreachable, u"The user has no connection left."_s}},
        {1927, {Kind::Unreachable, ended}},
        {2002, {Kind::Unreachable, {}}},
        {2003, {Kind::Unreachable, {}}},
        {2005, {Kind::Unreachable, u"Check the name of the host."_s}},
        {2006, {Kind::Unreachable, ended}},
        {2012, {Kind::Unreachable, {}}},
        {2013, {Kind::Unreachable, ended}},
        {2014, {Kind::Unreachable, {}}},
        {2027, {Kind::Unreachable, {}}},
        {2055, {Kind::Unreachable, ended}},
        // late
        {1205, {Kind::Timeout, held}},
        {3572, {Kind::Timeout, held}},
        {1317, {Kind::Timeout, deadline}},
        {1969, {Kind::Timeout, deadline}},
        {3024, {Kind::Timeout, deadline}},
        // not now
        {1020, {Kind::Conflict, {}}},
        {1213, {Kind::Conflict, u"The server rolled the transaction back to end a deadlock."_s}},
        // not allowed
        {1044, {Kind::Refused, rights}},
        {1045, {Kind::Refused, login}},
        {1049, {Kind::Refused, u"Check the name of the database."_s}},
        {1130, {Kind::Refused, u"The server takes no connections from this host."_s}},
        {1142, {Kind::Refused, rights}},
        {1143, {Kind::Refused, rights}},
        {1227, {Kind::Refused, rights}},
        {1251, {Kind::Refused, login}},
        {1290, {Kind::Refused, readOnly}},
        {1370, {Kind::Refused, rights}},
        {1698, {Kind::Refused, login}},
        {1792, {Kind::Refused, readOnly}},
        {1836, {Kind::Refused, readOnly}},
        {2026, {Kind::Refused, login}},
        {2059, {Kind::Refused, login}},
        {1021, {Kind::Refused, u"The disk of the server is full."_s}},
        {1114, {Kind::Refused, u"The disk of the server is full."_s}},
        {1153, {Kind::Refused, larger}},
        {2020, {Kind::Refused, larger}},
        {1665, {Kind::Refused, u"Set binlog_format to MIXED or ROW on the server."_s}},
        // against a rule of the table
        {1048, {Kind::Constraint, {}}},
        {1062, {Kind::Constraint, {}}},
        {1364, {Kind::Constraint, {}}},
        {1451, {Kind::Constraint, {}}},
        {1452, {Kind::Constraint, {}}},
        {3819, {Kind::Constraint, {}}},
        {4025, {Kind::Constraint, {}}},
        // cannot be a value, or is no such name
        {1054, {Kind::Invalid, changed}},
        {1064, {Kind::Invalid, {}}},
        {1146, {Kind::Invalid, changed}},
        {1175, {Kind::Invalid, changed}},
        {1264, {Kind::Invalid, {}}},
        {1265, {Kind::Invalid, {}}},
        {1267, {Kind::Invalid, {}}},
        {1292, {Kind::Invalid, {}}},
        {1366, {Kind::Invalid, {}}},
        {1406, {Kind::Invalid, {}}},
        {1411, {Kind::Invalid, {}}},
        {1178, {Kind::Unsupported, {}}},
        {1235, {Kind::Unsupported, {}}},
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
        return {
            Kind::Unreachable, doing, said.isEmpty() ? u"the connection was lost"_s : said, {}, {}};
    }
    Meaning meaning = meanings().value(code.toInt());
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
