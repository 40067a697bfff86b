// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/roles/openparts.h"

#include "connectors/sql/names/namehints.h"
#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/roles/rowevidence.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype fewOpenRows = 8;

/// Its name says which part it plays, or that it plays none.
bool isSaid(const ColumnFacts &one, const QSet<QString> &named)
{
    const bool isUnusedText = one.column->typeClass == TypeClass::Text && one.set == 0;
    if (!one.isTime && isOwnerHint(one.words) && isUnusedText)
        return saysHolder(wordsOf(one.name()));
    // Words of several meanings tell it only beside rows.
    if (one.isTime || one.column->typeClass == TypeClass::Time)
        return timeHint(one.words) != TimeHint::None && saysClearly(one.words);
    if (one.column->typeClass == TypeClass::Flag) {
        const FlagHint hint = flagHint(one.words);
        return (hint == FlagHint::Sent || hint == FlagHint::Failed) && saysClearly(one.words);
    }
    if (named.contains(one.name()) && !isStatusHint(one.words))
        return true;
    return isStatusHint(one.words) || (!isUnusedText && typePoints(one.words) != 0)
        || hasAnyWord(one.words,
                      {u"trace"_s, u"tenant"_s, u"region"_s, u"correlation"_s, u"causation"_s,
                       u"error"_s, u"header"_s, u"metadata"_s, u"version"_s, u"priority"_s,
                       u"attempt"_s, u"retry"_s, u"max"_s, u"count"_s, u"number"_s});
}

/// Short values, or a start: what a status looks like before many rows show it.
bool mayBeStatus(const ColumnFacts &one)
{
    constexpr int longestStatus = 40;
    constexpr qsizetype mostValues = 5;
    const CatalogColumn &column = *one.column;
    if (one.isKey || one.isTime || one.isWide || one.counts.size() > mostValues)
        return false;
    if (column.typeClass == TypeClass::Named || !column.labels.isEmpty()
        || !column.meanings.isEmpty())
        return true;
    if (column.typeClass != TypeClass::Text && !one.isNumber)
        return false;
    if (column.hasDefault)
        return column.defaultText.toInt() <= 1;
    return column.typeClass == TypeClass::Text
        && lengthOf(column).value_or(longestStatus + 1) <= longestStatus
        && one.counts.size() < one.set;
}

/// A short text that no row has, or a few only: a holder, once there is one.
bool mayBeHolder(const ColumnFacts &one, const TableFacts &facts, const ColumnRoles &roles)
{
    if (one.column->typeClass != TypeClass::Text || !one.startsEmpty() || one.isWide)
        return false;
    const bool isOfFew
        = facts.rows() < fewOpenRows ? one.set * 2 <= facts.rows() : one.set * 5 <= facts.rows();
    return one.set == 0 || (isOfFew && roles.owner.isEmpty());
}

} // namespace

QStringList openColumns(const TableFacts &facts, const QSet<QString> &named,
                        const ColumnRoles &roles)
{
    const bool isFew = facts.rows() < fewOpenRows;
    const bool isNone = facts.rows() == 0;
    // Nothing tells what was delivered: what could tell it may have been overlooked.
    const bool isMarkless
        = roles.processedTime.isEmpty() && roles.processedFlag.isEmpty() && roles.status.isEmpty();
    const QSet<QString> settled{roles.key,         roles.type,     roles.headers,
                                roles.maxAttempts, roles.attempts, roles.error};
    QStringList open;
    for (const ColumnFacts &one : facts.columns()) {
        const CatalogColumn &column = *one.column;
        if (one.isKey || isSaid(one, named) || (!isNone && settled.contains(one.name())))
            continue;
        constexpr qsizetype enoughTimes = 3;
        const bool isShown = one.set >= enoughTimes && !isFew;
        const bool isTime = one.isTime || column.typeClass == TypeClass::Time;
        if (isTime || (isNone && column.typeClass == TypeClass::Integer && !column.hasDefault)) {
            const bool isCreated = one.name() == roles.created && one.isFull();
            if (!isShown && !isCreated)
                open += one.name();
        } else if (column.typeClass == TypeClass::Flag || one.isTruth) {
            const bool isUnused = countOf(facts.trueIn(one)) == 0;
            if (column.hasDefault && (isFew || isMarkless || isUnused))
                open += one.name();
        } else if (mayBeHolder(one, facts, roles) || ((isFew || isMarkless) && mayBeStatus(one))) {
            open += one.name();
        } else if (isNone && one.isWide && !column.nullable && one.name() != roles.payload) {
            open += QStringList{roles.payload, one.name()};
        }
    }
    // The first document is what is sent, by custom; where a name says it of a later one, who
    // knows?
    const ColumnFacts *payload = facts.column(roles.payload);
    for (const ColumnFacts &one : facts.columns()) {
        const bool isBefore = payload && one.place < payload->place && one.name() != roles.type;
        const bool isOfDocuments
            = one.column->typeClass != TypeClass::Text || one.share(isDocument) > 0.9;
        if (isBefore && isOfDocuments && one.isWide && !one.column->nullable && !one.isTime
            && !one.isKey)
            open += QStringList{one.name(), roles.payload};
    }
    open.removeAll(QString());
    open.removeDuplicates();
    return open;
}

QString questionAbout(const QStringList &open)
{
    if (open.isEmpty())
        return {};
    return openQuestion
        + u"`%1`. Does one of them say that a row was delivered, failed, is held or is due later? "
          "Say it by a shape."_s.arg(open.join(u"`, `"_s));
}

} // namespace outbox
