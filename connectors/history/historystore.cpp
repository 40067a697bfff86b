// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/history/historystore.h"

#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/driver/sqlnames.h"
#include "models/enumtext.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QStorageInfo>
#include <QStringList>
#include <QVariant>

#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <limits>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int historyVersion = 2; ///< 1 had no events
constexpr int busyMs = 1000;
constexpr qint64 pageBytes = 4096;
constexpr qint64 logBytes = 1024 * 1024;
constexpr qsizetype leastForgotten = 500; ///< points of a tier, by one writing
constexpr qsizetype forgottenAtTheBound = 7'200;
constexpr qint64 hourSeconds = 3'600;
constexpr qint64 daySeconds = 86'400;
constexpr qint64 sameEventMs = 60'000; ///< who looks seldom sees it so much later

// Result codes of SQLite.
constexpr int busyCode = 5;
constexpr int lockedCode = 6;
constexpr int corruptCode = 11;
constexpr int fullCode = 13;
constexpr int noDatabaseCode = 26;

/// Names of columns, by Measure: a later version may add to them, and never gives one another
/// meaning.
constexpr std::array<const char *, measureCount> measureNames{
    "lag",          "backlog",         "pending",     "in_rate",    "out_rate",   "queue_pending",
    "queue_active", "queue_scheduled", "queue_retry", "queue_dead", "queue_depth"};

QString tableOf(HistoryTier tier)
{
    switch (tier) {
    case HistoryTier::Second:
        return u"seconds"_s;
    case HistoryTier::Minute:
        return u"minutes"_s;
    case HistoryTier::Quarter:
        break;
    }
    return u"quarters"_s;
}

QStringList columns()
{
    QStringList names{u"at"_s, u"missed"_s};
    for (const char *name : measureNames) {
        const QString measure = QString::fromLatin1(name);
        names += QString(measure + u"_low"_s);
        names += QString(measure + u"_high"_s);
    }
    return names;
}

/// Whole numbers take few bytes in a column of type REAL; a largest value that is the smallest one
/// takes none.
QString tableText(HistoryTier tier)
{
    QStringList texts;
    const QStringList names = columns();
    for (qsizetype i = 0; i < names.size(); ++i) {
        const QString type = i == 0 ? u" INTEGER PRIMARY KEY"_s
            : i == 1                ? u" INTEGER NOT NULL"_s
                                    : u" REAL"_s;
        texts += QString(names.at(i) + type);
    }
    return u"CREATE TABLE %1 (%2)"_s.arg(tableOf(tier), texts.join(u", "_s));
}

/// Times of events are milliseconds since 1970 (UTC).
QString eventTableText()
{
    return u"CREATE TABLE events (at INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, "
           "UNIQUE (at, kind, text))"_s;
}

/// Milliseconds; what happened before is not kept.
constexpr qint64 oldestEvent(qint64 now)
{
    return (now - 30 * daySeconds) * 1000;
}

/// As they stand in the file: a later version may add to these, too.
constexpr auto storedKinds = enumTexts<HistoryEvent::Kind>({
    {HistoryEvent::Kind::Relay, u"relay"},
    {HistoryEvent::Kind::Operation, u"operation"},
    {HistoryEvent::Kind::Database, u"database"},
    {HistoryEvent::Kind::Queue, u"queue"},
});

Error historyError(const QSqlError &error)
{
    const QString text = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    const int code = error.nativeErrorCode().toInt() & 0xff;
    Error told{Error::Kind::Refused, u"keeping the history"_s, firstLineSaid(text),
               QString::number(code), u"The file and its folder must be writable for you"_s};
    switch (code) {
    case busyCode:
    case lockedCode:
        told.kind = Error::Kind::Conflict;
        told.hint = u"Another process keeps the file"_s;
        break;
    case fullCode:
        told.hint = u"Make room: the history goes on by itself"_s;
        break;
    case corruptCode:
    case noDatabaseCode:
        told.kind = Error::Kind::Invalid;
        told.hint = u"Move the file away: a new one begins"_s;
        break;
    default:
        break;
    }
    return told;
}

