// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Takes old null entries out of documents, which would grow without bound.
#include "app/designs/designoperations.h"

#include "app/designs/meantentries.h"
#include "app/operations/core/planning.h"
#include "models/phrases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Those of `incoming` that may be purged still leave the document, in one write: one may have come
/// and gone since it was planned, and be young again. Answers which did.
Result<QStringList> purge(DocumentStore &documents, const DesignPlace &place,
                          const QString &document, const QStringList &incoming)
{
    for (int i = 0; i < mostDocumentTries; ++i) {
        const auto seen = TRY(documents.find(document));
        if (!seen)
            return QStringList();
        auto state = OutboxState::read(seen->json, documents.shape());
        if (!state)
            return passOn(state);
        QStringList gone;
        QByteArray json;
        for (const QString &id : incoming) {
            const OutboxEntry *entry = state->entry(id);
            if (!entry
                || !whyNotPurge(*entry, place.design, ageOf(*entry, *seen),
                                place.rules.retentionSeconds)
                        .isEmpty())
                continue;
            json = TRY(state->without(id));
            gone += id;
            state = OutboxState::read(json, documents.shape());
            if (!state)
                return passOn(state);
        }
        if (gone.isEmpty())
            return gone;
        const auto written = TRY(documents.write(*seen, json));
        if (written)
            return gone;
    }
    return QStringList();
}

/// An entry that is gone is a message that may run again: only those go that are known to be older
/// than the retention. One with messages inside never goes, since that would be loss.
/// Errors: those of `Operation`.
class PurgeEntries : public Operation
{
public:
    explicit PurgeEntries(DesignPlace place) : m_place(std::move(place)) { }

    [[nodiscard]] Verb verb() const override { return Verb::Purge; }
    /// `selection` as in models/operations/designselection.h.
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        Plan plan = TRY(newPlan(session, verb(), selection));
        const auto take = [&](const SeenEntry &seen, bool /*isInNamed*/) {
            plan.items += itemOf(seen);
            return Result<void>();
        };
        TRY(takeMeant(session, m_place, selection, &DocumentReader::eachDispatched, plan, take));
        plan.selection = meantText(selection, u"null entries of all documents"_s);
        plan.statements += u"UPDATE of the document, where its version is still the one that was "
                           "read"_s;
        plan.reopensWindow = true;
        plan.warnings
            += u"A copy of a purged message that comes later runs the business logic again"_s;
        plan.undo = u"It cannot be undone; the record keeps the ids"_s;
        return plan;
    }

protected:
    [[nodiscard]] Result<void> ready(OperatorSession & /*session*/,
                                     const Plan & /*plan*/) const override
    {
        DocumentStore documents;
        return documents.open(m_place.act, m_place.shape);
    }

    [[nodiscard]] Answers act(OperatorSession & /*session*/, const Plan & /*plan*/,
                              const Items &chunk, const OperationControl &control) const override
    {
        DocumentStore documents;
        if (auto opened = documents.open(m_place.act, m_place.shape); !opened)
            return withoutEffect(opened);
        QMap<QString, QStringList> byDocument;
        for (const PlanItem &item : chunk)
            byDocument[item.row.text] += item.task.text;
        QHash<QString, Result<QStringList>> gone;
        for (auto one = byDocument.cbegin(); one != byDocument.cend(); ++one) {
            gone.insert(one.key(), purge(documents, m_place, one.key(), one.value()));
            pass(control, "written");
        }
        QList<ReceiptItem> items;
        for (const PlanItem &item : chunk) {
            const Result<QStringList> &answer = *gone.constFind(item.row.text);
            if (!answer) {
                items += failedItem(item, answer.error());
                continue;
            }
            const bool isGone = answer->contains(item.task.text);
            items += receiptItem(item, isGone ? Outcome::Done : Outcome::Changed,
                                 isGone ? QString() : u"It is not as it was seen"_s);
        }
        return items;
    }

private:
    [[nodiscard]] PlanItem itemOf(const SeenEntry &seen) const
    {
        PlanItem item;
        item.row.text = seen.document;
        item.task.text = seen.entry.incoming;
        item.rowSeen = RowSnapshot{MessageState::Processed, seen.version};
        item.reason = whyNotPurge(seen.entry, m_place.design, seen.ageSeconds,
                                  m_place.rules.retentionSeconds);
        item.expected = item.reason.isEmpty() ? Outcome::Done : Outcome::NotOffered;
        if (item.reason.isEmpty())
            item.reason = u"Null, and %1 old"_s.arg(spanText(seen.ageSeconds.value_or(0)));
        return item;
    }

    DesignPlace m_place;
};

} // namespace

std::unique_ptr<Operation> makePurgeEntries(DesignPlace place)
{
    return std::make_unique<PurgeEntries>(std::move(place));
}

} // namespace outbox
