// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/message/idtrace.h"

#include "models/enumtext.h"

namespace outbox {

namespace {

constexpr auto tracePlaces = enumTexts<IdTrace::Place>({
    {IdTrace::Place::Database, u"database", "In outbox_audit"},
    {IdTrace::Place::Parked, u"parked", "Parked"},
    {IdTrace::Place::Export, u"export", "In the export"},
    {IdTrace::Place::Record, u"record", "On record here"},
});

} // namespace

QString word(IdTrace::Place place)
{
    return tracePlaces.word(place);
}

QString label(IdTrace::Place place)
{
    return tracePlaces.label(place, "outbox::IdTrace");
}

} // namespace outbox
