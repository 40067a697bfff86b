// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/cells.h"

#include "tests/support/ctl.h"

#include <QFile>
#include <QJsonDocument>

#include <csignal>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int relayTimeoutMs = 200; ///< of a relay that meets a frozen Redis
constexpr int mostTries = 5; ///< of a relay with a bug, to come to an end

Failure cellFailed(const QString &why)
{
    return fail(Error::Kind::Protocol, u"running a cell"_s, why);
}

} // namespace

Cells::Cells(Ground &ground, TestOutbox::Kind kind, BenchShape shape, ClaimOptions manner)
    : m_ground(ground), m_kind(kind), m_manner(manner),
      m_fixture(kind, shape, &ground.postgres, ground.redis, &ground.mariadb)
{ }

Result<void> Cells::open()
{
    if (!m_fixture.setUp())
        return cellFailed(u"the tables could not be made"_s);
    m_worker.keepPayloads();
    const auto shape = m_fixture.takenShape(u"UTC"_s); // in which the fixture writes
    if (!shape)
        return passOn(shape);
    m_shape = *shape;
    if (shape->use != OutboxShape::Use::Relay) {
        if (auto confirmed = confirm(*shape); !confirmed)
            return confirmed;
    }
    return m_worker.open(m_fixture.redis());
}

Result<void> Cells::confirm(OutboxShape shape)
{
    shape.use = OutboxShape::Use::Relay;
    m_shapeFile = m_folder.filePath(u"shape.json"_s);
    QFile file(m_shapeFile);
    const QByteArray json = QJsonDocument(shape.toJson()).toJson();
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size())
        return cellFailed(u"the shape could not be written: "_s + file.errorString());
    return {};
}

QStringList Cells::shapeOption() const
{
    return m_shapeFile.isEmpty() ? QStringList() : QStringList{u"--shape"_s, m_shapeFile};
}

QStringList Cells::options() const
{
    return QStringList{u"--batch"_s,     QString::number(m_manner.batch()),
                       u"--lanes"_s,     QString::number(m_manner.lanes),
                       u"--retention"_s, QString::number(m_manner.retentionSeconds),
                       u"--bug"_s,       word(m_manner.bug)}
    + shapeOption();
}

Result<Tally> Cells::run(int point, Fault fault)
{
    const qsizetype before = m_fixture.insertedIds().size();
    if (!m_fixture.insertRows(m_manner.batch() * m_manner.lanes))
        return cellFailed(u"the rows could not be inserted"_s);
    QStringList expected = m_fixture.insertedIds().mid(before);
    if (m_manner.isPoisoned) {
        m_poison = expected.mid(0, poisonOfBatch);
        expected = expected.mid(poisonOfBatch);
        if (auto spoilt = spoil(m_poison.first(), m_poison.last()); !spoilt)
            return passOn(spoilt);
    }
    {
        RelayProcess relay;
        const QStringList stopping{u"--stop-at"_s, QString::number(point), u"--redis-timeout"_s,
                                   QString::number(relayTimeoutMs)};
        if (auto started = relay.start(m_fixture, options() + stopping); !started)
            return passOn(started);
        if (!relay.heard("at\n"))
            return cellFailed(u"the relay did not come to its point: "_s
                              + QString::fromUtf8(relay.complaints()));
        // A worker as fast as can be is the worst case: what was enqueued is done before the fault.
        if (auto ran = m_worker.consume(); !ran)
            return passOn(ran);
        if (auto struck = strike(relay, fault); !struck)
            return passOn(struck);
    }
    return finish(expected);
}

QString Cells::refusing() const
{
    switch (m_kind) {
    case TestOutbox::Kind::Sqlite:
        return u"WHEN %1 BEGIN SELECT RAISE(ABORT, 'this row may not go'); END"_s;
    case TestOutbox::Kind::MariaDb:
        return u"FOR EACH ROW IF %1 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT ="
               " 'this row may not go'; END IF"_s;
    case TestOutbox::Kind::Postgres:
        break;
    }
    return u"FOR EACH ROW WHEN (%1) EXECUTE FUNCTION refuse()"_s;
}

