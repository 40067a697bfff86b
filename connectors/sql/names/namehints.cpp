// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/names/namehints.h"

#include "connectors/sql/names/schemawords.h"

#include <QRegularExpression>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QStringList lockHints = wordList(
    u"lock locked lease leased claim claimed reserved reservation visibility fetched picked hold "
    "held taken checkout owned owner acquired grabbed borrowed assigned ownership busy flight "
    "inflight "
    "begun began started running hidden invisible dequeued popped seized occupied engaged "
    "allocated checked"_s);
const QStringList endHints
    = wordList(u"until expires expiry expiration expire till end timeout deadline to thru through "
               "limit valid ttl"_s);
const QStringList changes = wordList(
    u"revised revision altered edited updated update modified modification changed change "
    "changes touched refreshed last heartbeat"_s);
const QStringList otherHints
    = changes
    + wordList(
          u"drop trim retention keep kept purge delete deleted remove archive archived expires "
          "expire expiry valid read seen"_s);
const QStringList failedHints = wordList(
    u"failed failure errored error abandoned discarded dead died parked aborted poison poisoned "
    "blocked rejected cancelled canceled gave given exhausted quarantined undeliverable dropped "
    "unsuccessful crashed corrupted trashed"_s);
const QStringList dueHints = wordList(
    u"scheduled schedule available due next visible eligible ready after before eta earliest "
    "planned start retry run execute postponed postpone delayed delay deferred defer effective "
    "resume activation"_s);
const QStringList sentHints = wordList(
    u"processed dispatched published delivered completed completion finished handled done acked "
    "acknowledged sent consumed relayed forwarded emitted succeeded executed finalized transmitted "
    "pushed shipped posted transferred exported flushed despatched conveyed offloaded mailed "
    "distributed transported accomplished finalised"_s);
const QStringList createdHints = wordList(
    u"created create creation occurred happened inserted added publication enqueued enqueue queued "
    "recorded issued raised registered stored received written submitted submission ingested "
    "ingestion initiated spawned originated introduced"_s);
/// Deeds whose moment is told by a noun: "publish time", "delivery date".
const QStringList deeds
    = wordList(u"delivery deliver publish dispatch process processing send relay transmission"_s);
/// What a flag of delivery may be about besides.
const QStringList neutral = wordList(
    u"is was has been flag already message event outbox publish send delivery dispatch"_s);

} // namespace

TimeHint timeHint(const QStringList &words)
{
    if (hasAnyWord(words, wordList(u"since"_s)))
        return TimeHint::LockTime;
    if (hasAnyWord(words, lockHints))
        return hasAnyWord(words, endHints) ? TimeHint::LeaseEnd : TimeHint::LockTime;
    if (hasAnyWord(words, otherHints))
        return TimeHint::Other;
    const bool isDue = hasAnyWord(words, dueHints);
    if (!isDue && hasAnyWord(words, wordList(u"until till timeout deadline"_s)))
        return TimeHint::LeaseEnd; // "blocked until"
    if (hasAnyWord(words, failedHints))
        return TimeHint::Failed;
    if (isDue)
        return TimeHint::Due;
    const bool isMoment = !words.isEmpty()
        && hasAnyWord({words.constLast()}, wordList(u"time date timestamp ts"_s));
    const bool isBareDeed = words.size() == 1; // "dtm_publish"
    if ((isMoment || isBareDeed) && hasAnyWord(words, deeds))
        return TimeHint::Sent;
    if (hasAnyWord(words, createdHints) && !hasAnyWord(words, sentHints))
        return TimeHint::Created;
    return hasAnyWord(words, sentHints) ? TimeHint::Sent : TimeHint::None;
}

bool saysSent(const QStringList &words)
{
    return hasAnyWord(words, sentHints);
}

FlagHint flagHint(const QStringList &words)
{
    if (hasAnyWord(words, wordList(u"count number total"_s)))
        return FlagHint::None;
    const bool saysSent = hasAnyWord(words, sentHints);
    const bool saysFailed = hasAnyWord(words, failedHints);
    if (!saysSent && !saysFailed)
        return FlagHint::None;
    const bool isOfRow = std::all_of(words.cbegin(), words.cend(), [](const QString &word) {
        return word.size() <= 3 || hasAnyWord({word}, neutral) || sentHints.contains(word)
            || failedHints.contains(word);
    });
    if (!isOfRow)
        return FlagHint::Business;
    return saysFailed ? FlagHint::Failed : FlagHint::Sent;
}

bool isOwnerHint(const QStringList &words)
{
    if (words.size() == 2 && words.constLast() == u"by") // "taken by", and not "sent by"
        return !hasAnyWord(words, sentHints + createdHints + otherHints + failedHints)
            || words.constFirst() == u"blocked";
    const bool isWorker
        = hasAnyWord(words, wordList(u"worker instance owner runner executor holder"_s))
        && !hasAnyWord(words, wordList(u"source target producer service origin order product"_s));
    if (isWorker && words.size() <= 2
        && hasAnyWord({words.constLast()}, wordList(u"worker owner runner executor holder"_s)))
        return true;
    return (hasAnyWord(words, lockHints)
            && hasAnyWord(words, wordList(u"by owner id instance token worker name to holder"_s)))
        || (isWorker && words.size() == 2 && hasAnyWord(words, wordList(u"id name"_s)));
}

bool saysClearly(const QStringList &words)
{
    static const QStringList clear = wordList(
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
    return hasAnyWord(words, wordList(u"at on since from began begun begin started start date"_s));
}

bool saysHolder(const QStringList &words)
{
    return isOwnerHint(words) && hasAnyWord(words, lockHints);
}

bool isStatusHint(const QStringList &name)
{
    QStringList words = name;
    if (words.size() > 1 && hasAnyWord({words.constLast()}, wordList(u"code flag value"_s)))
        words.removeLast();
    if (words.isEmpty()
        || !hasAnyWord({words.constLast()},
                       wordList(u"status state stage phase progress lifecycle"_s)))
        return false;
    static const QStringList ofRow
        = wordList(u"process job current record entry relay processing work task my"_s);
    return std::all_of(words.cbegin(), words.cend() - 1, [](const QString &word) {
        return hasAnyWord({word}, neutral + deeds + ofRow + sentHints);
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
        wordList(u"message type"_s), wordList(u"event type"_s),   wordList(u"type"_s),
        wordList(u"event name"_s),   wordList(u"message name"_s), wordList(u"type name"_s),
        wordList(u"event class"_s),  wordList(u"message kind"_s), wordList(u"class name"_s),
        wordList(u"kind"_s),         wordList(u"topic"_s),        wordList(u"subject"_s),
        wordList(u"action"_s),       wordList(u"name"_s),         wordList(u"routing key"_s),
        wordList(u"operation"_s),    wordList(u"channel"_s)};
    static const QStringList never = wordList(
        u"content mime media id error source aggregate entity object resource service tenant "
        "schema file user app application host company root parent"_s);
    if (hasAnyWord(words, never))
        return -30;
    constexpr int ofWhatIsSent = 27; // "event code", "command label"
    const bool isOfMessage = words.size() == 2
        && hasAnyWord(words.first(1), wordList(u"event message command notification"_s))
        && hasAnyWord(words.last(1), wordList(u"code label category tag class name type kind"_s));
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
