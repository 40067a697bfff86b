// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/auditmodel.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation auditText("outbox::AuditModel");

QString whoTip(const Activity &one)
{
    return tipText(one.face.isEmpty() ? one.who : auditText("%1, with %2").arg(one.who, one.face));
}

QString whereWords(const Activity &one)
{
    return cellText(one.profile.isEmpty() ? one.target : one.profile);
}

QString outcomeTip(const Activity &one)
{
    QString tip = countsSentence(one.counts);
    if (!one.error.isEmpty())
        tip += (tip.isEmpty() ? QString() : u"\n"_s) + one.error;
    return tipText(tip);
}

QList<AuditModel::Column> activityColumns()
{
    using Column = AuditModel::Column;
    const Qt::Alignment left = Qt::AlignLeft;
    return {
        Column::ofMoment(auditText("When"), [](const Activity &one) { return one.at; }),
        Column(auditText("Who"), left, [](const Activity &one) { return cellText(one.who); })
            .withTip(whoTip),
        Column::ofText(auditText("What"), [](const Activity &one) { return activityTitle(one); }),
        Column(auditText("Where"), left, whereWords).withTip([](const Activity &one) {
            return tipText(one.target);
        }),
        Column(auditText("Count"), Qt::AlignRight,
               [](const Activity &one) {
                   return one.state == Activity::State::Noted ? QString() : countText(one.count);
               })
            .explained(auditText("Messages that it was about")),
        Column(auditText("Outcome"), left,
               [](const Activity &one) { return cellText(outcomeSentence(one)); })
            .withTip(outcomeTip)
            .withState([](const Activity &one) { return QVariant::fromValue(one.state); }),
        Column(auditText("Record"), left,
               [](const Activity &one) {
                   return one.mismatch.isEmpty() ? label(one.record)
                                                 : auditText("%1, differs").arg(label(one.record));
               })
            .withTip([](const Activity &one) {
                return tipText(one.mismatch.isEmpty() ? recordSentence(one.record) : one.mismatch);
            })
            .explained(auditText("Where it was read: in the file of this machine, in the table "
                                 "outbox_audit of the database, or in both")),
        Column::ofText(auditText("Note"), [](const Activity &one) { return one.note; }),
        Column(auditText("Operation"), left,
               [](const Activity &one) { return cellText(one.operation); })
            .explained(auditText("The id under which the record keeps it")),
    };
}

/// What stands for an activity: its id, or the moment of an entry that is no operation.
QString activityKey(const Activity &one)
{
    return one.operation.isEmpty() ? one.at.toString(Qt::ISODateWithMs) + one.who + one.what
                                   : one.operation;
}

AuditedItemsModel::Column itemColumn(const char *title, QString AuditedItem::*member)
{
    return AuditedItemsModel::Column(
               auditText(title), Qt::AlignLeft,
               [member](const AuditedItem &item) { return cellText(item.*member); })
        .withTip([member](const AuditedItem &item) { return tipText(item.*member); });
}

/// "done 1234" with its first word as people read it.
QString afterWords(const AuditedItem &item)
{
    if (item.after.isEmpty())
        return auditText("not known");
    const QString first = item.after.section(u' ', 0, 0);
    const auto outcome = outcomeFromWord(first);
    return cellText(outcome ? label(*outcome) + item.after.mid(first.size()) : item.after);
}

QList<AuditedItemsModel::Column> itemColumns()
{
    return {
        itemColumn(QT_TRANSLATE_NOOP("outbox::AuditModel", "Row"), &AuditedItem::row),
        itemColumn(QT_TRANSLATE_NOOP("outbox::AuditModel", "Task"), &AuditedItem::task),
        itemColumn(QT_TRANSLATE_NOOP("outbox::AuditModel", "Queue"), &AuditedItem::queue),
        itemColumn(QT_TRANSLATE_NOOP("outbox::AuditModel", "As it was seen"), &AuditedItem::before),
        AuditedItemsModel::Column(auditText("What became of it"), Qt::AlignLeft, afterWords)
            .withTip([](const AuditedItem &item) { return tipText(item.after); })};
}

} // namespace

AuditModel::AuditModel(QObject *parent) : KeyedTableModel(activityColumns(), activityKey, parent)
{ }

AuditedItemsModel::AuditedItemsModel(QObject *parent)
    : KeyedTableModel(
        itemColumns(),
        [](const AuditedItem &item) {
            return QString(item.row + u'\n' + item.task + u'\n' + item.queue);
        },
        parent)
{ }

QString activityTitle(const Activity &activity)
{
    if (!activity.verb)
        return activity.what;
    return activity.what.isEmpty() ? label(*activity.verb)
                                   : label(*activity.verb) + u", "_s + activity.what;
}

QString recordSentence(Activity::Record record)
{
    switch (record) {
    case Activity::Record::Database:
        return auditText(
            "In the table outbox_audit of the database; the file of this machine does not "
            "have it");
    case Activity::Record::Both:
        return auditText(
            "In the file of this machine and in the table outbox_audit of the database");
    case Activity::Record::Here:
        break;
    }
    return auditText("In the file of this machine");
}

QString countsSentence(const QMap<QString, qint64> &counts)
{
    QStringList parts;
    QStringList known;
    for (const Outcome outcome : allOutcomes()) {
        known += word(outcome);
        if (counts.contains(known.last()))
            parts += countText(counts.value(known.last())) + u' ' + label(outcome);
    }
    for (auto count = counts.cbegin(); count != counts.cend(); ++count) {
        if (!known.contains(count.key()))
            parts += countText(count.value()) + u' ' + count.key();
    }
    return parts.join(u", "_s);
}

QString outcomeSentence(const Activity &activity)
{
    using State = Activity::State;
    const QString counts = countsSentence(activity.counts);
    switch (activity.state) {
    case State::Done:
    case State::Partly:
    case State::Cancelled:
        return counts.isEmpty() ? label(activity.state) : counts;
    case State::Failed:
    case State::Refused: {
        const QString why = activity.error.isEmpty() ? counts : activity.error;
        return why.isEmpty() ? label(activity.state) : label(activity.state) + u": "_s + why;
    }
    case State::InDoubt: {
        const qint64 doubtful
            = qMax(qint64{activity.doubtful.size()}, activity.counts.value(word(Outcome::InDoubt)));
        return label(activity.state) + u": "_s
            + counted(doubtful, auditText("1 message"), auditText("%1 messages"));
    }
    case State::Running:
        return counts.isEmpty() ? label(activity.state)
                                : QString(label(activity.state) + u": "_s + counts);
    case State::Noted:
        return activity.error.isEmpty()
            ? (counts.isEmpty() ? label(activity.state) : counts)
            : QString(activity.error + (counts.isEmpty() ? QString() : u"; "_s + counts));
    case State::Undone:
    case State::RecordChanged:
        break;
    }
    return label(activity.state);
}

} // namespace outbox
