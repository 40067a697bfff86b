// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/core/rowoperation.h"

#include "app/operations/core/traces.h"
#include "app/settings/opening.h"
#include "models/enumtext.h"
#include "models/operations/verbdescriptor.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString claimText(const RowWithTask &row)
{
    return row.row->lockedBy ? holderText(*row.row->lockedBy)
                             : u"Held by a session that is not visible"_s;
}

/// Why a row could not be held, by a look after the transaction.
ReceiptItem whyNotHeld(const PlanItem &item, const RowWithTask &now, const VerdictTerms &terms)
{
    if (!now.row)
        return receiptItem(item, Outcome::Gone, u"The row is gone"_s);
    if (now.isClaimed())
        return receiptItem(item, Outcome::Claimed, claimText(now));
    if (item.rowSeen && now.row->version == item.rowSeen->version) {
        return receiptItem(item, Outcome::Claimed,
                           u"Another session held it at that moment; it is unchanged"_s);
    }
    return receiptItem(item, Outcome::Changed, judged(now.facts(), terms).sentence);
}

Answers explained(OperatorSession &session, const QList<PlanItem> &items)
{
    QList<MessageId> ids;
    for (const PlanItem &item : items)
        ids += item.row;
    const auto now = TRY(readRowsOf(session, ids));
    const VerdictTerms terms = verdictTermsOf(session);
    QList<ReceiptItem> receipt;
    for (qsizetype i = 0; i < items.size(); ++i)
        receipt += whyNotHeld(items.at(i), now.at(i), terms);
    return receipt;
}

QList<AuditRow> auditRows(const OperatorSession &session, const Plan &plan,
                          const QList<PlanItem> &items, const QList<ReceiptItem> &outcomes)
{
    QList<AuditRow> rows;
    for (qsizetype i = 0; i < items.size(); ++i) {
        if (outcomes.at(i).outcome != Outcome::Done)
            continue;
        rows += AuditRow{plan.operation,
                         session.who(),
                         session.face(),
                         word(plan.verb),
                         items.at(i).row.text,
                         Trace::of(items.at(i)).text(),
                         auditedAfter(outcomes.at(i)).after,
                         plan.selection};
    }
    return rows;
}

constexpr auto rightTexts = enumTexts<RowRight>({
    {RowRight::Lock, u"lock rows"},
    {RowRight::Reopen, u"update the processed column"},
    {RowRight::Remove, u"delete rows"},
    {RowRight::Insert, u"insert rows"},
    {RowRight::Release, u"update the lease columns"},
    {RowRight::Edit, u"update the columns that hold what is sent"},
});

std::optional<RowRight> missingRight(RowChange change, const RowRights &rights)
{
    switch (change) {
    case RowChange::Reopen:
    case RowChange::MarkProcessed:
        return rights.reopen ? std::nullopt : std::optional(RowRight::Reopen);
    case RowChange::Remove:
        return rights.remove ? std::nullopt : std::optional(RowRight::Remove);
    case RowChange::Release:
        return rights.release ? std::nullopt : std::optional(RowRight::Release);
    case RowChange::Edit:
        return rights.edit ? std::nullopt : std::optional(RowRight::Edit);
    case RowChange::Insert: // asked for by Import itself, which holds no rows
    case RowChange::None:
    case RowChange::Hold: // nothing is written to the rows
        break;
    }
    return std::nullopt;
}

} // namespace

Result<RowRights> rightsOf(OperatorSession &session)
{
    auto editor = session.rowEditor();
    if (!editor)
        return passOn(editor);
    auto rights = (*editor)->rights();
    if (rights || rights.error().kind != Error::Kind::Unreachable)
        return rights;
    editor = session.rowEditor(); // the session had ended since the last act
    return editor ? (*editor)->rights() : passOn(editor);
}

Failure lacksRight(OperatorSession &session, Verb verb, RowRight right)
{
    const auto editor = session.rowEditor();
    return fail(Error::Kind::Refused, u"carrying out: "_s + label(verb),
                u"the acting role lacks the right to "_s + rightTexts.word(right), {},
                editor ? (*editor)->grantFor(right) : QString());
}

QList<RowGuard> guardsOf(const QList<PlanItem> &items)
{
    QList<RowGuard> guards;
    guards.reserve(items.size());
    for (const PlanItem &item : items)
        guards += RowGuard{item.row, item.rowSeen ? item.rowSeen->version : QString()};
    return guards;
}

QHash<MessageId, QString> versionsOf(const QList<RowWritten> &rows)
{
    QHash<MessageId, QString> versions;
    for (const RowWritten &row : rows)
        versions.insert(row.id, row.version);
    return versions;
}