Result<void> Cells::spoil(const QString &forDatabase, const QString &forRedis)
{
    QStringList statements;
    if (m_kind == TestOutbox::Kind::Postgres) {
        statements += u"CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                      " $$ BEGIN RAISE 'this row may not go'; END $$"_s;
    }
    for (const QString &verb : {u"DELETE"_s, u"UPDATE"_s}) {
        const QString when = m_fixture.keyText(u"OLD.id"_s) + u" = '%1'"_s.arg(forDatabase);
        const QString each = refusing().arg(when);
        statements += u"CREATE TRIGGER refuse_%1 BEFORE %1 ON outbox "_s.arg(verb) + each;
    }
    for (const QString &sql : std::as_const(statements)) {
        if (!m_fixture.exec(sql))
            return cellFailed(u"the trigger could not be made"_s);
    }
    const auto planted = m_fixture.plainRedis().command(
        {"SET", "asynq:{default}:t:" + taskOf(forRedis).toUtf8(), "x"}, u"planting"_s);
    return planted ? Result<void>() : Result<void>(passOn(planted));
}

Result<void> Cells::strike(RelayProcess &relay, Fault fault)
{
    const auto letItEnd = [&relay]() -> Result<void> {
        relay.goOn();
        const int code = relay.end();
        if (code != 0 && code != 3) {
            return cellFailed(u"the relay ended with %1: "_s.arg(code)
                              + QString::fromUtf8(relay.complaints()));
        }
        return {};
    };
    switch (fault) {
    case Fault::RelayKilled:
        relay.tell(SIGKILL);
        if (relay.end() != -1)
            return cellFailed(u"the relay was not killed"_s);
        return {};
    case Fault::RelayTold:
        relay.tell(SIGTERM);
        relay.goOn();
        if (relay.end() != 0)
            return cellFailed(u"the relay did not end well after SIGTERM"_s);
        return {};
    case Fault::BackendCut: {
        const auto cut = m_ground.cutBackends(m_kind);
        if (!cut)
            return passOn(cut);
        if (*cut < m_manner.lanes) // one of the cell before may not have ended yet
            return cellFailed(u"%1 sessions were cut"_s.arg(*cut));
        return letItEnd();
    }
    case Fault::DatabaseStopped: {
        m_ground.stopDatabase(m_kind);
        auto ended = letItEnd();
        if (auto started = m_ground.restartDatabase(m_kind); !started)
            return started;
        if (!m_fixture.reopen())
            return cellFailed(u"the database did not come back"_s);
        return ended;
    }
    case Fault::RedisKilled: {
        if (auto killed = m_ground.killRedis(); !killed)
            return killed;
        auto ended = letItEnd();
        if (auto revived = m_ground.reviveRedis(); !revived)
            return revived;
        return ended ? m_worker.open(m_fixture.redis()) : ended;
    }
    case Fault::RedisFrozen: {
        m_ground.redis.freeze();
        auto ended = letItEnd();
        m_ground.redis.thaw();
        return ended;
    }
    case Fault::RedisEmptied:
    case Fault::ScriptsFlushed:
    case Fault::CommandsRefused:
    case Fault::LineSlow:
        return cellFailed(u"%1 has no cell"_s.arg(word(fault)));
    }
    return {};
}

Result<void> Cells::drain()
{
    if (m_manner.bug == Bug::None) {
        const CtlRun run
            = runCtl(QStringList{u"relay"_s, u"--drain"_s, u"--json"_s, u"--poll"_s, u"20ms"_s,
                                 u"--batch"_s, QString::number(m_manner.batch()), u"--retention"_s,
                                 u"%1s"_s.arg(m_manner.retentionSeconds), u"--allow-duplicates"_s}
                     + shapeOption() + RelayProcess::argumentsFor(m_fixture));
        constexpr int partly = 6; // rows were parked: they are counted as left
        if (run.exitCode != 0 && run.exitCode != partly)
            return cellFailed(u"the fresh relay failed: "_s + QString::fromUtf8(run.err));
        return {};
    }
    for (int tries = 0; tries < mostTries; ++tries) {
        RelayProcess relay;
        if (auto started = relay.start(m_fixture, options()); !started)
            return started;
        if (relay.end() == 0)
            break;
    }
    return {};
}

Result<Tally> Cells::finish(const QStringList &expected)
{
    if (auto ran = m_worker.consume(); !ran)
        return passOn(ran);
    if (auto drained = drain(); !drained)
        return passOn(drained);
    if (auto ran = m_worker.consume(); !ran)
        return passOn(ran);
    QStringList left = m_fixture.unprocessedIds();
    qsizetype gone = 0;
    for (const QString &id : std::as_const(m_poison))
        gone += left.removeOne(id) ? 0 : 1;
    Tally tally
        = tallyOf(expected, left, m_worker, [this](const QString &id) { return taskOf(id); });
    tally.lost += gone;
    for (const QString &id : expected) {
        const QString task = taskOf(id);
        if (m_worker.runs().contains(task)
            && m_worker.payload(task) != m_fixture.expectedPayload(id))
            ++tally.altered;
    }
    m_worker.forget();
    return tally;
}

} // namespace outbox::crash
