// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `tokens`: what refers to the tokens of messages, and a forced execution.
#include "app/cli/commands/command.h"

#include "app/cli/output/rowjson.h"
#include "app/cli/run/designoptions.h"
#include "app/designs/designoperations.h"
#include "app/designs/tokenscan.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/utctext.h"

#include <QCommandLineParser>
#include <QJsonArray>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostTokens = 1'000'000;
constexpr std::array reaches{TokenReach::Held,   TokenReach::Carried, TokenReach::Attempt,
                             TokenReach::Losing, TokenReach::Garbage, TokenReach::Unknown};

std::optional<double> ageOf(const Token &token)
{
    if (!token.made)
        return std::nullopt;
    return double(token.made->msecsTo(QDateTime::currentDateTimeUtc())) / 1000;
}

QJsonObject jsonOf(const JudgedToken &judged)
{
    const auto text = [](const QString &one) { return one.isEmpty() ? QJsonValue() : one; };
    const auto age = ageOf(judged.token);
    return {{u"token"_s, judged.token.id},
            {u"reach"_s, word(judged.reach)},
            {u"kind"_s, judged.reach == TokenReach::Garbage ? QJsonValue(u"K16"_s) : QJsonValue()},
            {u"attempt"_s, text(judged.token.attempt)},
            {u"incoming"_s, text(judged.token.incoming)},
            {u"made"_s, timeJson(judged.token.made)},
            {u"age_s"_s, age ? QJsonValue(*age) : QJsonValue()},
            {u"words"_s, judged.words}};
}

ExitCode showStatus(const TokenReport &report, const Printer &printer)
{
    QJsonObject json{{u"at"_s, utcText(QDateTime::currentDateTimeUtc())},
                     {u"tokens"_s, report.tokens.size()},
                     {u"exact"_s, !report.isCut},
                     {u"took_ms"_s, report.tookMs},
                     {u"notes"_s, QJsonArray::fromStringList(report.notes)}};
    QStringList words;
    for (const TokenReach reach : reaches) {
        const auto count = std::count_if(report.tokens.begin(), report.tokens.end(),
                                         [reach](const auto &one) { return one.reach == reach; });
        json[word(reach)] = qint64(count);
        words += QString(countText(count) + u' ' + word(reach));
    }
    if (printer.isJson())
        printer.object(json);
    else
        printer.line(u"%1 tokens: %2"_s.arg(countText(report.tokens.size()), words.join(u", "_s)));
    return ExitCode::Ok;
}

ExitCode showList(const TokenReport &report, const QString &reach, const Printer &printer)
{
    qsizetype shown = 0;
    for (const JudgedToken &judged : report.tokens) {
        if (!reach.isEmpty() && word(judged.reach) != reach)
            continue;
        ++shown;
        const auto age = ageOf(judged.token);
        if (printer.isJson()) {
            printer.object(jsonOf(judged));
        } else {
            printer.line(u"%1  %2  %3  %4"_s.arg(plainText(judged.token.id), word(judged.reach),
                                                 age ? spanText(*age) : u"-"_s,
                                                 plainText(judged.words)));
        }
    }
    return shown == 0 ? ExitCode::NothingMatched : ExitCode::Ok;
}

Result<TokenReport> reportOn(const DesignPlace &place)
{
    return lookAtDesign(place, [&place](DocumentStores &stores) -> Result<TokenReport> {
        AsynqInspector queues;
        if (place.lookRedis) {
            TRY(queues.open(*place.lookRedis, place.sessionName));
        }
        return scanTokens(stores, place.lookRedis ? &queues : nullptr, mostTokens);
    });
}

void addTokensOptions(QCommandLineParser &parser)
{
    parser.addPositionalArgument(u"WHAT"_s, u"status, list or force (a second execution)."_s);
    parser.addPositionalArgument(u"TOKEN"_s, u"force: the tokens to make again."_s, u"[TOKEN…]"_s);
    addDesignOptions(parser);
    parser.addOption({u"reach"_s,
                      u"list: only held, carried, attempt, losing, garbage or unknown ones."_s,
                      u"REACH"_s});
    addOperationOptions(parser);
    addSecondExecutionOption(parser);
}

Result<ExitCode> runTokensCommand(const QCommandLineParser &parser, const Target &target,
                                  const Printer &printer)
{
    const auto options = operationOptions(parser, documentTargetOf(parser, target));
    if (!options) {
        return options.error().kind == Error::Kind::Invalid ? printer.usage(options.error())
                                                            : printer.error(options.error());
    }
    const auto place = designPlaceOf(parser, target, options->acting, Design::Tokens);
    if (!place)
        return printer.usage(place.error());
    const QStringList arguments = parser.positionalArguments();
    const QString what = arguments.value(0);
    if (what == u"force" && arguments.size() > 1) {
        Selection selection;
        for (const QString &token : arguments.mid(1))
            selection.tasks += TaskId{token};
        return OperationRun(printer, *options)
            .run(plannedBy(makeForceExecution(*place), selection));
    }
    if ((what != u"status" && what != u"list") || arguments.size() != 1) {
        return printer.usage(u"one of status, list and force TOKEN is needed"_s,
                             u"See: outboxctl tokens --help"_s);
    }
    const auto report = TRY(reportOn(*place));
    for (const QString &note : report.notes)
        printer.note(note);
    return what == u"status" ? showStatus(report, printer)
                             : showList(report, parser.value(u"reach"_s), printer);
}

} // namespace

Command tokensCommand()
{
    return {.name = u"tokens"_s,
            .summary = u"Tokens of messages and what refers to them: status, list, force."_s,
            .addOptions = addTokensOptions,
            .run = runTokensCommand,
            .takesArguments = true};
}

} // namespace outbox
