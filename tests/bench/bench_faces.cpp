// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one look of each face of the program as it is shipped (`status`, `check`, a line of `watch`,
// a scrape of the relay's metrics, `tasks`) costs a small outbox and a huge one; run by hand.
#include "tests/bench/facesplaces.h"
#include "tests/bench/queuefill.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QTcpSocket>
#include <QTextStream>
#include <QTimer>
#include <QUrl>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int answerMs = 120'000;
constexpr int watchedLines = 10;
constexpr int looksEveryMs = 15'000; ///< a relay looks no oftener, however often it is asked

/// A face that is given a saved mapping; the others read rows and say what they take them for.
QString mapped(const QString &command)
{
    return command + u" mapped"_s;
}

void rest(int milliseconds)
{
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

[[noreturn]] void giveUp(const QString &what, const QByteArray &said)
{
    qFatal("%s: %s", qPrintable(what), said.constData());
}

/// A run of outboxctl that goes on until this ends.
class LongRun
{
public:
    explicit LongRun(const QStringList &arguments)
    {
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.start(QStringLiteral(OUTBOXCTL), arguments);
        if (!m_process.waitForStarted())
            giveUp(u"starting outboxctl"_s, m_process.errorString().toUtf8());
    }
    ~LongRun()
    {
        m_process.terminate();
        m_process.waitForFinished(answerMs);
    }
    /// The next line that holds `word`.
    QByteArray line(const QByteArray &word)
    {
        for (QByteArray said;;) {
            while (!m_process.canReadLine()) {
                if (!m_process.waitForReadyRead(answerMs))
                    giveUp(m_process.arguments().join(u' '), said + m_process.readAll());
            }
            said = m_process.readLine();
            if (said.contains(word))
                return said.trimmed();
        }
    }
    qint64 pid() const { return m_process.processId(); }

private:
    QProcess m_process;
};

/// Runs to its end; any exit code will do, since health has one for each level.
void runCtl(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(OUTBOXCTL), arguments);
    if (!process.waitForFinished(answerMs) || process.exitStatus() != QProcess::NormalExit
        || process.readAllStandardOutput().isEmpty())
        giveUp(arguments.join(u' '), process.readAllStandardError());
}

QByteArray scraped(const QUrl &url)
{
    QTcpSocket socket;
    socket.connectToHost(url.host(), static_cast<quint16>(url.port()));
    socket.write("GET /metrics HTTP/1.1\r\n\r\n");
    while (socket.waitForReadyRead(answerMs)) { }
    return socket.readAll();
}

/// One outbox, all looks at it so far, and a relay that sleeps until the next year.
struct Looked
{
    FacesPlace place;
    std::map<QString, std::vector<double>> costs; ///< of each face, ms
    std::unique_ptr<LongRun> relay;
    QUrl metrics;
};

class Faces
{
public:
    Faces(const FacesServer &server, QString redis, QString folder)
        : m_server(server), m_redis(std::move(redis)), m_folder(std::move(folder))
    { }

    void startRelay(Looked &looked) const
    {
        looked.relay
            = std::make_unique<LongRun>(QStringList{u"relay"_s, u"--schedule"_s, u"0 0 1 1 *"_s,
                                                    u"--metrics"_s, u"127.0.0.1:0"_s, u"--shape"_s,
                                                    looked.place.shapeFile, u"--ids-never-return"_s}
                                        + parts(looked.place));
        const QByteArray said = looked.relay->line("http://");
        looked.metrics = QUrl(QString::fromUtf8(said.mid(said.indexOf("http://"))));
    }
    void once(Looked &looked) const
    {
        for (const QString &command : {u"status"_s, u"check"_s}) {
            spend(looked, command, QStringList{command} + table());
            spend(looked, mapped(command), {command, u"--shape"_s, looked.place.shapeFile});
        }
        LongRun watch(QStringList{u"watch"_s, u"--interval"_s, u"20ms"_s} + table()
                      + parts(looked.place));
        watch.line("\n");
        const double before = m_server.spentMs(looked.place, watch.pid());
        for (int line = 0; line < watchedLines; ++line)
            watch.line("\n");
        looked.costs[u"watch"_s].push_back((m_server.spentMs(looked.place, watch.pid()) - before)
                                           / watchedLines);
    }
    void scrape(Looked &looked) const
    {
        const double before = m_server.spentMs(looked.place, looked.relay->pid());
        if (!scraped(looked.metrics).contains("outbox_pending_rows"))
            giveUp(u"scraping "_s + looked.place.database, "no figures of the outbox");
        rest(500); // the look goes on when the page is out
        looked.costs[u"metrics"_s].push_back(m_server.spentMs(looked.place, looked.relay->pid())
                                             - before);
    }

private:
    void spend(Looked &looked, const QString &face, const QStringList &arguments) const
    {
        const double before = m_server.spentMs(looked.place, 0);
        runCtl(arguments + parts(looked.place));
        looked.costs[face].push_back(m_server.spentMs(looked.place, 0) - before);
    }
    static QStringList table() { return {u"--table"_s, u"outbox"_s}; }
    QStringList parts(const FacesPlace &place) const
    {
        return {u"--database"_s,   place.url, u"--redis"_s,     m_redis,
                u"--config-dir"_s, m_folder,  u"--state-dir"_s, m_folder};
    }

