// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/pagerequest.h"
#include "models/operations/verbdescriptor.h"
#include "views/outbox/outboxrows.h"

#include "models/filter/rowfilter.h"
#include "models/system/exactcount.h"
#include "models/system/offer.h"
#include "models/tables/outboxmodel.h"
#include "views/filter/filterbar.h"
#include "views/operation/selectionverbs.h"
#include "views/outbox/outboxview.h"
#include "views/tables/livetable.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

template <typename State> QVariantList variantsOf(const QList<State> &states)
{
    QVariantList variants;
    for (const State state : states)
        variants += QVariant::fromValue(state);
    return variants;
}

} // namespace

LiveTable *makeRowsTable(OutboxModel *model)
{
    auto *table = new LiveTable(u"outboxTable"_s);
    table->setAccessibleName(OutboxView::tr("Outbox rows"));
    table->setFrameShape(QFrame::StyledPanel);
    table->show(model, {0, 24, 24, 21, -10, 9, 24, 19, 0});
    table->setStates(OutboxModel::State, variantsOf(allMessageStates()));
    table->setStates(OutboxModel::InQueue, variantsOf(allTaskStates()));
    table->setIdColumns({OutboxModel::Id});
    table->setCopyColumn(OutboxModel::Id);
    table->setMinimumHeight(120);
    return table;
}

SelectionVerbs *makeRowVerbs(LiveTable *table, const OutboxModel *model, const FilterBar *filter)
{
    SelectionVerbs::Terms terms;
    terms.chosen = [model](const QList<int> &rows) {
        Selection selection;
        for (const int row : rows)
            selection.rows += model->row(row).message.id;
        return selection;
    };
    terms.matching = [filter] {
        Selection selection;
        selection.filter = filter->appliedText().trimmed();
        return selection;
    };
    terms.whyNot = [model](Verb verb, const QList<int> &rows) {
        QList<MessageState> states;
        for (const int row : rows)
            states += model->row(row).message.state;
        return whyNotInAny(verb, states);
    };
    return new SelectionVerbs(u"rowVerbs"_s, verbsFor(VerbTarget::Rows), table, terms);
}

QString matchingText(const PageRequest &request, const OutboxSnapshot &counts)
{
    if (!isOfStatesAlone(request.filter))
        return {};
    qint64 sum = 0;
    bool exact = true;
    for (const MessageState state : statesWithin(request.filter)) {
        const QMap<MessageState, std::optional<qint64>> counted{
            {MessageState::Pending, counts.pending},
            {MessageState::Waiting, counts.waiting},
            {MessageState::Locked, counts.locked},
            {MessageState::Processed, counts.processed},
            {MessageState::Failed, counts.failed}};
        const auto count = counted.value(state);
        if (!count)
            return {};
        sum += *count;
        exact = exact && counts.isExact(word(state));
    }
    return countText(sum, exact);
}

} // namespace outbox
