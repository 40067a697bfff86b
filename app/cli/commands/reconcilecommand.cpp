// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `reconcile`: what is inconsistent between outbox and queue, and with --yes its repair.
#include "app/cli/commands/command.h"

#include "app/operations/reconcile/reconcile.h"
#include "models/operations/finding.h"
#include "models/phrases.h"

#include <QCommandLineParser>
#include <QStringList>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

void addReconcileOptions(QCommandLineParser &parser)
{
    parser.addPositionalArgument(u"ID"_s, u"Looks only at these rows or tasks."_s, u"[ID…]"_s);
    parser.addOptions({
        {u"ids-file"_s, u"A file with one id a line; - reads them from stdin."_s, u"FILE"_s},
        {u"kind"_s,
         u"Kinds of inconsistency, %1, one or several as in K2,K7 (all)."_s.arg(findingKindRange()),
         u"KIND"_s, u"all"_s},
        {u"budget"_s, u"Looks no longer than this; 0 = until all is looked at (0)."_s,
         u"DURATION"_s, u"0"_s},
        {u"lease-patience"_s, u"A lease is judged only when it stood so long (2m)."_s,
         u"DURATION"_s, u"2m"_s},
    });
    addSecondExecutionOption(parser);
}

Result<PlannedCommand> plannedReconcile(const QCommandLineParser &parser, const Target &target)
{
    Selection selection;
    const auto ids = TRY(selectedIds(parser));
    for (const QString &id : ids) {
        selection.rows += MessageId{id};
        selection.tasks += TaskId{id};
    }
    QList<FindingKind> kinds; // none: all of them
    if (const QString named = parser.value(u"kind"_s); named != u"all") {
        const QStringList words = named.split(u',');
        for (const QString &one : words) {
            const auto kind = findingKindFromWord(one.trimmed());
            if (!kind) {
                return fail(Error::Kind::Invalid, u"reading --kind"_s,
                            u"\"%1\" is no kind of inconsistency"_s.arg(one), {},
                            u"Name %1, or all"_s.arg(findingKindRange()));
            }
            kinds += *kind;
        }
    }
    selection.meant = kinds;
    if (parser.isSet(u"queue"_s))
        selection.queue.text = target.profile.queue;
    const auto budget = TRY(durationMs(parser.value(u"budget"_s), u"--budget"_s));
    const auto patience = TRY(durationMs(parser.value(u"lease-patience"_s), u"--lease-patience"_s));
    ScanOptions terms;
    terms.leasePatienceMs = patience;
    terms.waitsForLeases = true; // this look has no later one that could remember what stood wrong
    return PlannedCommand{[selection, terms, budgetMs = budget](OperatorSession &session,
                                                                const PlannedCommand::Tell &tell) {
                              const Reconcile reconcile(
                                  terms, budgetMs,
                                  [&tell](const QString &phase, qint64 looked, qsizetype suspects) {
                                      tell(u"%1: %2 looked at, %3 suspects"_s.arg(
                                          phase, countText(looked), countText(suspects)));
                                  },
                                  session.stop());
                              return reconcile.plan(session, selection);
                          },
                          nullptr};
}

} // namespace

Command reconcileCommand()
{
    return {.name = word(Verb::Reconcile),
            .summary = u"Finds what is inconsistent between outbox and queue, and repairs it."_s,
            .addOptions = addReconcileOptions,
            .planned = plannedReconcile};
}

} // namespace outbox
