// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/catalogtexts.h"

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

bool isTimeOfUtc(const QString &expression, Clock clock)
{
    static const QRegularExpression inUtc(
        u"utc_timestamp|at time zone '(?:utc|gmt|etc/utc|z)'|timezone\\('(?:utc|gmt|etc/utc|z)'"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression anyNow(u"current_timestamp|'now'"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    if (expression.contains(inUtc))
        return true;
    return clock == Clock::Utc && expression.contains(anyNow)
        && !expression.contains("localtime"_L1, Qt::CaseInsensitive);
}

QMap<QString, QString> meaningsIn(const QString &comment)
{
    // A word or several, up to what parts one value from the next.
    static const QString name = u"([^\\W\\d]\\w*(?:[ '-][^\\W\\d]\\w*)*)"_s;
    static const QRegularExpression numberFirst(
        u"(?<![\\w.])(\\d{1,4}(?=\\s)|(?:\\d{1,4}|[A-Z])(?=\\s*(?:[:=)]|-)))\\s*(?:[:=)]|-+>?)?\\s*[\"']?"_s
            + name,
        QRegularExpression::UseUnicodePropertiesOption);
    static const QRegularExpression nameFirst(
        name + u"[\"']?\\s*(?:[:=]\\s*(\\d{1,4})|\\(\\s*(\\d{1,4})\\s*\\))(?![\\w.])"_s,
        QRegularExpression::UseUnicodePropertiesOption);
    const auto named = [&comment](const QRegularExpression &form, bool isNumberFirst) {
        QMap<QString, QString> found;
        for (auto match = form.globalMatch(comment); match.hasNext();) {
            const auto one = match.next();
            const QString number
                = isNumberFirst ? one.captured(1) : one.captured(2) + one.captured(3);
            const QString text = one.captured(isNumberFirst ? 2 : 1).trimmed();
            if (!found.contains(number))
                found.insert(number, text);
        }
        return found;
    };
    QMap<QString, QString> meanings = named(numberFirst, true);
    if (meanings.size() < 2)
        meanings = named(nameFirst, false);
    return meanings.size() < 2 ? QMap<QString, QString>() : meanings;
}

} // namespace outbox
