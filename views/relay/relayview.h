// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay that runs here: its state, its buttons, what it did; and the relays of all hosts.
#pragma once

#include "models/relay/relaystart.h"
#include "models/relay/relaystep.h"
#include "models/system/relaylist.h"
#include "models/system/staleness.h"
#include "views/relay/relaystartdialog.h"

#include <QDateTime>
#include <QPointer>
#include <QWidget>

namespace outbox {

class RelayHead;
class RelayListPane;
class RelayLogPane;
class RelayMeters;
class SourceNotice;

class RelayView : public QWidget
{
    Q_OBJECT

public:
    explicit RelayView(QWidget *parent = nullptr);

    void setState(RelayState state);
    /// What is shown beside the state: "batch 100 · poll 500 ms".
    void setRunning(const RelayStart &start, const QDateTime &since);
    /// The time of the next try while backing off, or why it failed; empty clears it.
    void setNotice(const QString &text);
    void addSteps(const QList<RelayStep> &steps);
    void setTotals(const RelayTotals &totals);
    void setOutlook(const RelayOutlook &outlook);
    void setStart(const RelayStart &start);
    /// Why no relay may be started here ("This profile is read-only."); empty: it may.
    void setForbidden(const QString &reason);
    /// Those that the queue knows, of all hosts; empty: none is known, and nothing is shown.
    void setRelays(const QList<ListedRelay> &relays);
    /// Why a source does not answer the looks from here, and since when; the relay has connections
    /// of its own.
    void setHealth(Source source, const SourceHealth &health);
    /// Redraws the small lines and the running time, ending at `now`.
    void tick(const QDateTime &now);
    void openStartSheet();
    /// No relay runs here, and none is forbidden.
    [[nodiscard]] bool mayStart() const;
    /// Another system comes: nothing of the one before stays, neither numbers nor questions.
    void forget();

signals:
    void startAsked(const outbox::RelayStart &start);
    void pauseAsked();
    void resumeAsked();
    void drainAsked();
    void stopAsked(); ///< rolls the batch in hand back
    void retryAsked(); ///< of the looks
    void parkedAsked(); ///< the rows set aside are wanted

private:
    RelayHead *m_head;
    SourceNotice *m_database;
    SourceNotice *m_redis;
    RelayMeters *m_meters;
    RelayListPane *m_relays;
    RelayLogPane *m_log;
    QPointer<RelayStartDialog> m_sheet;
    RelayStart m_settings;
    RelayOutlook m_outlook;
};

} // namespace outbox
