// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/auditjoin.h"

#include "models/operations/verbdescriptor.h"
#include "models/phrases.h"
#include "models/translation.h"

#include <QHash>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// So far the clocks of this machine and of the database may be apart.
constexpr qint64 clocksApartSeconds = 300;

constexpr Translation auditJoinText("outbox::AuditJoin");

/// "done 1234" begins with the word of its outcome.
QString outcomeWord(const QString &after)
{
    const QString first = after.section(u' ', 0, 0);
    return outcomeFromWord(first) ? first : word(Outcome::Done);
}

/// Verbs that leave one line in the table for each row they changed, and change rows only.
bool recordsEachRow(const std::optional<Verb> &verb)
{
    if (!verb || descriptorOf(*verb).subject != VerbSubject::Row)
        return false;
    switch (descriptorOf(*verb).change) {
    case RowChange::Reopen:
    case RowChange::MarkProcessed:
    case RowChange::Remove:
    case RowChange::Release:
    case RowChange::Edit:
        return true;
    case RowChange::None:
    case RowChange::Hold:
    case RowChange::Insert:
        break;
    }
    return false;
}

Activity begunBy(const AuditRow &row, const QString &target)
{
    Activity one;
    one.operation = row.operation;
    one.at = row.at;
    one.who = row.actor;
    one.face = row.face;
    one.target = target;
    one.verb = verbFromWord(row.verb);
    one.what = row.note;
    if (!one.verb && one.what.isEmpty())
        one.what = row.verb;
    one.state = one.verb ? Activity::State::Done : Activity::State::Noted;
    one.record = Activity::Record::Database;
    return one;
}

/// "120 enqueued, 1 parked": what a relay had to say at its end; an error stands before.
void readEnd(Activity &one, const QString &text)
{
    QStringList others;
    for (const QString &part : text.split(u", "_s, Qt::SkipEmptyParts)) {
        bool isCount = false;
        const qint64 count = part.section(u' ', 0, 0).toLongLong(&isCount);
        if (isCount)
            one.counts.insert(part.section(u' ', 1), count);
        else
            others += part;
    }
    one.error = others.join(u", "_s);
}

void addRow(Activity &one, const AuditRow &row)
{
    one.at = std::min(one.at, row.at); // it began with the oldest
    if (!one.verb) {
        readEnd(one, row.after);
        return;
    }
    ++one.count;
    ++one.counts[outcomeWord(row.after)];
    if (!row.message.isEmpty())
        one.items += AuditedItem{row.message, {}, {}, row.before, row.after};
}

/// What the table says otherwise than the file.
QString mismatchOf(const Activity &file, const Activity &table, bool isCut)
{
    QStringList parts;
    if (file.who != table.who)
        parts += auditJoinText("this machine says that %1 did it, the database says %2")
                     .arg(file.who, table.who);
    if (file.verb != table.verb) {
        const auto words
            = [](const Activity &one) { return one.verb ? label(*one.verb) : one.what; };
        parts += auditJoinText("this machine calls it %1, the database %2")
                     .arg(words(file), words(table));
    }
    const qint64 done = file.counts.value(word(Outcome::Done));
    const bool isSettled
        = file.state != Activity::State::Running && file.state != Activity::State::InDoubt;
    if (recordsEachRow(file.verb) && isSettled && !isCut && done != table.count)
        parts += auditJoinText("this machine says that %1 rows were changed, the database has %2")
                     .arg(countText(done), countText(table.count));
    if (parts.isEmpty())
        return {};
    QString sentence = parts.join(u"; "_s) + u'.';
    sentence[0] = sentence.at(0).toUpper();
    return sentence;
}

} // namespace

QList<Activity> activitiesIn(const AuditPage &page, const QString &target)
{
    QList<Activity> told;
    QHash<QString, qsizetype> placeOf;
    for (const AuditRow &row : page.rows) {
        const auto known = placeOf.constFind(row.operation);
        if (known != placeOf.cend()) {
            addRow(told[*known], row);
            continue;
        }
        placeOf.insert(row.operation, told.size());
        told += begunBy(row, target);
        addRow(told.last(), row);
    }
    for (Activity &one : told)
        std::reverse(one.items.begin(), one.items.end()); // in the order they were written
    return told;
}

QList<Activity> joined(const QList<Activity> &here, const AuditPage &page, const QString &who,
                       const QString &target)
{
    if (page.rows.isEmpty())
        return here;
    QList<Activity> table = activitiesIn(page, target);
    // The oldest operation of a page may go on behind its end.
    const QString cut = page.isWhole ? QString() : page.rows.constLast().operation;
    QHash<QString, qsizetype> placeOf;
    for (qsizetype i = 0; i < table.size(); ++i)
        placeOf.insert(table.at(i).operation, i);
    QList<bool> isTaken(table.size(), false);
    QList<Activity> all;
    all.reserve(here.size() + table.size());
    for (Activity one : here) {
        const auto known
            = one.operation.isEmpty() ? placeOf.cend() : placeOf.constFind(one.operation);
        if (known != placeOf.cend()) {
            isTaken[*known] = true;
            one.record = Activity::Record::Both;
            one.mismatch = mismatchOf(one, table.at(*known), one.operation == cut);
        } else if (recordsEachRow(one.verb) && one.target == target
                   && one.counts.value(word(Outcome::Done)) > 0
                   && one.at > page.rows.constLast().at.addSecs(clocksApartSeconds)) {
            one.mismatch
                = auditJoinText("The table outbox_audit of the database does not have it.");
        }
        all += std::move(one);
    }
    for (qsizetype i = 0; i < table.size(); ++i) {
        if (isTaken.at(i))
            continue;
        Activity one = std::move(table[i]);
        if (one.who == who)
            one.mismatch
                = auditJoinText("The file of this machine does not have it, though it was done "
                                "by you from here.");
        else if (one.operation == cut)
            one.note = auditJoinText("The table has more of it than was read.");
        all += std::move(one);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Activity &a, const Activity &b) { return a.at > b.at; });
    return all;
}

} // namespace outbox
