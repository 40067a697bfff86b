// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `relay`: the Producer loop until a signal, or until the outbox is drained.
#include "app/cli/commands/command.h"

#include "app/cli/run/operationoptions.h"
#include "app/cli/run/relayrun.h"
#include "app/cli/run/systemreader.h"
#include "app/operations/core/operatorsession.h"
#include "app/settings/folders.h"
#include "app/settings/opening.h"
#include "connectors/sql/outbox/fencetable.h"

#include <QCommandLineParser>
#include <QJsonArray>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Meanwhile a claim is open, and PostgreSQL ends a transaction that is idle for 15 s.
constexpr int longestCopyWaitMs = 10'000;

/// A duration within its bounds, as milliseconds.
Result<int> millisecondsOf(const QCommandLineParser &parser, const QString &option, qint64 least)
{
    const auto duration = TRY(durationMs(parser.value(option), u"--"_s + option));
    return static_cast<int>(std::clamp<qint64>(duration, least, 3'600'000));
}

Result<RelaySettings> settingsOf(const QCommandLineParser &parser, const Profile &profile)
{
    RelaySettings settings;
    settings.queue = profile.queue;
    settings.retentionSeconds = profile.retentionSeconds;
    settings.allowDuplicates = parser.isSet(u"allow-duplicates"_s);
    settings.anyEvictionPolicy = parser.isSet(u"allow-eviction"_s);
    settings.idsNeverReturn = parser.isSet(u"ids-never-return"_s);
    settings.shardsChanged = parser.isSet(u"shards-changed"_s);
    settings.notifyChannel = parser.value(u"notify"_s);
    settings.barrier = parser.isSet(u"barrier"_s);
    settings.batch = TRY(numberOf(parser, u"batch"_s, 1, 10'000));
    settings.ratePerSecond = TRY(numberOf(parser, u"rate"_s, 0, 10'000'000));
    settings.replicas = TRY(numberOf(parser, u"wait-replicas"_s, 0, 100));
    settings.deepestQueue = TRY(numberOf(parser, u"max-depth"_s, 0, 1'000'000'000));
    if (parser.isSet(u"schedule"_s)) {
        settings.schedule = TRY(Schedule::fromText(parser.value(u"schedule"_s)));
    }
    settings.pollMs = TRY(millisecondsOf(parser, u"poll"_s, 1));
    settings.graceMs = TRY(millisecondsOf(parser, u"grace"_s, 0));
    settings.onDisk = parser.isSet(u"wait-aof"_s);
    const auto wait = TRY(millisecondsOf(parser, u"wait-timeout"_s, 1));
    const bool areBoth = settings.onDisk && settings.replicas > 0; // one behind the other
    if (wait > (areBoth ? longestCopyWaitMs / 2 : longestCopyWaitMs)) {
        return fail(Error::Kind::Invalid, u"reading --wait-timeout"_s,
                    u"it is longer than the database lets a claim wait"_s, {},
                    areBoth ? u"Give 5s or less with --wait-replicas and --wait-aof"_s
                            : u"Give 10s or less"_s);
    }
    settings.replicaTimeoutMs
        = settings.onDisk && !parser.isSet(u"wait-timeout"_s) ? usualDiskTimeoutMs : wait;
    return settings;
}

void addRelayOptions(QCommandLineParser &parser)
{
    parser.addOptions({
        {u"drain"_s, u"Ends when the outbox is empty (parked rows stay)."_s},
        {u"batch"_s,
         u"At most so many rows a transaction; fewer while there is little to do (1000)."_s, u"N"_s,
         u"1000"_s},
        {u"workers"_s, u"Relays side by side, each with its own connections (1)."_s, u"N"_s,
         u"1"_s},
        {u"poll"_s, u"How long an idle relay waits without a NOTIFY (500ms)."_s, u"DURATION"_s,
         u"500ms"_s},
        {u"schedule"_s,
         u"Works off what is due at these times, and sleeps between them: 'every' (15s), 'every "
         u"1m', "
         u"or a cron expression of five fields (six with the second first), in UTC. Runs never "
         u"overlap, with those of other processes neither; times that pass during a run are left "
         u"out."_s,
         u"WHEN"_s},
        {u"rate"_s, u"At most so many rows a second in sum (0 = no limit)."_s, u"N"_s, u"0"_s},
        {u"grace"_s, u"Time a batch has to finish after a signal (5s)."_s, u"DURATION"_s, u"5s"_s},
        {u"notify"_s, u"PostgreSQL channel to LISTEN on as a wake-up."_s, u"CHANNEL"_s},
        {u"fence-sql"_s, u"Prints the statements that make the table outbox_fence."_s},
        {u"parked-sql"_s, u"Prints the statements that make the table outbox_parked."_s},
        {u"barrier"_s,
         u"PostgreSQL: sends a row only when it is on the server's disk, for writers with "
         u"synchronous_commit off."_s},
        {u"wait-replicas"_s,
         u"Redis replicas that must have a batch before its rows are given up (0)."_s, u"N"_s,
         u"0"_s},
        {u"wait-aof"_s,
         u"Redis must have a batch on its disk before its rows are given up (WAITAOF; needs Redis "
         u"7.2, or 8.0 and newer, with appendonly yes)."_s},
        {u"wait-timeout"_s,
         u"How long replicas may take, and the disk; then the batch is rolled back (1s; 3s with "
         u"--wait-aof)."_s,
         u"DURATION"_s, u"1s"_s},
        {u"max-depth"_s, u"Claims nothing while so many tasks wait in the queue (0 = no limit)."_s,
         u"N"_s, u"0"_s},
        {u"metrics"_s,
         u"Serves OpenMetrics at /metrics; :PORT is the loopback, port 0 any that is free."_s,
         u"HOST:PORT"_s},
        {u"allow-duplicates"_s, u"Permits --retention 0."_s},
        {u"ids-never-return"_s,
         u"Vouches that no key of the table is ever given a second time, where it does not show."_s},
        {u"shards-changed"_s,
         u"Vouches that no row which may be sent has a task in a queue of the shards before."_s},
        {u"allow-eviction"_s, u"Permits a Redis that may evict keys under memory pressure."_s},
    });
}

Result<ExitCode> runRelayCommand(const QCommandLineParser &parser, const Target &target,
                                 const Printer &printer)
{
    if (const bool isFence = parser.isSet(u"fence-sql"_s);
        isFence || parser.isSet(u"parked-sql"_s)) {
        const auto url = DatabaseUrl::fromUrl(target.profile.databaseUrl);
        const auto dialect = url ? url->dialect : DatabaseUrl::Dialect();
        const QString sql
            = isFence ? FenceTableAccess::sql(dialect) : ParkedTableAccess::sql(dialect);
        printer.isJson() ? printer.object({{u"sql"_s, sql}}) : printer.line(sql);
        return ExitCode::Ok;
    }
    if (parser.isSet(u"profile"_s) && target.profile.readOnly) {
        return printer.error(
            {Error::Kind::Refused,
             u"starting the relay"_s,
             u"profile \"%1\" is read-only"_s.arg(target.profile.name),
             {},
             u"Allow acting in the profile, or name the parts on the command line"_s});
    }
    auto settings = TRY(settingsOf(parser, target.profile));
    const auto workers = TRY(numberOf(parser, u"workers"_s, 1, 16));
    if (settings.schedule && workers > 1) {
        return printer.usage({Error::Kind::Invalid,
                              u"reading --workers"_s,
                              u"the runs of a schedule never overlap, so one relay does them"_s,
                              {},
                              u"Leave --workers or --schedule out"_s});
    }
    settings.ratePerSecond /= workers;
    settings.stateFolder
        = Folders::standard(parser.value(u"config-dir"_s), parser.value(u"state-dir"_s)).state;

    std::optional<MetricsAddress> metrics;
    if (parser.isSet(u"metrics"_s)) {
        const auto address = metricsAddress(parser.value(u"metrics"_s));
        if (!address)
            return printer.usage(address.error());
        metrics = *address;
    }

    const auto redis = TRY(redisOf(target.profile, target.secrets));
    const auto store
        = TRY(storeSettingsOf(target.profile, target.secrets, StoreAccess::Relay, u"outboxctl"_s));
    const auto look = TRY(
        storeSettingsOf(target.profile, target.secrets, StoreAccess::ReadOnly, u"outboxctl"_s));
    // In a session that ends with this line.
    const auto shape = TRY(SystemReader(target).openDatabase());
    if (auto allowed = mayWrite(shape, u"starting the relay"_s); !allowed && shape.canRelay())
        return printer.error(allowed.error());
    const QString queue = shape.hasShards() ? shape.queueShards.text() : target.profile.queue;
    printer.event(LogLevel::Info, u"starting"_s,
                  u"%1 (%2) to queue \"%3\", batches of up to %4"_s.arg(
                      shape.table.text(), shape.family.isEmpty() ? shape.name : shape.family, queue,
                      QString::number(settings.batch)),
                  {{u"table"_s, shape.table.text()},
                   {u"queue"_s, queue},
                   {u"batch"_s, settings.batch},
                   {u"workers"_s, workers},
                   {u"task_ids"_s, shape.taskId},
                   {u"source"_s, shape.source},
                   {u"also_task_ids"_s, QJsonArray::fromStringList(shape.alsoTaskIds)}});
    if (shape.payloadForm == OutboxShape::PayloadForm::Reference
        && shape.referenceTables.isEmpty()) {
        printer.event(
            LogLevel::Warning, u"no_tables"_s,
            u"no row names a table yet and no shape lists one: rows that refer to a table "
            u"will be parked; list the tables with --shape"_s);
    }

    return runRelays(printer,
                     {store, shape, redis, settings, parser.isSet(u"drain"_s), metrics, look,
                      entryAbout(AuditEntry::Kind::Relay, target.profile, u"outboxctl"_s,
                                 recordTarget(target.profile, shape))},
                     workers);
}

} // namespace

Command relayCommand()
{
    return {
        .name = u"relay"_s,
        .summary
        = u"Moves rows from the outbox to the queue until SIGTERM or SIGINT; SIGUSR1 pauses and "
          u"resumes, SIGUSR2 drains and ends."_s,
        .addOptions = addRelayOptions,
        .run = runRelayCommand};
}

} // namespace outbox
