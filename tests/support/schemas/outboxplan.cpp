// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/schemas/outboxplan.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Processed = OutboxShape::ProcessedHow;
using Locked = OutboxShape::LockedHow;
using Failed = OutboxShape::FailedHow;

} // namespace

bool OutboxPlan::isHeldOut() const
{
    const bool isEpoch = times == TimeForm::Seconds || times == TimeForm::Milliseconds;
    return (processed == Processed::Flag && locked == Locked::Owner)
        || (processed == Processed::Deleted && failed == Failed::Attempts)
        || (hasStatus() && status == Status::Letters && hasDue)
        || (hasStatus() && key == Key::Several) || (isEpoch && locked == Locked::Until)
        || (hasStatus() && status == Status::Enum && locked == Locked::Until);
}

QString OutboxPlan::text() const
{
    static const QStringList statuses{u"words"_s, u"enum"_s, u"numbers"_s, u"letters"_s};
    static const QStringList flags{u"boolean"_s, u"number"_s, u"yes/no"_s};
    static const QStringList spreads{u"most processed"_s, u"none processed"_s, u"backlog"_s,
                                     u"empty"_s,          u"few rows"_s,       u"many types"_s,
                                     u"old only"_s};
    static const QStringList times_{u"zoned"_s, u"plain"_s, u"seconds"_s, u"milliseconds"_s};
    QStringList parts;
    switch (processed) {
    case Processed::Deleted:
        parts += u"deleted"_s;
        break;
    case Processed::Flag:
        parts += u"flag "_s + flags.at(static_cast<int>(flag));
        break;
    case Processed::Status:
        parts += u"status "_s + statuses.at(static_cast<int>(status))
            + (hasSentTime ? u"+time"_s : QString()) + (isExplained ? u"+comment"_s : QString())
            + (isListed ? u"+check"_s : QString());
        break;
    default:
        parts += u"time"_s;
    }
    switch (locked) {
    case Locked::Until:
        parts += u"lease until"_s;
        break;
    case Locked::Owner:
        parts += u"lock owner"_s;
        break;
    case Locked::Status:
        parts += u"lock status"_s;
        break;
    default:
        break;
    }
    switch (failed) {
    case Failed::Time:
        parts += u"failed time"_s;
        break;
    case Failed::Flag:
        parts += u"failed flag"_s;
        break;
    case Failed::Status:
        parts += u"failed status"_s;
        break;
    case Failed::Attempts:
        parts += u"failed attempts"_s;
        break;
    default:
        break;
    }
    if (hasDue)
        parts += hasWaitingValue ? u"due and status"_s : u"due"_s;
    if (hasDeadLetters)
        parts += u"dead letters"_s;
    parts += times_.at(static_cast<int>(times));
    parts += spreads.at(static_cast<int>(spread));
    return parts.join(u", "_s);
}

OutboxPlan anyPlan(Dice &dice)
{
    OutboxPlan plan;
    plan.key = static_cast<OutboxPlan::Key>(dice.weighted({40, 42, 10, 8}));
    plan.times = static_cast<TimeForm>(dice.weighted({42, 38, 8, 12}));
    static const QList<Processed> ways{Processed::Deleted, Processed::Time, Processed::Flag,
                                       Processed::Status};
    plan.processed = ways.at(dice.weighted({16, 34, 14, 36}));
    plan.status = static_cast<OutboxPlan::Status>(dice.weighted({58, 14, 20, 8}));
    plan.flag = static_cast<OutboxPlan::FlagIs>(dice.weighted({76, 14, 10}));
    plan.spread = static_cast<OutboxPlan::Spread>(dice.weighted({26, 12, 24, 6, 12, 12, 8}));
    if (plan.processed == Processed::Status) {
        plan.hasSentTime = dice.chance(55);
        plan.mayStatusBeNull = dice.chance(14);
        plan.hasDefault = dice.chance(50);
        plan.isListed = plan.status == OutboxPlan::Status::Words && dice.chance(22);
        plan.isExplained = plan.status == OutboxPlan::Status::Numbers && dice.chance(30);
        static const QList<Locked> locks{Locked::Status, Locked::None, Locked::Until,
                                         Locked::Owner};
        plan.locked = locks.at(dice.weighted({45, 32, 13, 10}));
        static const QList<Failed> failures{Failed::Status, Failed::None, Failed::Attempts};
        plan.failed = failures.at(dice.weighted({75, 20, 5}));
    } else {
        plan.hasSentTime = plan.processed == Processed::Flag && dice.chance(45);
        static const QList<Locked> locks{Locked::None, Locked::Until, Locked::Owner};
        plan.locked = locks.at(dice.weighted({55, 27, 18}));
        static const QList<Failed> failures{Failed::None, Failed::Time, Failed::Flag,
                                            Failed::Attempts};
        plan.failed = failures.at(dice.weighted({46, 18, 14, 22}));
    }
    if (plan.locked == Locked::Until) {
        plan.hasLockOwner = dice.chance(55);
        plan.leavesLease = dice.chance(30);
    } else if (plan.locked == Locked::Owner) {
        plan.hasLockOwner = dice.chance(88);
        plan.hasLockTime = !plan.hasLockOwner || dice.chance(80);
    } else if (plan.locked == Locked::Status) {
        plan.hasLockOwner = dice.chance(25);
        plan.hasLockTime = dice.chance(30);
    }
    plan.hasDue = dice.chance(35);
    plan.mayDueBeNull = dice.chance(45);
    plan.hasWaitingValue = plan.hasDue && plan.hasStatus() && dice.chance(30);
    plan.hasAttempts = plan.failed == Failed::Attempts || dice.chance(45);
    plan.hasMaxAttempts = plan.failed == Failed::Attempts
        || (plan.hasAttempts && plan.failed != Failed::None && dice.chance(12));
    plan.hasError = dice.chance(plan.failed == Failed::None ? 18 : 55);
    plan.hasCreated = dice.chance(90);
    plan.hasHeaders = dice.chance(32);
    plan.typeStyle = dice.weighted({45, 20, 12, 13, 10});
    static const QStringList extras{
        u"tenant"_s,        u"region"_s,        u"version"_s,      u"contentType"_s,
        u"priority"_s,      u"retention"_s,     u"traceparent"_s,  u"tracestate"_s,
        u"correlation"_s,   u"aggregateType"_s, u"aggregateId"_s,  u"updated"_s,
        u"lastAttempt"_s,   u"sentBy"_s,        u"businessFlag"_s, u"counter"_s,
        u"businessState"_s, u"producer"_s,      u"topic"_s,        u"messageUid"_s};
    static const QStringList rare{u"businessFlag"_s, u"counter"_s, u"businessState"_s};
    for (const QString &extra : extras) {
        if (dice.chance(rare.contains(extra) ? 7 : 16))
            plan.extras += extra;
    }
    if (plan.processed == Processed::Deleted)
        plan.extras.removeAll(u"sentBy"_s);
    if (plan.key == OutboxPlan::Key::Several)
        plan.extras.removeAll(u"aggregateId"_s);
    plan.hasDeadLetters = plan.failed == Failed::None && dice.chance(15);
    return plan;
}

