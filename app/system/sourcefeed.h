// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the feeds share: a source is asked for its figures again and again, and how it is doing and
// what that costs is told.
#pragma once

#include "app/system/sources/poller.h"
#include "connectors/answer.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"
#include "models/shape/outboxshape.h"
#include "models/system/systemview.h"

#include <QObject>

namespace outbox {

/// Lives in the asker's thread.
class SourceFeed : public QObject
{
    Q_OBJECT

public:
    /// While it runs it asks by itself; what is under way when it stops is still told.
    virtual void setRunning(bool running);
    /// Asks now, also a server that turned us away, which is not asked again by itself.
    virtual void refreshNow();
    /// What a look beside ours cost, in milliseconds, is told with ours.
    void addCost(double tookMs, const Traffic &traffic);

signals:
    void healthChanged(const outbox::SourceHealth &health);
    void intervalChanged(int milliseconds, bool slowed);
    /// After each answer.
    void costChanged(const outbox::PollCost &cost);

protected:
    /// An answer is overdue after `overdueMs`.
    SourceFeed(Profile profile, ProfilePasswords secrets, int overdueMs, QObject *parent);

    [[nodiscard]] bool isRunning() const { return m_isRunning; }
    /// A log-in was refused, and none went well since: nothing is asked again by itself.
    [[nodiscard]] bool isTurnedAway() const { return m_isTurnedAway; }
    /// Asks for the figures; `live` or `lost` is called once for each.
    virtual void askFigures() = 0;
    void live(double tookMs);
    /// `isRefused`: the log-in is, and it is not asked again by itself.
    void lost(const Error &error, bool isRefused = false);
    /// There is no such source: nothing is asked, now or later.
    void absent();
    /// Runs a job in the room, counts what it cost, and takes its answer.
    template <typename Resource, typename Job, typename Take>
    void ask(Room<Resource> &room, Job job, Take take)
    {
        answerTo(this, room.run(measured(std::move(job))),
                 [this, take = std::move(take)](const auto &measured) mutable {
                     m_meter.add(measured.tookMs, measured.traffic);
                     take(measured.answer);
                     emit costChanged(m_meter.cost());
                 });
    }

    Profile m_profile;
    ProfilePasswords m_secrets;
    Poller m_figures;
    CostMeter m_meter;

private:
    SourceHealth m_health;
    bool m_isRunning = false;
    bool m_isTurnedAway = false;
};

/// Where the messages of a system wait, in rows of an outbox or in documents: what a system needs
/// to know of either.
class MessageSource : public SourceFeed
{
    Q_OBJECT

signals:
    /// It can be read under the names that the profile gives it. Documents tell what they have in
    /// common with rows.
    void shapeKnown(const outbox::OutboxShape &shape);
    /// The figures; of documents, an undispatched entry is a row that waits.
    void taken(const outbox::OutboxSnapshot &snapshot);

protected:
    using SourceFeed::SourceFeed;
};

} // namespace outbox
