// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/message/messagefacts.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/tables/outboxmodel.h"
#include "models/translation.h"

#include <QLocale>

#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation factText("outbox::Facts");

/// Collects lines; a value that is not there leaves no line behind.
class FactList
{
public:
    void add(const char *name, const QString &value)
    {
        if (!value.isEmpty())
            m_facts.append({factText(name), value, false, false});
    }
    void addFixed(const char *name, const QString &value)
    {
        if (!value.isEmpty())
            m_facts.append({factText(name), value, false, true});
    }
    void addTime(const char *name, const std::optional<QDateTime> &at)
    {
        if (at && at->isValid())
            m_facts.append({factText(name), exactTime(*at), false, false});
    }
    void addAlarm(const char *name, const QString &value, bool alarming)
    {
        m_facts.append({factText(name), value, alarming, false});
    }
    [[nodiscard]] const QList<Fact> &facts() const { return m_facts; }

private:
    QList<Fact> m_facts;
};

QString seconds(qint64 count)
{
    return count > 0 ? spanText(static_cast<double>(count)) : QString();
}

QString yesNo(bool yes)
{
    return yes ? factText("yes") : factText("no");
}

/// Where else the id was found, and where it could not be looked for.
QList<Fact> placeFacts(const IdVerdict &verdict)
{
    FactList lines;
    for (const Task &life : verdict.lives) {
        lines.add("Another life of the key",
                  factText("%1 in queue %2, as %3")
                      .arg(label(life.state), cellText(life.queue.text), cellText(life.id.text)));
    }
    QList<Fact> facts = lines.facts();
    for (const IdTrace &trace : verdict.traces) {
        const QString when = trace.at.isValid() ? u", "_s + exactTime(trace.at) : QString();
        facts.append({label(trace.place), QString(cellText(trace.text) + when), false, false});
    }
    for (const QString &gap : verdict.gaps)
        facts.append({factText("Not looked through"), cellText(gap), true, false});
    return facts;
}

} // namespace

QList<Fact> rowFacts(const Message &message)
{
    FactList lines;
    lines.addFixed("Id", message.id.text);
    lines.add("Type", message.type);
    lines.add("State", label(message.state));
    lines.addTime("Parked since", message.parkedSince);
    lines.addTime("Created", message.created);
    if (message.ageSeconds)
        lines.add("Age", spanText(*message.ageSeconds));
    lines.addTime("Processed", message.processed);
    if (message.attempts)
        lines.add("Attempts", countText(*message.attempts));
    if (message.lockedBy)
        lines.add("Locked by", holderWords(*message.lockedBy));
    lines.add("Queue", message.queue);
    lines.addFixed("Refers to", message.reference);
    lines.add("Payload",
              message.payloadBytes < 0 ? factText("the referenced row is gone")
                                       : bytesText(message.payloadBytes));
    if (!message.error.isEmpty())
        lines.addAlarm("Last error", message.error, true);
    lines.add("Note", message.note);
    return lines.facts();
}

QList<Fact> journeyFacts(const IdVerdict &verdict, const PayloadMasks &masks)
{
    FactList lines;
    lines.addFixed("Row", verdict.message.text);
    if (verdict.row) {
        lines.addTime("Created", verdict.row->created);
        lines.add("In the outbox", label(verdict.row->state));
        lines.addTime("Parked since", verdict.row->parkedSince);
        if (verdict.row->state == MessageState::Parked)
            lines.add("Parked because", verdict.row->note);
        if (verdict.row->lockedBy)
            lines.add("Held by", holderWords(*verdict.row->lockedBy));
        lines.addTime("Marked processed", verdict.row->processed);
    } else if (verdict.rowError) {
        lines.addAlarm("In the outbox", oneLine(*verdict.rowError), true);
    } else {
        lines.add("In the outbox", factText("no row"));
    }
    lines.addFixed("Task", verdict.queue.text + u" / "_s + verdict.taskId.text);
    if (verdict.taskError)
        lines.addAlarm("In the queue", oneLine(*verdict.taskError), true);
    else if (!verdict.task)
        lines.add("In the queue", factText("no task"));
    QList<Fact> facts = lines.facts();
    if (verdict.task) // the id stands above already
        facts += taskFacts(*verdict.task, masks).mid(1);
    facts += placeFacts(verdict);
    return facts;
}

