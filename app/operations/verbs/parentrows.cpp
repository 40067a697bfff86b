// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/verbs/parentrows.h"

#include "models/phrases.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype rowsOfOneQuestion = 5'000;

QString childText(const ChildRows &children)
{
    const bool isOne = children.rows == 1;
    QString text = u"%1 of %2 "_s.arg(isOne ? u"1 row"_s : countText(children.rows) + u" rows"_s,
                                      children.table.text());
    text += isOne ? u"refers to it"_s : u"refer to it"_s;
    const QString fate
        = children.fate == ChildFate::Deleted ? u"be deleted with it"_s : u"lose it"_s;
    return text + u" and would "_s + fate + u" (ON DELETE "_s + children.rule + u')';
}

/// What a deletion would take along; children that only dangle are no reason to stay.
ParentRows reasonsOf(const QList<ChildRows> &children)
{
    QHash<MessageId, QStringList> texts;
    for (const ChildRows &one : children) {
        if (one.fate != ChildFate::Dangling)
            texts[one.parent] += childText(one);
    }
    ParentRows reasons;
    for (auto row = texts.cbegin(); row != texts.cend(); ++row) {
        reasons.insert(row.key(),
                       row.value().join(u"; "_s)
                           + u". No export holds them, and no undo brings them back: export and "
                             "delete them first, then this row"_s);
    }
    return reasons;
}

void warnOfDangling(const QList<ChildRows> &children, Plan &plan)
{
    QMap<QString, qint64> rows;
    for (const ChildRows &one : children) {
        if (one.fate == ChildFate::Dangling)
            rows[one.table.text()] += one.rows;
    }
    for (auto table = rows.cbegin(); table != rows.cend(); ++table) {
        plan.warnings
            += u"%1 of %2 that refer to these rows stay and refer to nothing until the "
               "undo: SQLite does not enforce foreign keys here"_s.arg(
                   table.value() == 1 ? u"1 row"_s : countText(table.value()) + u" rows"_s,
                   table.key());
    }
}

Result<QList<ChildRows>> childrenOfPlan(OutboxStore &store, const Plan &plan)
{
    QList<MessageId> ids;
    for (const PlanItem &item : plan.items) {
        if (item.isActedOn())
            ids += item.row;
    }
    QList<ChildRows> children;
    for (qsizetype from = 0; from < ids.size(); from += rowsOfOneQuestion) {
        const auto some = store.childrenOf(ids.mid(from, rowsOfOneQuestion));
        if (!some)
            return passOn(some);
        children += *some;
    }
    return children;
}

void setAside(Plan &plan, Outcome outcome, const std::function<QString(const PlanItem &)> &reason)
{
    for (PlanItem &item : plan.items) {
        const QString why = item.isActedOn() ? reason(item) : QString();
        if (why.isEmpty())
            continue;
        item.expected = outcome;
        item.reason = why;
    }
}

} // namespace

Result<void> keepParents(OperatorSession &session, Plan &plan)
{
    if (plan.acting() == 0)
        return {};
    const auto store = session.rows();
    if (!store)
        return passOn(store);
    const auto triggers = (*store)->deleteTriggers();
    if (!triggers)
        return passOn(triggers);
    if (!triggers->isEmpty()) {
        plan.warnings += u"What runs in the database when rows are deleted runs here too, and the "
                         "undo does not take back what it does: %1"_s.arg(triggers->join(u", "_s));
    }
    const auto children = childrenOfPlan(**store, plan);
    if (!children && children.error().kind == Error::Kind::Refused) {
        const QString why = u"Rows of other tables may go with it, and this role may not see "
                            "them. "_s
            + oneLine(children.error());
        setAside(plan, Outcome::NotAllowed,
                 [&why](const PlanItem &) -> const QString & { return why; });
        return {};
    }
    if (!children)
        return passOn(children);
    warnOfDangling(*children, plan);
    const ParentRows parents = reasonsOf(*children);
    setAside(plan, Outcome::Blocked,
             [&parents](const PlanItem &item) { return parents.value(item.row); });
    return {};
}

Result<ParentRows> parentsAmong(OutboxEditor &editor, const QList<PlanItem> &held)
{
    QList<MessageId> ids;
    for (const PlanItem &item : held)
        ids += item.row;
    const auto children = editor.childrenOf(ids);
    if (!children)
        return passOn(children);
    return reasonsOf(*children);
}

Result<void> checkNoParents(OperatorSession &session, const QList<MessageId> &deleted)
{
    const auto store = session.rows();
    if (!store)
        return passOn(store);
    const auto children = (*store)->childrenOf(deleted);
    if (!children)
        return passOn(children);
    const ParentRows parents = reasonsOf(*children);
    if (parents.isEmpty())
        return {};
    return fail(Error::Kind::Conflict, u"deleting %1 rows"_s.arg(deleted.size()),
                u"row %1 came to be referred to meanwhile. %2"_s.arg(parents.cbegin().key().text,
                                                                     parents.cbegin().value()),
                {}, u"Nothing of this part was deleted. Plan again"_s);
}

} // namespace outbox
