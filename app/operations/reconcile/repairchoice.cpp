// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/reconcile/repairchoice.h"

#include "connectors/asynq/observe/taskread.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using asynq::TaskFacts;

namespace {

/// Held: the relay skips it, or sends it to another queue, so nothing brings back what is taken out
/// of the queue.
enum class Row { None, Pending, Held, Processed };

Row standingOf(const RepairTerms &terms)
{
    if (!terms.row)
        return Row::None;
    switch (terms.row->state) {
    case MessageState::Pending:
        return terms.goesElsewhere ? Row::Held : Row::Pending;
    case MessageState::Processed:
        return Row::Processed;
    default:
        return Row::Held;
    }
}

Finding findingWith(Repair repair, Outcome expected, const QString &reason)
{
    Finding finding;
    finding.repair = repair;
    finding.expected = expected;
    finding.reason = reason;
    return finding;
}

Finding done(Repair repair, const QString &reason)
{
    return findingWith(repair, Outcome::Done, reason);
}

Finding again(Repair repair, const QString &reason)
{
    return findingWith(repair, Outcome::SecondExecution,
                       reason + u" Its effect may have happened: it may happen a second time."_s);
}

Finding leave(const QString &reason, Outcome why = Outcome::NotOffered)
{
    return findingWith(Repair::None, why, reason);
}

/// The task is the mark that its message was sent, and nobody would send it again.
Finding heldByRow(const RepairTerms &terms)
{
    return leave(terms.goesElsewhere
                     ? u"Its row goes to another queue: the relay does not send it here again. "
                       "Decide about the row first."_s
                     : u"Its row is %1: the relay does not send it again. Decide about the row "
                       "first."_s.arg(label(terms.row->state).toLower()));
}

Finding forStub(const RepairTerms &terms)
{
    switch (standingOf(terms)) {
    case Row::Pending:
        return done(Repair::Drop, u"Removes the empty task; the relay sends the row anew."_s);
    case Row::Processed:
        return done(Repair::Drop,
                    u"Removes the empty task. The row is marked processed: look again (K8)."_s);
    case Row::Held:
        return heldByRow(terms);
    case Row::None:
        break;
    }
    return done(Repair::Drop, u"Removes the empty task. Without a row its message is lost."_s);
}

Finding forUndecodable(const RepairTerms &terms)
{
    switch (standingOf(terms)) {
    case Row::Pending:
        return done(Repair::Drop,
                    u"Exports its bytes and removes the task; the relay sends the row anew."_s);
    case Row::Held:
        return heldByRow(terms);
    case Row::Processed:
    case Row::None:
        break;
    }
    return done(Repair::Drop, u"Exports its bytes and removes the task."_s);
}

Finding forMember(const RepairTerms &terms)
{
    return done(Repair::Drop,
                standingOf(terms) == Row::Processed
                    ? u"Takes the id off the lists. The row is marked processed: look again (K8)."_s
                    : u"Takes the id off the lists."_s);
}

Finding forOrphan(FindingKind kind, const TaskFacts &facts, const RepairTerms &terms)
{
    const bool replaceable = standingOf(terms) == Row::Pending && terms.isSameMessage;
    if (replaceable) {
        const QString reason
            = u"Exports and removes the task; the relay sends its row, which holds the same "
              "message."_s;
        return facts.state == "active" ? again(Repair::Drop, reason) : done(Repair::Drop, reason);
    }
    if (kind == FindingKind::TrimmedOrphan && standingOf(terms) == Row::None)
        return done(Repair::Drop, u"Exports and removes the task, which frees its id."_s);
    if (!terms.archiveHasRoom)
        return leave(u"It belongs in the archive, which is full: delete old tasks there first."_s);
    return done(Repair::Reattach,
                u"Puts the task into the archive, where nothing runs by itself."_s);
}

Finding forTwoContainers(const TaskFacts &facts)
{
    const auto groups
        = std::count_if(facts.places.begin(), facts.places.end(), [](const asynq::Place &place) {
              return place.state == TaskState::Aggregating;
          });
    if (groups > 1)
        return leave(u"It stands in several groups: which one counts is not known."_s);
    const auto stated = asynq::stateFromHash(facts.state);
    if (!stated || !facts.place(*stated))
        return leave(u"Its state names none of its lists: which one counts is not known."_s);
    return done(
        Repair::RestoreStatus,
        u"Keeps it in %1 and takes it out of the rest."_s.arg(QString::fromLatin1(facts.state)));
}

Finding forState(const TaskFacts &facts)
{
    const TaskState place = facts.places.first().state;
    if (place == TaskState::Aggregating && facts.group.isEmpty())
        return leave(u"It stands in a group, but its hash names none."_s);
    return done(Repair::Settle, u"Writes \"%1\" into its state."_s.arg(word(place)));
}

Finding forActive(FindingKind kind, const RepairTerms &terms)
{
    if (terms.runsNow)
        return leave(u"A live worker says that it runs it: wait."_s, Outcome::InFlight);
    if (kind == FindingKind::LeaseNobodyRecovers && terms.isServed) {
        return leave(u"A server serves the queue and should recover it: look for messages that "
                     "stop its recoverer (K18)."_s);
    }
    return again(Repair::Requeue, u"Moves it from active to pending."_s);
}

Finding forExpired(const RepairTerms &terms)
{
    if (standingOf(terms) == Row::Held)
        return leave(u"Its row is not processed: without the task it could be sent again."_s);
    if (standingOf(terms) == Row::Pending)
        return leave(u"Its row is pending: without the task it would be sent again. Let the relay "
                     "run first."_s);
    return done(Repair::Drop, u"Exports and removes the task, which frees its id."_s);
}

/// What may take a message away, or let it run, needs to know about the row.
bool dependsOnRow(FindingKind kind)
{
    switch (kind) {
    case FindingKind::StubHash:
    case FindingKind::OrphanHash:
    case FindingKind::TrimmedOrphan:
    case FindingKind::Undecodable:
    case FindingKind::ExpiredNotPurged:
        return true;
    default:
        return false;
    }
}

} // namespace

