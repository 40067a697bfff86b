// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/effects.h"

#include <QSet>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

Result<void> CountingWorker::open(const RedisEndpoint &endpoint)
{
    m_worker = std::make_unique<DemoWorker>();
    return m_worker->open(endpoint, {{u"default"_s, 1}});
}

Result<qint64> CountingWorker::consume(qint64 most)
{
    qint64 ran = 0;
    while (ran < most) {
        const auto task = m_worker->dequeue(QueueName{u"default"_s});
        if (!task)
            return passOn(task);
        if (!*task)
            break;
        ++ran;
        const QString &id = (*task)->id.text;
        ++m_runs[id]; // the effect comes before the acknowledgement
        if (m_keepPayloads && !m_payloads.contains(id))
            m_payloads.insert(id, (*task)->payload);
        if (auto done = m_worker->complete(**task); !done)
            return passOn(done);
    }
    return ran;
}

void CountingWorker::forget()
{
    m_runs.clear();
    m_payloads.clear();
}

Tally &Tally::operator+=(const Tally &other)
{
    messages += other.messages;
    lost += other.lost;
    duplicates += other.duplicates;
    left += other.left;
    altered += other.altered;
    ghosts += other.ghosts;
    return *this;
}

QString words(const Tally &tally)
{
    return u"%1 messages: lost %2, duplicates %3, left %4, altered %5, ghosts %6"_s
        .arg(tally.messages)
        .arg(tally.lost)
        .arg(tally.duplicates)
        .arg(tally.left)
        .arg(tally.altered)
        .arg(tally.ghosts);
}

Tally tallyOf(const QStringList &expected, const QStringList &left, const CountingWorker &worker,
              const std::function<QString(const QString &)> &taskOf)
{
    const QSet<QString> remaining(left.begin(), left.end());
    Tally tally;
    tally.messages = expected.size();
    tally.left = left.size();
    tally.ghosts = worker.runs().size();
    for (const QString &key : expected) {
        const int runs = worker.runs().value(taskOf(key));
        if (runs == 0) {
            tally.lost += remaining.contains(key) ? 0 : 1;
            continue;
        }
        tally.duplicates += runs - 1;
        --tally.ghosts;
    }
    return tally;
}

} // namespace outbox::crash
