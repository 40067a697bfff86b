// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/healthwords.h"

#include "models/phrases.h"
#include "models/system/exactcount.h"

namespace outbox::healthwords {

using namespace Qt::Literals::StringLiterals;

QString counted(qint64 count, const char *one, const char *many)
{
    return count == 1 ? healthText(one) : healthText(many).arg(countText(count));
}

QString waitingRows(const OutboxSnapshot &outbox, bool ofDocuments)
{
    if (!outbox.pending)
        return healthText("The number of waiting rows is not known");
    const qint64 count = *outbox.pending;
    if (!outbox.exact && outbox.notes.contains(u"pending"_s)) { // that it is a guess is told aside
        return (ofDocuments ? healthText("%1 entries wait") : healthText("%1 rows wait"))
            .arg(countText(count, false));
    }
    if (count == 0)
        return ofDocuments ? healthText("No entry waits") : healthText("No row waits");
    if (ofDocuments) {
        return counted(count, QT_TRANSLATE_NOOP("outbox::Health", "One entry waits"),
                       QT_TRANSLATE_NOOP("outbox::Health", "%1 entries wait"));
    }
    return counted(count, QT_TRANSLATE_NOOP("outbox::Health", "One row waits"),
                   QT_TRANSLATE_NOOP("outbox::Health", "%1 rows wait"));
}

QString waiting(const OutboxSnapshot &outbox, bool ofDocuments)
{
    QString count = waitingRows(outbox, ofDocuments);
    if (outbox.pending == 0 && outbox.waiting.value_or(0) > 0) {
        count
            += counted(*outbox.waiting, QT_TRANSLATE_NOOP("outbox::Health", ", one is not due yet"),
                       QT_TRANSLATE_NOOP("outbox::Health", ", %1 are not due yet"));
    }
    if (outbox.pending.value_or(0) == 0)
        return count;
    const QString undecided = outbox.notes.value(u"oldest_pending_s"_s);
    if (!outbox.oldestPendingSeconds && undecided.startsWith("not known: the time zone"_L1))
        return healthText("%1; their age is %2").arg(count, undecided);
    if (!outbox.oldestPendingSeconds)
        return count;
    return healthText("%1, oldest %2").arg(count, spanText(*outbox.oldestPendingSeconds));
}

QString inside(QString phrase)
{
    if (!phrase.isEmpty())
        phrase[0] = phrase.at(0).toLower();
    return phrase;
}

} // namespace outbox::healthwords
