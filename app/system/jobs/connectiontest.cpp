// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/connectiontest.h"

#include "app/settings/opening.h"
#include "connectors/answer.h"
#include "models/elapsed.h"
#include "models/phrases.h"
#include "models/system/login.h"

#include <QElapsedTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What a job brings home: its words and, from the probe, the finding.
struct Answer
{
    Result<QString> words;
    double ms = 0;
    std::optional<ProbeFinding> finding;
};

QString offsetText(double seconds)
{
    return ConnectionTest::tr("clock %1%2 s")
        .arg(seconds < 0 ? u"-"_s : u"+"_s, QString::number(std::abs(seconds), 'f', 2));
}

} // namespace

ConnectionTest::ConnectionTest(Profile profile, ProfilePasswords secrets, QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets)),
      m_database(u"test-reader"_s), m_queue(u"test-queue"_s)
{
    addDatabaseSteps();
    m_firstQueueStep = m_steps.size();
    addQueueSteps();
}

ConnectionTest::~ConnectionTest()
{
    m_database.interrupt(); // closing the room would wait for a server that stands still
}

template <typename Resource, typename Job>
void ConnectionTest::ask(Room<Resource> &room, size_t step, Job job)
{
    answerTo(this, room.run([job = std::move(job)](Resource &resource) {
        QElapsedTimer clock;
        clock.start();
        Answer answer = job(resource);
        answer.ms = millisecondsOf(clock);
        return answer;
    }),
             [this, step](const Answer &answer) {
                 if (answer.finding)
                     emit tableFound(*answer.finding);
                 settle(step, answer.ms, answer.words);
             });
}

void ConnectionTest::addStep(const QString &name, std::function<void(size_t)> begin)
{
    m_steps.push_back(std::move(begin));
    const bool isOfQueue = m_firstQueueStep > 0;
    m_told += ConnectionStep{name, ConnectionStep::State::Skipped, 0, {}, isOfQueue};
}

void ConnectionTest::addDatabaseSteps()
{
    addStep(tr("Database address"), [this](size_t step) {
        const auto url = DatabaseUrl::fromUrl(m_profile.databaseUrl);
        settle(step, 0, url ? Result<QString>(url->shown()) : Result<QString>(passOn(url)));
    });
    addStep(tr("Connect and log in"), [this](size_t step) {
        const auto settings
            = storeSettingsOf(m_profile, m_secrets, StoreAccess::ReadOnly, u"outboxdeck"_s);
        ask(m_database, step, [settings](OutboxStore &store) -> Answer {
            if (!settings)
                return {passOn(settings)};
            if (auto opened = store.open(*settings); !opened)
                return {passOn(opened)};
            return {tr("the session is kept read-only by the server")};
        });
    });
    addStep(tr("Find the table"), [this](size_t step) {
        ask(m_database, step,
            [table = TableName::fromText(m_profile.table)](OutboxStore &store) -> Answer {
                const auto findings = store.probe(table);
                if (!findings)
                    return {passOn(findings)};
                if (findings->isEmpty()) {
                    return {fail(Error::Kind::Invalid, tr("Looking for the table"),
                                 tr("there is no table \"%1\", or this role may not see it")
                                     .arg(table.text()))};
                }
                const ProbeFinding &best = findings->first();
                return {tr("%1, %2 % sure")
                            .arg(best.shape.family.isEmpty() ? tr("no known family")
                                                             : best.shape.family)
                            .arg(qRound(best.confidence * 100)),
                        0, best};
            });
    });
    addStep(tr("Read rows"), [this](size_t step) {
        ask(m_database, step, [profile = m_profile](OutboxStore &store) -> Answer {
            if (auto shape = takeShape(store, profile); !shape)
                return {passOn(shape)};
            const auto snapshot = store.snapshot({10'000, 10'000});
            if (!snapshot)
                return {passOn(snapshot)};
            return {tr("%1 pending; %2")
                        .arg(countText(snapshot->pending.value_or(0)),
                             offsetText(snapshot->clockOffsetSeconds))};
        });
    });
}

void ConnectionTest::addQueueSteps()
{
    if (m_profile.isDatabaseOnly()) {
        addStep(tr("Redis address"), [this](size_t step) {
            settle(step, 0, tr("none is set: the queue is not watched"));
        });
        return;
    }
    addStep(tr("Redis address"), [this](size_t step) {
        const auto endpoint = RedisEndpoint::fromUrl(m_profile.redisUrl);
        settle(step, 0,
               endpoint ? Result<QString>(endpoint->shown()) : Result<QString>(passOn(endpoint)));
    });
    addStep(tr("Connect and log in"), [this](size_t step) {
        const auto endpoint = redisOf(m_profile, m_secrets);
        ask(m_queue, step, [endpoint](AsynqInspector &inspector) -> Answer {
            if (!endpoint)
                return {passOn(endpoint)};
            if (auto opened = inspector.open(*endpoint, sessionName(u"outboxdeck"_s)); !opened)
                return {passOn(opened)};
            const auto facts = inspector.facts();
            if (!facts)
                return {passOn(facts)};
            return {tr("Redis %1, %2; %3")
                        .arg(facts->version, facts->role, offsetText(facts->clockOffsetSeconds))};
        });
    });
    addStep(tr("Read the queue"), [this](size_t step) {
        ask(m_queue, step, [name = m_profile.ownQueue()](AsynqInspector &inspector) -> Answer {
            const auto sizes = inspector.snapshot({name});
            if (!sizes)
                return {passOn(sizes)};
            if (sizes->isEmpty() || !sizes->first().known)
                return {tr("queue \"%1\" has never been used; it appears with the first task")
                            .arg(name.text)};
            return {
                tr("%1 pending, %2 kept")
                    .arg(countText(sizes->first().pending), countText(sizes->first().completed))};
        });
    });
}

void ConnectionTest::next(size_t step)
{
    // The two servers fail apart: a database that does not answer says nothing about Redis.
    while (step < m_steps.size() && (step < m_firstQueueStep ? m_databaseFailed : m_queueFailed))
        ++step;
    if (step >= m_steps.size()) {
        emit finished(!m_databaseFailed && !m_queueFailed);
        return;
    }
    m_told[qsizetype(step)].state = ConnectionStep::State::Running;
    emit stepsChanged(m_told);
    m_steps[step](step);
}

void ConnectionTest::settle(size_t step, double ms, const Result<QString> &answer)
{
    ConnectionStep &told = m_told[qsizetype(step)];
    told.ms = ms;
    if (answer) {
        told.state = ConnectionStep::State::Ok;
        told.text = *answer;
    } else {
        told.state = ConnectionStep::State::Failed;
        const Error &error = answer.error();
        told.text = isLogInRefused(error)
            ? logInRefused(told.isOfQueue ? Source::Queue : Source::Database,
                           logInNamesOf(m_profile), error)
            : oneLine(error);
        (told.isOfQueue ? m_queueFailed : m_databaseFailed) = true;
    }
    emit stepsChanged(m_told);
    next(step + 1);
}

} // namespace outbox
