// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the Relay page to the relay that runs here.
#pragma once

#include "app/audit/recordwriter.h"
#include "app/relay/relaydriver.h"
#include "app/relay/relayrecord.h"
#include "app/system/system.h"
#include "models/operations/arming.h"
#include "models/relay/relaystart.h"

#include <QObject>

#include <optional>

namespace outbox {

struct Pages;

/// Made anew for each opened profile. Lives in the GUI thread; the relay has a room of its own.
class RelayPresenter : public QObject
{
    Q_OBJECT

public:
    /// `stateFolder` is for the record, and for parked rows that no table keeps.
    RelayPresenter(System &system, const Pages &pages, QString stateFolder,
                   QObject *parent = nullptr);
    ~RelayPresenter() override;

    [[nodiscard]] bool isRunning() const
    {
        return m_driver.state() != RelayState::Stopped && m_driver.state() != RelayState::Failed;
    }
    [[nodiscard]] RelayDriver &driver() { return m_driver; }
    void start(const RelayStart &start);
    /// Whether writing is allowed; a relay that runs goes on when it is locked.
    void setArming(const Arming &arming);
    /// Starts as soon as the outbox has been recognized.
    void startWhenReady(const RelayStart &start);

    /// Starts it with other settings; one that runs finishes its batch first.
    void restart(const RelayStart &start);
    /// How it was started last, or would be.
    [[nodiscard]] const RelayStart &lastStart() const { return m_start; }

private:
    [[nodiscard]] bool isUnlocked() const
    {
        return m_arming.isArmed(QDateTime::currentDateTimeUtc());
    }
    void joinPage();
    void joinDriver();
    void tellOutlook();
    void tellSystem();
    void stateChanged(RelayState state);
    void joinRecord();

    System &m_system;
    const Pages &m_pages;
    QString m_stateFolder;
    AuditEntry m_entry; ///< what all entries about the last start begin with
    QString m_why; ///< who asked for its end
    RecordWriter m_record;
    RelayDriver m_driver;
    RelayStart m_start;
    std::optional<RelayStart> m_next; ///< it stops, and starts again with this
    Arming m_arming;
    QString m_promise;
    std::optional<RedisFacts> m_facts;
    std::optional<OutboxSnapshot> m_snapshot;
    std::optional<Error> m_error;
    bool m_wasStarted = false;
};

} // namespace outbox
