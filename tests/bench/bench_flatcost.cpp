// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one refresh of everything on screen costs a small outbox and a huge one with as many pending
// rows, what the dashboards' usual way costs instead, and what it costs a large queue; run by hand,
// release build.
#include "app/demo/privateserver.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/filter/pagerequest.h"
#include "tests/bench/bigoutbox.h"
#include "tests/bench/queuefill.h"
#include "tests/support/plainpostgres.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTextStream>

#include <algorithm>
#include <functional>
#include <vector>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 smallRows = 10'000;
constexpr qint64 pendingRows = 10'000;

struct Times
{
    double median = 0; ///< ms
    double worst = 0;
};

QString text(double milliseconds)
{
    return QString::number(milliseconds, 'f', 3);
}

Result<Times> timed(int looks, const std::function<Result<void>()> &look)
{
    std::vector<double> times;
    for (int i = 0; i < looks; ++i) {
        QElapsedTimer clock;
        clock.start();
        if (const auto seen = look(); !seen)
            return passOn(seen);
        times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    return Times{times.at(times.size() / 2), times.back()};
}

/// Counts and the first page, as the Outbox page asks for them.
class Refresh
{
public:
    [[nodiscard]] Result<void> open(const QString &url, const QString &table)
    {
        StoreSettings settings;
        const auto address = DatabaseUrl::fromUrl(url);
        if (!address)
            return passOn(address);
        settings.url = *address;
        settings.statementTimeoutMs = 120'000;
        if (auto opened = m_store.open(settings); !opened)
            return opened;
        const auto found = m_store.probe(TableName::fromText(table));
        if (!found || found->isEmpty())
            return found ? fail(Error::Kind::Invalid, u"probing"_s, u"nothing found"_s)
                         : Result<void>(passOn(found));
        return m_store.use(found->constFirst().shape);
    }
    [[nodiscard]] Result<void> counts()
    {
        const auto seen = m_store.snapshot(liveCaps);
        if (!seen)
            return passOn(seen);
        m_said = u"pending %1, processed %2%3"_s.arg(QString::number(seen->pending.value_or(-1)),
                                                     QString::number(seen->processed.value_or(-1)),
                                                     seen->exact ? QString() : u" (not exact)"_s);
        return {};
    }
    [[nodiscard]] Result<void> page()
    {
        const auto seen = m_store.page(PageRequest());
        return seen ? Result<void>() : passOn(seen);
    }
    [[nodiscard]] QString said() const { return m_said; }

private:
    OutboxStore m_store;
    QString m_said;
};

Result<double> refreshCost(const QString &url, const QString &table, int looks, QTextStream &out)
{
    Refresh refresh;
    if (auto opened = refresh.open(url, table); !opened)
        return passOn(opened);
    const auto counts = timed(looks, [&refresh] { return refresh.counts(); });
    const auto page = timed(looks, [&refresh] { return refresh.page(); });
    if (!counts || !page)
        return passOn(counts ? page : counts);
    const double sum = counts->median + page->median;
    out << "  " << table << ": counts " << text(counts->median) << " ms (worst "
        << text(counts->worst) << "), page " << text(page->median) << " ms (worst "
        << text(page->worst) << "), sum " << text(sum) << " ms; " << refresh.said() << Qt::endl;
    return sum;
}

Result<void> compare(const QString &name, const QString &url, int looks, QTextStream &out)
{
    out << name << Qt::endl;
    const auto small = refreshCost(url, u"outbox_small"_s, looks, out);
    const auto big = small ? refreshCost(url, u"outbox_big"_s, looks, out) : small;
    if (!big)
        return passOn(big);
    out << "  big / small " << QString::number(*big / *small, 'f', 2)
        << " (goal 1.2, at most 2; big at most 10 ms)" << Qt::endl;
    return {};
}

Result<void> ofPostgres(qint64 rows, int looks, bool withIndexes, QTextStream &out)
{
    PrivatePostgres server;
    PlainPostgres hand;
    Result<void> done = server.start();
    if (done)
        done = hand.open(server);
    if (done)
        done = fillPostgres(hand, {u"outbox_small"_s, smallRows, pendingRows, withIndexes});
    if (done)
        done = fillPostgres(hand, {u"outbox_big"_s, rows, pendingRows, withIndexes});
    if (done)
        done = compare(u"PostgreSQL"_s, server.url(), looks, out);
    if (!done)
        return done;
    const QByteArray half = QByteArray::number(rows / 2);
    const QByteArray usual = "SELECT count(*) FROM outbox_big WHERE completed_at IS NULL;"
                             "SELECT count(*) FROM outbox_big WHERE completed_at IS NOT NULL;"
                             "SELECT * FROM outbox_big ORDER BY created_at DESC LIMIT 500 OFFSET "
        + half;
    const QByteArray keyset = "SELECT * FROM outbox_big WHERE (created_at, id) < (SELECT "
                              "created_at, id FROM outbox_big WHERE id = overlay(overlay("
                              "lpad(to_hex("
        + half
        + "), 32, '0') placing '7' from 13) placing 'a' from 17)::uuid)"
          " ORDER BY created_at DESC, id DESC LIMIT 500";
    const auto dashboards = timed(3, [&]() -> Result<void> {
        const auto seen = hand.run(usual);
        return seen ? Result<void>() : passOn(seen);
    });
    const auto middle = timed(looks, [&]() -> Result<void> {
        const auto seen = hand.run(keyset);
        return seen ? Result<void>() : passOn(seen);
    });
    if (!dashboards || !middle)
        return passOn(dashboards ? middle : dashboards);
    out << "  exact counts and OFFSET in the middle " << text(dashboards->median)
        << " ms, the same page by its key " << text(middle->median) << " ms" << Qt::endl;
    return {};
}

Result<void> ofSqlite(qint64 rows, int looks, bool withIndexes, QTextStream &out)
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"outbox.db"_s);
    auto done = fillSqlite(file, {u"outbox_small"_s, smallRows, pendingRows, withIndexes});
    if (done)
        done = fillSqlite(file, {u"outbox_big"_s, rows, pendingRows, withIndexes});
    return done ? compare(u"SQLite"_s, u"sqlite://"_s + file, looks, out) : done;
}