namespace {

QString styled(const QString &words, int style)
{
    QString text = words;
    text.replace(u' ', u'_');
    if (style == 0)
        return text.toUpper();
    if (style == 1)
        return text;
    QStringList parts = words.split(u' ');
    for (QString &part : parts)
        part[0] = part.at(0).toUpper();
    return parts.join(QString());
}

} // namespace

OutboxPlan drawnPlan(Dice &dice, bool isHeldOut)
{
    OutboxPlan plan = anyPlan(dice);
    while (!isHeldOut && plan.isHeldOut())
        plan = anyPlan(dice);
    return plan;
}

StatusValues statusValues(const OutboxPlan &plan, const Corpus &corpus,
                          const Vocabulary &vocabulary, Dice &dice, QString *explained)
{
    static const QMap<MessageState, QString> roles{{MessageState::Pending, u"new"_s},
                                                   {MessageState::Locked, u"busy"_s},
                                                   {MessageState::Processed, u"sent"_s},
                                                   {MessageState::Failed, u"failed"_s},
                                                   {MessageState::Waiting, u"waiting"_s}};
    QMap<MessageState, QString> words;
    for (auto role = roles.begin(); role != roles.end(); ++role) {
        QString word = vocabulary.one(role.value(), dice);
        for (int tries = 0; words.values().contains(word) && tries < 20; ++tries)
            word = vocabulary.one(role.value(), dice);
        words[role.key()] = word;
    }
    if (plan.locked != Locked::Status)
        words.remove(MessageState::Locked);
    if (plan.failed != Failed::Status)
        words.remove(MessageState::Failed);
    if (!plan.hasWaitingValue)
        words.remove(MessageState::Waiting);
    const bool isLetters = plan.status == OutboxPlan::Status::Letters;
    if (!isLetters && plan.status != OutboxPlan::Status::Numbers) {
        const int style = dice.below(3);
        for (QString &word : words)
            word = styled(word, style);
        return words;
    }
    // pending, locked, processed, failed, waiting
    static const QList<QStringList> numbers{{u"0"_s, u"1"_s, u"2"_s, u"3"_s, u"4"_s},
                                            {u"0"_s, u"3"_s, u"1"_s, u"2"_s, u"4"_s},
                                            {u"1"_s, u"2"_s, u"3"_s, u"4"_s, u"5"_s}};
    static const QList<QStringList> otherNumbers{{u"10"_s, u"20"_s, u"30"_s, u"90"_s, u"15"_s},
                                                 {u"0"_s, u"1"_s, u"2"_s, u"9"_s, u"5"_s},
                                                 {u"0"_s, u"2"_s, u"1"_s, u"-1"_s, u"3"_s}};
    static const QList<QStringList> letters{{u"N"_s, u"P"_s, u"S"_s, u"F"_s, u"W"_s}};
    static const QList<QStringList> otherLetters{{u"O"_s, u"L"_s, u"D"_s, u"E"_s, u"R"_s},
                                                 {u"P"_s, u"B"_s, u"C"_s, u"X"_s, u"H"_s}};
    const QStringList &codes = isLetters ? dice.of(corpus.isHeldOut ? otherLetters : letters)
                                         : dice.of(corpus.isHeldOut ? otherNumbers : numbers);
    static const QList<MessageState> order{MessageState::Pending, MessageState::Locked,
                                           MessageState::Processed, MessageState::Failed,
                                           MessageState::Waiting};
    StatusValues values;
    QStringList sentences;
    for (qsizetype place = 0; place < order.size(); ++place) {
        if (!words.contains(order.at(place)))
            continue;
        values[order.at(place)] = codes.at(place);
        sentences += codes.at(place) + u": "_s + words.value(order.at(place));
    }
    *explained = sentences.join(u", "_s);
    return values;
}

} // namespace outbox
