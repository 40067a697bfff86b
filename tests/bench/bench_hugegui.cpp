// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The console over an outbox of any size that others change all the time: how late its event loop
// runs, what scrolling takes, how much memory it holds, and how soon it is there.
// Figures, no verdict: bench_hugegui [rows] [changed rows a second] [seconds]
#include "app/desktop/desktop.h"
#include "app/settings/profilestore.h"
#include "models/filter/pagerequest.h"
#include "tests/bench/bigoutbox.h"
#include "tests/bench/loopmeters.h"
#include "tests/bench/rowwriter.h"
#include "tests/support/plainpostgres.h"
#include "views/outbox/exactcountbar.h"
#include "views/outbox/outboxview.h"
#include "views/outbox/rowspane.h"
#include "views/tables/livetable.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QMainWindow>
#include <QProcess>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <unistd.h>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rounds = 5;

/// Resident memory in MB.
double residentMb()
{
    QFile file(u"/proc/self/statm"_s);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return double(file.readAll().split(' ').value(1).toLongLong() * ::sysconf(_SC_PAGESIZE)) / 1e6;
}

/// Prints after how many milliseconds of this process a window was painted for the first time.
class FirstPaint : public QObject
{
public:
    FirstPaint(QWidget *window, const QElapsedTimer &since) : m_since(since)
    {
        window->installEventFilter(this);
    }
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::Paint && !std::exchange(m_painted, true)) {
            // behind the children, which are painted with it
            QMetaObject::invokeMethod(
                this,
                [this] {
                    QTextStream(stdout) << millisecondsOf(m_since) << Qt::endl;
                    QCoreApplication::exit(0);
                },
                Qt::QueuedConnection);
        }
        return false;
    }

private:
    QElapsedTimer m_since;
    bool m_painted = false;
};

int paintOnce(int argc, char *argv[], const QElapsedTimer &since)
{
    QApplication app(argc, argv);
    const QString folder = QString::fromLocal8Bit(argv[2]);
    if (folder.isEmpty()) {
        QMainWindow window;
        window.setCentralWidget(new QLabel(u"a bare window"_s));
        window.resize(1280, 800);
        const FirstPaint first(&window, since);
        window.show();
        return QApplication::exec();
    }
    Desktop desktop({folder, folder});
    const FirstPaint first(&desktop.window(), since);
    desktop.begin();
    desktop.window().show();
    return QApplication::exec();
}

double firstPaintMs(const QString &folder)
{
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(), {u"--first-paint"_s, folder});
    process.waitForFinished();
    return process.readAllStandardOutput().trimmed().toDouble();
}

void wander(const Pages &pages, QTextStream &out)
{
    auto *table = pages.window->findChild<LiveTable *>(u"outboxTable"_s);
    auto *bar = pages.window->findChild<QWidget *>(u"outboxWindow"_s);
    QScrollBar *scroll = table->verticalScrollBar();
    const auto jumped = [&](const std::function<void()> &jump) {
        const PageRequest before = pages.outbox->request();
        bool came = false;
        const auto came1 = QObject::connect(table->model(), &QAbstractItemModel::dataChanged,
                                            [&] { came = true; });
        const auto came2 = QObject::connect(table->model(), &QAbstractItemModel::rowsInserted,
                                            [&] { came = true; });
        jump();
        const double took = until([&] { return came && pages.outbox->request() != before; });
        QObject::disconnect(came1);
        QObject::disconnect(came2);
        return took;
    };
    Times pagesDown;
    Times pagesWork;
    for (int page = 0; page < 200; ++page) {
        QElapsedTimer clock;
        clock.start();
        const double before = workedMs();
        scroll->setValue(scroll->value() + scroll->pageStep());
        table->viewport()->repaint();
        pagesDown.ms.push_back(millisecondsOf(clock));
        pagesWork.ms.push_back(workedMs() - before);
        waitFor(15);
    }
    out << "scrolling a page: " << pagesDown.text() << Qt::endl;
    out << "  of processor time: " << pagesWork.text() << Qt::endl;
    Times bottoms;
    for (int turn = 0; turn < 50; ++turn)
        bottoms.ms.push_back(jumped([&] { scroll->setValue(scroll->maximum()); }));
    out << "to the bottom, until more rows are there: " << bottoms.text() << Qt::endl;
    const QString id = u"00000000-0000-7000-a000-%1"_s.arg(100'000, 12, 16, QChar(u'0'));
    const auto asked = [&](const char *signal, const auto &...arguments) {
        return jumped([&] {
            if (!QMetaObject::invokeMethod(bar, signal, arguments...))
                qFatal("the bar has no signal %s", signal);
        });
    };
    const QDateTime hourAgo = QDateTime::currentDateTimeUtc().addSecs(-3600);
    out << "to the oldest: " << asked("oldestAsked") << " ms" << Qt::endl;
    out << "to the newest: " << asked("newestAsked") << " ms" << Qt::endl;
    out << "to a time an hour ago: " << asked("timeAsked", Q_ARG(QDateTime, hourAgo)) << " ms"
        << Qt::endl;
    out << "to an id: " << asked("idAsked", Q_ARG(QString, id)) << " ms" << Qt::endl;
}

} // namespace

