// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/masking.h"

#include "app/audit/audittrail.h"
#include "app/settings/folders.h"
#include "app/settings/opening.h"

#include <QCommandLineParser>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

void addUnmaskedOption(QCommandLineParser &parser)
{
    parser.addOption({u"unmasked"_s,
                      u"Prints payloads without the masks of the profile; that goes on record."_s});
}

Result<PayloadMasks> masksFor(const QCommandLineParser &parser, const Target &target,
                              const Printer &printer, const QString &what)
{
    const PayloadMasks &masks = target.profile.masks;
    if (masks.isEmpty())
        return masks;
    if (!parser.isSet(u"unmasked"_s)) {
        printer.note(u"payloads are masked as the profile says; --unmasked prints them whole"_s);
        return masks;
    }
    const Folders folders
        = Folders::standard(parser.value(u"config-dir"_s), parser.value(u"state-dir"_s));
    AuditEntry entry = entryAbout(AuditEntry::Kind::Unmask, target.profile, u"outboxctl"_s);
    entry.what = u"Payloads were printed unmasked: "_s + what;
    AuditTrail trail(folders.auditFile());
    const auto written = trail.append(entry);
    return written ? Result<PayloadMasks>(PayloadMasks::none()) : passOn(written);
}

} // namespace outbox