QList<Fact> taskFacts(const Task &task, const PayloadMasks &masks)
{
    FactList lines;
    lines.addFixed("Task", task.id.text);
    lines.addAlarm("In the queue", label(task.state),
                   task.damaged || task.state == TaskState::Archived);
    lines.add("Note", task.note);
    if (!task.damaged) {
        lines.add("Type", task.type);
        lines.add("Retried", factText("%1 of %2").arg(task.retried).arg(task.maxRetry));
    }
    lines.addTime("Pending since", task.pendingSince);
    lines.addTime("Lease until", task.leaseUntil);
    lines.addTime("Next run", task.nextRun);
    lines.addTime("Last failed", task.lastFailed);
    if (!task.lastError.isEmpty())
        lines.addAlarm("Last error", task.lastError, true);
    lines.addTime("Dead since", task.archivedAt);
    lines.addTime("Done", task.completedAt);
    lines.addTime("Id kept until about", task.keptUntil);
    lines.add("Timeout", seconds(task.timeoutSeconds));
    lines.addTime("Deadline", task.deadline);
    lines.add("Group", cellText(task.group));
    lines.add("Unique lock", cellText(task.uniqueKey));
    QStringList headers;
    for (auto header = task.headers.cbegin(); header != task.headers.cend(); ++header)
        headers += header.key() + u": "_s + header.value();
    lines.add("Headers", cellText(headers.join(u", "_s)));
    lines.add("Retention", seconds(task.retentionSeconds));
    const ShownPayload result = masks.shown(task.result);
    const bool isSaid = !result.why().isEmpty();
    lines.add("Result", isSaid ? result.why() : cellText(QString::fromUtf8(result.bytes())));
    return lines.facts();
}

QList<Fact> redisFacts(const RedisFacts &facts)
{
    FactList lines;
    lines.add("Version", facts.version);
    lines.addAlarm("Role", facts.role, facts.role != u"master"_s);
    lines.addAlarm("Eviction policy", facts.maxMemoryPolicy,
                   facts.maxMemoryPolicy != u"noeviction"_s);
    const bool full = facts.maxMemory > 0 && facts.usedMemory > facts.maxMemory / 10 * 9;
    lines.addAlarm(
        "Memory",
        facts.maxMemory > 0
            ? factText("%1 of %2").arg(bytesText(facts.usedMemory), bytesText(facts.maxMemory))
            : factText("%1, no limit").arg(bytesText(facts.usedMemory)),
        full);
    lines.addAlarm("Append-only file",
                   facts.aofEnabled ? factText("on, last write %1").arg(facts.aofLastWriteStatus)
                                    : factText("off: a crash loses what was not saved"),
                   !facts.aofEnabled || facts.aofLastWriteStatus != u"ok"_s);
    lines.addAlarm("Last snapshot", facts.rdbLastSaveStatus, facts.rdbLastSaveStatus != u"ok"_s);
    lines.addAlarm("Loading", yesNo(facts.loading), facts.loading);
    lines.add("Replicas", countText(facts.connectedReplicas));
    lines.add("Clients", countText(facts.connectedClients));
    lines.add("Keys", countText(facts.dbSize));
    lines.addAlarm(
        "Clock",
        factText("%1 s against ours").arg(QLocale().toString(facts.clockOffsetSeconds, 'f', 2)),
        std::abs(facts.clockOffsetSeconds) > 2);
    lines.addFixed("Run id", facts.runId);
    return lines.facts();
}

} // namespace outbox
