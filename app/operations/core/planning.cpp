// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/core/planning.h"

#include "models/operations/verbdescriptor.h"
#include "models/phrases.h"

#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<Plan> newPlan(OperatorSession &session, Verb verb, const Selection &selection)
{
    const bool onQueue = descriptorOf(verb).subject == VerbSubject::Queue;
    if (selection.isEmpty() && !onQueue) {
        return fail(Error::Kind::Invalid, u"planning: "_s + label(verb), u"nothing was selected"_s,
                    {}, u"Name ids, or a filter"_s);
    }
    Plan plan;
    plan.operation = QUuid::createUuid().toString(QUuid::WithoutBraces);
    plan.verb = verb;
    plan.profile = session.profile().name;
    plan.environment = session.profile().environment;
    plan.target = session.target();
    plan.hasMasks = !session.profile().masks.isEmpty();
    plan.at = QDateTime::currentDateTimeUtc();
    plan.selection = selectionText(verb, selection);
    return plan;
}

void leaveAlone(PlanItem &item, Outcome outcome, const QString &reason)
{
    if (!item.isActedOn())
        return;
    item.expected = outcome;
    item.reason = reason;
}

void addReason(PlanItem &item, const QString &reason)
{
    item.reason += (item.reason.isEmpty() ? QString() : u". "_s) + reason;
}

QString selectionText(Verb verb, const Selection &selection)
{
    const auto counted = [](qsizetype count, const QString &one, const QString &many) {
        return count == 1 ? QString(u"1 "_s + one) : QString(countText(count) + u' ' + many);
    };
    if (selection.edit && selection.rows.size() == 1)
        return u"row %1"_s.arg(selection.rows.first().text);
    if (selection.edit && selection.tasks.size() == 1) {
        return u"task %1 of the queue %2"_s.arg(selection.tasks.first().text, selection.queue.text);
    }
    if (selection.newTask)
        return u"a new task of type %1"_s.arg(selection.newTask->request.type);
    if (!selection.file.isEmpty())
        return u"what %1 holds"_s.arg(selection.file);
    if (!selection.rows.isEmpty())
        return counted(selection.rows.size(), u"row"_s, u"rows"_s);
    if (!selection.tasks.isEmpty())
        return counted(selection.tasks.size(), u"task"_s, u"tasks"_s);
    if (!selection.filter.isEmpty())
        return (actsOnRows(verb) ? u"rows that match "_s : u"tasks that match "_s)
            + selection.filter;
    if (const QString meant = word(selection.meant); !meant.isEmpty())
        return u"inconsistencies: "_s + meant;
    return u"the queue "_s + selection.queue.text;
}

Result<void> unlessStopped(const OperatorSession &session)
{
    if (!session.stop().stop_requested())
        return {};
    return fail(Error::Kind::Cancelled, u"making the plan"_s, u"it was stopped"_s);
}

QString cutWarning(const Profile &profile)
{
    return u"More than %1 match: the plan ends there, and the rest needs another one"_s.arg(
        countText(profile.mostItems));
}

} // namespace outbox