QList<ReceiptItem> receiptsOf(const QList<PlanItem> &held,
                              const QHash<MessageId, QString> &versions, const QString &otherwise)
{
    QList<ReceiptItem> receipt;
    for (const PlanItem &item : held) {
        receipt += versions.contains(item.row)
            ? receiptItem(item, Outcome::Done, {}, versions.value(item.row))
            : receiptItem(item, Outcome::Changed, otherwise);
    }
    return receipt;
}

Result<Plan> RowOperation::planRows(OperatorSession &session, const Selection &selection,
                                    const QList<MessageState> &states,
                                    const ExpectRow &expect) const
{
    Plan plan = TRY(newPlan(session, verb(), selection));
    QStringList warnings;
    const auto rows = TRY(readRowsOf(session, selection, states, warnings));
    TRY(describeRows(session, plan));
    const VerdictTerms terms = verdictTermsOf(session);
    plan.items.reserve(rows.size());
    for (const RowWithTask &row : rows) {
        PlanItem item = row.item();
        const Judgement expected = expect(row, terms);
        item.expected = expected.outcome;
        item.reason = expected.reason;
        plan.items += item;
    }
    plan.warnings += warnings;
    return plan;
}

Result<void> describeRows(OperatorSession &session, Plan &plan)
{
    const auto store = TRY(session.rows());
    plan.statements = store->statementsOf(plan.verb);
    if (const QString why = whyNotWrite(session.shape()); !why.isEmpty())
        plan.warnings += u"Nothing will be written: "_s + why;
    const auto recorded
        = std::any_of(plan.statements.begin(), plan.statements.end(), [](const QString &statement) {
              return statement.contains("outbox_audit"_L1);
          });
    if (!recorded && !plan.statements.isEmpty()) {
        plan.warnings += u"No outbox_audit table: the record is kept in the local file only"_s;
    }
    return {};
}

std::optional<Judgement> notForAnyVerb(const RowWithTask &row, const VerdictTerms &terms)
{
    if (!row.row) {
        return Judgement{Outcome::Gone,
                         terms.rowsAreDeleted
                             ? u"No such row: the relay deletes rows when it has delivered them"_s
                             : u"No such row"_s};
    }
    if (row.isClaimed())
        return Judgement{Outcome::Claimed, claimText(row)};
    if (row.row->state == MessageState::Unknown)
        return Judgement{Outcome::NotOffered, judged(row.facts(), terms).sentence};
    return std::nullopt;
}

Result<void> RowOperation::ready(OperatorSession &session, const Plan & /*plan*/) const
{
    TRY(mayWrite(session.shape(), u"carrying out: "_s + label(verb())));
    const auto rights = TRY(rightsOf(session));
    if (const auto missing = missingRight(descriptorOf(verb()).change, rights))
        return lacksRight(session, verb(), *missing);
    return {};
}

Answers RowOperation::act(OperatorSession &session, const Plan &plan, const Items &chunk,
                          const OperationControl &control) const
{
    const auto opened = session.rowEditor();
    if (!opened)
        return withoutEffect(opened);
    OutboxEditor &editor = **opened;
    const auto rights = editor.rights();
    if (!rights)
        return withoutEffect(rights);

    if (auto begun = editor.begin(); !begun)
        return withoutEffect(begun);
    const auto holds = editor.hold(guardsOf(chunk));
    if (!holds)
        return withoutEffect(holds);
    pass(control, "held");
    const QSet<MessageId> ids(holds->begin(), holds->end());
    Items held;
    Items others;
    for (const PlanItem &item : chunk)
        (ids.contains(item.row) ? held : others) += item;

    // Whatever fails from here on is rolled back; the reason to keep is the first one.
    auto written = write(session, editor, plan, held, control);
    if (!written) {
        static_cast<void>(editor.rollback());
        takeBack(session, plan, held);
        return written;
    }
    pass(control, "written");
    if (rights->audit) {
        if (auto recorded = editor.record(auditRows(session, plan, held, *written)); !recorded) {
            static_cast<void>(editor.rollback());
            takeBack(session, plan, held);
            return withoutEffect(recorded);
        }
        pass(control, "recorded");
    }
    if (auto committed = editor.commit(); !committed) {
        if (!mayHaveHappened(
                committed.error())) // e.g. a constraint that was deferred to this moment
            takeBack(session, plan, held);
        return passOn(committed);
    }
    pass(control, "committed");
    follow(session, *written);

    const auto refused = explained(session, others);
    QHash<MessageId, ReceiptItem> byRow;
    for (const ReceiptItem &item : *written)
        byRow.insert(item.row, item);
    for (qsizetype i = 0; i < others.size(); ++i) {
        byRow.insert(others.at(i).row,
                     refused ? refused->at(i)
                             : receiptItem(others.at(i), Outcome::Changed,
                                           u"It could not be held as seen"_s));
    }
    QList<ReceiptItem> receipt;
    for (const PlanItem &item : chunk)
        receipt += byRow.value(item.row);
    return receipt;
}

} // namespace outbox