Result<void> ofRedis(int tasks, int looks, QTextStream &out)
{
    PrivateRedis server;
    if (auto started = server.start(); !started)
        return started;
    RedisConnection hand;
    const auto endpoint = RedisEndpoint::fromUrl(server.url());
    if (auto opened = hand.open(*endpoint, RedisConnection::Access::Act, u"bench"_s); !opened)
        return opened;
    if (!fillQueue(hand, tasks, 0))
        return fail(Error::Kind::Protocol, u"filling the queue"_s, u"Redis refused"_s);
    AsynqInspector inspector;
    if (auto opened = inspector.open(*endpoint, u"bench"_s); !opened)
        return opened;
    const QueueName queue{u"default"_s};
    const double before = queueSpentMs(hand);
    const auto common = timed(looks, [&]() -> Result<void> {
        const auto names = inspector.queues();
        const auto sizes = names ? inspector.snapshot(*names) : passOn(names);
        const auto page = inspector.tasks(queue, TaskState::Pending, 200, {});
        return sizes && page ? Result<void>() : passOn(sizes);
    });
    const double middle = queueSpentMs(hand);
    const auto rare = timed(looks, [&]() -> Result<void> {
        const auto servers = inspector.servers();
        const auto workers = inspector.workers();
        const auto dedup = inspector.dedup(queue);
        const auto facts = inspector.facts();
        return servers && workers && dedup && facts ? Result<void>() : passOn(dedup);
    });
    const double after = queueSpentMs(hand);
    if (!common || !rare)
        return passOn(common ? rare : common);
    out << "Redis, " << tasks << " tasks\n  in the server: sizes and a page of tasks "
        << text((middle - before) / looks) << " ms, every fifth time "
        << text((after - middle) / looks) << " ms more (at most 2); with the way there "
        << text(common->median) << " and " << text(rare->median) << " ms" << Qt::endl;
    return {};
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addOptions({{u"rows"_s, u"of the huge outbox"_s, u"N"_s, u"10000000"_s},
                       {u"looks"_s, u"of which the median counts"_s, u"N"_s, u"200"_s},
                       {u"tasks"_s, u"in the queue"_s, u"N"_s, u"1000000"_s},
                       {u"only"_s, u"postgres, sqlite or redis"_s, u"NAME"_s},
                       {u"without-indexes"_s, u"but for the key's"_s}});
    parser.addHelpOption();
    parser.process(application);
    QTextStream out(stdout);
    const qint64 rows = parser.value(u"rows"_s).toLongLong();
    const int looks = parser.value(u"looks"_s).toInt();
    const QString only = parser.value(u"only"_s);
    const bool withIndexes = !parser.isSet(u"without-indexes"_s);
    Result<void> done;
    if (only.isEmpty() || only == u"postgres")
        done = ofPostgres(rows, looks, withIndexes, out);
    if (done && (only.isEmpty() || only == u"sqlite"))
        done = ofSqlite(rows, looks, withIndexes, out);
    if (done && (only.isEmpty() || only == u"redis"))
        done = ofRedis(parser.value(u"tasks"_s).toInt(), looks, out);
    if (!done)
        out << oneLine(done.error()) << '\n';
    return done ? 0 : 1;
}