/// A newer version may keep more than is known here: its file is left as it is.
Result<void> mayKeep(qint64 version, const QString &file)
{
    if (version <= historyVersion)
        return {};
    return fail(Error::Kind::Unsupported, u"keeping the history"_s,
                u"%1 is kept by a newer version of this program"_s.arg(file), {},
                u"Use that version, or move the file away: a new one begins"_s);
}

/// Another file at the same place has another one; 0: there is none.
quint64 inodeOf(const QString &file)
{
    struct stat info
    {
    };
    return ::stat(QFile::encodeName(file).constData(), &info) == 0 ? info.st_ino : 0;
}

bool hasCode(const Error &error, int code)
{
    return error.code == QString::number(code);
}

HistoryPoint pointOf(const QSqlQuery &query)
{
    HistoryPoint point;
    point.at = query.value(0).toLongLong();
    const quint32 missed = query.value(1).toUInt();
    for (size_t i = 0; i < measureCount; ++i) {
        ValueRange &range = point.values.at(i);
        range.missed = ((missed >> i) & 1U) != 0;
        const int column = static_cast<int>(2 * i) + 2;
        const QVariant low = query.value(column);
        if (low.isNull())
            continue;
        range.add(low.toDouble());
        if (const QVariant high = query.value(column + 1); !high.isNull())
            range.add(high.toDouble());
    }
    return point;
}

void bindPoint(QSqlQuery &query, const HistoryPoint &point)
{
    quint32 missed = 0;
    for (size_t i = 0; i < measureCount; ++i) {
        const ValueRange &range = point.values.at(i);
        if (range.missed)
            missed |= 1U << i;
        const int place = static_cast<int>(2 * i) + 2;
        query.bindValue(place, range.isKnown() ? QVariant(range.low) : QVariant());
        query.bindValue(place + 1,
                        range.isKnown() && range.high > range.low ? QVariant(range.high)
                                                                  : QVariant());
    }
    query.bindValue(0, point.at);
    query.bindValue(1, missed);
}

} // namespace

bool HistoryStore::isDamage(const Error &error)
{
    return hasCode(error, corruptCode) || hasCode(error, noDatabaseCode);
}

Result<QString> HistoryStore::open(const QString &file)
{
    close();
    m_file = file;
    QString notice;
    auto fitness = checkedFile();
    if (fitness && *fitness == Fitness::Damaged) {
        close();
        notice = TRY(setAside());
        fitness = checkedFile();
    }
    if (fitness && *fitness == Fitness::Fine) {
        m_isSuspect = false;
        m_inode = inodeOf(m_file);
        m_lastEvent = number(u"SELECT coalesce(max(rowid), 0) FROM events"_s).value_or(0);
        return notice;
    }
    close();
    if (!fitness)
        return passOn(fitness);
    return fail(Error::Kind::Invalid, u"keeping the history"_s,
                u"%1 is damaged again as soon as it is made"_s.arg(m_file));
}

bool HistoryStore::isOpen() const
{
    return !m_name.isEmpty() && inodeOf(m_file) == m_inode;
}

void HistoryStore::close()
{
    if (m_name.isEmpty())
        return;
    QSqlDatabase::removeDatabase(m_name); // rolls back what is open
    m_name.clear();
}

Result<HistoryStore::Fitness> HistoryStore::checkedFile()
{
    auto fitness = openFile();
    if (!fitness && isDamage(fitness.error()))
        return Fitness::Damaged;
    return fitness;
}

