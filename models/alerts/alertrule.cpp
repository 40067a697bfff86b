// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alertrule.h"

#include "models/filter/values.h"
#include "models/nearest.h"

#include <QRegularExpression>

#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString ruleForm = u"write `FIGURE OP VALUE`, or `FIGURE OP VALUE for DURATION`, such as "
                         u"`lag > 2m for 1m`"_s;

Failure ruleFault(qsizetype position, const QString &text, const QString &hint)
{
    auto fault = fail(Error::Kind::Invalid, u"reading the rule of an alert"_s, text, {}, hint);
    fault.value().position = static_cast<int>(position);
    return fault;
}

std::optional<FilterOp> comparisonFrom(const QString &text)
{
    for (const FilterOp op : {FilterOp::Greater, FilterOp::GreaterOrEqual, FilterOp::Less,
                              FilterOp::LessOrEqual, FilterOp::Equals, FilterOp::Differs}) {
        if (sign(op) == text)
            return op;
    }
    return std::nullopt;
}

/// One word of a rule and where it begins.
struct RuleWord
{
    QString text;
    qsizetype position = 0;
};

/// Words and signs; blanks between them are not needed.
QList<RuleWord> ruleWords(const QString &text)
{
    static const QRegularExpression form(u"[<>=!:~]+|[^\\s<>=!:~]+"_s);
    QList<RuleWord> words;
    for (auto found = form.globalMatch(text); found.hasNext();) {
        const auto one = found.next();
        words.append(RuleWord{one.captured(), one.capturedStart()});
    }
    return words;
}

Result<double> ruleLimit(AlertFigure figure, const RuleWord &value)
{
    const int position = static_cast<int>(value.position);
    Result<double> number = 0.0;
    switch (unitOf(figure)) {
    case AlertUnit::Seconds:
        number = secondsOf(value.text, position);
        break;
    case AlertUnit::Count:
    case AlertUnit::PerSecond:
        number = numberOf(value.text, position);
        break;
    case AlertUnit::Level:
        if (const auto level = levelNumberFrom(value.text))
            return *level;
        return ruleFault(position, u"`%1` is no level"_s.arg(value.text),
                         u"write ok, watch, stalled, unknown or broken"_s);
    }
    if (!number)
        return ruleFault(number.error().position, number.error().text, number.error().hint);
    return number;
}

} // namespace

Result<AlertRule> AlertRule::fromText(const QString &text)
{
    const QList<RuleWord> words = ruleWords(text);
    const auto end = text.size();
    AlertRule rule;
    rule.text = text.simplified();
    if (words.isEmpty())
        return ruleFault(0, u"there is no rule"_s, ruleForm);
    const auto figure = alertFigureFrom(words.first().text);
    if (!figure) {
        const QStringList all = alertFigureWords();
        const QString near = nearestWord(words.first().text, all);
        return ruleFault(words.first().position,
                         u"there is no figure `%1`"_s.arg(words.first().text),
                         near.isEmpty() ? QString(u"the figures are "_s + all.join(u", "_s))
                                        : u"did you mean `%1`?"_s.arg(near));
    }
    rule.figure = *figure;
    if (words.size() < 2)
        return ruleFault(end, u"the comparison is missing"_s, ruleForm);
    const auto op = comparisonFrom(words.at(1).text);
    if (!op) {
        return ruleFault(words.at(1).position, u"`%1` compares nothing"_s.arg(words.at(1).text),
                         u"write one of > >= < <= = !="_s);
    }
    rule.op = *op;
    if (words.size() < 3)
        return ruleFault(end, u"the value is missing"_s, ruleForm);
    rule.limit = TRY(ruleLimit(rule.figure, words.at(2)));
    if (words.size() == 3)
        return rule;
    if (words.at(3).text.compare("for"_L1, Qt::CaseInsensitive) != 0)
        return ruleFault(words.at(3).position, u"`%1` is not expected"_s.arg(words.at(3).text),
                         ruleForm);
    if (words.size() < 5)
        return ruleFault(end, u"the duration is missing"_s, ruleForm);
    if (words.size() > 5)
        return ruleFault(words.at(5).position, u"`%1` is not expected"_s.arg(words.at(5).text),
                         ruleForm);
    const auto seconds = secondsOf(words.at(4).text, static_cast<int>(words.at(4).position));
    if (!seconds)
        return ruleFault(seconds.error().position, seconds.error().text, seconds.error().hint);
    rule.forMs = std::llround(*seconds * 1000);
    return rule;
}

std::optional<bool> AlertRule::holds(const AlertReading &reading) const
{
    if (!reading.value)
        return std::nullopt;
    const double value = *reading.value;
    const bool isAbove = value > limit;
    const bool isBelow = value < limit;
    // Where the true number may be larger: above the limit all is sure, at it who is below it
    // alone.
    if (reading.isLeast && !isAbove) {
        const bool asksBelow = op == FilterOp::Less || op == FilterOp::GreaterOrEqual;
        if (isBelow || !asksBelow)
            return std::nullopt;
    }
    switch (op) {
    case FilterOp::Greater:
        return isAbove;
    case FilterOp::GreaterOrEqual:
        return !isBelow;
    case FilterOp::Less:
        return isBelow;
    case FilterOp::LessOrEqual:
        return !isAbove;
    case FilterOp::Equals:
        return !isAbove && !isBelow;
    case FilterOp::Differs:
        return isAbove || isBelow;
    case FilterOp::Matches:
    case FilterOp::Contains:
    case FilterOp::Lacks:
        break;
    }
    return std::nullopt;
}

} // namespace outbox
