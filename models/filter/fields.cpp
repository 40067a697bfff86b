// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/fields.h"

#include "models/filter/nearest.h"

#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Every field of the language: for rows, for tasks and for what was done.
const QStringList &languageFields()
{
    static const QStringList fields{
        u"state"_s,   u"id"_s,      u"type"_s,      u"store"_s,    u"queue"_s,   u"group"_s,
        u"created"_s, u"due"_s,     u"processed"_s, u"age"_s,      u"wait"_s,    u"next"_s,
        u"since"_s,   u"expires"_s, u"completed"_s, u"attempts"_s, u"max"_s,     u"error"_s,
        u"retried"_s, u"locked"_s,  u"owner"_s,     u"lockage"_s,  u"worker"_s,  u"task"_s,
        u"dedup"_s,   u"row"_s,     u"payload"_s,   u"header"_s,   u"size"_s,    u"col"_s,
        u"kind"_s,    u"when"_s,    u"verb"_s,      u"who"_s,      u"profile"_s, u"outcome"_s,
        u"note"_s};
    return fields;
}

QString meant(const QString &word, const QStringList &candidates)
{
    const QString nearest = nearestWord(word, candidates);
    return nearest.isEmpty() ? QString() : u"Did you mean `%1`?"_s.arg(nearest);
}

} // namespace

Failure fieldFault(const FilterTerm &term, const QStringList &readable)
{
    const QString first = term.field.section(u'.', 0, 0).section(u'[', 0, 0);
    if (languageFields().contains(first)) {
        return filterFault(Error::Kind::Unsupported, term.position,
                           u"`%1` cannot be asked for here yet"_s.arg(term.field),
                           u"fields: %1"_s.arg(readable.join(u", "_s)));
    }
    QString hint = meant(first, readable);
    if (hint.isEmpty())
        hint = u"fields: %1; a text with a colon stands in quotes"_s.arg(readable.join(u", "_s));
    return filterFault(Error::Kind::Invalid, term.position,
                       u"`%1`: unknown field"_s.arg(term.field), hint);
}

Failure signFault(const FilterTerm &term, const QString &fitting)
{
    return filterFault(Error::Kind::Unsupported, term.position,
                       u"`%1` does not take `%2` yet"_s.arg(term.field, sign(term.op)),
                       u"write %1"_s.arg(fitting));
}

Result<void> onceEach(const Filter &filter, const QStringList &fields)
{
    QStringList seen;
    for (const FilterTerm &term : filter.terms) {
        if (!fields.contains(term.field))
            continue;
        if (seen.contains(term.field)) {
            return filterFault(Error::Kind::Invalid, term.position,
                               u"`%1` stands here twice"_s.arg(term.field),
                               u"values with commas between them mean any of them"_s);
        }
        seen += term.field;
    }
    return {};
}

Result<QString> onlyText(const FilterTerm &term)
{
    const FilterValue &value = term.values.first();
    if (term.values.size() > 1) {
        return filterFault(Error::Kind::Unsupported, term.values.at(1).position,
                           u"`%1` takes one value yet"_s.arg(term.field));
    }
    if (!value.to.isEmpty()) {
        return filterFault(Error::Kind::Invalid, value.position,
                           u"`%1` takes no range"_s.arg(term.field),
                           u"quote a text with two dots in it"_s);
    }
    return value.text;
}

Result<QString> patternOf(const FilterTerm &term)
{
    auto text = onlyText(term);
    if (!text)
        return text;
    switch (term.op) {
    case FilterOp::Matches:
        return text;
    case FilterOp::Equals:
        if (text->contains(u'*') || text->contains(u'?'))
            return signFault(term, u"`%1:%2`"_s.arg(term.field, *text));
        return text;
    case FilterOp::Contains:
        return u'*' + *text + u'*';
    default:
        return signFault(term, u"`%1:…`, `%1=…` or `%1~…`"_s.arg(term.field));
    }
}

Result<QString> idPrefixOf(const FilterTerm &term)
{
    auto text = onlyText(term);
    if (!text)
        return text;
    if (term.op != FilterOp::Matches)
        return signFault(term, u"`id:…`, the beginning of an id"_s);
    if (text->endsWith(u'*'))
        text->chop(1);
    if (text->contains(u'*') || text->contains(u'?')) {
        return filterFault(Error::Kind::Unsupported, term.values.first().position,
                           u"an id is found by its beginning only"_s);
    }
    return text;
}

bool fitsPattern(const QString &pattern, const QString &text, Qt::CaseSensitivity sensitivity)
{
    QString expression = QRegularExpression::escape(pattern);
    expression.replace(u"\\*"_s, u".*"_s).replace(u"\\?"_s, u"."_s);
    QRegularExpression::PatternOptions options = QRegularExpression::DotMatchesEverythingOption;
    if (sensitivity == Qt::CaseInsensitive)
        options |= QRegularExpression::CaseInsensitiveOption;
    const QRegularExpression whole(QRegularExpression::anchoredPattern(expression), options);
    return whole.match(text).hasMatch();
}

bool looksLikeId(const QString &word)
{
    bool digit = false;
    for (const QChar c : word) {
        const bool hexLetter = (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
        const bool isDigit = c >= u'0' && c <= u'9';
        if (!isDigit && !hexLetter && c != u'-')
            return false;
        digit = digit || isDigit;
    }
    return digit;
}

Result<void> eachWord(const FilterTerm &term, const QStringList &known,
                      const std::function<bool(const QString &)> &take)
{
    if (term.op != FilterOp::Matches && term.op != FilterOp::Equals)
        return signFault(term, u"`%1:…`"_s.arg(term.field));
    for (const FilterValue &value : term.values) {
        if (!value.to.isEmpty() || !take(value.text)) {
            QString hint = meant(value.text, known);
            if (hint.isEmpty())
                hint = u"known are %1"_s.arg(known.join(u", "_s));
            return filterFault(Error::Kind::Invalid, value.position,
                               u"`%1`: unknown %2"_s.arg(value.text, term.field), hint);
        }
    }
    return {};
}

} // namespace outbox
