// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outbox/outboxrows.h"

#include "models/filter/listline.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"
#include "models/operations/verbdescriptor.h"
#include "models/phrases.h"
#include "models/system/exactcount.h"
#include "models/system/offer.h"
#include "models/system/windowlink.h"
#include "models/tables/outboxmodel.h"
#include "views/filter/filterbar.h"
#include "views/operation/selectionverbs.h"
#include "views/outbox/exactcountbar.h"
#include "views/outbox/outboxview.h"
#include "views/outbox/searchbar.h"
#include "views/tables/columnchoice.h"
#include "views/tables/livetable.h"
#include "views/tables/statechips.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/pagebuttons.h"

#include <QMenu>
#include <QSet>
#include <QToolButton>

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
    table->show(model, {0, 20, 24, 21, -10, 9, 24, 19, 30, 0});
    table->setStates(OutboxModel::State, variantsOf(allMessageStates()));
    table->setStates(OutboxModel::InQueue, variantsOf(allTaskStates()));
    table->setIdColumns({OutboxModel::Id});
    table->setCopyColumn(OutboxModel::Id);
    table->setMinimumHeight(120);
    showRowsOfNone(*table);
    return table;
}

QList<MessageId> idsOf(const OutboxModel &model, const QList<int> &rows)
{
    QList<MessageId> ids;
    for (const int row : rows)
        ids += model.row(row).message.id;
    return ids;
}

void showRowsOf(LiveTable &table, const OutboxModel &model, const Profile &profile,
                const OutboxShape &shape,
                const std::function<QString(const QList<MessageId> &keys)> &keyList)
{
    table.columns()->setOffered(OutboxModel::LastError, shape.tellsErrors());
    const auto keysOf = [&model](const QList<int> &rows) { return idsOf(model, rows); };
    table.setCopyForms(
        {{OutboxView::tr("&SQL list of ids"),
          [keysOf, keyList](const QList<int> &rows) { return keyList(keysOf(rows)); },
          OutboxView::tr("The key of this table is not one column that SQL can list")},
         {OutboxView::tr("&Command line that lists them"),
          [keysOf, profile](const QList<int> &rows) { return listLine(keysOf(rows), profile); },
          OutboxView::tr("One filter cannot name so many ids: select fewer rows")},
         {OutboxView::tr("&Link that shows them in a window, as a command"),
          [keysOf, profile](const QList<int> &rows) { return windowLine(keysOf(rows), profile); },
          OutboxView::tr("One filter cannot name so many ids: select fewer rows")}});
}

void showRowsOfNone(LiveTable &table)
{
    table.columns()->setOffered(OutboxModel::LastError, false);
    table.setCopyForms({});
}

SelectionVerbs *makeRowVerbs(LiveTable *table, const OutboxModel *model, const FilterBar *filter)
{
    SelectionVerbs::Terms terms;
    terms.chosen = [model](const QList<int> &rows) {
        Selection selection;
        selection.rows = idsOf(*model, rows);
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

void openCountMenu(ExactCountBar &bar, const QPoint &where)
{
    auto *menu = new QMenu(&bar);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *count = menu->addAction(OutboxView::tr("Count exactly"));
    count->setObjectName(u"countExactly"_s);
    count->setEnabled(!bar.isRunning());
    QObject::connect(count, &QAction::triggered, &bar, &ExactCountBar::begin);
    menu->popup(where);
}

QToolButton *makeLiveButton()
{
    QToolButton *live = pageButton(u"outboxLive"_s, u"play"_s, OutboxView::tr("Live"));
    live->setCheckable(true);
    live->setChecked(true);
    showLive(*live, false);
    return live;
}

void showLive(QToolButton &live, bool held)
{
    const bool isLive = live.isChecked() && !held;
    live.setEnabled(!held);
    live.setText(isLive ? OutboxView::tr("Live") : OutboxView::tr("Paused"));
    live.setIcon(theme::icon(isLive ? u"play"_s : u"pause"_s)); // what is so, like the word
    live.setToolTip(held ? OutboxView::tr("All refresh is paused (Ctrl+P)")
                         : OutboxView::tr("Shows new rows as they come; off keeps what is shown"));
}

qsizetype newOnTop(const OutboxModel &model, const QList<OutboxRow> &rows)
{
    QSet<MessageId> known;
    known.reserve(model.rows().size());
    for (const OutboxRow &row : model.rows())
        known.insert(row.message.id);
    qsizetype count = 0;
    while (count < rows.size() && !known.contains(rows.at(count).message.id))
        ++count;
    return count;
}

QString rangeText(const QList<OutboxRow> &rows, std::optional<qint64> above)
{
    if (rows.isEmpty())
        return {};
    if (above) {
        return OutboxView::tr("rows %1\u2013%2")
            .arg(countText(*above + 1), countText(*above + rows.size()));
    }
    const auto &newest = rows.constFirst().message.created;
    const auto &oldest = rows.constLast().message.created;
    if (!newest || !oldest)
        return OutboxView::tr("%1 rows further down").arg(countText(rows.size()));
    const QDateTime now = QDateTime::currentDateTimeUtc();
    return OutboxView::tr("rows from %1 down to %2")
        .arg(momentText(*newest, now), momentText(*oldest, now));
}

QString matchText(qint64 known, bool isAll, const QString &counted)
{
    if (isAll || !counted.isEmpty()) {
        const QString count = isAll ? countText(known) : counted;
        return count == u"1"_s ? OutboxView::tr("1 matches")
                               : OutboxView::tr("%1 match").arg(count);
    }
    return known == 1 ? OutboxView::tr("at least 1 matches")
                      : OutboxView::tr("at least %1 match").arg(countText(known));
}

QString totalText(const OutboxSnapshot &counts)
{
    const qint64 sum = counts.rows();
    if (!counts.pending || sum == 0)
        return {};
    return countText(sum, counts.exact);
}

void sayWhyEmpty(EmptyPane &pane, const SearchBar &search, const EmptyTable &empty)
{
    if (search.isRunning())
        pane.say(OutboxView::tr("Nothing found so far. The search goes on."));
    else if (search.hasMore() && !empty.isAwaiting)
        pane.say(OutboxView::tr("No row matches among those that were searched."),
                 OutboxView::tr("Clear filter"));
    else if (!empty.isConnected && empty.isAwaiting)
        pane.say(OutboxView::tr("Not connected."), OutboxView::tr("Connect"));
    else if (empty.isFailing && empty.isAwaiting)
        pane.say(OutboxView::tr("No rows were read: see the reason above."));
    else if (empty.isAwaiting)
        pane.say(OutboxView::tr("Reading…"));
    else if (empty.isFiltered)
        pane.say(OutboxView::tr("No row matches this filter."), OutboxView::tr("Clear filter"));
    else
        pane.say(OutboxView::tr("No rows. The relay has nothing to do."));
}

} // namespace outbox