Finding repairFor(FindingKind kind, const TaskFacts &facts, const RepairTerms &terms)
{
    if (kind == FindingKind::WrongType)
        return leave(u"Foreign data is never touched: keep it with DUMP, then rename the key."_s);
    if (QString::fromUtf8(facts.id).toUtf8() != facts.id)
        return leave(u"Its id is no UTF-8, so it cannot be named safely."_s);
    if (facts.messageBytes > 0 && facts.digest.isEmpty())
        return leave(u"Its message is too large to be looked at."_s);
    if (terms.row && terms.row->state == MessageState::Locked)
        return leave(u"A session holds its row."_s, Outcome::Claimed);
    if (!terms.rowsRead && dependsOnRow(kind))
        return leave(u"Whether it has a row was not looked at."_s, Outcome::Unknown);
    switch (kind) {
    case FindingKind::StubHash:
        return forStub(terms);
    case FindingKind::MemberWithoutHash:
        return forMember(terms);
    case FindingKind::ActiveWithoutLease:
    case FindingKind::LeaseNobodyRecovers:
        return forActive(kind, terms);
    case FindingKind::LeaseWithoutActive:
        return done(Repair::ClearLease, u"Removes the lease; the task stays where it is."_s);
    case FindingKind::StateDiffers:
        return forState(facts);
    case FindingKind::TwoContainers:
        return forTwoContainers(facts);
    case FindingKind::OrphanHash:
    case FindingKind::TrimmedOrphan:
        return forOrphan(kind, facts, terms);
    case FindingKind::Undecodable:
        return forUndecodable(terms);
    case FindingKind::ExpiredNotPurged:
        return forExpired(terms);
    default:
        break;
    }
    return leave(u"This kind is not repaired in the queue."_s);
}

} // namespace outbox
