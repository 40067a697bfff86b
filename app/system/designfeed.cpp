// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/designfeed.h"

#include "app/designs/documentreader.h"
#include "app/designs/tokenscan.h"
#include "connectors/asynq/observe/inspector.h"
#include "models/elapsed.h"

#include <QElapsedTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int longestLookMs = 4000;
constexpr int hangingMs = 5000; ///< after that: the database stands still
constexpr qint64 mostDocuments = 100'000;
constexpr qsizetype mostEntriesShown = 300;
constexpr qsizetype mostTokens = 2000;

/// The figures as the pages of an outbox count them: an undispatched entry is a row that waits.
OutboxSnapshot snapshotOf(const DesignView &view)
{
    const DocumentSummary &summary = view.summary;
    OutboxSnapshot snapshot;
    snapshot.at = view.at;
    // A look that ended early has found none among what it read, which says nothing of the rest.
    if (summary.exact || summary.undispatched > 0)
        snapshot.pending = summary.undispatched;
    snapshot.processed = summary.dispatched;
    snapshot.failed = 0;
    snapshot.unknown = summary.malformed + summary.unreadable;
    snapshot.oldestPendingSeconds = summary.oldestUndispatchedSeconds;
    snapshot.exact = summary.exact;
    snapshot.lockVisible = false;
    snapshot.tookMs = view.tookMs;
    const QString none = u"documents have no such state"_s;
    snapshot.notes = {{u"waiting"_s, none}, {u"locked"_s, none}};
    return snapshot;
}

} // namespace

DesignFeed::DesignFeed(Profile profile, ProfilePasswords secrets, QObject *parent)
    : MessageSource(std::move(profile), std::move(secrets), longestLookMs, parent),
      m_room(u"document reader"_s)
{
    m_hanging.setSingleShot(true);
    m_hanging.setInterval(hangingMs);
    connect(&m_figures, &Poller::overdue, this, [this] {
        m_stop.request_stop();
        m_hanging.start();
    });
    connect(&m_hanging, &QTimer::timeout, this, [this] { m_room.interrupt(); });
}

DesignFeed::~DesignFeed()
{
    m_stop.request_stop();
    m_room.interrupt(); // closing the room would wait for a server that stands still
}

void DesignFeed::show(DesignList list)
{
    if (std::exchange(m_list, list) != list && list != DesignList::None)
        refreshNow();
}

Result<DesignView> DesignFeed::look(Reader &reader, const DesignPlace &place, DesignList list,
                                    const std::stop_token &stop)
{
    QElapsedTimer clock;
    clock.start();
    if (!reader.isOpen) {
        TRY(reader.stores.open(place, StoreAccess::ReadOnly));
        if (place.lookRedis) {
            TRY(reader.queues.open(*place.lookRedis, place.sessionName));
        }
        reader.isOpen = true;
    }
    DesignView view;
    view.list = list;
    DocumentReader look(reader.stores, place.design, stop);
    if (list == DesignList::Unsettled || list == DesignList::Dispatched) {
        view.entries
            = TRY(list == DesignList::Unsettled ? look.unsettled(mostEntriesShown, view.isCut)
                                                : look.dispatched(mostEntriesShown, view.isCut));
    } else if (list == DesignList::Tokens && reader.stores.tokens()) {
        view.tokens = TRY(scanTokens(reader.stores, place.lookRedis ? &reader.queues : nullptr,
                                     mostTokens, stop));
    }
    view.summary = TRY(look.summary(mostDocuments));
    view.at = QDateTime::currentDateTimeUtc();
    view.tookMs = millisecondsOf(clock);
    return view;
}

void DesignFeed::askFigures()
{
    struct Answer
    {
        Result<DesignView> view;
        bool isTurnedAway; ///< at the door: a login that is wrong stays wrong
    };
    const auto place = designPlaceOf(m_profile, m_secrets, {}, u"outboxdeck"_s);
    if (!place)
        return lost(place.error());
    m_stop = {};
    ask(
        m_room,
        [place = *place, list = m_list, stop = m_stop.get_token()](Reader &reader) -> Answer {
            auto view = look(reader, place, list, stop);
            const bool isTurnedAway
                = !reader.isOpen && !view && view.error().kind == Error::Kind::Refused;
            reader.isOpen = reader.isOpen && view.has_value();
            return {std::move(view), isTurnedAway};
        },
        [this](const Answer &answer) {
            const Result<DesignView> &view = answer.view;
            m_hanging.stop();
            if (!view)
                return lost(view.error(), answer.isTurnedAway);
            live(view->tookMs);
            if (!std::exchange(m_isShapeTold, true))
                emit shapeKnown(documentsAsShape(*m_profile.design));
            emit taken(snapshotOf(*view));
            emit viewTaken(*view);
            if (view->list != m_list && m_list != DesignList::None)
                refreshNow();
        });
}

} // namespace outbox
