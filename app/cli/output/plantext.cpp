// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/plantext.h"

#include "app/cli/output/printer.h"
#include "models/operations/commandline.h"
#include "models/operations/consent.h"
#include "models/operations/finding.h"
#include "models/operations/planwords.h"
#include "models/operations/verbdescriptor.h"
#include "models/phrases.h"
#include "models/plaintext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostShown = 20;

QString subjectOf(const QString &row, const QString &task, const QString &queue)
{
    if (!row.isEmpty())
        return plainText(row);
    return plainText(task.isEmpty() ? queue : task);
}

QStringList countLines(const Plan &plan)
{
    QStringList lines;
    const auto counts = plan.counts();
    for (const Outcome outcome : allOutcomes()) {
        if (const qsizetype count = counts.value(outcome); count > 0)
            lines += u"  "_s + countText(count).rightJustified(9) + u"  "_s
                + expectationWords(plan.verb, outcome);
    }
    return lines;
}

/// How many of each kind of inconsistency were found, and how many of them will be repaired.
QString kindTable(const Plan &plan)
{
    QList<QStringList> table{{u"  KIND"_s, u"FOUND"_s, u"REPAIRED"_s, u"WHAT"_s}};
    const auto counts = findingCounts(plan);
    for (auto count = counts.cbegin(); count != counts.cend(); ++count) {
        table += QStringList{u"  "_s + word(count.key()), countText(count->first),
                             countText(count->second), plainText(textOf(count.key()).title)};
    }
    return tableText(table);
}

QString indented(const QString &text)
{
    return u"  "_s + QString(text).replace(u'\n', u"\n  "_s);
}

/// A head and its texts, each plain and on lines of its own.
void addBlock(QStringList &lines, const QString &head, const QStringList &texts)
{
    if (texts.isEmpty())
        return;
    lines += head;
    for (const QString &text : texts)
        lines += indented(plainText(text, Lines::Many));
}

/// What an edit changes, a line each: where a line is long, and where there are many, no more than
/// a person reads.
void addDifference(QStringList &lines, const QString &difference)
{
    constexpr qsizetype mostLines = 400;
    constexpr qsizetype mostOfLine = 2000;
    const QStringList all = difference.split(u'\n');
    lines += u"Changes:"_s;
    for (const QString &line : all.first(std::min(mostLines, all.size()))) {
        const bool isLong = line.size() > mostOfLine;
        lines += u"  "_s + plainText(isLong ? QString(line.first(mostOfLine) + u'…') : line);
    }
    if (all.size() > mostLines)
        lines += u"  … and %1 more lines (--json has all)"_s.arg(countText(all.size() - mostLines));
}

void addMore(QStringList &lines, qsizetype all)
{
    if (all > mostShown)
        lines += u"  … and %1 more (--json lists all)"_s.arg(countText(all - mostShown));
}

QString sentenceOf(const Plan &plan)
{
    const QString what
        = plan.selection.isEmpty() ? label(plan.verb) : label(plan.verb) + u", "_s + plan.selection;
    const QString nothing
        = plan.unread ? u"Nothing was found in what could be read."_s : u"Nothing matches."_s;
    const QString sentence = plan.items.isEmpty() ? nothing : planSentence(plan);
    return plainText(what + u", in "_s + plan.target) + u'\n' + plainText(sentence);
}

QStringList warningLines(const Plan &plan)
{
    QStringList lines;
    for (const QString &warning : plan.warnings)
        lines += u"Warning: "_s + plainText(warning);
    return lines;
}

} // namespace

QMap<FindingKind, std::pair<qsizetype, qsizetype>> findingCounts(const Plan &plan)
{
    QMap<FindingKind, std::pair<qsizetype, qsizetype>> counts;
    for (const PlanItem &item : plan.items) {
        if (!item.kind)
            continue;
        auto &[found, repaired] = counts[*item.kind];
        ++found;
        repaired += item.isActedOn() ? 1 : 0;
    }
    return counts;
}

QString optionsFor(const Plan &plan)
{
    QString options = u"--yes"_s;
    if (plan.counts().contains(Outcome::SecondExecution))
        options += u" --allow-second-execution"_s;
    if (plan.trimmed > 0)
        options += u" --trim"_s;
    if (plan.environment == Environment::Production
        && confirmationFor(plan) == Confirmation::Typed) {
        options += u" --confirm "_s + plainText(shellWord(textToType(plan)));
    }
    return options;
}

