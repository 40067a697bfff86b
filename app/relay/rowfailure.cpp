// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/rowfailure.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

bool mayBeOfRow(const Error &error)
{
    using Kind = Error::Kind;
    // SQLSTATE class; SQLite; MariaDB: no such column, syntax, no such table
    const bool ofTable = error.kind == Kind::Invalid
        && (error.code.startsWith("42"_L1) || error.code == "1"_L1 || error.code == "1054"_L1
            || error.code == "1064"_L1 || error.code == "1146"_L1);
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
