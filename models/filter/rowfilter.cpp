// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"

#include <algorithm>
#include <iterator>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

bool asksForState(const CheckNode &node)
{
    if (node.kind == FilterNode::Kind::Term)
        return node.check.field == FilterField::State;
    return std::any_of(node.parts.begin(), node.parts.end(), asksForState);
}

bool asksForSearch(const CheckNode &node)
{
    if (node.kind == FilterNode::Kind::Term) {
        return node.check.field == FilterField::Owner || node.check.field == FilterField::LockAge
            || node.check.field == FilterField::Cause;
    }
    return std::any_of(node.parts.begin(), node.parts.end(), asksForSearch);
}

bool isOfStatesAlone(const FilterNode &node)
{
    if (node.kind == FilterNode::Kind::Term)
        return node.term.name() == QLatin1StringView("state");
    return std::all_of(node.parts.begin(), node.parts.end(),
                       [](const FilterNode &part) { return isOfStatesAlone(part); });
}

/// `widen`: the term may hold for more rows, else for fewer.
void changeStates(FilterTerm &term, bool widen)
{
    const bool isNegated = term.op == FilterOp::Differs;
    QStringList words;
    for (const FilterValue &value : term.values)
        words += value.text.toLower();
    const QString parked = word(MessageState::Parked);
    for (const MessageState state : allMessageStates()) {
        // Rows that are held or processed are told as that.
        const bool mayBeParked = state != MessageState::Processed && state != MessageState::Locked;
        if (mayBeParked && widen != isNegated && words.contains(parked))
            words += word(state);
        else if (mayBeParked && widen == isNegated)
            words.removeAll(word(state));
    }
    if (words.isEmpty())
        words += parked; // which no row is that is listed so
    term.values.clear();
    for (const QString &one : words)
        term.values += FilterValue{one, {}, false, 0};
}

void widen(FilterNode &node, bool isOver)
{
    if (node.kind == FilterNode::Kind::Term) {
        if (node.term.name() == QLatin1StringView("state"))
            changeStates(node.term, isOver);
        return;
    }
    for (FilterNode &part : node.parts)
        widen(part, node.kind == FilterNode::Kind::Not ? !isOver : isOver);
}

} // namespace

Filter widenedForParked(const Filter &filter)
{
    Filter wider = filter;
    widen(wider.root, true);
    return wider;
}

Result<PageRequest> pageRequestFromFilter(const QString &text, const PageRequest &base,
                                          const QDateTime &now)
{
    auto filter = TRY(Filter::fromText(text));
    TRY(checksOf(filter, FilterSubject::Rows, now));
    PageRequest request = base;
    request.filter = std::move(filter);
    request.at = now;
    request.after.clear();
    return request;
}

CheckNode queuePart(const CheckNode &checks)
{
    CheckNode asking;
    std::copy_if(checks.parts.begin(), checks.parts.end(), std::back_inserter(asking.parts),
                 [](const CheckNode &part) { return needsOf(part).queue; });
    return asking;
}

FilterReach reachOf(const CheckNode &checks)
{
    const FilterNeeds needs = needsOf(checks);
    if (needs.payload || asksForSearch(checks))
        return FilterReach::Scan;
    return needs.queue ? FilterReach::Queue : FilterReach::Sql;
}

CheckNode statePart(const CheckNode &checks)
{
    CheckNode asking;
    std::copy_if(checks.parts.begin(), checks.parts.end(), std::back_inserter(asking.parts),
                 asksForState);
    return asking;
}

QList<MessageState> statesWithin(const Filter &filter)
{
    QList<MessageState> states = allMessageStates();
    // Words of states mean the same at any time.
    const auto checks = checksOf(filter, FilterSubject::Rows, QDateTime::fromMSecsSinceEpoch(0));
    if (!checks)
        return states;
    states.removeIf([&checks](MessageState state) {
        return truthOf(*checks,
                       [state](const FieldCheck &check) {
                           if (check.field != FilterField::State)
                               return Truth::Unknown;
                           return check.words.contains(word(state)) ? Truth::Yes : Truth::No;
                       })
            == Truth::No;
    });
    return states;
}

std::optional<MessageId> idAlone(const Filter &filter)
{
    if (filter.root.parts.size() != 1 || filter.root.parts.first().kind != FilterNode::Kind::Term)
        return std::nullopt;
    const FilterTerm &term = filter.root.parts.first().term;
    const bool isExact = term.field == u"id"_s && term.op == FilterOp::Equals;
    const bool isStart = (term.isWord() || term.field == u"id"_s) && term.op == FilterOp::Matches;
    if ((!isExact && !isStart) || term.values.size() != 1)
        return std::nullopt;
    const FilterValue &value = term.values.first();
    if (value.isRange() || (isStart && (value.text.contains(u'*') || value.text.contains(u'?'))))
        return std::nullopt;
    return MessageId{value.text};
}

bool isOfStatesAlone(const Filter &filter)
{
    return !filter.isEmpty() && isOfStatesAlone(filter.root);
}

} // namespace outbox