    const FacesServer &m_server;
    QString m_redis;
    QString m_folder;
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.at(values.size() / 2);
}

QString text(double milliseconds)
{
    return QString::number(milliseconds, 'f', 2);
}

struct Sizes
{
    qint64 small = 0;
    qint64 huge = 0;
    qint64 pending = 0;
    int rounds = 0;
    bool tellStatements = false;
};

struct Design
{
    QString name;
    BigOutbox::Mark mark;
};

void compare(FacesServer &server, const QList<Design> &designs, const Sizes &sizes,
             QTextStream &out)
{
    PrivateRedis redis;
    const QTemporaryDir folder;
    auto ready = redis.start();
    if (ready)
        ready = server.start();
    if (!ready)
        giveUp(server.name(), oneLine(ready.error()).toUtf8());
    const Faces faces(server, redis.url(), folder.path());
    // The outbox of two rows tells what the program needs for itself.
    const QList<std::pair<QString, qint64>> tables{
        {u"two"_s, 2}, {u"small"_s, sizes.small}, {u"huge"_s, sizes.huge}};
    std::map<QString, Looked> all;
    for (const Design &design : designs) {
        for (const auto &[size, rows] : tables) {
            if (rows == 2 && !server.isOfProgram())
                continue;
            QElapsedTimer clock;
            clock.start();
            const bool isMarked = design.mark != BigOutbox::Mark::None;
            auto place = server.place(u"%1_%2"_s.arg(design.name, size),
                                      {{},
                                       rows,
                                       isMarked ? std::min(rows / 2, sizes.pending) : rows,
                                       false,
                                       design.mark,
                                       40});
            if (!place)
                giveUp(server.name(), oneLine(place.error()).toUtf8());
            out << server.name() << ' ' << place->database << ": " << rows << " rows filled in "
                << clock.elapsed() / 1000 << " s" << Qt::endl;
            Looked &looked = all[design.name + size];
            looked.place = std::move(*place);
            faces.startRelay(looked);
        }
    }
    for (int round = 0; round < sizes.rounds; ++round) {
        QElapsedTimer sinceScraped;
        sinceScraped.start();
        for (auto &[name, looked] : all)
            faces.once(looked);
        rest(static_cast<int>(std::max<qint64>(0, looksEveryMs + 1000 - sinceScraped.elapsed())));
        for (auto &[name, looked] : all)
            faces.scrape(looked);
    }
    for (const auto &[name, looked] : all) {
        if (!sizes.tellStatements)
            break;
        out << looked.place.database << Qt::endl;
        for (const QString &statement : server.dearest(looked.place))
            out << "  " << statement << Qt::endl;
    }
    for (const Design &design : designs) {
        for (const QString &face : {u"status"_s, u"check"_s, mapped(u"status"_s),
                                    mapped(u"check"_s), u"watch"_s, u"metrics"_s}) {
            const auto cost
                = [&](const QString &size) { return median(all[design.name + size].costs[face]); };
            const double own = server.isOfProgram() ? cost(u"two"_s) : 0;
            const double small = cost(u"small"_s) - own;
            const double huge = cost(u"huge"_s) - own;
            out << server.name() << ' ' << design.name.leftJustified(13) << face.leftJustified(15)
                << "small " << text(small) << " ms, huge " << text(huge) << " ms, huge / small "
                << text(huge / small);
            if (server.isOfProgram())
                out << " (the program itself " << text(own) << " ms)";
            out << Qt::endl;
        }
    }
}

