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

#ifdef OUTBOX_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace outbox {

/// What this thread did so far is done when another thread calls takeOver() with the same address;
/// of a thread, where values are for it. Only the thread sanitizer needs to be told: Qt's own locks
/// see to the order, and Qt is not built for it.
inline void handOver([[maybe_unused]] const void *at)
{
#ifdef OUTBOX_THREAD_SANITIZER
    __tsan_release(const_cast<void *>(at));
#endif
}

/// The other end of handOver().
inline void takeOver([[maybe_unused]] const void *at = QThread::currentThread())
{
#ifdef OUTBOX_THREAD_SANITIZER
    __tsan_acquire(const_cast<void *>(at));
#endif
}

/// A job on its way to a thread. Qt makes the copy that goes, and who is last to let go of it, of
/// the two threads, deletes it.
template <typename Job> class Posted
{
public:
    Posted(QThread *to, Job job) : m_to(to), m_job(std::move(job)) { }
    Posted(Posted &&other) noexcept : m_to(other.m_to), m_job(std::move(other.m_job))
    {
        handOver(m_to);
    }
    ~Posted() { takeOver(this); }

    void operator()()
    {
        takeOver();
        m_job();
        handOver(this);
    }

private:
    QThread *m_to;
    Job m_job;
};

/// Runs `job` in the thread of `object` when its turn comes; never if the object is gone by then.
/// Callable from any thread that `object` outlives; never blocks.
template <typename Job> void postTo(QObject *object, Job job)
{
    QMetaObject::invokeMethod(object, Posted<Job>(object->thread(), std::move(job)),
                              Qt::QueuedConnection);
}

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
        postTo(&m_worker, [this] {
            m_resource = std::make_unique<Resource>();
            m_live = m_resource.get();
        });
    }

    ~Room()
    {
        m_closing = true;
        m_live = nullptr; // only the owner interrupts, and the owner is here
        postTo(&m_worker, [this, owner = QThread::currentThread()] {
            m_resource.reset();
            m_worker.moveToThread(nullptr);
            m_thread.quit();
            handOver(owner);
        });
        m_thread.wait();
        takeOver();
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
        postTo(&m_worker,
               [this, promise, job = std::move(job), asker = QThread::currentThread()]() mutable {
                   if (m_closing || promise->isCanceled())
                       return; // an unfinished promise cancels itself
                   promise->addResult(std::invoke(job, *m_resource));
                   handOver(asker);
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
