// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `probe`: which tables look like an outbox, with which shape, how sure, and why.
#include "app/cli/commands/command.h"

#include "app/cli/run/await.h"
#include "app/settings/opening.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "connectors/sql/probe/zoneprobe.h"
#include "models/plaintext.h"
#include "models/shape/catalog.h"

#include <QCommandLineParser>
#include <QJsonArray>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QJsonObject findingJson(const ProbeFinding &finding)
{
    QJsonObject found;
    for (auto reason = finding.reasons.begin(); reason != finding.reasons.end(); ++reason) {
        found[reason.key()]
            = QJsonObject{{u"reasons"_s, QJsonArray::fromStringList(reason.value())}};
    }
    return {{u"table"_s, finding.shape.table.text()},
            {u"score"_s, finding.score},
            {u"confidence"_s, finding.confidence},
            {u"family"_s,
             finding.shape.family.isEmpty() ? QJsonValue() : QJsonValue(finding.shape.family)},
            {u"shape"_s, finding.shape.toJson()},
            {u"found"_s, found},
            {u"questions"_s, QJsonArray::fromStringList(finding.questions)}};
}

void printForPeople(const ProbeFinding &finding, const Printer &printer)
{
    printer.line(u"%1  %2, %3 % sure, %4 points"_s.arg(
        plainText(finding.shape.table.text()),
        finding.shape.family.isEmpty() ? u"no known family"_s : plainText(finding.shape.family),
        QString::number(qRound(finding.confidence * 100)), QString::number(finding.score)));
    for (const QStringList &sentences : finding.reasons) {
        for (const QString &sentence : sentences)
            printer.line(u"  - "_s + plainText(sentence));
    }
    for (const QString &question : finding.questions)
        printer.line(u"  ? "_s + plainText(question));
}

Result<ExitCode> runProbeCommand(const QCommandLineParser &parser, const Target &target,
                                 const Printer &printer)
{
    const auto settings = TRY(
        storeSettingsOf(target.profile, target.secrets, StoreAccess::ReadOnly, u"outboxctl"_s));
    std::optional<TableName> table;
    if (parser.isSet(u"table"_s))
        table = TableName::fromText(target.profile.table);
    Room<OutboxStore> room(u"reader"_s);
    const auto probe = [settings, table](OutboxStore &store) -> Result<QList<ProbeFinding>> {
        TRY(store.open(settings));
        return store.probe(table);
    };
    const auto findings = TRY(await(room, probe));
    for (ProbeFinding finding : findings) {
        if (const QString &zone = target.profile.timeZone; !zone.isEmpty()) {
            finding.shape.setTimeZone(zone);
            finding.reasons[u"times"_s]
                = {u"Times without zone are those of %1, as said."_s.arg(zone)};
            finding.questions.removeIf(
                [](const QString &question) { return question.startsWith(zoneQuestion); });
        }
        if (printer.isJson())
            printer.object(findingJson(finding));
        else
            printForPeople(finding, printer);
    }
    if (!findings.isEmpty())
        return ExitCode::Ok;
    printer.note(u"No table here looks like an outbox."_s);
    return ExitCode::NothingMatched;
}

} // namespace

Command probeCommand()
{
    return {.name = u"probe"_s,
            .summary = u"Which tables look like an outbox, with which shape, and why."_s,
            .run = runProbeCommand};
}

} // namespace outbox
