// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The longest gap of the GUI's event loop while the demo runs, and while a server stands still.
// Figures, no verdict: bench_eventloop [sqlite|postgres] [seconds]
#include "app/desktop/desktop.h"
#include "tests/support/gapmeter.h"

#include <QApplication>
#include <QFile>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>

#include <csignal>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// All processes below us whose name is `name`.
QList<pid_t> descendants(pid_t of, const QByteArray &name)
{
    QList<pid_t> found;
    QFile list(u"/proc/%1/task/%1/children"_s.arg(of));
    if (!list.open(QIODevice::ReadOnly))
        return found;
    for (const QByteArray &word : list.readAll().simplified().split(' ')) {
        const pid_t child = word.toInt();
        if (child <= 0)
            continue;
        QFile comm(u"/proc/%1/comm"_s.arg(child));
        if (comm.open(QIODevice::ReadOnly) && comm.readAll().trimmed() == name)
            found += child;
        found += descendants(child, name);
    }
    return found;
}

void waitFor(int milliseconds)
{
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

} // namespace

int main(int argc, char *argv[])
{
    QApplication app(argc, argv);
    const bool postgres = argc > 1 && qstrcmp(argv[1], "postgres") == 0;
    const int seconds = argc > 2 ? QByteArray(argv[2]).toInt() : 60;
    QTextStream out(stdout);
    QTemporaryDir folder;
    Desktop desktop({folder.path(), folder.path()});
    desktop.window().show();
    QEventLoop starting;
    QObject::connect(&desktop, &Desktop::demoSettled, &starting, &QEventLoop::quit);
    GapMeter gaps;
    desktop.openDemo(postgres ? Demo::Kind::Postgres : Demo::Kind::Sqlite);
    starting.exec();
    out << "demo starting: " << gaps.take() << Qt::endl;
    waitFor(3000);
    desktop.openDemo(postgres ? Demo::Kind::Postgres : Demo::Kind::Sqlite, DemoDesign::Tokens);
    starting.exec();
    waitFor(1000);
    out << "another demo in its place: " << gaps.take() << Qt::endl;
    desktop.openDemo(postgres ? Demo::Kind::Postgres : Demo::Kind::Sqlite);
    starting.exec();
    waitFor(3000);
    static_cast<void>(gaps.take());

    for (int page = 0; page < 5; ++page) {
        desktop.window().showPage(page);
        waitFor(seconds * 1000 / 5);
    }
    out << "demo running, " << seconds << " s over all pages: " << gaps.take() << Qt::endl;

    QList<QByteArray> servers{"redis-server"};
    if (postgres)
        servers += "postgres";
    for (const QByteArray &server : std::as_const(servers)) {
        const QList<pid_t> processes = descendants(::getpid(), server);
        for (const pid_t process : processes)
            ::kill(process, SIGSTOP);
        for (int page = 0; page < 5; ++page) {
            desktop.window().showPage(page);
            waitFor(2000);
        }
        out << server << " stopped (" << processes.size() << " processes), 10 s: " << gaps.take()
            << Qt::endl;
        for (const pid_t process : processes)
            ::kill(process, SIGCONT);
        waitFor(6000);
        out << server << " continued, 6 s: " << gaps.take() << Qt::endl;
    }
    return 0;
}
