// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/columnpresenter.h"

#include "app/desktop/pages.h"
#include "views/activity/activityview.h"
#include "views/dedup/dedupview.h"
#include "views/documents/documentsview.h"
#include "views/fleet/fleetview.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/reconcile/reconcileview.h"
#include "views/relay/relayview.h"
#include "views/tables/columnchoice.h"
#include "views/tables/livetable.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int pauseMs = 1000; ///< a width changes with each pixel that the mouse moves

} // namespace

ColumnPresenter::ColumnPresenter(const Pages &pages, const QJsonObject &kept, QObject *parent)
    : QObject(parent), m_kept(kept)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMs);
    connect(&m_pause, &QTimer::timeout, this, &ColumnPresenter::settled);
    join(u"outbox"_s, pages.outbox);
    join(u"documents"_s, pages.documents);
    join(u"queue"_s, pages.queue);
    join(u"dedup"_s, pages.dedup);
    join(u"reconcile"_s, pages.reconcile);
    join(u"relay"_s, pages.relay);
    join(u"activity"_s, pages.activity);
    join(u"fleet"_s, pages.fleet);
}

void ColumnPresenter::join(const QString &page, const QWidget *view)
{
    const auto tables = view->findChildren<LiveTable *>();
    for (const LiveTable *table : tables) {
        const QString name = page + u'/' + table->objectName();
        ColumnChoice *choice = table->columns();
        choice->restore(m_kept.value(name).toObject());
        connect(choice, &ColumnChoice::changed, this, [this, name, choice] {
            if (const QJsonObject now = choice->kept(); now.isEmpty())
                m_kept.remove(name);
            else
                m_kept.insert(name, now);
            emit chosen(m_kept);
            m_pause.start();
        });
    }
}

} // namespace outbox
