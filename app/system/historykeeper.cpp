// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/historykeeper.h"

#include "app/settings/folders.h"
#include "app/settings/privatefile.h"
#include "connectors/answer.h"
#include "connectors/redis/endpoint.h"
#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/driver/sqldatabases.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QStringList>

#include <poll.h>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int writeAgainMs = 5'000;
constexpr int mostWritingMs = 1'000;
constexpr int writingTurnMs = 2;

/// What was read, and what is to be told of the file.
template <typename Found> struct FromHistory
{
    QString notice;
    Found found;
};

/// The database without users, passwords and options.
QStringList databasePlace(const QString &text)
{
    const auto url = DatabaseUrl::fromUrl(text);
    if (!url)
        return {text};
    const SqlDatabase &kind = databaseOf(url->dialect);
    const QString scheme = kind.schemes.constFirst();
    if (kind.isFile()) {
        const QString canonical = QFileInfo(url->database).canonicalFilePath();
        return {scheme, canonical.isEmpty() ? url->database : canonical};
    }
    return {scheme, url->hostOrSocket(),
            url->options.value(u"port"_s, QString::number(url->actualPort())), url->database};
}

/// The Redis without users, passwords and certificates.
QStringList redisPlace(const QString &text)
{
    const auto url = RedisEndpoint::fromUrl(text);
    if (!url)
        return {text};
    const QString number = QString::number(url->database);
    if (url->isCluster()) {
        QStringList seeds = hostListText(url->seeds).split(u',');
        seeds.sort(); // in whatever order they are named
        return seeds;
    }
    if (url->sentinels)
        return {url->sentinels->text(), number};
    if (!url->socketPath.isEmpty())
        return {url->socketPath, number};
    return {url->host, QString::number(url->port), number};
}

Result<QString> openedHistory(HistoryStore &store, const QString &file)
{
    if (store.isOpen())
        return QString();
    TRY(ensurePrivateFolder(QFileInfo(file).absolutePath()));
    return store.open(file);
}

/// Calls `job` with an open store, and once more where damage was met and set aside. Answers what
/// was set aside, for people.
template <typename Job>
Result<QString> withHistory(HistoryStore &store, const QString &file, const Job &job)
{
    QString notice = TRY(openedHistory(store, file));
    Result<void> done = job();
    if (!done && HistoryStore::isDamage(done.error())) {
        store.close();
        const QString second = TRY(openedHistory(store, file));
        notice = second.isEmpty() ? notice : second;
        done = job();
    }
    if (!done)
        return passOn(done);
    return notice;
}

/// The same for a `job` that answers with what it found.
template <typename Found, typename Job>
Result<FromHistory<Found>> readHistory(HistoryStore &store, const QString &file, const Job &job)
{
    FromHistory<Found> answer;
    const auto keep = [&]() -> Result<void> {
        answer.found = TRY(job());
        return {};
    };
    answer.notice = TRY(withHistory(store, file, keep));
    return answer;
}

/// What was found, or why nothing was; tells before what was set aside for it.
template <typename Found>
Result<Found> toldBy(HistoryKeeper &keeper, const Result<FromHistory<Found>> &answer)
{
    if (!answer)
        return passOn(answer);
    if (!answer->notice.isEmpty())
        emit keeper.setAside(answer->notice);
    return answer->found;
}

/// Seconds where there are some, minutes of what is older.
Result<AlertTrial> triedOn(HistoryStore &store, const AlertRule &rule, qint64 now)
{
    constexpr qint64 minute = factsOf(HistoryTier::Minute).width;
    const qint64 from = now - AlertTrial::span;
    const qint64 end = now + 1;
    const qint64 fine = now - factsOf(HistoryTier::Second).kept;
    const QList<HistoryPoint> seconds = TRY(store.read(HistoryTier::Second, fine, end));
    // A minute whose seconds are there is not taken twice.
    const qint64 border
        = seconds.isEmpty() ? end : seconds.constFirst().at - seconds.constFirst().at % minute;
    const QList<HistoryPoint> minutes = TRY(store.read(HistoryTier::Minute, from, border));
    return tryAlert(rule, minutes, seconds, from, now);
}

} // namespace

QString historyFileOf(const Profile &profile, const QString &stateFolder)
{
    const QString table = profile.design ? profile.design->documents.table.text() : profile.table;
    const QStringList place = databasePlace(profile.databaseUrl) + QStringList{table}
        + redisPlace(profile.redisUrl) + QStringList{profile.ownQueue().text};
    const QByteArray digest
        = QCryptographicHash::hash(place.join(u'\n').toUtf8(), QCryptographicHash::Sha256).toHex();
    return Folders::standard({}, stateFolder).historyFolder() + u'/'
        + QString::fromLatin1(digest.left(32)) + u".db"_s;
}

