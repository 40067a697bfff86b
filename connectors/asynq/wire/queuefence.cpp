// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/wire/queuefence.h"
#include "models/utctext.h"

#include <QDateTime>
#include <QUuid>

#include <algorithm>
#include <chrono>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostUnderWay = 16; ///< of two lanes at most two batches are
constexpr qsizetype mostLately = 10'000;

QString timeOf(qint64 batch)
{
    return utcText(QDateTime::fromMSecsSinceEpoch(batch / 1000, Qt::UTC));
}

} // namespace

const QString QueueFence::lostCode = u"LOST"_s;

void QueueFence::watch(const QByteArray &relay, const QList<QueueLife> &known)
{
    *this = {};
    m_relay = relay;
    m_newLife = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    for (const QueueLife &one : known) {
        m_queues.insert(one.queue, one);
        m_batch = std::max(m_batch, one.committed);
    }
}

void QueueFence::introduce(const QByteArray &about, qint64 everyUs)
{
    m_about = about;
    m_tellEveryUs = everyUs;
    m_told.clear();
}

bool QueueFence::isDueToTell(const QueueName &queue) const
{
    const auto told = m_told.constFind(queue);
    return !m_about.isEmpty() && (told == m_told.constEnd() || m_batch - *told >= m_tellEveryUs);
}

qint64 QueueFence::begin()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    m_batch = std::max<qint64>(m_batch + 1,
                               std::chrono::duration_cast<std::chrono::microseconds>(now).count());
    return m_batch;
}

QueueFence::Stamp QueueFence::stampFor(const QueueName &queue) const
{
    Stamp stamp;
    stamp.batch = m_batch;
    if (!isWatching())
        return stamp;
    stamp.relay = m_relay;
    if (isDueToTell(queue))
        stamp.about = m_about;
    const auto known = m_queues.constFind(queue);
    if (known == m_queues.constEnd()) {
        stamp.newLife = m_newLife;
    } else {
        stamp.life = known->life;
        stamp.committed = known->committed;
    }
    return stamp;
}

Result<void> QueueFence::take(const QueueName &queue, const QList<RedisReply> &answer)
{
    if (!isWatching() || answer.size() < 2)
        return {};
    const QByteArray life = answer.at(1).bytes;
    const auto known = m_queues.constFind(queue);
    if (answer.first().integer >= 0) {
        if (known == m_queues.constEnd())
            m_queues.insert(queue, {queue, life, 0});
        if (isDueToTell(queue))
            m_told.insert(queue, m_batch);
        m_executed[m_batch].insert(queue);
        while (m_executed.size() > mostUnderWay)
            m_executed.erase(m_executed.begin());
        return {};
    }
    const qint64 executed = answer.size() > 2 ? answer.at(2).bytes.toLongLong() : 0;
    const qint64 committed = known == m_queues.constEnd() ? 0 : known->committed;
    const bool wentBack = known != m_queues.constEnd() && life == known->life;
    QString what = life.isEmpty() ? u"Redis was emptied"_s : u"this Redis is another one"_s;
    if (wentBack)
        what = u"Redis went back to older data"_s;
    const qint64 since = wentBack ? executed : 0;
    qint64 rows = 0;
    for (auto batch = m_lately.upperBound(since); batch != m_lately.end(); ++batch)
        rows += *batch;
    const bool isCounted = m_lately.size() < mostLately || m_lately.firstKey() <= since;
    what += u": queue %1 has lost what it was given"_s.arg(queue.text);
    if (since > 0)
        what += u" after %1"_s.arg(timeOf(since));
    if (committed > 0)
        what += u" up to %1"_s.arg(timeOf(committed));
    what += u"; of this run %1%2 rows"_s.arg(isCounted ? QString() : u"more than "_s).arg(rows);
    return fail(Error::Kind::Conflict, u"enqueueing rows"_s, what, lostCode,
                u"Reconcile first: rows that were delivered may be lost"_s);
}

void QueueFence::setAside(const QueueName &queue)
{
    if (const auto executed = m_executed.find(m_batch); executed != m_executed.end())
        executed->remove(queue);
}

void QueueFence::committed(qint64 batch, int rows)
{
    const auto executed = m_executed.constFind(batch);
    if (executed == m_executed.constEnd())
        return;
    for (const QueueName &queue : *executed) {
        if (const auto known = m_queues.find(queue); known != m_queues.end())
            known->committed = std::max(known->committed, batch);
    }
    m_executed.remove(batch);
    m_lately.insert(batch, rows);
    if (m_lately.size() > mostLately)
        m_lately.erase(m_lately.begin());
}

QList<RelayLife> QueueFence::livesBy(qint64 batch) const
{
    QList<RelayLife> lives;
    const QSet<QueueName> executed = m_executed.value(batch);
    for (const QueueName &queue : executed) {
        if (const auto known = m_queues.constFind(queue); known != m_queues.constEnd())
            lives += RelayLife{m_relay, {queue, known->life, batch}};
    }
    // Two batches of one relay may write their lines at once: in one order, or one waits for the
    // other in a circle.
    std::sort(lives.begin(), lives.end(), [](const RelayLife &one, const RelayLife &other) {
        return one.reached.queue.text < other.reached.queue.text;
    });
    return lives;
}

QList<QueueLife> QueueFence::known() const
{
    return m_queues.values();
}

} // namespace outbox::asynq
