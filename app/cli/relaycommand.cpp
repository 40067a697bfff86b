// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/relaycommand.h"

#include "app/cli/look.h"
#include "app/cli/operationoptions.h"
#include "app/cli/relayrun.h"
#include "app/settings/folders.h"
#include "app/system/opening.h"

#include <QCommandLineParser>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Result<RelaySettings> settingsOf(const QCommandLineParser &parser, const Profile &profile)
{
    RelaySettings settings;
    settings.queue = profile.queue;
    settings.retentionSeconds = profile.retentionSeconds;
    settings.allowDuplicates = parser.isSet(u"allow-duplicates"_s);
    settings.anyEvictionPolicy = parser.isSet(u"allow-eviction"_s);
    settings.notifyChannel = parser.value(u"notify"_s);
    const auto batch = numberOf(parser, u"batch"_s, 1, 10'000);
    if (!batch)
        return passOn(batch);
    settings.batch = *batch;
    const auto rate = numberOf(parser, u"rate"_s, 0, 10'000'000);
    if (!rate)
        return passOn(rate);
    settings.ratePerSecond = *rate;
    const auto poll = durationMs(parser.value(u"poll"_s), u"--poll"_s);
    if (!poll)
        return passOn(poll);
    settings.pollMs = static_cast<int>(std::clamp<qint64>(*poll, 1, 3'600'000));
    const auto grace = durationMs(parser.value(u"grace"_s), u"--grace"_s);
    if (!grace)
        return passOn(grace);
    settings.graceMs = static_cast<int>(std::clamp<qint64>(*grace, 0, 3'600'000));
    return settings;
}

} // namespace

QString RelayCommand::name() const
{
    return u"relay"_s;
}

QString RelayCommand::summary() const
{
    return u"Moves rows from the outbox to the queue until SIGTERM or SIGINT."_s;
}

void RelayCommand::addOptions(QCommandLineParser &parser) const
{
    parser.addOptions({
        {u"drain"_s, u"Ends when the outbox is empty (parked rows stay)."_s},
        {u"batch"_s, u"Rows a transaction (100)."_s, u"N"_s, u"100"_s},
        {u"workers"_s, u"Relays side by side, each with its own connections (1)."_s, u"N"_s,
         u"1"_s},
        {u"poll"_s, u"How long an idle relay waits without a NOTIFY (500ms)."_s, u"DURATION"_s,
         u"500ms"_s},
        {u"rate"_s, u"At most so many rows a second in sum (0 = no limit)."_s, u"N"_s, u"0"_s},
        {u"grace"_s, u"Time a batch has to finish after a signal (5s)."_s, u"DURATION"_s, u"5s"_s},
        {u"notify"_s, u"PostgreSQL channel to LISTEN on as a wake-up."_s, u"CHANNEL"_s},
        {u"parked-sql"_s, u"Prints the statements that make the table outbox_parked."_s},
        {u"allow-duplicates"_s, u"Permits --retention 0."_s},
        {u"allow-eviction"_s, u"Permits a Redis that may evict keys under memory pressure."_s},
    });
}

ExitCode RelayCommand::run(const QCommandLineParser &parser, const Target &target,
                           const Printer &printer) const
{
    if (parser.isSet(u"parked-sql"_s)) {
        const auto url = DatabaseUrl::fromUrl(target.profile.databaseUrl);
        const QString sql
            = ParkedTableAccess::sql(url ? url->dialect : DatabaseUrl::Dialect::PostgreSql);
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
    auto settings = settingsOf(parser, target.profile);
    if (!settings)
        return printer.error(settings.error());
    const auto workers = numberOf(parser, u"workers"_s, 1, 16);
    if (!workers)
        return printer.error(workers.error());
    settings->ratePerSecond /= *workers;
    settings->stateFolder
        = Folders::standard(parser.value(u"config-dir"_s), parser.value(u"state-dir"_s)).state;

    const auto redis = redisOf(target.profile, target.secrets);
    if (!redis)
        return printer.error(redis.error());
    auto store
        = storeSettingsOf(target.profile, target.secrets, StoreAccess::Relay, u"outboxctl"_s);
    if (!store)
        return printer.error(store.error());
    SystemLooker looker(target);
    auto shape = looker.openDatabase();
    if (!shape)
        return printer.error(shape.error());
    printer.note(u"relay: %1 (%2) to queue \"%3\", batch %4"_s.arg(
        shape->table.text(), shape->family.isEmpty() ? shape->name : shape->family,
        target.profile.queue, QString::number(settings->batch)));
    if (shape->payloadForm == OutboxShape::PayloadForm::Reference
        && shape->referenceTables.isEmpty()) {
        printer.note(
            u"relay: no row names a table yet and no shape lists one: rows that refer to a "
            u"table will be parked; list the tables with --shape"_s);
    }

    RelayRun run(printer, {*store, *shape, *redis, *settings, parser.isSet(u"drain"_s)}, *workers);
    return run.untilEnd();
}

} // namespace outbox
