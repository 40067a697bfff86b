// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// outboxdeck: the console.
#include "app/desktop/desktop.h"
#include "app/service/signals.h"
#include "app/system/sources/target.h"
#include "models/phrases.h"
#include "models/system/windowlink.h"
#include "views/frame/messagebar.h"
#include "views/theme/theme.h"
#include "views/widgets/scrolledpage.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QProcess>
#include <QTextStream>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

void say(const QString &text)
{
    QTextStream(stderr) << u"outboxdeck: "_s << text << Qt::endl;
}

/// The same program once more.
void startWindow(MainWindow &window, const QStringList &arguments)
{
    if (!QProcess::startDetached(QCoreApplication::applicationFilePath(), arguments)) {
        window.messages()->add(
            {u"newWindow"_s,
             HealthLevel::Watch,
             QCoreApplication::translate("outbox::Desktop", "Another window could not be started."),
             {}});
    }
}

} // namespace

int main(int argc, char *argv[])
{
    // `--demo` alone is good too; Qt's parser wants a value.
    QStringList arguments;
    for (int i = 0; i < argc; ++i) {
        const bool isAlone = i + 1 == argc || argv[i + 1][0] == '-';
        const QString argument = QString::fromLocal8Bit(argv[i]);
        arguments += isAlone && argument == u"--demo"_s ? u"--demo=sqlite"_s : argument;
    }
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName(u"outboxdeck"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(OUTBOX_VERSION));
    QGuiApplication::setApplicationDisplayName(u"Outbox Deck"_s);
    QGuiApplication::setDesktopFileName(u"outboxdeck"_s);
    useLocaleOfWords();

    QCommandLineParser parser;
    parser.setApplicationDescription(u"The operations console for the transactional outbox."_s);
    parser.addHelpOption();
    parser.addVersionOption();
    addTargetOptions(parser);
    parser.addOptions({
        {u"demo"_s,
         u"A throwaway system: sqlite (default) or postgres; or another design of an outbox: "
         u"processed-date, entity, dedup-store or tokens."_s,
         u"KIND"_s},
        {u"page"_s,
         u"Opens a page: overview, outbox (documents), queue, dedup, reconcile, relay, activity, "
         "fleet or alerts."_s,
         u"NAME"_s},
        {u"filter"_s,
         u"What the page lists: rows (the usual page), tasks, or what was done (activity)."_s,
         u"TEXT"_s},
        {u"id"_s,
         u"Shows one message, or on the page queue one task; with a filter of rows, selects it."_s,
         u"ID"_s},
        {u"environment"_s,
         u"What a system that is named by its parts is: production, staging or development. It "
         u"opens read-only where nothing is said, and as production."_s,
         u"NAME"_s},
        {u"read-only"_s, u"No relay may be started in this window."_s},
        {u"screenshots"_s, u"Draws every page into DIR and ends."_s, u"DIR"_s},
    });
    parser.process(arguments);
    if (const QStringList surplus = parser.positionalArguments(); !surplus.isEmpty()) {
        say(u"\"%1\" is not expected here. See: outboxdeck --help"_s.arg(surplus.constFirst()));
        return 2;
    }

    theme::apply(ThemeChoice::System);
    Desktop desktop(Folders::standard(parser.value(u"config-dir"_s), parser.value(u"state-dir"_s)));
    MainWindow &window = desktop.window();
    window.resize(window.size().boundedTo(screenRoom(&window)));
    window.show();

    Signals endSignals({SIGINT, SIGTERM, SIGHUP});
    QObject::connect(&endSignals, &Signals::received, &desktop, &Desktop::end);
    // At the end of the desktop's session nobody is there to answer whether the relay is to drain.
    QObject::connect(&app, &QGuiApplication::commitDataRequest, &desktop, &Desktop::end);
    QObject::connect(
        &desktop, &Desktop::ended, &app, [] { QCoreApplication::exit(0); }, Qt::QueuedConnection);

    QObject::connect(&desktop, &Desktop::windowAsked, &app,
                     [&](const QStringList &words) { startWindow(desktop.window(), words); });

    const bool isDemo = parser.isSet(u"demo"_s);
    if (isDemo) {
        const QString kind = parser.value(u"demo"_s);
        const auto design = demoDesignFromWord(kind);
        if (!design && kind != u"sqlite"_s && kind != u"postgres"_s) {
            say(u"--demo: \"%1\" is not known"_s.arg(kind));
            return 2;
        }
        desktop.openDemo(kind == u"postgres"_s ? Demo::Kind::Postgres : Demo::Kind::Sqlite,
                         design.value_or(DemoDesign::RedisRelay));
    } else if (parser.isSet(u"profile"_s) || parser.isSet(u"database"_s)) {
        auto target = targetOf(parser, say);
        if (!target) {
            say(oneLine(target.error()));
            return 78;
        }
        // A profile keeps its own word.
        if (!parser.isSet(u"profile"_s)) {
            const auto taken = takeEnvironment(target->profile, parser.value(u"environment"_s));
            if (!taken) {
                say(oneLine(taken.error()));
                return 2;
            }
        } else if (parser.isSet(u"environment"_s)) {
            say(u"--environment: a profile says its own"_s);
            return 2;
        }
        if (parser.isSet(u"read-only"_s))
            target->profile.readOnly = true;
        desktop.openProfile(target->profile, target->secrets);
    } else {
        desktop.begin();
    }
    const auto show = [&] {
        const auto opened = desktop.openLink(
            {parser.value(u"page"_s), parser.value(u"filter"_s), parser.value(u"id"_s)});
        if (!opened)
            say(oneLine(opened.error()));
        if (!parser.isSet(u"screenshots"_s))
            return;
        takeScreenshots(desktop, parser.value(u"screenshots"_s), [](const QString &problem) {
            if (!problem.isEmpty())
                say(problem);
            QCoreApplication::exit(problem.isEmpty() ? 0 : 1);
        });
    };
    if (isDemo)
        QObject::connect(&desktop, &Desktop::demoSettled, &app, show, Qt::SingleShotConnection);
    else
        show();
    return QApplication::exec();
}
