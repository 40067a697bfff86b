// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/namehints.h"

#include "connectors/sql/schemawords.h"

#include <QRegularExpression>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QStringList list(const QString &words)
{
    return words.split(u' ');
}

const QStringList locks = list(
    u"lock locked lease leased claim claimed reserved reservation visibility fetched picked hold "
    "held taken checkout owned owner acquired grabbed borrowed assigned ownership busy flight "
    "inflight "
    "begun began started running hidden invisible dequeued popped seized occupied engaged "
    "allocated checked"_s);
const QStringList ends
    = list(u"until expires expiry expiration expire till end timeout deadline to thru through "
           "limit valid ttl"_s);
const QStringList changes
    = list(u"revised revision altered edited updated update modified modification changed change "
           "changes touched refreshed last heartbeat"_s);
const QStringList others = changes
    + list(u"drop trim retention keep kept purge delete deleted remove archive archived expires "
           "expire expiry valid read seen"_s);
const QStringList failed = list(
    u"failed failure errored error abandoned discarded dead died parked aborted poison poisoned "
    "blocked rejected cancelled canceled gave given exhausted quarantined undeliverable dropped "
    "unsuccessful crashed corrupted trashed"_s);
const QStringList due = list(
    u"scheduled schedule available due next visible eligible ready after before eta earliest "
    "planned start retry run execute postponed postpone delayed delay deferred defer effective "
    "resume activation"_s);
const QStringList sent = list(
    u"processed dispatched published delivered completed completion finished handled done acked "
    "acknowledged sent consumed relayed forwarded emitted succeeded executed finalized transmitted "
    "pushed shipped posted transferred exported flushed despatched conveyed offloaded mailed "
    "distributed transported accomplished finalised"_s);
const QStringList created = list(
    u"created create creation occurred happened inserted added publication enqueued enqueue queued "
    "recorded issued raised registered stored received written submitted submission ingested "
    "ingestion initiated spawned originated introduced"_s);
/// Deeds whose moment is told by a noun: "publish time", "delivery date".
const QStringList deeds
    = list(u"delivery deliver publish dispatch process processing send relay transmission"_s);
/// What a flag of delivery may be about besides.
const QStringList neutral
    = list(u"is was has been flag already message event outbox publish send delivery dispatch"_s);

} // namespace

TimeHint timeHint(const QStringList &words)
{
    if (hasAnyWord(words, list(u"since"_s)))
        return TimeHint::LockTime;
    if (hasAnyWord(words, locks))
        return hasAnyWord(words, ends) ? TimeHint::LeaseEnd : TimeHint::LockTime;
    if (hasAnyWord(words, others))
        return TimeHint::Other;
    const bool isDue = hasAnyWord(words, due);
    if (!isDue && hasAnyWord(words, list(u"until till timeout deadline"_s)))
        return TimeHint::LeaseEnd; // "blocked until"
    if (hasAnyWord(words, failed))
        return TimeHint::Failed;
    if (isDue)
        return TimeHint::Due;
    const bool isMoment
        = !words.isEmpty() && hasAnyWord({words.constLast()}, list(u"time date timestamp ts"_s));
    const bool isBareDeed = words.size() == 1; // "dtm_publish"
    if ((isMoment || isBareDeed) && hasAnyWord(words, deeds))
        return TimeHint::Sent;
    if (hasAnyWord(words, created) && !hasAnyWord(words, sent))
        return TimeHint::Created;
    return hasAnyWord(words, sent) ? TimeHint::Sent : TimeHint::None;
}

bool saysSent(const QStringList &words)
{
    return hasAnyWord(words, sent);
}

FlagHint flagHint(const QStringList &words)
{
    if (hasAnyWord(words, list(u"count number total"_s)))
        return FlagHint::None;
    const bool saysSent = hasAnyWord(words, sent);
    const bool saysFailed = hasAnyWord(words, failed);
    if (!saysSent && !saysFailed)
        return FlagHint::None;
    const bool isOfRow = std::all_of(words.cbegin(), words.cend(), [](const QString &word) {
        return word.size() <= 3 || hasAnyWord({word}, neutral) || sent.contains(word)
            || failed.contains(word);
    });
    if (!isOfRow)
        return FlagHint::Business;
    return saysFailed ? FlagHint::Failed : FlagHint::Sent;
}