Result<HistoryStore::Fitness> HistoryStore::openFile()
{
    const SqlDatabase &facts = databaseOf(DatabaseUrl::Dialect::Sqlite);
    if (!QSqlDatabase::isDriverAvailable(facts.driver))
        return tl::unexpected(missingDriver(u"keeping the history"_s, facts));
    m_name = uniqueConnectionName();
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(facts.driver, m_name);
        database.setDatabaseName(m_file);
        database.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=%1"_s.arg(busyMs));
        if (!database.open())
            return tl::unexpected(historyError(database.lastError()));
    }
    // By name: to open and close the file here would drop the locks of the session.
    (void)QFile::setPermissions(m_file, QFile::ReadOwner | QFile::WriteOwner);
    const qint64 version = TRY(number(u"PRAGMA user_version"_s));
    TRY(mayKeep(version, m_file));
    // A change to WAL is not waited for in all cases.
    constexpr int betweenMs = 25;
    const QDeadlineTimer patience(busyMs);
    auto logged = plain(u"PRAGMA journal_mode = WAL"_s);
    while (!logged && logged.error().kind == Error::Kind::Conflict && !patience.hasExpired()) {
        ::poll(nullptr, 0, betweenMs);
        logged = plain(u"PRAGMA journal_mode = WAL"_s);
    }
    if (!logged)
        return passOn(logged);
    // A crash of the machine may take back the last seconds, and damages nothing.
    TRY(plain(u"PRAGMA synchronous = NORMAL"_s));
    TRY(plain(u"PRAGMA max_page_count = %1"_s.arg(mostBytes / pageBytes)));
    TRY(plain(u"PRAGMA wal_autocheckpoint = %1"_s.arg(logBytes / pageBytes)));
    TRY(plain(u"PRAGMA journal_size_limit = %1"_s.arg(logBytes)));
    if (version == 0)
        return makeTables();
    if (m_isSuspect) {
        QSqlQuery check(QSqlDatabase::database(m_name, false));
        if (!check.exec(u"PRAGMA quick_check(1)"_s) || !check.next()
            || check.value(0).toString() != "ok"_L1)
            return Fitness::Damaged;
    }
    if (version < historyVersion)
        return addWhatIsLacking();
    return Fitness::Fine;
}

Result<HistoryStore::Fitness> HistoryStore::addWhatIsLacking()
{
    TRY(withRoom([this] { return addEventTable(); }));
    const qint64 version = TRY(number(u"PRAGMA user_version"_s));
    TRY(mayKeep(version, m_file));
    return Fitness::Fine;
}

Result<void> HistoryStore::addEventTable()
{
    const qint64 version = TRY(number(u"PRAGMA user_version"_s));
    if (version >= historyVersion) // another process was quicker
        return {};
    TRY(plain(eventTableText()));
    return plain(u"PRAGMA user_version = %1"_s.arg(historyVersion));
}

Result<HistoryStore::Fitness> HistoryStore::makeTables()
{
    TRY(plain(u"BEGIN IMMEDIATE"_s));
    const auto version = number(u"PRAGMA user_version"_s); // another process may have been quicker
    const auto tables = number(u"SELECT count(*) FROM sqlite_master"_s);
    if (!version || !tables || *version != 0 || *tables != 0) {
        (void)plain(u"ROLLBACK"_s);
        if (!version)
            return passOn(version);
        if (!tables)
            return passOn(tables);
        if (*version == 0) // it is somebody else's database
            return Fitness::Damaged;
        TRY(mayKeep(*version, m_file));
        return Fitness::Fine;
    }
    for (const HistoryTier tier : historyTiers)
        TRY(plain(tableText(tier)));
    TRY(plain(eventTableText()));
    TRY(plain(u"PRAGMA user_version = %1"_s.arg(historyVersion)));
    TRY(plain(u"COMMIT"_s));
    return Fitness::Fine;
}

Result<QString> HistoryStore::setAside()
{
    const QString aside = m_file + u".damaged"_s;
    // What SQLite keeps beside a file has the name of the file, and goes with it.
    for (const QString &part : {u"-wal"_s, u"-shm"_s, QString()}) {
        const QString from = m_file + part;
        const QString to = aside + part;
        if (!QFileInfo::exists(from))
            continue;
        (void)QFile::remove(to);
        QFile old(from);
        if (!old.rename(to)) {
            return fail(Error::Kind::Refused, u"setting aside "_s + m_file, old.errorString(), {},
                        u"Move it away by hand"_s);
        }
    }
    return u"The history of this system was damaged. It was set aside as %1, and a new one begins."_s
        .arg(aside);
}

Result<void> HistoryStore::plain(const QString &sql)
{
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    if (!query.exec(sql))
        return tl::unexpected(historyError(query.lastError()));
    return {};
}

