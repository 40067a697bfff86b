// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/faultconsole.h"

#include "tests/support/patience.h"
#include "views/tables/livetable.h"

#include <QEventLoop>
#include <QSet>
#include <QTest>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const double mostGapMs = patient(100);
constexpr int rowsEachTime = 20;
constexpr int mostTries = 5; ///< a virtual machine may be given no processor and not be told

size_t numberOf(Source source)
{
    return source == Source::Database ? 0 : 1;
}

} // namespace

FaultConsole::FaultConsole(TestOutbox::Kind kind, PrivatePostgres *postgres, PrivateRedis &redis,
                           PrivateMariadb *mariadb, BenchShape shape)
    : m_fixture(kind, shape, postgres, redis, mariadb), m_postgres(postgres), m_redis(redis),
      m_mariadb(mariadb)
{ }

FaultConsole::~FaultConsole() = default;

bool FaultConsole::until(const std::function<bool()> &done, int milliseconds)
{
    QEventLoop loop;
    QTimer look;
    bool isDone = done();
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        isDone = done();
        if (isDone)
            loop.quit();
    });
    look.start(5);
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    if (!isDone)
        loop.exec();
    return isDone;
}

bool FaultConsole::untilAside(const std::function<bool()> &done, int milliseconds)
{
    return until(
        [this, &done] {
            const bool is = done();
            m_meter.skip();
            return is;
        },
        milliseconds);
}

void FaultConsole::aside(const std::function<void()> &doing)
{
    if (doing)
        doing();
    m_meter.skip();
}

Profile FaultConsole::profile() const
{
    Profile one;
    one.name = u"bad line"_s;
    one.environment = Environment::Development;
    DatabaseUrl url = *DatabaseUrl::fromUrl(m_fixture.url());
    const QString at = u"127.0.0.1:%1"_s.arg(databaseLine.port());
    switch (m_fixture.kind()) {
    case TestOutbox::Kind::Postgres:
        one.databaseUrl = u"postgresql://%1@%2/%3"_s.arg(url.user, at, url.database);
        break;
    case TestOutbox::Kind::MariaDb:
        one.databaseUrl = u"mysql://%1@%2/%3"_s.arg(url.user, at, url.database);
        break;
    case TestOutbox::Kind::Sqlite:
        one.databaseUrl = m_fixture.url();
        break;
    }
    one.table = m_fixture.table();
    one.redisUrl = u"redis://127.0.0.1:%1"_s.arg(queueLine.port());
    one.readOnly = false;
    one.refreshMs = 250;
    return one;
}

QString FaultConsole::open(bool withRelay)
{
    if (!m_fixture.setUp())
        return u"the tables could not be made"_s;
    FaultTarget database;
    if (m_postgres != nullptr)
        database.socketPath = m_postgres->socketFolder() + u"/.s.PGSQL.5432"_s;
    else if (m_mariadb != nullptr)
        database.socketPath = m_mariadb->socketPath();
    if (!databaseLine.start(database) || !queueLine.start({m_redis.socketPath(), 0}))
        return u"no port can be had"_s;
    return open(profile(), withRelay);
}

QString FaultConsole::open(const Profile &profile, bool withRelay)
{
    m_health[0] = m_health[1] = {};
    forgetFailures();
    m_desktop = std::make_unique<Desktop>(Folders{m_folder.path(), m_folder.path()});
    m_desktop->openProfile(profile, {});
    QObject::connect(&m_desktop->system()->database(), &DatabaseFeed::healthChanged,
                     m_desktop.get(),
                     [this](const SourceHealth &health) { tell(Source::Database, health); });
    // Who asks first after a session was lost hears of it, and the next one has a new session.
    QObject::connect(&m_desktop->system()->database(), &DatabaseFeed::rowsFailed, m_desktop.get(),
                     [this](const Error &error) {
                         m_told[numberOf(Source::Database)] += oneLine(error) + u'\n';
                     });
    QObject::connect(&m_desktop->system()->queue(), &QueueFeed::healthChanged, m_desktop.get(),
                     [this](const SourceHealth &health) { tell(Source::Queue, health); });
    QObject::connect(&relay(), &RelayDriver::failed, m_desktop.get(),
                     [this](const Error &error) { m_toldByRelay += oneLine(error) + u'\n'; });
    QObject::connect(&relay(), &RelayDriver::backingOff, m_desktop.get(),
                     [this](const Error &error) { m_toldByRelay += oneLine(error) + u'\n'; });
    m_desktop->window().show();
    m_desktop->window().showPage(Pages::Outbox);
    (void)until([this] { return m_desktop->window().isVisible(); });
    m_meter.forget(); // making a window is no fault's doing
    RelayStart start;
    start.pollMs = 50;
    if (withRelay)
        m_desktop->relay()->startWhenReady(start);
    if (!until([this] { return isLive(); }, patienceMs))
        return u"never live: "_s + m_told[0] + u'/' + m_told[1];
    if (!withRelay)
        return {};
    if (!until([this] { return relay().state() == RelayState::Running; }))
        return u"the relay does not run"_s;
    if (!m_fixture.insertRows(rowsEachTime) || !untilDelivered())
        return u"the first rows were not delivered"_s;
    return account();
}

