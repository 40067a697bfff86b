// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/rowfilter.h"

#include "models/filter/fields.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QStringList &rowFields()
{
    static const QStringList fields{u"state"_s, u"type"_s, u"id"_s, u"age"_s};
    return fields;
}

void olderThan(PageRequest &request, double seconds)
{
    request.olderThanSeconds = std::max(request.olderThanSeconds.value_or(0), seconds);
}

void youngerThan(PageRequest &request, double seconds)
{
    request.youngerThanSeconds = std::min(request.youngerThanSeconds.value_or(seconds), seconds);
}

Result<void> takeStates(const FilterTerm &term, PageRequest &request)
{
    QStringList known;
    for (const MessageState state : allMessageStates())
        known += word(state);
    return eachWord(term, known, [&request](const QString &text) {
        const auto state = messageStateFromWord(text);
        if (state && !request.states.contains(*state))
            request.states += *state;
        return state.has_value();
    });
}

Result<void> takeAge(const FilterTerm &term, PageRequest &request)
{
    const FilterValue &value = term.values.first();
    if (term.values.size() > 1) {
        return filterFault(Error::Kind::Invalid, term.values.at(1).position,
                           u"`age` takes one value"_s);
    }
    const auto seconds = secondsOf(value.text, value.position);
    if (!seconds)
        return passOn(seconds);
    const bool isRange = !value.to.isEmpty();
    switch (term.op) {
    case FilterOp::Greater:
    case FilterOp::GreaterOrEqual:
        if (isRange)
            break;
        olderThan(request, *seconds);
        return {};
    case FilterOp::Less:
    case FilterOp::LessOrEqual:
        if (isRange)
            break;
        youngerThan(request, *seconds);
        return {};
    case FilterOp::Matches: {
        if (!isRange)
            break;
        const auto end
            = secondsOf(value.to, value.position + static_cast<int>(value.text.size()) + 2);
        if (!end)
            return passOn(end);
        olderThan(request, *seconds);
        youngerThan(request, *end);
        return {};
    }
    default:
        break;
    }
    return signFault(term, u"`age>5m`, `age<2h` or `age:5m..2h`"_s);
}

Result<void> takeWord(const FilterTerm &term, PageRequest &request)
{
    const QString text = term.values.first().text;
    QString &wanted = looksLikeId(text) ? request.idPrefix : request.typePattern;
    if (!wanted.isEmpty()) {
        return filterFault(Error::Kind::Unsupported, term.position,
                           u"only one type and one id can be asked for yet"_s);
    }
    wanted = looksLikeId(text) ? text : u'*' + text + u'*';
    return {};
}

Result<void> take(const FilterTerm &term, PageRequest &request)
{
    if (term.isWord())
        return takeWord(term, request);
    if (term.field == "state"_L1)
        return takeStates(term, request);
    if (term.field == "age"_L1)
        return takeAge(term, request);
    if (term.field != "type"_L1 && term.field != "id"_L1)
        return fieldFault(term, rowFields());
    const bool isType = term.field == "type"_L1;
    const auto text = isType ? patternOf(term) : idPrefixOf(term);
    if (!text)
        return passOn(text);
    QString &wanted = isType ? request.typePattern : request.idPrefix;
    if (!wanted.isEmpty()) {
        return filterFault(Error::Kind::Unsupported, term.position,
                           u"only one type and one id can be asked for yet"_s);
    }
    wanted = *text;
    return {};
}

} // namespace

Result<PageRequest> pageRequestFromFilter(const QString &text, const PageRequest &base)
{
    const auto filter = Filter::fromText(text);
    if (!filter)
        return passOn(filter);
    if (const auto once = onceEach(*filter, {u"state"_s, u"type"_s, u"id"_s}); !once)
        return passOn(once);
    PageRequest request = base;
    request.states.clear();
    request.typePattern.clear();
    request.idPrefix.clear();
    request.olderThanSeconds.reset();
    request.youngerThanSeconds.reset();
    request.after.clear();
    for (const FilterTerm &term : filter->terms) {
        if (const auto taken = take(term, request); !taken)
            return passOn(taken);
    }
    return request;
}

} // namespace outbox
