// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/arming.h"

#include "models/phrases.h"
#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation armingText("outbox::Arming");

QString staleText(const QString &source, const QDateTime &asOf, const QDateTime &now)
{
    if (!asOf.isValid())
        return armingText("%1 has not been read yet.").arg(source);
    return armingText("%1 was read last at %2: what is shown may be wrong by now.")
        .arg(source, momentText(asOf, now));
}

} // namespace

bool Arming::isArmed(const QDateTime &now) const
{
    return !opensLocked || (until.isValid() && now < until);
}

int Arming::secondsLeft(const QDateTime &now) const
{
    if (!opensLocked || !isArmed(now))
        return 0;
    // Rounded up: while a second is left, zero is not shown.
    return static_cast<int>((now.msecsTo(until) + 999) / 1000);
}

QString lockWords(const Arming &arming, const QDateTime &now)
{
    if (!arming.opensLocked)
        return armingText("WRITING ALLOWED");
    const int seconds = arming.secondsLeft(now);
    if (seconds == 0)
        return armingText("READ-ONLY");
    return armingText("UNLOCKED %1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QChar(u'0'));
}

QString whyNotNow(Verb verb, const ActingTerms &terms, const QDateTime &now)
{
    if (!terms.running.isEmpty())
        return armingText("One operation at a time: %1 is under way.").arg(terms.running);
    if (!terms.hasQueue && !actsOnRows(verb))
        return armingText("No Redis address is set: there are no tasks to act on.");
    // A verb on tasks does not look at the rows; one on rows always looks at the queue too.
    if (actsOnRows(verb) && terms.databaseStale)
        return staleText(armingText("The database"), *terms.databaseStale, now);
    if (terms.queueStale)
        return staleText(armingText("The queue"), *terms.queueStale, now);
    return {};
}

} // namespace outbox
