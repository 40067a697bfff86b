// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testoperator.h"

#include "app/settings/opening.h"
#include "connectors/asynq/wire/keys.h"

#include <QDebug>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Profile profileOf(const QString &databaseUrl, const QString &table, const QString &redisUrl)
{
    Profile profile;
    profile.name = u"fixture"_s;
    profile.environment = Environment::Development;
    profile.databaseUrl = databaseUrl;
    profile.table = table;
    profile.timeZone = u"UTC"_s; // in which the fixture writes
    profile.redisUrl = redisUrl;
    return profile;
}

} // namespace

Consent fullConsent(const Plan &plan)
{
    Consent consent;
    consent.secondExecution = true;
    consent.trim = true;
    consent.typed = textToType(withConsent(plan, consent));
    consent.note = u"test"_s;
    return consent;
}

TestOperator::TestOperator(const QString &stateFolder)
    : m_stateFolder(stateFolder.isEmpty() ? m_folder.path() : stateFolder)
{ }

Result<void> TestOperator::open(const TestOutbox &outbox)
{
    return open(outbox.url(), outbox.table(), outbox.redisUrl());
}

Result<void> TestOperator::open(const QString &databaseUrl, const QString &table,
                                const QString &redisUrl)
{
    OperatorSessionSettings settings;
    settings.profile = profileOf(databaseUrl, table, redisUrl);
    settings.act = ProfilePasswords();
    settings.stateFolder = m_stateFolder;
    settings.face = u"outboxctl"_s;
    const auto store = storeSettingsOf(settings.profile, {}, StoreAccess::ReadOnly, settings.face);
    if (!store)
        return passOn(store);
    OutboxStore look;
    if (auto opened = look.open(*store); !opened)
        return opened;
    const auto shape = takeShape(look, settings.profile);
    if (!shape)
        return passOn(shape);
    settings.shape = *shape;
    return m_session.open(settings);
}

Result<void> TestOperator::open(const TestOutbox &outbox, const OutboxShape &shape)
{
    OperatorSessionSettings settings;
    settings.profile = profileOf(outbox.url(), outbox.table(), outbox.redisUrl());
    settings.act = ProfilePasswords();
    settings.stateFolder = m_stateFolder;
    settings.face = u"outboxctl"_s;
    settings.shape = shape;
    return m_session.open(settings);
}

Result<Plan> TestOperator::plan(Verb verb, const Selection &selection)
{
    return operationFor(verb)->plan(m_session, selection);
}

Result<Receipt> TestOperator::carryOut(const Plan &plan, const OperationControl &control)
{
    return operationFor(plan.verb)->carryOut(m_session, plan, fullConsent(plan), control);
}

Result<Receipt> TestOperator::act(Verb verb, const Selection &selection,
                                  const OperationControl &control)
{
    const auto planned = plan(verb, selection);
    if (!planned)
        return passOn(planned);
    return carryOut(*planned, control);
}

QList<Activity> TestOperator::activities()
{
    const auto entries = m_session.audit().read();
    if (!entries) {
        qWarning() << oneLine(entries.error());
        return {};
    }
    return activitiesOf(*entries);
}

Selection TestOperator::rows(const QStringList &ids)
{
    Selection selection;
    for (const QString &id : ids)
        selection.rows += MessageId{id};
    return selection;
}

Selection TestOperator::tasks(const QStringList &ids)
{
    Selection selection;
    for (const QString &id : ids)
        selection.tasks += TaskId{id};
    return selection;
}

Result<void> FixtureRelay::open(const TestOutbox &outbox)
{
    if (auto opened = m_store.open(outbox.settings(StoreAccess::Relay)); !opened)
        return opened;
    Profile profile;
    profile.table = outbox.table();
    profile.timeZone = u"UTC"_s; // in which the fixture writes
    if (auto shape = takeShape(m_store, profile); !shape)
        return passOn(shape);
    if (auto opened = m_queue.open(outbox.redis(), u"fixture"_s); !opened)
        return opened;
    m_relay = std::make_unique<OneLaneRelay>(m_store, m_queue, RelayRules{{u"default"_s}});
    return {};
}

RelayTotals FixtureRelay::drain(int batch)
{
    RelayTotals totals;
    for (int steps = 0; steps < 100'000; ++steps) {
        const RelayStep step = m_relay->step(batch);
        totals.add(step);
        if (step.error)
            qWarning() << oneLine(*step.error);
        if (step.error || step.claimed == 0)
            break;
    }
    return totals;
}

QHash<QByteArray, QByteArray> redisByTask(RedisConnection &redis, const QByteArrayList &ids)
{
    const asynq::QueueKeys keys({u"default"_s});
    QHash<QByteArray, QByteArray> byTask;
    for (const QByteArray &id : ids) {
        QList<RedisCommand> commands{{"HGETALL", keys.task(id)},
                                     {"GET", keys.task(id)},
                                     {"LPOS", keys.pending(), id, "COUNT", "0"},
                                     {"LPOS", keys.active(), id, "COUNT", "0"},
                                     {"ZSCORE", keys.group("g"), id}};
        for (const QByteArray &set :
             {keys.lease(), keys.scheduled(), keys.retry(), keys.archived(), keys.completed()})
            commands += {"ZSCORE", set, id};
        const auto replies = redis.pipeline(commands);
        if (!replies)
            qFatal("%s", qPrintable(oneLine(replies.error())));
        QByteArray &text = byTask[id];
        QByteArrayList fields; // their order is Redis's own affair
        for (qsizetype i = 0; i + 1 < replies->first().elements.size(); i += 2) {
            fields += replies->first().elements.at(i).bytes + '='
                + replies->first().elements.at(i + 1).bytes;
        }
        std::sort(fields.begin(), fields.end());
        text = fields.join(',') + '|';
        for (const RedisReply &reply : replies->sliced(1)) {
            // Where it stands in a list says how many others stand before it: not its own affair.
            text += reply.kind == RedisReply::Kind::Array
                ? QByteArray::number(reply.elements.size())
                : reply.bytes;
            text += '|';
        }
    }
    return byTask;
}

} // namespace outbox
