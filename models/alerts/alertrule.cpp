// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alertrule.h"

#include "models/filter/checks.h"
#include "models/filter/predicate.h"
#include "models/filter/values.h"
#include "models/nearest.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString ruleForm = u"write `FIGURE OP VALUE`, or `FIGURE OP VALUE for DURATION`, such as "
                         u"`lag > 2m for 1m`"_s;
const QString rowsForm = u"write `rows \"FILTER\" OP NUMBER`, and `in 10m` or `for 1m` behind it, "
                         u"such as `rows \"state:failed\" > 5 in 10m`"_s;
constexpr double mostRowsCounted = 1e9;

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

/// Words and signs from a place on; blanks between them are not needed.
QList<RuleWord> ruleWords(const QString &text, qsizetype from = 0)
{
    static const QRegularExpression form(u"[<>=!:~]+|[^\\s<>=!:~]+"_s);
    QList<RuleWord> words;
    for (auto found = form.globalMatch(text, from); found.hasNext();) {
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

/// A filter as it stands in a rule, between two quotation marks.
struct QuotedFilter
{
    QString text; ///< a mark that was doubled is one
    QList<int> places; ///< of each of its characters in the rule
    qsizetype end = 0; ///< behind the mark that closes it
};

Result<QuotedFilter> quotedFilter(const QString &rule, qsizetype from)
{
    qsizetype at = from;
    while (at < rule.size() && rule.at(at).isSpace())
        ++at;
    if (at == rule.size())
        return ruleFault(at, u"the filter is missing"_s, rowsForm);
    const qsizetype begin = at;
    const QChar mark = rule.at(at);
    if (mark != u'"' && mark != u'\'')
        return ruleFault(at, u"the filter needs quotation marks"_s, rowsForm);
    QuotedFilter quoted;
    for (++at; at < rule.size(); ++at) {
        const QChar letter = rule.at(at);
        if (letter.category() == QChar::Other_Control || letter == QChar::LineSeparator
            || letter == QChar::ParagraphSeparator)
            return ruleFault(at, u"a rule is one line, and holds no such character"_s, rowsForm);
        const bool isMark = letter == mark;
        if (isMark && (at + 1 == rule.size() || rule.at(at + 1) != mark)) {
            quoted.end = at + 1;
            return quoted;
        }
        quoted.text += letter;
        quoted.places += static_cast<int>(at);
        at += isMark ? 1 : 0;
    }
    return ruleFault(begin, u"the filter is not closed"_s,
                     u"write `%1` behind its end"_s.arg(mark));
}

/// A fault of a filter, told at its place in the rule.
Failure faultIn(const QuotedFilter &quoted, const Error &error)
{
    qsizetype place = quoted.end - 1;
    if (error.position >= 0 && error.position < quoted.places.size())
        place = quoted.places.at(error.position);
    return ruleFault(place, error.text, error.hint.isEmpty() ? rowsForm : error.hint);
}

Result<Filter> filterIn(const QuotedFilter &quoted)
{
    auto filter = Filter::fromText(quoted.text);
    if (!filter)
        return faultIn(quoted, filter.error());
    // What its values are is known now; what their times count from, at each count.
    const auto checks
        = checksOf(*filter, FilterSubject::Rows, QDateTime::fromSecsSinceEpoch(0, Qt::UTC));
    if (!checks)
        return faultIn(quoted, checks.error());
    if (const FieldCheck *asking = firstThatNeeds(*checks, &FilterNeeds::queue)) {
        const int place = quoted.places.value(asking->position, quoted.places.constFirst());
        return ruleFault(place,
                         u"`%1` is told by the queue, and not by the rows"_s.arg(asking->name),
                         u"leave it out: rows alone are counted"_s);
    }
    return filter;
}

/// The milliseconds of `for 1m`, where `clause` stands at the place `at`, which is behind it then;
/// 0 where it does not. `end` is that of the rule, `form` how it is to be written.
Result<qint64> clauseMs(const QList<RuleWord> &words, qsizetype &at, QLatin1StringView clause,
                        qsizetype end, const QString &form)
{
    if (at >= words.size() || words.at(at).text.compare(clause, Qt::CaseInsensitive) != 0)
        return qint64{0};
    if (at + 1 >= words.size())
        return ruleFault(end, u"the duration is missing"_s, form);
    const RuleWord &value = words.at(at + 1);
    const auto seconds = secondsOf(value.text, static_cast<int>(value.position));
    if (!seconds)
        return ruleFault(seconds.error().position, seconds.error().text, seconds.error().hint);
    at += 2;
    return static_cast<qint64>(std::llround(*seconds * 1000));
}

Result<AlertFigure> ruleFigure(const QList<RuleWord> &words)
{
    if (words.isEmpty())
        return ruleFault(0, u"there is no rule"_s, ruleForm);
    const RuleWord &first = words.constFirst();
    if (const auto figure = alertFigureFrom(first.text))
        return *figure;
    const QStringList all = alertFigureWords();
    const QString near = nearestWord(first.text, all);
    return ruleFault(first.position, u"there is no figure `%1`"_s.arg(first.text),
                     near.isEmpty() ? QString(u"the figures are "_s + all.join(u", "_s))
                                    : u"did you mean `%1`?"_s.arg(near));
}

/// Where a half of a letter stands alone, which no pattern reads; -1: nowhere.
qsizetype halfLetter(const QString &text)
{
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (!text.at(at).isSurrogate())
            continue;
        const bool isWhole = text.at(at).isHighSurrogate() && at + 1 < text.size()
            && text.at(at + 1).isLowSurrogate();
        if (!isWhole)
            return at;
        ++at;
    }
    return -1;
}

/// No blank is needed between `rows` and its filter.
void cutBeforeFilter(QList<RuleWord> &words)
{
    static const QRegularExpression marks(u"[\"']"_s);
    if (words.isEmpty())
        return;
    QString &first = words.first().text;
    const qsizetype end = first.indexOf(marks);
    if (end > 0 && alertFigureFrom(first.left(end)) == AlertFigure::Rows)
        first.truncate(end);
}

/// OP, VALUE and what stands behind them: the words from the second on.
Result<void> readComparison(const QList<RuleWord> &words, qsizetype end, AlertRule &rule)
{
    const QString form = rule.isOnFilter() ? rowsForm : ruleForm;
    if (words.size() < 2)
        return ruleFault(end, u"the comparison is missing"_s, form);
    const auto op = comparisonFrom(words.at(1).text);
    if (!op) {
        return ruleFault(words.at(1).position, u"`%1` compares nothing"_s.arg(words.at(1).text),
                         u"write one of > >= < <= = !="_s);
    }
    rule.op = *op;
    if (words.size() < 3)
        return ruleFault(end, u"the value is missing"_s, form);
    rule.limit = TRY(ruleLimit(rule.figure, words.at(2)));
    qsizetype at = 3;
    if (rule.isOnFilter()) {
        if (rule.limit > mostRowsCounted)
            return ruleFault(words.at(2).position, u"so many rows are not counted"_s, form);
        rule.inMs = TRY(clauseMs(words, at, "in"_L1, end, form));
        if (at > 3 && rule.inMs == 0)
            return ruleFault(words.at(4).position, u"no row is made in no time"_s, form);
    }
    rule.forMs = TRY(clauseMs(words, at, "for"_L1, end, form));
    if (at < words.size())
        return ruleFault(words.at(at).position, u"`%1` is not expected"_s.arg(words.at(at).text),
                         form);
    return {};
}

} // namespace