int main(int argc, char *argv[])
{
    QElapsedTimer sinceStart;
    sinceStart.start();
    if (argc > 2 && qstrcmp(argv[1], "--first-paint") == 0)
        return paintOnce(argc, argv, sinceStart);
    QApplication app(argc, argv);
    const auto number = [&](int at, qint64 otherwise) {
        return argc > at ? QByteArray(argv[at]).toLongLong() : otherwise;
    };
    const qint64 rows = number(1, 10'000'000);
    const auto changes = int(number(2, 10'000));
    const auto seconds = int(number(3, 30));
    QTextStream out(stdout);
    QTemporaryDir folder;
    PrivatePostgres postgres;
    PrivateRedis redis;
    PlainPostgres hand;
    const auto ready = [&]() -> Result<void> {
        if (auto started = postgres.start({}, true); !started)
            return started;
        if (auto started = redis.start(); !started)
            return started;
        if (auto opened = hand.open(postgres); !opened)
            return opened;
        if (auto filled = fillPostgres(hand, {u"outbox"_s, rows, 10'000, true}); !filled)
            return filled;
        Profile profile;
        profile.name = u"bench"_s;
        profile.databaseUrl = postgres.url();
        profile.redisUrl = redis.url();
        const Folders folders{folder.path(), folder.path()};
        if (auto kept = ProfileStore(folders.profilesFile()).put(profile); !kept)
            return kept;
        Preferences preferences;
        preferences.lastProfile = profile.name;
        return preferences.save(folders.preferencesFile());
    }();
    if (!ready) {
        out << oneLine(ready.error()) << Qt::endl;
        return 1;
    }
    Times bare;
    Times deck;
    for (int round = 0; round < rounds; ++round) {
        bare.ms.push_back(firstPaintMs({}));
        deck.ms.push_back(firstPaintMs(folder.path()));
    }
    out << "first paint of a saved profile: median " << deck.at(0.5) << " ms, of a bare window "
        << bare.at(0.5) << " ms, ratio " << deck.at(0.5) / bare.at(0.5) << Qt::endl;

    Desktop desktop({folder.path(), folder.path()});
    desktop.begin();
    desktop.window().resize(1280, 800);
    desktop.window().show();
    desktop.window().showPage(Pages::Outbox);
    const Pages &pages = desktop.pages();
    const QAbstractItemModel *model
        = desktop.window().findChild<LiveTable *>(u"outboxTable"_s)->model();
    until([&] { return model->rowCount() > 0; });
    out << rows << " rows; memory when the rows are there: " << residentMb() << " MB" << Qt::endl;
    RowWriter writer(postgres.url(), changes, rows + 1);
    waitFor(2000);
    DelayMeter delays;
    WorkMeter work;
    waitFor(seconds * 1000);
    out << "event loop delay over " << seconds << " s, " << writer.perSecond()
        << " rows changed a second: " << delays.take() << Qt::endl;
    out << "  work in a turn, processor time: " << work.take() << Qt::endl;
    out << "memory then: " << residentMb() << " MB" << Qt::endl;
    wander(pages, out);
    out << "event loop delay meanwhile: " << delays.take() << Qt::endl;
    out << "  work in a turn, processor time: " << work.take() << Qt::endl;
    ExactCountBar *count = pages.outbox->exactCount();
    count->begin();
    while (count->isRunning())
        waitFor(20);
    out << count->text() << Qt::endl;
    out << "event loop delay meanwhile: " << delays.take() << Qt::endl;
    waitFor(2000);
    out << "memory after wandering: " << residentMb() << " MB" << Qt::endl;
    return 0;
}