void FaultConsole::tell(Source source, const SourceHealth &health)
{
    const size_t number = numberOf(source);
    m_health[number] = health;
    if (health.state == SourceHealth::State::Failing && health.error) {
        ++m_failures[number];
        m_told[number] += oneLine(*health.error) + u'\n';
    }
}

void FaultConsole::forgetFailures()
{
    m_toldByRelay.clear();
    for (const size_t number : {0U, 1U}) {
        m_told[number].clear();
        m_failures[number] = 0;
    }
}

QString FaultConsole::status(Source source) const
{
    const auto *button = m_desktop->window().findChild<QToolButton *>(
        source == Source::Database ? u"databaseStatus"_s : u"queueStatus"_s);
    return button->text();
}

bool FaultConsole::isLive() const
{
    return m_health[0].state == SourceHealth::State::Live
        && m_health[1].state == SourceHealth::State::Live;
}

bool FaultConsole::untilDelivered(int milliseconds)
{
    // Asked seldom: each question holds the window that is being measured.
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < milliseconds) {
        qint64 left = 0;
        aside([&] { left = m_fixture.unprocessed(); });
        if (left == 0)
            return true;
        (void)until([] { return false; }, 50);
    }
    return false;
}

QString FaultConsole::account()
{
    return account(m_lost);
}

QString FaultConsole::account(qsizetype from)
{
    QString problem;
    aside([&] {
        if (!m_fixture.plainRedis().ensureOpen()) {
            problem = u"Redis cannot be looked at"_s;
            return;
        }
        const QStringList queued = m_fixture.pendingIds();
        const auto &shape = m_desktop->system()->database().shape();
        QStringList expected;
        for (const QString &id : m_fixture.insertedIds().mid(from))
            expected += shape ? m_fixture.taskId(*shape, id) : id;
        const QSet<QString> distinct(queued.begin(), queued.end());
        if (distinct != QSet<QString>(expected.begin(), expected.end())
            || queued.size() != expected.size()) {
            problem = u"%1 tasks of %2 ids for %3 rows"_s.arg(queued.size())
                          .arg(distinct.size())
                          .arg(expected.size());
        }
    });
    return problem;
}

QString FaultConsole::survive(const Fault &fault)
{
    m_gapMs = 1e9;
    for (int attempt = 0; attempt < mostTries && m_gapMs > mostGapMs; ++attempt) {
        const QString problem = surviveOnce(fault);
        m_gapMs = std::min(m_gapMs, m_meter.longest());
        if (!problem.isEmpty())
            return problem;
    }
    return {};
}

QString FaultConsole::surviveOnce(const Fault &fault)
{
    if (!until([this] { return isLive(); }))
        return u"not live before: "_s + m_told[0] + u'/' + m_told[1];
    forgetFailures();
    m_meter.forget();
    aside(fault.strike);
    if (fault.losesQueue)
        m_lost = m_fixture.insertedIds().size();
    const auto isSaidIn = [&fault](const QString &told) {
        return !told.isEmpty()
            && (fault.words.isEmpty()
                || std::any_of(fault.words.begin(), fault.words.end(),
                               [&told](const QString &word) { return told.contains(word); }));
    };
    const auto isToldOf = [&](Source source) { return isSaidIn(told(source)); };
    const auto ofAll = [&fault](const std::function<bool(Source)> &is) {
        return std::all_of(fault.sources.begin(), fault.sources.end(), is);
    };
    const auto isNoticed
        = [&] { return fault.sources.isEmpty() ? isSaidIn(m_toldByRelay) : ofAll(isToldOf); };
    if (!until(isNoticed, fault.longestMs) && !fault.mayPassUnnoticed) {
        aside(fault.heal);
        return u"not noticed, but told: %1/%2/%3"_s.arg(m_told[0], m_told[1], m_toldByRelay);
    }
    // Told with its age while it lasts; a fault of a moment may be over.
    const auto isMarked = [this](Source source) {
        const QString text = status(source);
        return health(source).state == SourceHealth::State::Live
            || (text.contains(u"ago"_s) && text.contains(u"does not answer"_s));
    };
    if (!until([&] { return ofAll(isMarked); }, 3'000))
        return u"not marked as stale: %1"_s.arg(status(fault.sources.first()));
    aside(fault.heal);
    aside([this] { (void)m_fixture.plainRedis().ensureOpen(); });
    bool isWritten = false;
    aside([&] {
        isWritten = m_fixture.insertRows(rowsEachTime)
            || (m_fixture.reopen() && m_fixture.insertRows(rowsEachTime));
    });
    if (!isWritten)
        return u"no rows could be written"_s;
    if (!until([this] { return isLive(); }, fault.longestMs))
        return u"it did not come back: "_s + m_told[0] + u'/' + m_told[1];
    if (m_desktop->relay()->isRunning() && !untilDelivered(fault.longestMs))
        return u"rows were not delivered"_s;
    return m_desktop->relay()->isRunning() ? account() : QString();
}

void calmly(const std::function<void(double &gapMs)> &body)
{
    double best = 1e9;
    for (int attempt = 0; attempt < mostTries && best > mostGapMs; ++attempt) {
        double gapMs = -1;
        body(gapMs);
        if (gapMs < 0 || QTest::currentTestFailed())
            return;
        best = std::min(best, gapMs);
    }
    qInfo("the window stood still for %.1f ms at most", best);
    QVERIFY2(best <= mostGapMs, "the window stood still");
}

} // namespace outbox
