// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The search through all rows for a word that one of the oldest payloads holds: how long it takes,
// what it costs the server, and how late the window's event loop runs meanwhile. Then what typed
// filters on indexed columns take.
// Figures, no verdict but the goals: bench_search [rows] [sqlite]
#include "app/desktop/desktop.h"
#include "app/settings/profilestore.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/filter/pagerequest.h"
#include "tests/bench/bigoutbox.h"
#include "tests/bench/loopmeters.h"
#include "tests/bench/processload.h"
#include "tests/support/plainpostgres.h"
#include "views/outbox/outboxview.h"
#include "views/outbox/searchbar.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QPushButton>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTextStream>

using namespace outbox;

namespace {

constexpr int looks = 21;
constexpr double goalMs = 50;
constexpr int quietMs = 10'000;

struct World
{
    QTemporaryDir folder;
    PrivatePostgres postgres;
    PrivateRedis redis;
    PlainPostgres hand;
    bool isSqlite = false;

    [[nodiscard]] QString file() const { return folder.filePath(u"outbox.db"_s); }
    [[nodiscard]] QString url() const
    {
        return isSqlite ? QString(u"sqlite://"_s + file()) : postgres.url();
    }
    /// Processor time of the server; of SQLite, which is in this process, that of all of it.
    [[nodiscard]] double cpuSeconds() const
    {
        return isSqlite ? cpuSecondsOfOurs() : cpuSecondsOfTree(postgres.pid());
    }
};

/// Rows, one of which, a thousandth from the oldest end, has a word that no other has.
Result<void> layPostgres(World &world, qint64 rows)
{
    if (auto started = world.postgres.start({}, true); !started)
        return started;
    if (auto opened = world.hand.open(world.postgres); !opened)
        return opened;
    if (auto filled = fillPostgres(world.hand, {u"outbox"_s, rows, 10'000, true}); !filled)
        return filled;
    const QByteArray rare = QByteArray::number(rows / 1000);
    for (const QByteArray &sql :
         {QByteArray("UPDATE outbox SET payload = payload || '{\"note\": \"the Needle in it\"}'"
                     " WHERE payload #>> '{user,id}' = '"
                     + rare + "'"),
          QByteArray("CREATE INDEX outbox_type ON outbox (type, created_at, id)"),
          QByteArray("VACUUM ANALYZE outbox")}) {
        if (const auto ran = world.hand.run(sql); !ran)
            return passOn(ran);
    }
    return {};
}

/// The same in a file.
Result<void> laySqlite(const World &world, qint64 rows)
{
    if (auto filled = fillSqlite(world.file(), {u"outbox"_s, rows, 10'000, true}); !filled)
        return filled;
    QString trouble;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"hand"_s);
        database.setDatabaseName(world.file());
        database.open();
        QSqlQuery query(database);
        for (const QString &sql :
             {u"UPDATE outbox SET payload = json_set(payload, '$.note', 'the Needle in it')"
              " WHERE payload ->> '$.user.id' = %1"_s.arg(rows / 1000),
              u"CREATE INDEX outbox_type ON outbox (type, created_at, id)"_s, u"ANALYZE"_s}) {
            if (!query.exec(sql))
                trouble = query.lastError().text();
        }
    }
    QSqlDatabase::removeDatabase(u"hand"_s);
    if (!trouble.isEmpty())
        return fail(Error::Kind::Constraint, u"filling"_s, trouble);
    return {};
}

Result<void> lay(World &world, qint64 rows)
{
    if (auto laid = world.isSqlite ? laySqlite(world, rows) : layPostgres(world, rows); !laid)
        return laid;
    if (auto started = world.redis.start(); !started)
        return started;
    Profile profile;
    profile.name = u"bench"_s;
    profile.databaseUrl = world.url();
    profile.redisUrl = world.redis.url();
    const Folders folders{world.folder.path(), world.folder.path()};
    if (auto kept = ProfileStore(folders.profilesFile()).put(profile); !kept)
        return kept;
    Preferences preferences;
    preferences.lastProfile = profile.name;
    return preferences.save(folders.preferencesFile());
}

/// One search by the window itself; false where it did not find the row.
bool searchOnce(const World &world, const Pages &pages, const QString &filter, QTextStream &out)
{
    const auto server = [&world] { return world.cpuSeconds(); };
    DelayMeter delays;
    WorkMeter work;
    double before = server();
    waitFor(quietMs);
    const double quiet = (server() - before) * 1000 / quietMs;
    out << "quiet: event loop delay " << delays.take() << "; the server works " << 100 * quiet
        << " % of one processor" << Qt::endl;

    pages.outbox->openFilter(filter);
    auto *button = pages.window->findChild<QPushButton *>(u"outboxSearchAction"_s);
    until([&] { return button->isVisible(); });
    out << filter << ": " << pages.outbox->search()->text() << Qt::endl;
    if (!button->isVisible())
        return false;
    delays.take();
    work.take();
    before = server();
    QElapsedTimer clock;
    clock.start();
    double foundMs = 0;
    button->click();
    while (pages.outbox->search()->isRunning()) {
        waitFor(5);
        if (foundMs == 0 && !pages.outbox->shownRows().isEmpty())
            foundMs = millisecondsOf(clock);
    }
    const double seconds = millisecondsOf(clock) / 1000;
    const double busy = (server() - before) / seconds;
    out << "  " << pages.outbox->search()->text() << Qt::endl;
    out << "  on screen after " << foundMs / 1000 << " s of " << seconds << " s; the server worked "
        << 100 * busy << " % of one processor, " << 100 * (busy - quiet)
        << " % more than when quiet" << Qt::endl;
    out << "  event loop delay " << delays.take() << "\n  work in a turn, processor time "
        << work.take() << Qt::endl;
    return foundMs > 0;
}

/// The window in the middle of a search, cancelled and at its end; where OUTBOX_PICTURES says.
void takePictures(const Pages &pages, const QString &folder)
{
    auto *button = pages.window->findChild<QPushButton *>(u"outboxSearchAction"_s);
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        theme::apply(choice);
        const auto keep = [&](const QString &name) {
            waitFor(300);
            pages.window->grab().save(
                folder
                + u"/search-window-%1-%2.png"_s.arg(
                    name, choice == ThemeChoice::Light ? u"light"_s : u"dark"_s));
        };
        pages.outbox->openFilter(u"payload~needle"_s);
        until([&] { return button->isVisible(); });
        keep(u"offered"_s);
        button->click();
        waitFor(3000);
        keep(u"in-progress"_s);
        button->click();
        keep(u"cancelled"_s);
        button->click();
        while (pages.outbox->search()->isRunning())
            waitFor(5);
        keep(u"done"_s);
    }
}

/// Medians of typed filters by a session of its own.
Result<void> timeFilters(const World &world, qint64 rows, QTextStream &out)
{
    OutboxStore store;
    StoreSettings settings;
    const auto address = DatabaseUrl::fromUrl(world.url());
    if (!address)
        return passOn(address);
    settings.url = *address;
    if (auto opened = store.open(settings); !opened)
        return opened;
    const auto probed = store.probe(TableName::fromText(u"outbox"_s));
    if (!probed)
        return passOn(probed);
    if (auto used = store.use(probed->constFirst().shape); !used)
        return used;
    const QString id
        = u"%1-0000-7000-a000-%2"_s.arg(world.isSqlite ? rows / 2 / 65536 : 0, 8, 16, QChar(u'0'))
              .arg(rows / 2, 12, 16, QChar(u'0'));
    QStringList slow;
    for (const QString &text :
         {u"state:pending"_s, u"state:processed"_s, u"state:pending,locked"_s,
          QString(u"id:"_s + id), QString(u"id:"_s + id.left(33)), id, u"type:mail:kind3"_s,
          u"type:mail:kind3,mail:kind4"_s, u"type:mail:nothing"_s,
          u"state:pending type:mail:kind3"_s, u"age<5m"_s, u"age>1h"_s, u"age>10m age<20m"_s,
          u"created:today"_s, u"created>=-15m"_s, u"created<2020-01-01"_s,
          u"state:pending age>1m"_s, u"state:processed age<2m"_s,
          u"type:mail:kind3 created>=-15m"_s}) {
        PageRequest request;
        const auto filter = Filter::fromText(text);
        if (!filter)
            return passOn(filter);
        request.filter = *filter;
        request.at = QDateTime::currentDateTime();
        Times times;
        qsizetype found = 0;
        QString trouble;
        for (int look = 0; look < looks && trouble.isEmpty(); ++look) {
            QElapsedTimer clock;
            clock.start();
            const auto page = store.page(request);
            times.ms.push_back(millisecondsOf(clock));
            if (page)
                found = page->rows.size();
            else
                trouble = oneLine(page.error());
        }
        const double median = times.at(0.5);
        out << "  " << text.leftJustified(46) << QString::number(median, 'f', 2).rightJustified(9)
            << " ms, " << found << " rows " << trouble << Qt::endl;
        if (median > goalMs)
            slow += text;
    }
    out << "over " << goalMs << " ms: " << (slow.isEmpty() ? u"none"_s : slow.join(u", "_s))
        << Qt::endl;
    return {};
}

} // namespace

int main(int argc, char *argv[])
{
    QApplication app(argc, argv);
    const qint64 rows = argc > 1 ? QByteArray(argv[1]).toLongLong() : 1'000'000;
    QTextStream out(stdout);
    World world;
    world.isSqlite = argc > 2 && qstrcmp(argv[2], "sqlite") == 0;
    if (const auto laid = lay(world, rows); !laid) {
        out << oneLine(laid.error()) << Qt::endl;
        return 1;
    }
    out << "typed filters, medians of " << looks << ", " << rows << " rows" << Qt::endl;
    if (const auto timed = timeFilters(world, rows, out); !timed) {
        out << oneLine(timed.error()) << Qt::endl;
        return 1;
    }
    Desktop desktop({world.folder.path(), world.folder.path()});
    desktop.begin();
    desktop.window().resize(1280, 800);
    desktop.window().show();
    desktop.window().showPage(Pages::Outbox);
    const QAbstractItemModel *model
        = desktop.window().findChild<LiveTable *>(u"outboxTable"_s)->model();
    until([&] { return model->rowCount() > 0; });
    waitFor(2000);
    bool isFound = true;
    for (const QString &filter :
         {u"payload~needle"_s, u"payload.note:*needle* or payload~needle"_s})
        isFound = searchOnce(world, desktop.pages(), filter, out) && isFound;
    if (const QString folder = qEnvironmentVariable("OUTBOX_PICTURES"); !folder.isEmpty())
        takePictures(desktop.pages(), folder);
    return isFound ? 0 : 1;
}