Result<AlertRule> AlertRule::fromText(const QString &text)
{
    if (const qsizetype half = halfLetter(text); half >= 0)
        return ruleFault(half, u"this is no letter"_s, u"write it again"_s);
    QList<RuleWord> words = ruleWords(text);
    cutBeforeFilter(words);
    AlertRule rule;
    rule.figure = TRY(ruleFigure(words));
    rule.text = text.simplified();
    if (rule.isOnFilter()) {
        const RuleWord figure = words.constFirst();
        const qsizetype begin = figure.position + figure.text.size();
        const auto quoted = TRY(quotedFilter(text, begin));
        rule.filter = TRY(filterIn(quoted));
        words = QList<RuleWord>{figure} + ruleWords(text, quoted.end);
        const QString filter = text.mid(begin, quoted.end - begin).trimmed();
        const QString rest = text.mid(quoted.end).simplified();
        rule.text = u"%1 %2 %3"_s.arg(figure.text, filter, rest);
    }
    TRY(readComparison(words, text.size(), rule));
    return rule;
}

RowCountRequest AlertRule::countAt(const QDateTime &now) const
{
    RowCountRequest request;
    request.filter = filter;
    request.at = now;
    if (inMs > 0)
        request.madeWithinSeconds = static_cast<double>(inMs) / 1000;
    request.most = static_cast<qint64>(std::clamp(std::floor(limit), 0.0, mostRowsCounted));
    return request;
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
