// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `demo`: a throwaway system that lives until the terminal ends it.
#include "app/cli/commands/command.h"

#include "app/demo/demo.h"
#include "app/service/signals.h"
#include "models/plaintext.h"

#include <QCommandLineParser>
#include <QEventLoop>
#include <QTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The line that looks at the demo from another terminal.
QString lookLine(const Profile &profile)
{
    QStringList words{u"outboxctl"_s};
    if (const auto &design = profile.design) {
        words += {u"documents status --design"_s, word(design->design), u"--time-member"_s,
                  design->documents.timeMember,   u"--table"_s,         profile.table};
        if (const auto &table = design->doneTable)
            words += {u"--done-table"_s, table->table.text()};
    } else {
        words += {u"status --table"_s, profile.table};
    }
    words += {u"--database"_s, u'\'' + profile.databaseUrl + u'\'', u"--redis"_s,
              u'\'' + profile.redisUrl + u'\''};
    return words.join(u' ');
}

void addDemoOptions(QCommandLineParser &parser)
{
    parser.addOption({u"kind"_s,
                      u"sqlite (default) or postgres; or another design of an outbox: "
                      u"processed-date, entity, dedup-store or tokens."_s,
                      u"KIND"_s, u"sqlite"_s});
}

Result<ExitCode> runDemoCommand(const QCommandLineParser &parser, const Target &,
                                const Printer &printer)
{
    const QString kind = parser.value(u"kind"_s);
    const auto design = demoDesignFromWord(kind);
    if (!design && kind != u"sqlite"_s && kind != u"postgres"_s) {
        (void)printer.error({Error::Kind::Invalid,
                             u"reading --kind"_s,
                             u"\"%1\" is neither sqlite, postgres nor a design"_s.arg(kind),
                             {},
                             u"See: outboxctl demo --help"_s});
        return ExitCode::Usage;
    }
    Demo demo;
    TRY(demo.start(kind == u"postgres"_s ? Demo::Kind::Postgres : Demo::Kind::Sqlite,
                   design.value_or(DemoDesign::RedisRelay)));
    const Profile profile = demo.profile();
    if (printer.isJson()) {
        QJsonObject json{{u"database"_s, profile.databaseUrl},
                         {u"table"_s, profile.table},
                         {u"redis"_s, profile.redisUrl},
                         {u"queue"_s, profile.queue}};
        if (profile.design)
            json[u"design"_s] = profile.design->toJson();
        printer.object(json);
    } else {
        printer.line(u"database  "_s + profile.databaseUrl);
        printer.line(u"redis     "_s + profile.redisUrl);
        printer.line(u"look      "_s + lookLine(profile));
        printer.line(u"end       Ctrl+C; nothing stays behind"_s);
    }

    QEventLoop loop;
    Signals stopSignals;
    RelayDriver relay;
    QObject::connect(&relay, &RelayDriver::backingOff, &loop, [&](const Error &error, int) {
        printer.note(u"relay: "_s + plainText(oneLine(error)));
    });
    QObject::connect(&relay, &RelayDriver::finished, &loop, &QEventLoop::quit);
    QObject::connect(&stopSignals, &Signals::received, &loop, [&] {
        if (profile.shape)
            relay.stop();
        else
            loop.quit();
    });
    if (profile.shape) // what is left in documents is sent by the demo itself
        relay.start(demo.relayStore(), *profile.shape, demo.redis(), demo.relaySettings());
    loop.exec();
    return ExitCode::Ok;
}

} // namespace

Command demoCommand()
{
    return {
        .name = u"demo"_s,
        .summary
        = u"A throwaway system: outbox, Redis, writer, worker and relay. Ends with the terminal."_s,
        .addOptions = addDemoOptions,
        .run = runDemoCommand,
        .needsTarget = false};
}

} // namespace outbox
