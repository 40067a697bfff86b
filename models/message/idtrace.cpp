// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/message/idtrace.h"

#include <QCoreApplication>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString word(IdTrace::Place place)
{
    switch (place) {
    case IdTrace::Place::Database:
        return u"database"_s;
    case IdTrace::Place::Parked:
        return u"parked"_s;
    case IdTrace::Place::Export:
        return u"export"_s;
    case IdTrace::Place::Record:
        break;
    }
    return u"record"_s;
}

QString label(IdTrace::Place place)
{
    const auto text
        = [](const char *source) { return QCoreApplication::translate("outbox::IdTrace", source); };
    switch (place) {
    case IdTrace::Place::Database:
        return text("In outbox_audit");
    case IdTrace::Place::Parked:
        return text("Parked");
    case IdTrace::Place::Export:
        return text("In the export");
    case IdTrace::Place::Record:
        break;
    }
    return text("On record here");
}

} // namespace outbox
