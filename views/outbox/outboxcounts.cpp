// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outbox/outboxcounts.h"

#include "models/phrases.h"
#include "views/outbox/exactcountbar.h"
#include "views/outbox/outboxview.h"
#include "views/outbox/searchbar.h"
#include "views/tables/statechips.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/pagebuttons.h"

#include <QMenu>
#include <QSet>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

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

QString totalText(const OutboxSnapshot &counts)
{
    const qint64 sum = counts.rows();
    if (!counts.pending || sum == 0)
        return {};
    return countText(sum, counts.exact);
}

void sayWhyEmpty(EmptyPane &pane, const SearchBar &search, bool connected, bool awaiting,
                 bool filtered)
{
    if (search.isRunning())
        pane.say(OutboxView::tr("Nothing found so far. The search goes on."));
    else if (search.hasMore() && !awaiting)
        pane.say(OutboxView::tr("No row matches among those that were searched."),
                 OutboxView::tr("Clear filter"));
    else if (!connected && awaiting)
        pane.say(OutboxView::tr("Not connected."), OutboxView::tr("Connect"));
    else if (awaiting)
        pane.say(OutboxView::tr("Reading…"));
    else if (filtered)
        pane.say(OutboxView::tr("No row matches this filter."), OutboxView::tr("Clear filter"));
    else
        pane.say(OutboxView::tr("No rows. The relay has nothing to do."));
}

} // namespace outbox
