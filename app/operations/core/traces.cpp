// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/core/traces.h"

#include "models/utctext.h"

#include <QUrl>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString encoded(const QString &text)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(text, ":+"));
}

} // namespace

Trace Trace::of(const PlanItem &item)
{
    Trace trace;
    if (item.rowSeen) {
        trace.row = item.rowSeen->state;
        trace.version = item.rowSeen->version;
        trace.processed = item.rowSeen->processed;
        trace.processedText = item.rowSeen->processedText;
    }
    if (item.taskSeen) {
        trace.task = item.taskSeen->state;
        trace.stamp = item.taskSeen->stamp;
    }
    trace.intended = item.intended;
    return trace;
}

QString Trace::text() const
{
    QStringList words;
    if (row)
        words += QString(u"row="_s + word(*row));
    if (processed)
        words += QString(u"processed="_s + utcText(*processed));
    if (!processedText.isEmpty())
        words += QString(u"exactly="_s + encoded(processedText));
    if (task)
        words += QString(u"task="_s + word(*task));
    if (!stamp.isEmpty())
        words += QString(u"stamp="_s + QString::fromLatin1(stamp));
    if (!intended.isEmpty())
        words += QString(u"intended="_s + intended);
    if (!version.isEmpty())
        words += QString(u"version="_s + version);
    return words.join(u' ');
}

Trace Trace::fromText(const QString &text)
{
    Trace trace;
    QString rest = text;
    while (!rest.isEmpty()) {
        if (rest.startsWith("version="_L1)) {
            trace.version = rest.mid(8);
            break;
        }
        const QString one = rest.section(u' ', 0, 0);
        rest = rest.section(u' ', 1);
        const QString value = one.section(u'=', 1);
        if (one.startsWith("row="_L1))
            trace.row = messageStateFromWord(value);
        else if (one.startsWith("processed="_L1))
            trace.processed = QDateTime::fromString(value, Qt::ISODateWithMs);
        else if (one.startsWith("exactly="_L1))
            trace.processedText = QUrl::fromPercentEncoding(value.toLatin1());
        else if (one.startsWith("task="_L1))
            trace.task = taskStateFromWord(value);
        else if (one.startsWith("stamp="_L1))
            trace.stamp = value.toLatin1();
        else if (one.startsWith("intended="_L1))
            trace.intended = value;
    }
    return trace;
}

QString taskAfter(TaskState state, const QByteArray &stamp)
{
    const QString text = word(state);
    return stamp.isEmpty() ? text : QString(text + u' ' + QString::fromLatin1(stamp));
}

Judgement movedTask(const TaskSeen &now)
{
    const bool isPending = now.state == TaskState::Pending;
    return {Outcome::Done, {}, isPending ? taskAfter(now.state, now.stamp) : QString()};
}

AuditedItem auditedBefore(const PlanItem &item)
{
    return {item.row.text, item.task.text, item.queue.text, Trace::of(item).text(), {}};
}

AuditedItem auditedAfter(const ReceiptItem &item)
{
    const QString outcome = word(item.outcome);
    return {item.row.text,
            item.task.text,
            item.queue.text,
            {},
            item.after.isEmpty() ? outcome : QString(outcome + u' ' + item.after)};
}

std::optional<Outcome> outcomeOf(const AuditedItem &item)
{
    return outcomeFromWord(item.after.section(u' ', 0, 0));
}

bool wasTrimmed(const AuditedItem &item)
{
    return Trace::fromText(item.before).task == TaskState::Archived;
}

QString afterOf(const AuditedItem &item)
{
    return item.after.section(u' ', 1);
}

} // namespace outbox
