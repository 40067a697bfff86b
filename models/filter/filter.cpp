// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter.h"

#include <QStringList>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString readingFilter = u"reading the filter"_s;

QString written(const FilterValue &value)
{
    if (value.quoted) {
        QString text = value.text;
        text.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
        return u'"' + text + u'"';
    }
    return value.isRange() ? QString(value.text + ".."_L1 + value.to) : value.text;
}

QString written(const FilterTerm &term)
{
    QStringList values;
    for (const FilterValue &value : term.values)
        values += written(value);
    const QString list = values.join(u',');
    return term.isWord() ? list : QString(term.field + sign(term.op) + list);
}

/// How tightly a part holds together: `or` is the weakest.
int strength(const FilterNode &node)
{
    switch (node.kind) {
    case FilterNode::Kind::Any:
        return 0;
    case FilterNode::Kind::All:
        return 1;
    case FilterNode::Kind::Not:
        return 2;
    case FilterNode::Kind::Term:
        break;
    }
    return 3;
}

QString written(const FilterNode &node)
{
    if (node.kind == FilterNode::Kind::Term)
        return written(node.term);
    const auto inner = [&node](const FilterNode &part) -> QString {
        return strength(part) > strength(node) ? written(part) : u'(' + written(part) + u')';
    };
    if (node.kind == FilterNode::Kind::Not)
        return u'-' + inner(node.parts.first());
    QStringList parts;
    for (const FilterNode &part : node.parts)
        parts += inner(part);
    return parts.join(node.kind == FilterNode::Kind::Any ? u" or "_s : u" "_s);
}

bool mentioned(const FilterNode &node, const QString &name)
{
    if (node.kind == FilterNode::Kind::Term)
        return node.term.name() == name;
    return std::any_of(node.parts.begin(), node.parts.end(),
                       [&name](const FilterNode &part) { return mentioned(part, name); });
}

} // namespace

QString sign(FilterOp op)
{
    switch (op) {
    case FilterOp::Matches:
        return u":"_s;
    case FilterOp::Equals:
        return u"="_s;
    case FilterOp::Differs:
        return u"!="_s;
    case FilterOp::Less:
        return u"<"_s;
    case FilterOp::LessOrEqual:
        return u"<="_s;
    case FilterOp::Greater:
        return u">"_s;
    case FilterOp::GreaterOrEqual:
        return u">="_s;
    case FilterOp::Contains:
        return u"~"_s;
    case FilterOp::Lacks:
        break;
    }
    return u"!~"_s;
}

QString FilterTerm::name() const
{
    const auto ends = [](QChar c) { return c == u'.' || c == u'['; };
    return field.left(std::find_if(field.begin(), field.end(), ends) - field.begin());
}

Result<Filter> Filter::fromText(QStringView text)
{
    FilterParse parse = parseFilter(text);
    if (parse.fault)
        return Failure(*std::move(parse.fault));
    return std::move(parse.filter);
}

Filter Filter::of(const QList<FilterTerm> &terms)
{
    Filter filter;
    for (const FilterTerm &term : terms)
        filter.root.parts += FilterNode{FilterNode::Kind::Term, term, {}};
    return filter;
}

QString Filter::text() const
{
    const bool isOne = root.parts.size() == 1; // `a or b` needs no brackets around it
    return isOne ? written(root.parts.first()) : written(root);
}

bool Filter::mentions(const QString &name) const
{
    return mentioned(root, name);
}

Failure filterFault(int position, QString text, QString hint, Error::Kind kind)
{
    auto fault = fail(kind, readingFilter, std::move(text), {}, std::move(hint));
    fault.value().position = position;
    return fault;
}

bool isFilterFault(const Error &error)
{
    return error.position >= 0 && error.doing == readingFilter;
}

} // namespace outbox
