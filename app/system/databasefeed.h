// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The outbox of one profile, looked at again and again through a room of its own.
#pragma once

#include "app/system/sourcefeed.h"
#include "app/system/sources/outboxsource.h"
#include "models/filter/pagerequest.h"

#include <functional>
#include <optional>

namespace outbox {

/// Counts and the visible rows, each on its own poller; both only read. Lives in the asker's
/// thread.
class DatabaseFeed : public MessageSource
{
    Q_OBJECT

public:
    /// `stateFolder` is where parked rows are that no table keeps; empty is the user's.
    DatabaseFeed(Profile profile, ProfilePasswords secrets, QString stateFolder,
                 QObject *parent = nullptr);
    ~DatabaseFeed() override;

    [[nodiscard]] const std::optional<OutboxShape> &shape() const { return m_shape; }
    void setRunning(bool running) override;
    void refreshNow() override;
    /// Asked at once; again every two intervals while `live`.
    void showRows(const PageRequest &request, bool live);
    /// No rows are on screen: nobody asks for them.
    void hideRows();
    /// One page beside those on screen.
    void seek(const PageRequest &request);
    /// Looks for one row with its payload; of a large one with its beginning.
    void find(const MessageId &id);

signals:
    void rowsTaken(const outbox::PageRequest &request, const outbox::MessagePage &page);
    void rowsFailed(const outbox::Error &error);
    void sought(const outbox::PageRequest &request,
                const outbox::Result<outbox::MessagePage> &page);
    void found(const outbox::MessageId &id,
               const outbox::Result<std::optional<outbox::Message>> &row);

protected:
    void askFigures() override;

private:
    /// The job for a page whose filter counts from the same moment as the rows that are shown.
    [[nodiscard]] std::function<Result<MessagePage>(OutboxSource &)>
    pageOf(PageRequest request) const;
    void askRows();

    QString m_stateFolder;
    std::optional<OutboxShape> m_shape;
    Poller m_rows;
    PageRequest m_request;
    QDateTime m_rowsAt; ///< what times in its filter count from
    quint64 m_rowsToken = 0; ///< an answer to an older question is dropped
    int m_timeouts = 0; ///< of the question for rows, one after another
    bool m_rowsWanted = false;
    bool m_rowsLive = false;
    Room<OutboxSource> m_room; ///< last: its thread ends first
};

} // namespace outbox