Result<qint64> HistoryStore::number(const QString &sql)
{
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    if (!query.exec(sql) || (!query.next() && query.lastError().isValid()))
        return tl::unexpected(historyError(query.lastError()));
    return query.isValid() ? query.value(0).toLongLong() : qint64{0};
}

Result<void> HistoryStore::put(const HistoryPoints &points, qint64 now)
{
    auto written = withRoom([&] { return putAll(points, now); });
    if (!written)
        m_isSuspect = m_isSuspect || isDamage(written.error());
    return written;
}

Result<void> HistoryStore::withRoom(const std::function<Result<void>()> &write)
{
    auto written = inTransaction(write);
    if (written || !hasCode(written.error(), fullCode) || !isAtItsBound())
        return written;
    TRY(forget(HistoryTier::Second, std::numeric_limits<qint64>::max(), forgottenAtTheBound));
    return inTransaction(write);
}

Result<void> HistoryStore::inTransaction(const std::function<Result<void>()> &write)
{
    TRY(plain(u"BEGIN IMMEDIATE"_s));
    auto done = write();
    if (done)
        done = plain(u"COMMIT"_s);
    if (!done)
        (void)plain(u"ROLLBACK"_s);
    return done;
}

Result<void> HistoryStore::putAll(const HistoryPoints &points, qint64 now)
{
    for (const HistoryTier tier : historyTiers) {
        const QList<HistoryPoint> &added = points.of(tier);
        TRY(putTier(tier, added));
        TRY(forget(tier, now - factsOf(tier).kept, std::max(leastForgotten, 2 * added.size())));
    }
    return putEvents(points.events, now);
}

Result<void> HistoryStore::putEvents(const QList<HistoryEvent> &events, qint64 now)
{
    if (events.isEmpty())
        return {};
    for (const HistoryEvent &event : events) {
        const bool isThere = TRY(isTold(event));
        if (isThere)
            continue;
        QSqlQuery query(QSqlDatabase::database(m_name, false));
        if (!query.prepare(u"INSERT OR IGNORE INTO events (at, kind, text) VALUES (?, ?, ?)"_s))
            return tl::unexpected(historyError(query.lastError()));
        query.addBindValue(event.at.toMSecsSinceEpoch());
        query.addBindValue(storedKinds.word(event.kind));
        query.addBindValue(event.text);
        if (!query.exec())
            return tl::unexpected(historyError(query.lastError()));
    }
    return plain(u"DELETE FROM events WHERE at < %1 OR rowid NOT IN "
                 "(SELECT rowid FROM events ORDER BY at DESC, rowid DESC LIMIT %2)"_s.arg(
                     QString::number(oldestEvent(now)), QString::number(mostHistoryEvents)));
}

/// Of what all see, whether somebody else has told it: the event of its kind before it, or behind
/// it, says the same.
Result<bool> HistoryStore::isTold(const HistoryEvent &event)
{
    if (!isSeenByAll(event.kind))
        return false;
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    const QString sql = u"SELECT count(*) FROM ("
                        "SELECT * FROM (SELECT at, text FROM events WHERE kind = '%2' AND at <= %1 "
                        "ORDER BY at DESC LIMIT 1) UNION ALL "
                        "SELECT * FROM (SELECT at, text FROM events WHERE kind = '%2' AND at > %1 "
                        "ORDER BY at LIMIT 1)) WHERE text = ? AND abs(at - %1) <= %3"_s.arg(
                            QString::number(event.at.toMSecsSinceEpoch()),
                            storedKinds.word(event.kind), QString::number(sameEventMs));
    if (!query.prepare(sql))
        return tl::unexpected(historyError(query.lastError()));
    query.addBindValue(event.text);
    if (!query.exec() || !query.next())
        return tl::unexpected(historyError(query.lastError()));
    return query.value(0).toInt() > 0;
}

