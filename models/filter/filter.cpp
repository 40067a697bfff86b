// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter.h"

#include <QStringList>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString written(const FilterValue &value)
{
    if (value.quoted) {
        QString text = value.text;
        text.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
        return u'"' + text + u'"';
    }
    return value.to.isEmpty() ? value.text : value.text + ".."_L1 + value.to;
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

QString Filter::text() const
{
    QStringList parts;
    for (const FilterTerm &term : terms) {
        QStringList values;
        for (const FilterValue &value : term.values)
            values += written(value);
        const QString list = values.join(u',');
        parts += term.isWord() ? list : term.field + sign(term.op) + list;
    }
    return parts.join(u' ');
}

Failure filterFault(Error::Kind kind, int position, QString text, QString hint)
{
    auto fault = fail(kind, u"reading the filter"_s, std::move(text), {}, std::move(hint));
    fault.value().position = position;
    return fault;
}

Result<double> secondsOf(const QString &text, int position)
{
    const QChar unit = text.isEmpty() ? QChar() : text.back();
    const QString hint = u"write `90s`, `5m`, `2h` or `30d`"_s;
    double factor = 0;
    switch (unit.unicode()) {
    case u's':
        factor = 1;
        break;
    case u'm':
        factor = 60;
        break;
    case u'h':
        factor = 3600;
        break;
    case u'd':
        factor = 86400;
        break;
    default:
        return filterFault(Error::Kind::Invalid, position,
                           unit.isDigit() ? u"`%1` has no unit"_s.arg(text)
                                          : u"`%1` is no duration"_s.arg(text),
                           hint);
    }
    bool isNumber = false;
    const double amount = QStringView(text).chopped(1).toDouble(&isNumber);
    if (!isNumber || !(amount >= 0) || amount > 1e9)
        return filterFault(Error::Kind::Invalid, position, u"`%1` is no duration"_s.arg(text),
                           hint);
    return amount * factor;
}

} // namespace outbox
