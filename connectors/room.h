// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One thread and the one resource that lives in it. The only file with a thread (law L2).
#pragma once

#include <QFuture>
#include <QObject>
#include <QPromise>
#include <QThread>

#include <atomic>
#include <functional>
#include <memory>
#include <type_traits>

namespace outbox {

/// Owns a `Resource` that is made, used and dropped in a thread of its own. Jobs go in, values come
/// out; nothing else crosses. Jobs run one after another and block as long as they need.
///
/// `Resource` has a default constructor that cannot fail; opening it is a job that answers a
/// Result. The destructor waits for the job in hand (its deadline bounds that) and drops all queued
/// ones.
template <typename Resource> class Room
{
public:
    explicit Room(const QString &name)
    {
        m_thread.setObjectName(name);
        m_worker.moveToThread(&m_thread);
        m_thread.start();
        QMetaObject::invokeMethod(&m_worker, [this] {
            m_resource = std::make_unique<Resource>();
            m_live = m_resource.get();
        });
    }

    ~Room()
    {
        m_closing = true;
        m_live = nullptr; // only the owner interrupts, and the owner is here
        QMetaObject::invokeMethod(&m_worker, [this] {
            m_resource.reset();
            m_worker.moveToThread(nullptr);
            m_thread.quit();
        });
        m_thread.wait();
    }

    Room(const Room &) = delete;
    Room &operator=(const Room &) = delete;

    /// Runs `job(resource)` in the room. Callable from any thread; never blocks. The future is
    /// cancelled when the room closes before the job's turn.
    template <typename Job> auto run(Job job)
    {
        using Answer = std::invoke_result_t<Job, Resource &>;
        auto promise = std::make_shared<QPromise<Answer>>();
        promise->start();
        QMetaObject::invokeMethod(&m_worker, [this, promise, job = std::move(job)]() mutable {
            if (m_closing || promise->isCanceled())
                return; // an unfinished promise cancels itself
            promise->addResult(std::invoke(job, *m_resource));
            promise->finish();
        });
        return promise->future();
    }

    /// Frees a job that hangs on a server that stands still: the one touch from outside, for
    /// resources with a thread-safe `interrupt()`. Call it in the thread that owns the room.
    void interrupt() requires requires(Resource &resource) { resource.interrupt(); }
    {
        if (Resource *resource = m_live)
            resource->interrupt();
    }

    /// Closes what the resource has open, when its turn comes; the next job may open it again.
    void close() requires requires(Resource &resource) { resource.close(); }
    {
        run([](Resource &resource) {
            resource.close();
            return true;
        });
    }

private:
    QObject m_worker;
    QThread m_thread;
    std::unique_ptr<Resource> m_resource;
    std::atomic<Resource *> m_live{nullptr};
    std::atomic_bool m_closing{false};
};

} // namespace outbox
