// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/openparts.h"

#include "connectors/sql/namehints.h"
#include "connectors/sql/schemawords.h"

#include <QRegularExpression>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype fewRows = 8;

/// Its name says which part it plays, or that it plays none.
bool isSaid(const ColumnFacts &one, const QSet<QString> &named)
{
    const bool isUnusedText = one.column->typeClass == TypeClass::Text && one.set == 0;
    if (!one.isTime && isOwnerHint(one.words) && isUnusedText)
        return saysHolder(wordsOf(one.name()));
    if (named.contains(one.name()))
        return true;
    if (one.isTime || one.column->typeClass == TypeClass::Time)
        return timeHint(one.words) != TimeHint::None;
    if (one.column->typeClass == TypeClass::Flag)
        return flagHint(one.words) == FlagHint::Sent || flagHint(one.words) == FlagHint::Failed;
    return isStatusHint(one.words) || (!isUnusedText && typePoints(one.words) != 0)
        || hasAnyWord(one.words,
                      {u"trace"_s, u"tenant"_s, u"region"_s, u"correlation"_s, u"causation"_s,
                       u"error"_s, u"header"_s, u"metadata"_s, u"version"_s, u"priority"_s,
                       u"attempt"_s, u"retry"_s, u"max"_s, u"count"_s, u"number"_s});
}

/// Short values, or a start: what a status looks like before many rows show it.
bool mayBeStatus(const ColumnFacts &one)
{
    static const QRegularExpression length(u"\\((\\d+)\\)"_s);
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
    const auto match = length.match(column.type);
    return column.typeClass == TypeClass::Text && match.hasMatch()
        && match.captured(1).toInt() <= longestStatus && one.counts.size() < one.set;
}

} // namespace

QStringList openColumns(const TableFacts &facts, const QSet<QString> &named,
                        const ColumnRoles &roles)
{
    const bool isFew = facts.rows() < fewRows;
    const bool isNone = facts.rows() == 0;
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
            if (isFew ? column.hasDefault : countOf(facts.trueIn(one)) == 0 && column.hasDefault)
                open += one.name();
        } else if (column.typeClass == TypeClass::Text && one.startsEmpty() && one.set == 0
                   && !one.isWide) {
            open += one.name(); // a holder, once there is one
        } else if (isFew && mayBeStatus(one)) {
            open += one.name();
        } else if (isNone && one.isWide && !column.nullable && one.name() != roles.payload) {
            open += QStringList{roles.payload, one.name()};
        }
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
