// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/rowfailure.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

bool mayBeOfRow(const Error &error)
{
    using Kind = Error::Kind;
    // SQLSTATE class; SQLite; MariaDB: no such column, syntax, no such table, no key
    static const QStringList codes{u"1"_s, u"1054"_s, u"1064"_s, u"1146"_s, u"1175"_s};
    const bool ofTable = error.kind == Kind::Invalid
        && (error.code.startsWith("42"_L1) || codes.contains(error.code));
    const bool fits = error.kind == Kind::Protocol || error.kind == Kind::Constraint
        || error.kind == Kind::Invalid || error.kind == Kind::Unsupported;
    return fits && !ofTable && !error.code.isEmpty();
}

QString reasonOf(const Error &error)
{
    return error.code.isEmpty() ? error.text : u"%1 [%2]"_s.arg(error.text, error.code);
}

RelayStep failedStep(const Error &error)
{
    RelayStep step;
    step.at = QDateTime::currentDateTimeUtc();
    step.error = error;
    return step;
}

} // namespace outbox