HistoryKeeper::HistoryKeeper(QString file, QObject *parent)
    : QObject(parent), m_file(std::move(file))
{
    m_later.setSingleShot(true);
    m_later.setInterval(writeAgainMs);
    connect(&m_later, &QTimer::timeout, this, &HistoryKeeper::write);
}

HistoryKeeper::~HistoryKeeper()
{
    finish();
}

void HistoryKeeper::recall()
{
    const qint64 now = QDateTime::currentSecsSinceEpoch();
    const auto answer = m_room.run([file = m_file, now](HistoryStore &store) {
        return readHistory<HistoryPoints>(store, file, [&] { return store.recent(now); });
    });
    answerTo(this, answer, [this](const Result<FromHistory<HistoryPoints>> &told) {
        if (!told) {
            if (told.error().kind == Error::Kind::Conflict) // another process makes the file now
                QTimer::singleShot(writeAgainMs, this, &HistoryKeeper::recall);
            else
                tell(passOn(told));
            return;
        }
        tell(told->notice);
        emit recalled(told->found);
    });
}

void HistoryKeeper::tryRule(const AlertRule &rule)
{
    write(); // what was seen just now belongs to it
    const qint64 now = QDateTime::currentSecsSinceEpoch();
    const auto answer = m_room.run([file = m_file, rule, now](HistoryStore &store) {
        return readHistory<AlertTrial>(store, file, [&] { return triedOn(store, rule, now); });
    });
    answerTo(this, answer, [this, rule](const Result<FromHistory<AlertTrial>> &told) {
        emit ruleTried(rule, toldBy(*this, told));
    });
}

void HistoryKeeper::readEarlier(const EarlierQuestion &question)
{
    const auto answer = m_room.run([file = m_file, question](HistoryStore &store) {
        return readHistory<HistoryPoints>(store, file, [&]() -> Result<HistoryPoints> {
            HistoryPoints points;
            points.of(question.tier) = TRY(store.read(question.tier, question.from, question.to));
            return points;
        });
    });
    answerTo(this, answer, [this, question](const Result<FromHistory<HistoryPoints>> &told) {
        emit earlierRead(question, toldBy(*this, told));
    });
}

void HistoryKeeper::takeOutbox(const SystemHistory &history, const QDateTime &at)
{
    for (const Measure measure : outboxMeasures)
        take(history, measure, at);
}

void HistoryKeeper::takeQueues(const SystemHistory &history, const QDateTime &at)
{
    for (const Measure measure : queueMeasures)
        take(history, measure, at);
}

void HistoryKeeper::take(const SystemHistory &history, Measure measure, const QDateTime &at)
{
    m_buffer.add(at, measure, history.series(measure).latest());
    writeLater();
}

void HistoryKeeper::takeEvent(const HistoryEvent &event)
{
    m_buffer.add(event);
    writeLater();
}

void HistoryKeeper::writeLater()
{
    if (!m_later.isActive())
        m_later.start();
}

void HistoryKeeper::write()
{
    if (m_buffer.isEmpty())
        return;
    const HistoryPoints points = m_buffer.take();
    const qint64 now = QDateTime::currentSecsSinceEpoch();
    using Events = QList<HistoryEvent>;
    const auto writing = m_room.run([file = m_file, points, now](HistoryStore &store) {
        return readHistory<Events>(store, file, [&]() -> Result<Events> {
            TRY(store.put(points, now));
            return store.newEvents();
        });
    });
    m_written = QFuture<void>(writing);
    answerTo(this, writing, [this, points](const Result<FromHistory<Events>> &told) {
        if (!told)
            return written(passOn(told), points);
        written(told->notice, points);
        tellEvents(told->found);
    });
}

void HistoryKeeper::tellEvents(const QList<HistoryEvent> &events)
{
    QList<HistoryEvent> others = events;
    others.removeIf([](const HistoryEvent &one) { return isSeenByAll(one.kind); });
    if (!others.isEmpty())
        emit eventsFound(others);
}

void HistoryKeeper::written(const Result<QString> &notice, const HistoryPoints &points)
{
    // Who waits for another process loses nothing as long as all of it is held.
    if (!notice && m_buffer.putBack(points) && notice.error().kind == Error::Kind::Conflict)
        return;
    tell(notice);
}

void HistoryKeeper::tell(const Result<QString> &notice)
{
    if (!notice) {
        if (!std::exchange(m_isFailing, true))
            emit failed(notice.error());
        return;
    }
    if (std::exchange(m_isFailing, false))
        emit succeeded();
    if (!notice->isEmpty())
        emit setAside(*notice);
}

void HistoryKeeper::finish()
{
    m_later.stop();
    write();
    QElapsedTimer clock;
    clock.start();
    while (m_written.isRunning() && !clock.hasExpired(mostWritingMs))
        ::poll(nullptr, 0, writingTurnMs);
}

} // namespace outbox
