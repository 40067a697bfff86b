// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Searches all rows of an outbox in the background, for a filter that no index answers.
#pragma once

#include "app/system/jobs/slicedjob.h"
#include "app/system/sources/outboxsource.h"
#include "app/system/sources/target.h"
#include "models/filter/pagerequest.h"
#include "models/message/rowsearch.h"

#include <QElapsedTimer>
#include <QObject>
#include <QSet>

namespace outbox {

/// Goes through the table slice by slice in a session of its own that only looks, and rests after
/// each slice so long that the database works for it no more than the share of the time that is
/// set. What was found stays until the search is dropped. Lives in the asker's thread.
class RowSearch : public QObject
{
    Q_OBJECT

public:
    /// Of the time; what a person did not set.
    static constexpr double usualShare = 0.2;
    /// So many rows are found until it stops; then it can go on.
    static constexpr int usualEach = 500;
    /// So many are found in all, as more are not held.
    static constexpr int usualMost = 5'000;

    RowSearch(Profile profile, ProfilePasswords secrets, QString stateFolder,
              QObject *parent = nullptr);

    /// From the first row on, in a table of this shape; a search before it is dropped. `known` are
    /// rows that match: they stay first, and are found no second time. Times in the filter count
    /// from now.
    void start(const OutboxShape &shape, const PageRequest &request,
               const QList<Message> &known = {})
    {
        begin(shape, request, {}, known);
    }
    /// The same from behind `place` on, the `next` of a page or of an earlier search.
    void startBehind(const OutboxShape &shape, const PageRequest &request, const QString &place)
    {
        begin(shape, request, place, {});
    }
    /// Stops at once, and keeps what was found. Does nothing where none is under way.
    void cancel();
    /// On from where it stopped. Does nothing where it may not.
    void goOn();
    /// Ends it, and lets go of what was found; no signal is emitted.
    void drop();
    /// From the next start on.
    void setStops(int each, int most)
    {
        m_each = each;
        m_most = most;
    }
    /// How much of the time the database may work for it, from 0.01 to 1; from the next slice on.
    void setShare(double share) { m_share = qBound(0.01, share, 1.0); }

    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    /// Whether there is one, under way or stopped.
    [[nodiscard]] bool isHeld() const { return m_isHeld; }
    [[nodiscard]] const RowSearchState &state() const { return m_state; }

signals:
    /// After each slice, and when it stops.
    void progressed(const outbox::RowSearchState &state);
    /// All that was found so far, as a page that answers the request: twice a second at most, and
    /// when it stops.
    void found(const outbox::PageRequest &request, const outbox::MessagePage &page);

private:
    using Phase = RowSearchState::Phase;

    [[nodiscard]] static Result<MessagePage>
    searchOne(OutboxSource &source, const StoreSettings &settings, const OutboxShape &shape,
              const QString &stateFolder, const PageRequest &request, qint64 rows);
    void begin(const OutboxShape &shape, const PageRequest &request, const QString &place,
               const QList<Message> &known);
    void searchNext();
    void take(const Result<MessagePage> &slice);
    void takeTimeout(const Error &error);
    void add(const QList<Message> &rows);
    void stop(Phase phase, const std::optional<Error> &error = {});
    void tellRows();
    [[nodiscard]] int restAfter(double tookMs) const; ///< milliseconds

    /// What was found, and what of that was told.
    struct Found
    {
        MessagePage page;
        QSet<MessageId> ids; ///< of the rows of the page
        bool isUntold = false; ///< rows were added since they were told
        QElapsedTimer sinceTold;
    };

    Target m_target;
    OutboxShape m_shape;
    PageRequest m_asked; ///< as it came
    PageRequest m_request; ///< the same, with the time it counts from and the place it has come to
    RowSearchState m_state;
    Found m_found;
    double m_share = usualShare;
    double m_ranMs = 0; ///< before it stopped the last time
    QElapsedTimer m_running; ///< since it began or went on
    qint64 m_rows = 0; ///< of the next slice
    int m_each = usualEach;
    int m_most = usualMost;
    qint64 m_stopAt = 0; ///< so many rows found
    bool m_isHeld = false;
    SlicedJob<OutboxSource> m_job{QStringLiteral("search")};
};

} // namespace outbox
