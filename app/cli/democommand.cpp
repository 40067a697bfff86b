// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/democommand.h"

#include "app/demo/demo.h"
#include "app/service/signals.h"
#include "models/plaintext.h"

#include <QCommandLineParser>
#include <QEventLoop>
#include <QTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString DemoCommand::name() const
{
    return u"demo"_s;
}

QString DemoCommand::summary() const
{
    return u"A throwaway system: outbox, Redis, writer, worker and relay. Ends with the terminal."_s;
}

void DemoCommand::addOptions(QCommandLineParser &parser) const
{
    parser.addOption({u"kind"_s, u"sqlite (default) or postgres."_s, u"KIND"_s, u"sqlite"_s});
}

ExitCode DemoCommand::run(const QCommandLineParser &parser, const Target &,
                          const Printer &printer) const
{
    const QString kind = parser.value(u"kind"_s);
    if (kind != u"sqlite"_s && kind != u"postgres"_s) {
        (void)printer.error({Error::Kind::Invalid,
                             u"reading --kind"_s,
                             u"\"%1\" is neither sqlite nor postgres"_s.arg(kind),
                             {},
                             {}});
        return ExitCode::Usage;
    }
    Demo demo;
    const auto started
        = demo.start(kind == u"postgres"_s ? Demo::Kind::Postgres : Demo::Kind::Sqlite);
    if (!started)
        return printer.error(started.error());
    const Profile profile = demo.profile();
    if (printer.isJson()) {
        printer.object({{u"database"_s, profile.databaseUrl},
                        {u"table"_s, profile.table},
                        {u"redis"_s, profile.redisUrl},
                        {u"queue"_s, profile.queue}});
    } else {
        printer.line(u"database  "_s + profile.databaseUrl);
        printer.line(u"redis     "_s + profile.redisUrl);
        printer.line(u"look      outboxctl status --database '%1' --redis '%2'"_s.arg(
            profile.databaseUrl, profile.redisUrl));
        printer.line(u"end       Ctrl+C; nothing stays behind"_s);
    }

    QEventLoop loop;
    Signals stopSignals;
    RelayDriver relay;
    QObject::connect(&relay, &RelayDriver::backingOff, &loop, [&](const Error &error, int) {
        printer.note(u"relay: "_s + plainText(oneLine(error)));
    });
    QObject::connect(&relay, &RelayDriver::finished, &loop, &QEventLoop::quit);
    QObject::connect(&stopSignals, &Signals::received, &loop, [&] { relay.stop(); });
    relay.start(demo.relayStore(), *profile.shape, demo.redis(), demo.relaySettings());
    loop.exec();
    return ExitCode::Ok;
}

} // namespace outbox