bool isOwnerHint(const QStringList &words)
{
    if (words.size() == 2 && words.constLast() == u"by") // "taken by", and not "sent by"
        return !hasAnyWord(words, sent + created + others + failed)
            || words.constFirst() == u"blocked";
    const bool isWorker = hasAnyWord(words, list(u"worker instance owner runner executor holder"_s))
        && !hasAnyWord(words, list(u"source target producer service origin order product"_s));
    if (isWorker && words.size() <= 2
        && hasAnyWord({words.constLast()}, list(u"worker owner runner executor holder"_s)))
        return true;
    return (hasAnyWord(words, locks)
            && hasAnyWord(words, list(u"by owner id instance token worker name to holder"_s)))
        || (isWorker && words.size() == 2 && hasAnyWord(words, list(u"id name"_s)));
}

bool saysClearly(const QStringList &words)
{
    static const QStringList clear = list(
        u"created inserted occurred updated modified changed retention purge delete deleted "
        "archive keep last scheduled available due next visible delayed retry processed published "
        "sent dispatched delivered completed done locked lock lease leased claimed claim reserved "
        "failed abandoned dead errored touched read seen valid heartbeat refreshed revised edited"_s);
    return hasAnyWord(words, clear);
}

bool saysChange(const QStringList &words)
{
    return hasAnyWord(words, changes);
}

bool saysBegin(const QStringList &words)
{
    return hasAnyWord(words, list(u"at on since from began begun begin started start date"_s));
}

bool saysHolder(const QStringList &words)
{
    return isOwnerHint(words) && hasAnyWord(words, locks);
}

bool isStatusHint(const QStringList &name)
{
    QStringList words = name;
    if (words.size() > 1 && hasAnyWord({words.constLast()}, list(u"code flag value"_s)))
        words.removeLast();
    if (words.isEmpty()
        || !hasAnyWord({words.constLast()}, list(u"status state stage phase progress lifecycle"_s)))
        return false;
    static const QStringList ofRow
        = list(u"process job current record entry relay processing work task my"_s);
    return std::all_of(words.cbegin(), words.cend() - 1, [](const QString &word) {
        return hasAnyWord({word}, neutral + deeds + ofRow + sent);
    });
}

bool isEventName(QString text)
{
    static const QRegularExpression version(u"[vV]?[0-9]+$"_s);
    const QStringList words = wordsOf(text.remove(version));
    return words.size() >= 2 && !text.contains(u' ')
        && std::any_of(words.cbegin(), words.cend(), [](const QString &word) {
               return word.size() > 4 && word.endsWith(u"ed"_s);
           });
}

int typePoints(const QStringList &words)
{
    static const QList<QStringList> phrases{
        list(u"message type"_s), list(u"event type"_s),   list(u"type"_s),
        list(u"event name"_s),   list(u"message name"_s), list(u"type name"_s),
        list(u"event class"_s),  list(u"message kind"_s), list(u"class name"_s),
        list(u"kind"_s),         list(u"topic"_s),        list(u"subject"_s),
        list(u"action"_s),       list(u"name"_s),         list(u"routing key"_s),
        list(u"operation"_s),    list(u"channel"_s)};
    static const QStringList never = list(
        u"content mime media id error source aggregate entity object resource service tenant "
        "schema file user app application host company root parent"_s);
    if (hasAnyWord(words, never))
        return -30;
    constexpr int ofWhatIsSent = 27; // "event code", "command label"
    const bool isOfMessage = words.size() == 2
        && hasAnyWord(words.first(1), list(u"event message command notification"_s))
        && hasAnyWord(words.last(1), list(u"code label category tag class name type kind"_s));
    if (isOfMessage)
        return ofWhatIsSent;
    for (qsizetype place = 0; place < phrases.size(); ++place) {
        const QStringList &phrase = phrases.at(place);
        if (std::all_of(phrase.cbegin(), phrase.cend(),
                        [&words](const QString &word) { return hasWord(words, word); })) {
            constexpr int ofSomething = 12; // "partner type"
            const int points = 30 - static_cast<int>(place);
            return words.size() > phrase.size() ? qMin(points, ofSomething) : points;
        }
    }
    return 0;
}

} // namespace outbox
