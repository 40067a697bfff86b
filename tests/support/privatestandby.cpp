// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/privatestandby.h"

#include "tests/support/plainpostgres.h"

#include <QDir>
#include <QElapsedTimer>

#include <thread>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 patienceMs = 30'000;

/// Asks until the answer is 1.
Result<void> until(PlainPostgres &server, const QByteArray &question)
{
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < patienceMs) {
        const auto answer = server.number(question);
        if (!answer)
            return passOn(answer);
        if (*answer == 1)
            return {};
        std::this_thread::yield();
    }
    return fail(Error::Kind::Timeout, u"waiting for a standby"_s, QString::fromUtf8(question));
}

} // namespace

Result<void> PrivateStandby::follow(const PrivatePostgres &primary)
{
    const QString doing = u"making a standby"_s;
    const auto binaries = postgresBinaries();
    if (!binaries)
        return passOn(binaries);
    kill();
    const QString data = m_folder.filePath(u"data"_s);
    if (!QDir(data).removeRecursively())
        return fail(Error::Kind::Refused, doing, u"the data of before could not be removed"_s);
    prepare({}, false);
    QString program = *binaries + u"/pg_basebackup"_s;
    QStringList arguments{
        u"-D"_s, data,
        u"-R"_s, u"--no-sync"_s,
        u"-c"_s, u"fast"_s,
        u"-X"_s, u"stream"_s,
        u"-d"_s, u"host=%1 user=%2"_s.arg(primary.socketFolder(), primary.user())};
    runAsNobody(program, arguments, u"INT"_s);
    if (auto copied = runToEnd(program, arguments, doing); !copied)
        return copied;
    return restart();
}

Result<void> PrivateStandby::makeSynchronous(const PrivatePostgres &primary)
{
    PlainPostgres first;
    if (auto opened = first.open(primary); !opened)
        return opened;
    for (const char *sql :
         {"alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"}) {
        if (auto done = first.run(sql); !done)
            return passOn(done);
    }
    return until(first,
                 "select (count(*) > 0)::int from pg_stat_replication where sync_state = 'sync'");
}

Result<void> PrivateStandby::catchUp(const PrivatePostgres &primary)
{
    PlainPostgres first;
    PlainPostgres here;
    if (auto opened = first.open(primary); !opened)
        return opened;
    if (auto opened = here.open(*this); !opened)
        return opened;
    const auto written = first.number("select (pg_current_wal_lsn() - '0/0')::bigint");
    if (!written)
        return passOn(written);
    return until(here,
                 "select (pg_last_wal_replay_lsn() - '0/0' >= " + QByteArray::number(*written)
                     + ")::int");
}

Result<void> PrivateStandby::cutOff()
{
    PlainPostgres here;
    if (auto opened = here.open(*this); !opened)
        return opened;
    for (const char *sql : {"alter system set primary_conninfo = ''", "select pg_reload_conf()"}) {
        if (auto done = here.run(sql); !done)
            return passOn(done);
    }
    return until(here, "select (count(*) = 0)::int from pg_stat_wal_receiver");
}

Result<void> PrivateStandby::promote()
{
    PlainPostgres here;
    if (auto opened = here.open(*this); !opened)
        return opened;
    if (auto done = here.run("select pg_promote()"); !done)
        return passOn(done);
    return until(here, "select (not pg_is_in_recovery())::int");
}

} // namespace outbox
