// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/taskfacts.h"

#include "connectors/asynq/observe/taskread.h"

#include <QCryptographicHash>

#include <algorithm>
#include <cmath>
#include <limits>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype digestDigits = 16;
constexpr QByteArrayView messageMark = " msg=";
constexpr QByteArrayView groupMark = " group=";

/// A score that is no number lies in the far future: nothing is due by it.
double secondsOf(const QByteArray &score)
{
    bool isNumber = false;
    const double seconds = score.toDouble(&isNumber);
    return isNumber && std::isfinite(seconds) ? seconds : std::numeric_limits<double>::max();
}

bool isOver(const QByteArray &score, qint64 moment)
{
    return secondsOf(score) <= static_cast<double>(moment);
}

QByteArray messageText(qint64 bytes, const QByteArray &digest)
{
    return bytes > 0 ? QByteArray::number(bytes) + ':' + digest : QByteArray("0");
}

QByteArray placesText(const TaskFacts &facts)
{
    QByteArrayList texts;
    for (const Place &place : facts.places) {
        QByteArray text
            = place.state == TaskState::Aggregating ? "group" : word(place.state).toLatin1();
        if (!place.score.isNull())
            text += '@' + place.score;
        texts += text;
    }
    return texts.isEmpty() ? "-" : texts.join(',');
}

/// `patientUntil`: what was over then is over for too long.
std::optional<FindingKind> diagnoseActive(const TaskFacts &facts, qint64 patientUntil,
                                          bool hasLeases)
{
    if (facts.lease.isNull()) {
        if (!hasLeases)
            return std::nullopt;
        return FindingKind::ActiveWithoutLease;
    }
    if (isOver(facts.lease, patientUntil))
        return FindingKind::LeaseNobodyRecovers;
    return std::nullopt;
}

/// With a message that can be read, and no stray lease.
std::optional<FindingKind> diagnosePlaces(const TaskFacts &facts, qint64 now,
                                          qint64 patienceSeconds, bool hasLeases)
{
    const qint64 patientUntil = now - patienceSeconds;
    if (facts.places.isEmpty()) {
        return facts.state == "archived" ? FindingKind::TrimmedOrphan : FindingKind::OrphanHash;
    }
    if (facts.places.size() > 1) {
        // A worker is at it: whatever it does next changes the places.
        if (facts.place(TaskState::Active) && !facts.lease.isNull() && !isOver(facts.lease, now)) {
            return std::nullopt;
        }
        return FindingKind::TwoContainers;
    }
    const Place &only = facts.places.first();
    if (stateFromHash(facts.state) != only.state)
        return FindingKind::StateDiffers;
    if (only.state == TaskState::Active)
        return diagnoseActive(facts, patientUntil, hasLeases);
    if (only.state == TaskState::Completed && isOver(only.score, patientUntil))
        return FindingKind::ExpiredNotPurged;
    return std::nullopt;
}

} // namespace

const Place *TaskFacts::place(TaskState wanted) const
{
    const auto found = std::find_if(places.begin(), places.end(),
                                    [wanted](const Place &one) { return one.state == wanted; });
    return found == places.end() ? nullptr : &*found;
}

QByteArray digestOf(const QByteArray &message)
{
    return QCryptographicHash::hash(message, QCryptographicHash::Sha1).toHex().first(digestDigits);
}

QByteArray signatureOf(const TaskFacts &facts)
{
    QByteArray line = "key=" + facts.keyType + messageMark.toByteArray();
    line += messageText(facts.messageBytes, facts.digest);
    line += " state=" + facts.state + " in=" + placesText(facts);
    line += " lease=" + (facts.lease.isNull() ? QByteArray("-") : facts.lease);
    for (const Place &place : facts.places) {
        if (place.state == TaskState::Aggregating)
            line += groupMark.toByteArray() + place.key;
    }
    return line;
}

QByteArray signatureOfNothing()
{
    return signatureOf({});
}

