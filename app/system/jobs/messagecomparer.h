// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads two messages from every side and compares them, when somebody asks for it.
#pragma once

#include "app/system/jobs/idsearch.h"
#include "app/system/jobs/slicedjob.h"
#include "app/system/sources/outboxsource.h"
#include "app/system/sources/target.h"
#include "connectors/asynq/observe/inspector.h"
#include "models/comparison/comparison.h"

#include <QObject>

#include <optional>
#include <stop_token>

namespace outbox {

/// The sessions of a comparison, in its room.
struct ComparedSessions
{
    OutboxSource source;
    AsynqInspector tasks;
    IdSearch search;

    /// From any thread.
    void interrupt() noexcept
    {
        source.interrupt();
        search.interrupt();
    }
    void close()
    {
        source.close();
        tasks.close();
    }
};

/// In sessions of its own that only look and are closed at the end, so that the looks go on
/// meanwhile. Of a payload no more than `mostBytes` are read. Lives in the asker's thread and never
/// waits but in its destructor, for a room that is woken.
class MessageComparer : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 mostBytes = 16LL * 1024 * 1024;

    explicit MessageComparer(Target target, QObject *parent = nullptr);
    ~MessageComparer() override;

    /// Before it is known, rows are told as not read.
    void setShape(const OutboxShape &shape) { m_shape = shape; }
    /// The comparison under way, if any, is dropped.
    void start(const ComparedId &a, const ComparedId &b);
    /// `ended` is not emitted.
    void cancel();

signals:
    /// A source that failed is told in the comparison.
    void ended(const outbox::ComparedId &a, const outbox::ComparedId &b,
               const outbox::Comparison &comparison);

private:
    Target m_target;
    std::optional<OutboxShape> m_shape;
    std::stop_source m_stop;
    SlicedJob<ComparedSessions> m_job{QStringLiteral("compare")}; ///< last: its thread ends first
};

} // namespace outbox