QString toText(const Plan &plan)
{
    QStringList lines{sentenceOf(plan)};
    if (plan.items.isEmpty())
        return (lines + warningLines(plan)).join(u'\n');
    lines += countLines(plan);

    const bool ofKinds = descriptorOf(plan.verb).subject == VerbSubject::Finding;
    if (ofKinds)
        lines += kindTable(plan);
    QStringList heading{u"  ID"_s, u"SEEN"_s, u"EXPECTED"_s, u"REASON"_s};
    if (ofKinds)
        heading.insert(1, u"KIND"_s);
    QList<QStringList> table{heading};
    for (const PlanItem &item : plan.items.first(std::min(mostShown, plan.items.size()))) {
        QStringList row{u"  "_s + subjectOf(item.row.text, item.task.text, item.queue.text),
                        plainText(seenWords(item, plan.at)),
                        expectationWords(plan.verb, item.expected),
                        plainText(clipped(item.reason, 400))};
        if (ofKinds)
            row.insert(1, word(item.kind));
        table += row;
    }
    lines += tableText(table);
    addMore(lines, plan.items.size());

    addBlock(lines, u"SQL that will run:"_s, plan.statements);
    addBlock(lines, u"Redis commands that will run:"_s, plan.commands);
    if (!plan.difference.isEmpty())
        addDifference(lines, plan.difference);
    if (plan.exportsFirst) {
        lines += descriptorOf(plan.verb).change == RowChange::Edit
            ? u"What the row holds is written to a file before."_s
            : u"Everything that is deleted is written to a file before."_s;
        if (plan.hasMasks)
            lines += u"The file holds payloads whole, without masks: undo needs them."_s;
    }
    lines += warningLines(plan);
    if (!plan.undo.isEmpty())
        lines += u"Undo: "_s + plainText(plan.undo);
    return lines.join(u'\n');
}

QString toText(const Plan &plan, const Receipt &receipt)
{
    QStringList lines{receiptSentence(plan, receipt)
                      + (receipt.cancelled ? u" (cancelled)"_s : QString())};
    QList<QStringList> table{{u"  ID"_s, u"OUTCOME"_s, u"REASON"_s}};
    qsizetype others = 0;
    for (const ReceiptItem &item : receipt.items) {
        if (item.outcome == Outcome::Done || ++others > mostShown)
            continue;
        table += QStringList{u"  "_s + subjectOf(item.row.text, item.task.text, item.queue.text),
                             outcomeWords(receipt.verb, item.outcome),
                             plainText(clipped(item.reason, 400))};
    }
    if (others > 0)
        lines += tableText(table);
    addMore(lines, others);
    if (!receipt.exportFile.isEmpty())
        lines += u"Export: "_s + plainText(receipt.exportFile);
    if (receipt.undoable)
        lines += u"Undo: outboxctl audit --undo "_s + receipt.operation;
    return lines.join(u'\n');
}

QString toText(const Activity &activity)
{
    const QString verb = activity.verb ? label(*activity.verb) : plainText(activity.what);
    QStringList lines{u"%1 %2, %3 by %4 (%5)"_s.arg(
        verb, label(activity.state), activity.at.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s),
        plainText(activity.who), plainText(activity.face))};
    const QList<std::pair<QString, QString>> facts{{u"operation"_s, activity.operation},
                                                   {u"system"_s, activity.target},
                                                   {u"profile"_s, activity.profile},
                                                   {u"selection"_s, activity.what},
                                                   {u"note"_s, activity.note},
                                                   {u"export"_s, activity.exportFile},
                                                   {u"undoes"_s, activity.undoOf},
                                                   {u"error"_s, activity.error},
                                                   {u"record"_s, label(activity.record)},
                                                   {u"differs"_s, activity.mismatch}};
    for (const auto &[name, text] : facts) {
        if (!text.isEmpty())
            lines += u"  "_s + name.leftJustified(12) + plainText(text);
    }
    for (auto count = activity.counts.cbegin(); count != activity.counts.cend(); ++count) {
        const auto outcome = outcomeFromWord(count.key());
        lines += u"  "_s + countText(count.value()).rightJustified(9) + u"  "_s
            + (outcome ? label(*outcome) : plainText(count.key()));
    }
    QList<QStringList> table{{u"  ID"_s, u"BEFORE"_s, u"AFTER"_s}};
    for (const AuditedItem &item :
         activity.items.first(std::min(mostShown, activity.items.size()))) {
        table += QStringList{u"  "_s + subjectOf(item.row, item.task, item.queue),
                             plainText(item.before),
                             item.after.isEmpty() ? u"in doubt"_s : plainText(item.after)};
    }
    if (table.size() > 1)
        lines += tableText(table);
    addMore(lines, activity.items.size());
    addBlock(lines, u"Statements:"_s, activity.statements);
    return lines.join(u'\n');
}

} // namespace outbox
