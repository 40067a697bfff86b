// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/tellplaces.h"

#include "models/plaintext.h"

#include <QJsonArray>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

void tellPlaces(const Printer &printer, const RelayPlaces &places)
{
    printer.event(LogLevel::Info, u"parking"_s,
                  u"rows that cannot be delivered are parked in "_s + places.parking,
                  {{u"place"_s, places.parking}});
    printer.event(LogLevel::Info, u"memory"_s,
                  u"what was delivered is remembered in "_s + places.memory,
                  {{u"place"_s, places.memory}});
    if (places.unknown.isEmpty())
        return;
    printer.event(LogLevel::Notice, u"memory_unknown"_s,
                  u"whether Redis has lost what was delivered before is unknown, nobody remembers "
                  "it: queue "_s
                      + plainText(places.unknown.join(u", "_s)),
                  {{u"queues"_s, QJsonArray::fromStringList(places.unknown)}});
}

} // namespace outbox