QByteArray messageText(const QByteArray &message)
{
    return messageText(message.size(), digestOf(message));
}

QByteArray messageIn(const QByteArray &signature)
{
    const qsizetype mark = signature.indexOf(messageMark);
    if (mark < 0)
        return {};
    const qsizetype start = mark + messageMark.size();
    return signature.mid(start, signature.indexOf(' ', start) - start);
}

QByteArray groupKeyIn(const QByteArray &signature)
{
    const qsizetype mark = signature.lastIndexOf(groupMark);
    return mark < 0 ? QByteArray() : signature.mid(mark + groupMark.size());
}

std::optional<FindingKind> diagnose(const TaskFacts &facts, qint64 now, qint64 patienceSeconds,
                                    bool hasLeases)
{
    if (facts.keyType != "none" && facts.keyType != "hash")
        return FindingKind::WrongType;
    if (facts.keyType == "none" && !facts.places.isEmpty())
        return FindingKind::MemberWithoutHash;
    if (facts.keyType == "hash" && facts.messageBytes == 0)
        return FindingKind::StubHash;
    if (!facts.decodable)
        return FindingKind::Undecodable;
    if (!facts.lease.isNull() && !facts.place(TaskState::Active))
        return FindingKind::LeaseWithoutActive;
    if (facts.keyType == "none")
        return std::nullopt;
    return diagnosePlaces(facts, now, patienceSeconds, hasLeases);
}

bool isWatched(FindingKind kind)
{
    return kind == FindingKind::ActiveWithoutLease || kind == FindingKind::LeaseWithoutActive;
}

QString evidenceOf(const TaskFacts &facts)
{
    QStringList places;
    for (const Place &place : facts.places) {
        QString text = word(place.state);
        if (!place.key.isEmpty())
            text += u" (%1)"_s.arg(QString::fromUtf8(place.key));
        if (!place.score.isNull())
            text += u" with score %1"_s.arg(QString::fromLatin1(place.score));
        places += text;
    }
    const QString where = places.isEmpty() ? u"it stands in no list"_s
                                           : u"it stands in %1"_s.arg(places.join(u" and "_s));
    const QString lease = facts.lease.isNull()
        ? QString()
        : u", its lease ends at %1"_s.arg(QString::fromLatin1(facts.lease));
    if (facts.keyType == "none")
        return u"there is no hash; %1%2"_s.arg(where, lease);
    if (facts.keyType != "hash")
        return u"its key holds a %1; %2"_s.arg(QString::fromLatin1(facts.keyType), where);
    const QString message = facts.messageBytes == 0 ? u"no message"_s
        : facts.decodable ? u"a message of %1 bytes"_s.arg(facts.messageBytes)
                          : u"%1 bytes that are no task message"_s.arg(facts.messageBytes);
    return u"its hash says \"%1\" and holds %2; %3%4"_s.arg(QString::fromUtf8(facts.state), message,
                                                            where, lease);
}

TaskSeen seenOf(const TaskFacts &facts)
{
    TaskSeen seen;
    seen.type = facts.message.type;
    seen.retried = facts.message.retried;
    seen.maxRetry = facts.message.maxRetry;
    seen.lastError = facts.message.lastError;
    seen.payloadBytes = facts.messageBytes == 0 ? -1 : facts.message.payloadBytes;
    seen.damaged = !facts.decodable;
    if (facts.keyType == "none") {
        seen.state = TaskState::None;
    } else if (facts.keyType != "hash") {
        seen.state = TaskState::WrongType;
    } else if (facts.messageBytes == 0) {
        seen.state = TaskState::Stub;
    } else if (facts.places.isEmpty()) {
        seen.state = TaskState::Orphan;
    } else {
        seen.state = facts.places.first().state;
        seen.stamp = seen.state == TaskState::Pending ? facts.pendingSince
            : seen.state == TaskState::Active         ? facts.lease
                                                      : facts.places.first().score;
    }
    return seen;
}

} // namespace outbox::asynq