/// What `arguments` cost the server of each size of a queue.
void compareQueues(int tasks, int rounds, QTextStream &out)
{
    struct Queue
    {
        PrivateRedis server;
        RedisConnection hand;
        std::map<QString, std::vector<double>> costs;
    };
    std::vector<std::unique_ptr<Queue>> queues;
    for (const int size : {10'000, tasks}) {
        auto queue = std::make_unique<Queue>();
        if (!queue->server.start()
            || !queue->hand.open(*RedisEndpoint::fromUrl(queue->server.url()),
                                 RedisConnection::Access::Act, u"bench"_s)
            || !fillQueue(queue->hand, size, 0))
            giveUp(u"filling a queue"_s, "Redis refused");
        queues.push_back(std::move(queue));
    }
    const QStringList commands{u"tasks"_s, u"queues"_s, u"status"_s};
    for (int round = 0; round < rounds; ++round) {
        for (const auto &queue : queues) {
            for (const QString &command : commands) {
                const double before = queueSpentMs(queue->hand);
                runCtl({command, u"--redis"_s, queue->server.url()});
                queue->costs[command].push_back(queueSpentMs(queue->hand) - before);
            }
        }
    }
    for (const QString &command : commands) {
        const double small = median(queues.front()->costs[command]);
        const double huge = median(queues.back()->costs[command]);
        out << "Redis " << command.leftJustified(8) << "10000 tasks " << text(small) << " ms, "
            << tasks << " tasks " << text(huge) << " ms, ratio " << text(huge / small) << Qt::endl;
    }
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addOptions({{u"rows"_s, u"of the huge outbox"_s, u"N"_s, u"10000000"_s},
                       {u"small"_s, u"rows of the small one"_s, u"N"_s, u"10000"_s},
                       {u"pending"_s, u"of them, where rows stay"_s, u"N"_s, u"1000"_s},
                       {u"tasks"_s, u"of the huge queue"_s, u"N"_s, u"1000000"_s},
                       {u"rounds"_s, u"of which the median counts"_s, u"N"_s, u"9"_s},
                       {u"only"_s, u"postgres, mariadb, sqlite or redis"_s, u"NAME"_s},
                       {u"design"_s, u"completed_at, status or deleted"_s, u"NAME"_s},
                       {u"statements"_s, u"tells the dearest ones of each outbox"_s}});
    parser.addHelpOption();
    parser.process(application);
    QTextStream out(stdout);
    const auto number
        = [&parser](const QString &option) { return parser.value(option).toLongLong(); };
    const Sizes sizes{number(u"small"_s), number(u"rows"_s), number(u"pending"_s),
                      static_cast<int>(number(u"rounds"_s)), parser.isSet(u"statements"_s)};
    QList<Design> designs{{u"completed_at"_s, BigOutbox::Mark::CompletedAt},
                          {u"status"_s, BigOutbox::Mark::Status},
                          {u"deleted"_s, BigOutbox::Mark::None}};
    if (parser.isSet(u"design"_s)) {
        designs.removeIf([&](const Design &one) { return one.name != parser.value(u"design"_s); });
    }
    const QString only = parser.value(u"only"_s);
    const auto wants = [&only](const QString &name) { return only.isEmpty() || only == name; };
    if (wants(u"postgres"_s))
        compare(*facesOfPostgres(), designs, sizes, out);
    if (wants(u"mariadb"_s))
        compare(*facesOfMariadb(), designs, sizes, out);
    if (wants(u"sqlite"_s))
        compare(*facesOfSqlite(), designs, sizes, out);
    if (wants(u"redis"_s))
        compareQueues(static_cast<int>(number(u"tasks"_s)), sizes.rounds, out);
    return 0;
}