Result<void> HistoryStore::putTier(HistoryTier tier, const QList<HistoryPoint> &points)
{
    if (points.isEmpty())
        return {};
    const auto there = TRY(read(tier, points.first().at, points.last().at + 1));
    QHash<qint64, const HistoryPoint *> known;
    for (const HistoryPoint &point : there)
        known.insert(point.at, &point);
    const QStringList names = columns();
    const QString marks = QStringList(names.size(), u"?"_s).join(u", "_s);
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    if (!query.prepare(u"INSERT OR REPLACE INTO %1 (%2) VALUES (%3)"_s.arg(
            tableOf(tier), names.join(u", "_s), marks)))
        return tl::unexpected(historyError(query.lastError()));
    for (const HistoryPoint &point : points) {
        HistoryPoint joined = point;
        if (const HistoryPoint *before = known.value(point.at))
            joined.add(*before);
        bindPoint(query, joined);
        if (!query.exec())
            return tl::unexpected(historyError(query.lastError()));
    }
    return {};
}

Result<void> HistoryStore::forget(HistoryTier tier, qint64 before, qsizetype most)
{
    return plain(
        u"DELETE FROM %1 WHERE at IN (SELECT at FROM %1 WHERE at < %2 ORDER BY at LIMIT %3)"_s.arg(
            tableOf(tier), QString::number(before), QString::number(most)));
}

bool HistoryStore::isAtItsBound()
{
    const auto pages = number(u"PRAGMA page_count"_s);
    const auto unused = number(u"PRAGMA freelist_count"_s);
    const qint64 largest = mostBytes / pageBytes;
    const bool isLarge = pages && unused && 4 * (*pages - *unused) > 3 * largest;
    // The disk says the same when it is full: then nothing is forgotten for it.
    return isLarge && QStorageInfo(QFileInfo(m_file).absolutePath()).bytesAvailable() > mostBytes;
}

Result<HistoryPoints> HistoryStore::recent(qint64 now)
{
    // Minutes are whole: none of them is told by seconds as well.
    const qint64 hourAgo = (now - hourSeconds) / 60 * 60;
    const qint64 end = now + 1;
    HistoryPoints found;
    const std::array begins{hourAgo, now - daySeconds, now - 30 * daySeconds};
    for (const HistoryTier tier : historyTiers) {
        const auto begin = begins.at(static_cast<size_t>(tier));
        found.of(tier) = TRY(read(tier, begin, tier == HistoryTier::Minute ? hourAgo : end));
    }
    found.events = TRY(readEvents(u"at >= "_s + QString::number(oldestEvent(now))));
    return found;
}

Result<QList<HistoryEvent>> HistoryStore::newEvents()
{
    return readEvents(u"rowid > "_s + QString::number(m_lastEvent));
}

Result<QList<HistoryEvent>> HistoryStore::readEvents(const QString &condition)
{
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    query.setForwardOnly(true);
    QList<HistoryEvent> found;
    if (query.exec(u"SELECT at, kind, text, rowid FROM events WHERE "_s + condition
                   + u" ORDER BY at, rowid"_s)) {
        while (query.next()) {
            m_lastEvent = std::max(m_lastEvent, query.value(3).toLongLong());
            const auto kind = storedKinds.fromWord(query.value(1).toString());
            const auto at = QDateTime::fromMSecsSinceEpoch(query.value(0).toLongLong(), Qt::UTC);
            if (kind) // else of a later version
                found += HistoryEvent{at, *kind, query.value(2).toString()};
        }
    }
    if (query.lastError().isValid()) {
        const Error error = historyError(query.lastError());
        m_isSuspect = m_isSuspect || isDamage(error);
        return tl::unexpected(error);
    }
    return found;
}

Result<QList<HistoryPoint>> HistoryStore::read(HistoryTier tier, qint64 from, qint64 to)
{
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    query.setForwardOnly(true);
    QList<HistoryPoint> found;
    if (query.exec(u"SELECT %1 FROM %2 WHERE at >= %3 AND at < %4 ORDER BY at"_s.arg(
            columns().join(u", "_s), tableOf(tier), QString::number(from), QString::number(to)))) {
        while (query.next())
            found += pointOf(query);
    }
    if (query.lastError().isValid()) {
        const Error error = historyError(query.lastError());
        m_isSuspect = m_isSuspect || isDamage(error);
        return tl::unexpected(error);
    }
    return found;
}

} // namespace outbox
