// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/names/statuswords.h"

#include "connectors/sql/names/schemawords.h"

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QStringList pendingWords = wordList(
    u"pending new created queued enqueued ready available unsent unprocessed unpublished "
    "undelivered notpublished waiting initial todo open retry retrying submitted resubmitted "
    "received"_s);
const QStringList waitingWords
    = wordList(u"scheduled delayed deferred retryable suspended snoozed postponed awaiting"_s);
const QStringList lockedWords = wordList(
    u"processing inprogress inprocess inflight running executing publishing sending dispatching "
    "delivering claimed reserved active locked leased doing started working picked busy"_s);
const QStringList processedWords = wordList(
    u"processed sent published delivered dispatched done completed complete success successful "
    "succeeded finished handled acked acknowledged consumed relayed forwarded emitted ok"_s);
const QStringList failedWords = wordList(
    u"failed failure error errored dead deadletter discarded abandoned cancelled canceled aborted "
    "rejected blocked poison poisoned parked undeliverable exhausted"_s);

MessageState stateOfWord(const QString &word)
{
    const QList<std::pair<const QStringList *, MessageState>> lists{
        {&failedWords, MessageState::Failed},
        {&lockedWords, MessageState::Locked},
        {&processedWords, MessageState::Processed},
        {&waitingWords, MessageState::Waiting},
        {&pendingWords, MessageState::Pending}};
    for (const auto &[words, state] : lists) {
        if (words->contains(word))
            return state;
    }
    return MessageState::Unknown;
}

} // namespace

MessageState stateOfValue(const QString &value)
{
    const QStringList words = wordsOf(value);
    const MessageState whole = stateOfWord(words.join(QString()));
    if (whole != MessageState::Unknown)
        return whole;
    QList<MessageState> states;
    bool isNot = false; // "not sent", "to be sent"
    for (const QString &word : words) {
        isNot = isNot || word == u"not" || word == u"to" || word == u"un";
        if (const MessageState state = stateOfWord(word); state != MessageState::Unknown)
            states += state;
    }
    if (states.contains(MessageState::Failed))
        return MessageState::Failed;
    if (isNot && !states.isEmpty())
        return MessageState::Pending;
    return states.isEmpty() ? MessageState::Unknown : states.constLast();
}

namespace {

/// What was said before of these values: rows may know better than names, and a value has one
/// state.
void forgetStates(const QStringList &values, const QString &column, OutboxShape &shape)
{
    for (auto [where, states] : {std::pair(&shape.processedColumn, &shape.processedValues),
                                 {&shape.pendingColumn, &shape.pendingValues},
                                 {&shape.waitingColumn, &shape.waitingValues},
                                 {&shape.lockedColumn, &shape.lockedValues},
                                 {&shape.failedColumn, &shape.failedValues}}) {
        if (*where == column)
            states->removeIf([&values](const QString &one) { return values.contains(one); });
    }
}

} // namespace

void mapStatus(const QStringList &values, const CatalogColumn &column, ProbeFinding &finding)
{
    OutboxShape &shape = finding.shape;
    forgetStates(values, column.name, shape);
    const bool decides = shape.processedHow == OutboxShape::ProcessedHow::Status;
    const bool byLock = shape.lockedHow == OutboxShape::LockedHow::Row
        || shape.lockedHow == OutboxShape::LockedHow::None
        || shape.lockedHow == OutboxShape::LockedHow::Status;
    const bool saysFailed = std::any_of(values.cbegin(), values.cend(), [&](const QString &value) {
        return value != column.defaultText
            && stateOfValue(column.meanings.value(value, value)) == MessageState::Failed;
    });
    if (decides && saysFailed) { // it says it better than a time or a number beside it
        shape.failedHow = OutboxShape::FailedHow::Status;
        shape.failedColumn = column.name;
        shape.failedIn = {};
    }
    const bool byFailed = shape.failedHow == OutboxShape::FailedHow::None
        || shape.failedHow == OutboxShape::FailedHow::Status;
    QStringList asked;
    QStringList heldElsewhere;
    const auto put = [](QStringList &place, const QString &value) {
        if (!place.contains(value))
            place += value;
    };
    for (const QString &value : values) {
        MessageState state = stateOfValue(column.meanings.value(value, value));
        if (value == column.defaultText // the default is what new rows have
            || (state == MessageState::Waiting && shape.dueColumn.isEmpty()
                && value.compare(u"scheduled", Qt::CaseInsensitive) == 0))
            state = MessageState::Pending;
        switch (state) {
        case MessageState::Processed:
            if (decides)
                put(shape.processedValues, value);
            break;
        case MessageState::Failed:
            if (byFailed) {
                shape.failedHow = OutboxShape::FailedHow::Status;
                shape.failedColumn = column.name;
                put(shape.failedValues, value);
            }
            break;
        case MessageState::Locked:
            if (byLock) {
                shape.lockedHow = OutboxShape::LockedHow::Status;
                shape.lockedColumn = column.name;
                put(shape.lockedValues, value);
            } else if (decides) {
                heldElsewhere += value; // whether it is held stands in other columns
            }
            break;
        case MessageState::Waiting:
            if (decides) {
                shape.waitingColumn = column.name;
                put(shape.waitingValues, value);
            }
            break;
        case MessageState::Pending:
            if (decides) {
                shape.pendingColumn = column.name;
                put(shape.pendingValues, value);
            }
            break;
        default:
            asked += value;
        }
    }
    if (shape.lockedHow == OutboxShape::LockedHow::Status && shape.lockedValues.isEmpty()) {
        shape.lockedHow = OutboxShape::LockedHow::Row;
        shape.lockedColumn.clear();
    }
    if (shape.failedHow == OutboxShape::FailedHow::Status && shape.failedValues.isEmpty()) {
        shape.failedHow = OutboxShape::FailedHow::None;
        shape.failedColumn.clear();
    }
    for (const QString &value : std::as_const(heldElsewhere))
        put(shape.pendingValues, value);
    if (shape.pendingValues.removeAll(column.defaultText) > 0) // what new rows have comes first
        shape.pendingValues.prepend(column.defaultText);
    if (decides && !shape.pendingValues.isEmpty())
        shape.pendingColumn = column.name;
    asked.sort();
    if (!asked.isEmpty() && decides) {
        finding.questions += u"What do these values of `%1` mean: %2?"_s.arg(
            column.name, asked.mid(0, 8).join(u", "_s));
    }
}

} // namespace outbox
