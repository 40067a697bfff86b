// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/catalogtexts.h"

#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString unquoted(QStringView inner, Literals literals)
{
    static const QRegularExpression escape(u"\\\\(.)"_s,
                                           QRegularExpression::DotMatchesEverythingOption);
    QString text = inner.toString().replace(u"''"_s, u"'"_s);
    return literals == Literals::WithBackslashes ? text.replace(escape, u"\\1"_s) : text;
}

} // namespace

QString plainDefault(const QString &expression, Literals literals)
{
    static const QRegularExpression text(u"^\\(?'((?:[^']|'')*)'(?:::[\\w .\"\\[\\]()]+)?\\)?$"_s);
    static const QRegularExpression number(u"^\\(?(-?\\d+)\\)?$"_s);
    static const QRegularExpression bit(u"^b'([01])'$"_s);
    if (const auto match = text.match(expression); match.hasMatch())
        return unquoted(match.capturedView(1), literals);
    if (const auto match = number.match(expression); match.hasMatch())
        return match.captured(1);
    if (const auto match = bit.match(expression); match.hasMatch())
        return match.captured(1);
    const QString word = expression.toLower();
    if (word == u"false" || word == u"true")
        return word == u"true" ? u"1"_s : u"0"_s;
    return {};
}

QStringList labelsIn(const QString &list, Literals literals)
{
    static const QRegularExpression standard(u"'((?:[^']|'')*)'"_s);
    static const QRegularExpression escaped(u"'((?:[^'\\\\]|''|\\\\.)*)'"_s);
    QStringList labels;
    const QRegularExpression &literal = literals == Literals::WithBackslashes ? escaped : standard;
    for (auto match = literal.globalMatch(list); match.hasNext();)
        labels += unquoted(match.next().capturedView(1), literals);
    return labels;
}

} // namespace outbox
