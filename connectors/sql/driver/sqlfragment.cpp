// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/sqlfragment.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The text with `by` added to the numbers of its placeholders; what stands in quotation marks is
/// none.
QString counted(const QString &text, qsizetype by)
{
    if (!text.contains(u'$'))
        return text;
    QString counted;
    counted.reserve(text.size() + 8);
    QChar quote;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar sign = text.at(i);
        counted += sign;
        if (!quote.isNull()) {
            if (sign == quote)
                quote = {};
            continue;
        }
        if (sign == u'\'' || sign == u'"') {
            quote = sign;
            continue;
        }
        if (sign != u'$')
            continue;
        qsizetype end = i + 1;
        while (end < text.size() && text.at(end) >= u'0' && text.at(end) <= u'9')
            ++end;
        if (end == i + 1)
            continue;
        counted += QString::number(QStringView(text).mid(i + 1, end - i - 1).toLongLong() + by);
        i = end - 1;
    }
    return counted;
}

} // namespace

SqlFragment SqlFragment::of(const QVariant &value)
{
    return {u"?"_s, {value}};
}

SqlFragment SqlFragment::of(const QVariant &value, const QString &type)
{
    return {u"$1::"_s + type, {value}};
}

SqlFragment SqlFragment::filled(const QString &pattern, const QList<SqlFragment> &parts)
{
    SqlFragment sql;
    qsizetype from = 0;
    for (qsizetype at = pattern.indexOf(u'%'); at >= 0; at = pattern.indexOf(u'%', at + 1)) {
        const qsizetype place = pattern.mid(at + 1, 1).toLongLong() - 1;
        if (place < 0 || place >= parts.size())
            continue;
        sql += pattern.mid(from, at - from);
        sql += parts.at(place);
        from = at + 2;
    }
    sql += pattern.mid(from);
    return sql;
}

SqlFragment SqlFragment::joined(const QList<SqlFragment> &parts, const QString &between)
{
    SqlFragment sql;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (i > 0)
            sql += between;
        sql += parts.at(i);
    }
    return sql;
}

SqlFragment &SqlFragment::operator+=(const SqlFragment &other)
{
    text += values.isEmpty() ? other.text : counted(other.text, values.size());
    values.append(other.values);
    return *this;
}

} // namespace outbox
