// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/failurefeed.h"

#include "app/settings/opening.h"
#include "connectors/answer.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int everyMs = 30'000;
constexpr int failuresOverdueMs
    = 15'000; // longer than connecting and all pages together should take

} // namespace

FailureFeed::FailureFeed(QObject *parent)
    : QObject(parent), m_poller(everyMs, failuresOverdueMs, this)
{
    connect(&m_poller, &Poller::due, this, [this] { ask(m_run); });
    connect(&m_poller, &Poller::overdue, this, [this] { interrupt(); });
}

void FailureFeed::show(const FailureQuestion &question)
{
    m_question = question;
    m_shown = true;
    ++m_run;
    if (m_running)
        m_poller.start();
    m_poller.kick();
}

void FailureFeed::hide()
{
    if (!std::exchange(m_shown, false))
        return;
    ++m_run;
    m_poller.stop();
    interrupt();
    closeSession();
}

void FailureFeed::refreshNow()
{
    if (m_shown)
        m_poller.kick();
}

void FailureFeed::setRunning(bool running)
{
    m_running = running;
    if (!running)
        m_poller.stop();
    else if (m_shown)
        m_poller.start();
}

void FailureFeed::answer(quint64 run, const Result<FailureSample> &sample)
{
    if (sample)
        m_poller.answered(sample->tookMs);
    else
        m_poller.failed();
    if (run != m_run) {
        if (m_shown)
            m_poller.kick();
        return;
    }
    if (sample)
        emit taken(*sample);
    else
        emit failed(sample.error());
}

RowFailures::RowFailures(Profile profile, ProfilePasswords secrets, QString stateFolder,
                         QObject *parent)
    : FailureFeed(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets)),
      m_stateFolder(std::move(stateFolder))
{ }

RowFailures::~RowFailures()
{
    RowFailures::interrupt(); // closing the room would wait for a server that stands still
}

void RowFailures::setShape(const OutboxShape &shape)
{
    const bool isFirst = !m_shape;
    m_shape = shape;
    if (isFirst)
        refreshNow();
}

void RowFailures::ask(quint64 run)
{
    auto settings = storeSettingsOf(m_profile, m_secrets, StoreAccess::ReadOnly, u"outboxdeck"_s);
    if (!settings)
        return answer(run, passOn(settings));
    if (!m_shape) {
        return answer(run,
                      fail(Error::Kind::Unreachable, u"looking at what failed"_s,
                           u"the database has not answered yet"_s));
    }
    settings->statementTimeoutMs = failurePageMs;
    if (!m_room)
        m_room = std::make_unique<Room<FailedRows>>(u"failures"_s);
    answerTo(
        this,
        m_room->run(measured([settings = *settings, shape = *m_shape, folder = m_stateFolder,
                              question = question()](FailedRows &rows) -> Result<FailureSample> {
            OutboxSource &source = rows.source;
            rows.stopped = false; // that was another look
            TRY(source.ready(settings, folder, shape));
            return readRowsOf(rows, question, QDateTime::currentDateTimeUtc());
        })),
        [this, run](const Sample &look) {
            emit looked(look.tookMs, look.traffic);
            answer(run, look.answer ? withTotal(*look.answer) : look.answer);
        });
}

FailureSample RowFailures::withTotal(FailureSample sample) const
{
    const bool isOfFailed = sample.question.scope == scopesOf(FailureSource::Rows).first().filter;
    if (sample.total || sample.question.withinSeconds || !isOfFailed || !m_counts.failed)
        return sample;
    const qint64 total = *m_counts.failed + m_counts.parked.value_or(0);
    if (total > sample.items.size()) {
        sample.total = total;
        sample.totalIsExact = m_counts.exact;
    }
    return sample;
}

void RowFailures::closeSession()
{
    if (m_room)
        m_room->close();
}

void RowFailures::interrupt()
{
    if (m_room)
        m_room->interrupt();
}

TaskFailures::TaskFailures(Profile profile, ProfilePasswords secrets, QObject *parent)
    : FailureFeed(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets))
{ }

void TaskFailures::ask(quint64 run)
{
    const auto endpoint = redisOf(m_profile, m_secrets);
    if (!endpoint)
        return answer(run, passOn(endpoint));
    if (!m_room)
        m_room = std::make_unique<Room<AsynqInspector>>(u"failed tasks"_s);
    answerTo(this,
             m_room->run(measured([endpoint = *endpoint, usual = QueueName{m_profile.queue},
                                   question = question()](
                                      AsynqInspector &inspector) -> Result<FailureSample> {
                 TRY(inspector.ready(endpoint, sessionName(u"outboxdeck"_s)));
                 return readTasksOf(inspector, usual, question, QDateTime::currentDateTimeUtc());
             })),
             [this, run](const Sample &look) {
                 emit looked(look.tookMs, look.traffic);
                 answer(run, look.answer);
             });
}

void TaskFailures::closeSession()
{
    if (m_room)
        m_room->close();
}

} // namespace outbox
