// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times without zone in seven zones on all databases, around both nights when clocks change: every
// cell of zone, database, kind and moment is right, or asked. A library lays another clock under
// this program and its servers; what a local time means the test finds out by trying all minutes.
#include "models/filter/pagerequest.h"
#include "models/localtime.h"
#include "models/relay/schedule.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/settableclock.h"

#include <QSet>
#include <QTimeZone>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Dialect = DatabaseUrl::Dialect;

constexpr qint64 minute = 60'000; ///< all times here are milliseconds
constexpr qint64 hour = 60 * minute;

/// The zone of the machine, which is what this test is about.
QTimeZone zone()
{
    static const QTimeZone known(qgetenv("TZ"));
    return known;
}

QString nameOfZone()
{
    return QString::fromLatin1(zone().id());
}

QString localText(qint64 moment)
{
    return QDateTime::fromMSecsSinceEpoch(moment, zone()).toString(u"yyyy-MM-dd hh:mm:ss.zzz"_s);
}

/// A local time as a number, and every moment at which a clock of the zone shows it: none in the
/// gap of spring, two in the doubled hour of autumn.
struct LocalTime
{
    QString text;
    QList<qint64> moments;
    qint64 later = 0; ///< the last of them; in the gap what a clock that was not changed means
    qint64 earlier = 0; ///< the first of them; in the gap the change itself

    [[nodiscard]] bool isCertain() const { return earlier == later; }
};

LocalTime meaning(const QString &text)
{
    LocalTime time{text, {}, 0, 0};
    const QDateTime asUtc
        = QDateTime(QDate::fromString(text.left(10), Qt::ISODate),
                    QTime::fromString(text.mid(11), u"hh:mm:ss.zzz"_s), QTimeZone::utc());
    const qint64 number = asUtc.toMSecsSinceEpoch();
    for (qint64 offset = -12 * hour; offset <= 14 * hour; offset += 15 * minute) {
        if (localText(number - offset) == text)
            time.moments.prepend(number - offset);
    }
    if (time.moments.isEmpty()) { // the last minute whose clock shows less is that of the change
        qint64 before = number - 15 * hour;
        while (localText(before + minute) < text)
            before += minute;
        const qint64 change = before + minute - before % minute;
        const qint64 old = QDateTime::fromMSecsSinceEpoch(before, zone()).offsetFromUtc() * 1000;
        time.later = number - old;
        time.earlier = change;
        return time;
    }
    time.earlier = *std::min_element(time.moments.begin(), time.moments.end());
    time.later = *std::max_element(time.moments.begin(), time.moments.end());
    return time;
}

/// What `now` is set to: around the changes of a year, or two plain days.
QList<qint64> moments()
{
    QList<qint64> all;
    const QDateTime from(QDate(2026, 7, 1), QTime(12, 0), QTimeZone::utc());
    for (const QTimeZone::OffsetData &change : zone().transitions(from, from.addYears(1))) {
        const qint64 at = change.atUtc.toMSecsSinceEpoch();
        for (const int minutes : {-150, -50, -20, -3, 3, 20, 50, 80, 150})
            all += at + minutes * minute;
    }
    for (qint64 day = all.isEmpty() ? 0 : 200; day < 300; day += 100)
        all += from.toMSecsSinceEpoch() + day * 24 * hour;
    return all;
}

/// Local times in the gap nearest to `now`; none where it is far.
QStringList gapTexts(qint64 now)
{
    QStringList texts;
    const QDateTime from = QDateTime::fromMSecsSinceEpoch(now - 6 * hour, QTimeZone::utc());
    for (const QTimeZone::OffsetData &change : zone().transitions(from, from.addSecs(12 * 3600))) {
        const qint64 at = change.atUtc.toMSecsSinceEpoch();
        const qint64 old
            = QDateTime::fromMSecsSinceEpoch(at - minute, zone()).offsetFromUtc() * 1000;
        if (change.offsetFromUtc * 1000 <= old)
            continue;
        for (const int minutes : {4, 11, 26}) {
            texts += QDateTime::fromMSecsSinceEpoch(at + old + minutes * minute, QTimeZone::utc())
                         .toString(u"yyyy-MM-dd hh:mm:ss.zzz"_s);
        }
    }
    return texts;
}

/// Times around now, near and far, and those that no clock shows.
QList<LocalTime> timesAround(qint64 now, bool past)
{
    QList<LocalTime> times;
    for (const int minutes : {4320, 600, 180, 91, 61, 50, 31, 29, 10, 2}) {
        times += meaning(localText(now - minutes * minute));
        if (!past)
            times += meaning(localText(now + minutes * minute));
    }
    for (const QString &text : gapTexts(now)) {
        if (const LocalTime time = meaning(text); !past || time.later < now)
            times += time;
    }
    return times;
}

OutboxShape shapeOf(const QString &zoneName)
{
    OutboxShape shape = classicShape();
    shape.createdColumn = u"created_at"_s;
    shape.dueColumn = u"due_at"_s;
    shape.lockedHow = OutboxShape::LockedHow::Until;
    shape.leaseColumn = u"locked_until"_s;
    shape.processedHow = OutboxShape::ProcessedHow::Time;
    shape.processedColumn = u"processed_at"_s;
    shape.setTimeZone(zoneName);
    return shape;
}

/// No due time, so that delays are told.
OutboxShape delayShape(const QString &zoneName)
{
    OutboxShape shape = shapeOf(zoneName);
    shape.dueColumn.clear();
    return shape;
}

} // namespace

/// Runs in a process whose machine is in one zone, under a clock that can be set.
class TestZones : public QObject
{
    Q_OBJECT

    Databases m_databases;
    SettableClock m_clock;
    int m_right = 0;
    int m_asked = 0;
    QString m_where; ///< the cell, for a message
    DatabaseUrl m_url;
    std::unique_ptr<SideSession> m_side;
    OutboxStore m_store;
    QSet<QString> m_cells;

    void startCell(const QString &kind, qint64 now)
    {
        m_where = u"%1 %2 %3 at %4 (%5)"_s.arg(
            nameOfZone(), QString::number(int(m_url.dialect)), kind, localText(now),
            QDateTime::fromMSecsSinceEpoch(now, Qt::UTC).toString(Qt::ISODate));
    }
    void right()
    {
        QVERIFY2(!m_cells.contains(m_where), qPrintable(m_where)); // each is counted once
        m_cells += m_where;
        ++m_right;
    }

    void write(const QStringList &columns, const QList<QStringList> &rows)
    {
        m_side->run(u"DELETE FROM outbox"_s);
        QStringList lines;
        for (const QStringList &row : rows) {
            QStringList values{QString::number(lines.size() + 1), u"'mail'"_s, u"'x'"_s};
            for (const QString &text : row)
                values += text.isEmpty() ? u"NULL"_s : u'\'' + text + u'\'';
            lines += u'(' + values.join(u", "_s) + u')';
        }
        m_side->run(u"INSERT INTO outbox (id, type, payload, %1) VALUES %2"_s.arg(
            columns.join(u", "_s), lines.join(u", "_s)));
    }

    QHash<QString, Message> rows(const QString &filter = {})
    {
        PageRequest request;
        if (!filter.isEmpty())
            request.filter = filterOf(filter);
        request.at = QDateTime::currentDateTimeUtc();
        const auto page = m_store.page(request);
        if (!page)
            qFatal("%s: %s", qPrintable(m_where), qPrintable(oneLine(page.error())));
        QHash<QString, Message> found;
        for (const Message &row : page->rows)
            found.insert(row.id.text, row);
        return found;
    }

    /// A row is due, or a lease is over, only when that is certain.
    void dueAndLease(qint64 now)
    {
        const QList<LocalTime> times = timesAround(now, false);
        QList<QStringList> texts;
        for (const LocalTime &time : times)
            texts += {time.text};
        struct Kind
        {
            const char *name;
            const char *column;
            MessageState later;
        };
        for (const Kind &kind : {Kind{"due", "due_at", MessageState::Waiting},
                                 Kind{"lease", "locked_until", MessageState::Locked}}) {
            startCell(QString::fromLatin1(kind.name), now);
            write({QString::fromLatin1(kind.column)}, texts);
            const QHash<QString, Message> seen = rows();
            QStringList free;
            for (qsizetype i = 0; i < times.size(); ++i) {
                const bool isLater = times.at(i).later > now;
                const QString id = QString::number(i + 1);
                QVERIFY2(seen.value(id).state == (isLater ? kind.later : MessageState::Pending),
                         qPrintable(m_where + u": "_s + times.at(i).text));
                if (!isLater)
                    free += id;
            }
            const auto claim = m_store.claim(100, {});
            QVERIFY_RESULT(claim);
            QVERIFY2(idsOf(*claim) == free, qPrintable(m_where));
            QVERIFY_RESULT(m_store.rollback());
            right();
        }
    }

    void age(qint64 now)
    {
        startCell(u"age"_s, now);
        const QList<LocalTime> times = timesAround(now, true);
        QList<QStringList> texts;
        for (const LocalTime &time : times)
            texts += {time.text};
        write({u"created_at"_s}, texts);
        const QHash<QString, Message> seen = rows();
        qint64 oldest = now;
        for (qsizetype i = 0; i < times.size(); ++i) {
            const Message row = seen.value(QString::number(i + 1));
            QVERIFY2(row.created, qPrintable(m_where));
            QVERIFY2(row.created->toMSecsSinceEpoch() == times.at(i).earlier,
                     qPrintable(m_where + u": "_s + times.at(i).text + u" is "_s
                                + row.created->toString(Qt::ISODate)));
            QVERIFY2(qAbs(*row.ageSeconds * 1000 - double(now - times.at(i).earlier)) < 30'000,
                     qPrintable(m_where));
            oldest = qMin(oldest, times.at(i).earlier);
        }
        const auto counts = m_store.snapshot();
        QVERIFY_RESULT(counts);
        QVERIFY2(counts->oldestPendingSeconds, qPrintable(m_where));
        QVERIFY2(qAbs(*counts->oldestPendingSeconds * 1000 - double(now - oldest)) < 30'000,
                 qPrintable(m_where));
        right();
    }

    void filters(qint64 now)
    {
        startCell(u"filter"_s, now);
        const QList<LocalTime> times = timesAround(now, true);
        QList<QStringList> texts;
        for (const LocalTime &time : times)
            texts += {time.text};
        write({u"created_at"_s}, texts);
        const auto agree = [&](const QString &filter, const std::function<bool(qint64)> &holds) {
            const QHash<QString, Message> seen = rows(filter);
            for (qsizetype i = 0; i < times.size(); ++i) {
                const bool is = seen.contains(QString::number(i + 1));
                QVERIFY2(is == holds(times.at(i).earlier),
                         qPrintable(m_where + u": "_s + filter + u" of "_s + times.at(i).text));
            }
        };
        for (const int minutes : {200, 95, 55, 30, 5}) {
            const qint64 bound = now - minutes * minute;
            const QString moment = QDateTime::fromMSecsSinceEpoch(bound, Qt::UTC)
                                       .toString(u"yyyy-MM-dd'T'hh:mm:ss'Z'"_s);
            const qint64 second = bound / 1000 * 1000;
            agree(u"created>="_s + moment, [second](qint64 at) { return at >= second; });
            agree(u"created<"_s + moment, [second](qint64 at) { return at < second; });
            const QString age = u"age>%1m"_s.arg(minutes);
            agree(age, [bound](qint64 at) { return at < bound; });
            agree(u"not "_s + age, [bound](qint64 at) { return at >= bound; });
            agree(u"wait>%1m"_s.arg(minutes), [bound](qint64 at) { return at < bound; });
        }
        right();
    }

    /// The dedup margin is that of the longest delay, where it is certain.
    void margin(qint64 now)
    {
        startCell(u"margin"_s, now);
        QList<QStringList> texts;
        std::optional<qint64> worst;
        for (const int ago : {1, 30, 61, 95, 200, 700}) {
            for (const int delay : {1, 17, 45, 90}) {
                const LocalTime marked = meaning(localText(now - ago * minute));
                const LocalTime made = meaning(localText(now - (ago + delay) * minute));
                texts += QStringList{made.text, marked.text};
                if (made.isCertain() && marked.isCertain())
                    worst = qMax(worst.value_or(0), delay * minute);
            }
        }
        write({u"created_at"_s, u"processed_at"_s}, texts);
        OutboxStore store;
        QVERIFY_RESULT(
            openOutbox(store, settingsFor(m_url, StoreAccess::ReadOnly), delayShape(nameOfZone())));
        auto counts = store.snapshot();
        QVERIFY_RESULT(counts);
        store.addFlow(*counts);
        QVERIFY2(counts->worstDelaySeconds.has_value() == worst.has_value(), qPrintable(m_where));
        if (worst)
            QVERIFY2(qRound64(*counts->worstDelaySeconds * 1000) == *worst, qPrintable(m_where));
        right();
    }

    /// A relay writes its marks in the zone of the column.
    void marks(qint64 now)
    {
        startCell(u"mark"_s, now);
        write({u"created_at"_s}, {{localText(now - minute)}});
        const auto claim = m_store.claim(10, {});
        QVERIFY_RESULT(claim);
        QCOMPARE(claim->size(), 1);
        QVERIFY_RESULT(commitTaken(m_store));
        const QString written
            = m_side->one(u"SELECT substr(CAST(processed_at AS text), 1, 16) FROM outbox"_s);
        QStringList fit; // it may have taken a while
        for (qint64 at = now - minute; at <= now + 2 * minute; at += 30'000)
            fit += localText(at).left(16);
        QVERIFY2(fit.contains(written), qPrintable(m_where + u": "_s + written));
        right();
    }

    /// A schedule is one of UTC on every machine.
    void schedule(qint64 now)
    {
        startCell(u"schedule"_s, now);
        const QDateTime moment = QDateTime::fromMSecsSinceEpoch(now, Qt::UTC);
        for (int at = 0; at < 24; ++at) {
            const auto daily = Schedule::fromText(u"30 %1 * * *"_s.arg(at));
            QVERIFY_RESULT(daily);
            QDateTime next(moment.date(), QTime(at, 30), QTimeZone::utc());
            if (next <= moment)
                next = next.addDays(1);
            QVERIFY2(daily->nextAfter(moment) == next, qPrintable(m_where));
        }
        const auto hourly = Schedule::fromText(u"every 1h"_s);
        QVERIFY_RESULT(hourly);
        QVERIFY2(hourly->nextAfter(moment).toMSecsSinceEpoch() == (now / hour + 1) * hour,
                 qPrintable(m_where));
        right();
    }

    /// What nobody said is asked, or refused: no number comes of it.
    void undecided(qint64 now)
    {
        startCell(u"undecided"_s, now);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(m_url, StoreAccess::ReadOnly), shapeOf({})));
        QVERIFY2(store.shape().whyTimesUntold().contains(u"time zone"_s), qPrintable(m_where));
        ++m_asked; // a relay does not start
        const QString text = localText(now);
        const QString near = localText(now + hour);
        const QString past = localText(now - 48 * hour);
        const QString future = localText(now + 48 * hour);
        const auto states = [&](const QString &column) {
            write({u"created_at"_s, column},
                  {{text, text}, {text, near}, {text, past}, {text, future}, {text, {}}});
            PageRequest request;
            request.newestFirst = false;
            const auto page = store.page(request);
            QList<MessageState> found;
            for (const Message &row : page->rows) {
                found += row.state;
                if (row.created || row.ageSeconds || row.leaseUntil)
                    qFatal("%s: a time of no zone is shown", qPrintable(m_where));
            }
            for (const MessageState state : {MessageState::Pending, MessageState::Waiting,
                                             MessageState::Locked, MessageState::Unknown}) {
                request.states = {state};
                if (store.page(request)->rows.size() != found.count(state))
                    qFatal("%s: a list of states differs", qPrintable(m_where));
            }
            return found;
        };
        using enum MessageState;
        QCOMPARE(states(u"due_at"_s),
                 QList<MessageState>({Unknown, Unknown, Pending, Waiting, Pending}));
        ++m_asked;
        QCOMPARE(states(u"locked_until"_s),
                 QList<MessageState>({Unknown, Unknown, Pending, Locked, Pending}));
        ++m_asked;
        auto counts = store.snapshot();
        QVERIFY_RESULT(counts);
        QVERIFY2(!counts->oldestPendingSeconds, qPrintable(m_where));
        QVERIFY(counts->notes.value(u"oldest_pending_s"_s).contains(u"time zone"_s));
        QVERIFY(counts->notes.value(u"unknown"_s).contains(u"time zone"_s));
        ++m_asked;
        PageRequest request;
        request.at = QDateTime::currentDateTimeUtc();
        for (const QString &filter :
             {u"age>5m"_s, u"created>2026-01-01"_s, u"wait>5m"_s, u"due<2027-01-01"_s}) {
            request.filter = filterOf(filter);
            const auto page = store.page(request);
            QVERIFY2(!page && page.error().text.contains(u"time zone"_s), qPrintable(filter));
        }
        ++m_asked;
        write({u"created_at"_s, u"processed_at"_s}, {{past, text}});
        QVERIFY_RESULT(store.use(delayShape({})));
        auto marked = store.snapshot();
        QVERIFY_RESULT(marked);
        store.addFlow(*marked);
        QVERIFY2(!marked->worstDelaySeconds, qPrintable(m_where));
        PageRequest since;
        since.processedWithinSeconds = 60;
        QVERIFY(!store.page(since));
        ++m_asked;
    }

    /// The server's own default writes the rows; the probe finds the zone, or asks.
    void probed(qint64 now)
    {
        startCell(u"probe"_s, now);
        m_side->run(u"DELETE FROM outbox"_s);
        const QString here = m_url.dialect == Dialect::Sqlite
            ? u"strftime('%Y-%m-%d %H:%M:%f', 'now', 'localtime')"_s
            : m_url.dialect == Dialect::MariaDb ? u"now(6)"_s
                                                : u"localtimestamp"_s;
        if (m_url.dialect == Dialect::MariaDb)
            m_side->run(u"SET SESSION time_zone = 'SYSTEM'"_s);
        m_side->run(
            u"INSERT INTO outbox (id, type, payload, created_at) VALUES (1, 'm', 'x', %1)"_s.arg(
                here));
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(m_url, StoreAccess::ReadOnly)));
        const auto found = store.probe(TableName{{}, u"outbox"_s});
        QVERIFY_RESULT(found);
        const ProbeFinding &first = found->constFirst();
        const QString told = first.shape.zoneOf(u"due_at"_s);
        const bool isAsked
            = std::any_of(first.questions.begin(), first.questions.end(), [](const QString &one) {
                  return one.startsWith("In which time zone"_L1);
              });
        const QString expected = *timeZoneNamed(nameOfZone());
        QVERIFY2(told.isEmpty() ? isAsked : told == expected,
                 qPrintable(m_where + u": "_s + told + first.questions.join(u' ')));
        told.isEmpty() ? void(++m_asked) : right();
        if (!told.isEmpty())
            QVERIFY(!first.reasons.value(u"times"_s).isEmpty());
        // Nobody is sure of a table that stands still, nor of an empty one.
        for (const QString &sql :
             {u"UPDATE outbox SET created_at = '2026-02-03 04:05:06'"_s, u"DELETE FROM outbox"_s}) {
            m_side->run(sql);
            const auto idle = store.probe(TableName{{}, u"outbox"_s});
            QVERIFY_RESULT(idle);
            QVERIFY2(idle->constFirst().shape.zoneOf(u"due_at"_s).isEmpty(), qPrintable(m_where));
            ++m_asked;
        }
    }

private slots:
    void everyCellIsRightOrAsked()
    {
        const QList<qint64> all = moments();
        m_clock.set(all.constFirst());
        OUTBOX_START_DATABASES(m_databases, {u"timezone="_s + nameOfZone()});
        for (const TestWords &words : allTestWords()) {
            m_url = m_databases.fresh(words.dialect);
            m_side = std::make_unique<SideSession>(m_url);
            m_side->run(classicTable(u", created_at timestamp, due_at timestamp,"
                                     " locked_until timestamp, processed_at timestamp"_s));
            QVERIFY_RESULT(
                openOutbox(m_store, settingsFor(m_url, StoreAccess::Relay), shapeOf(nameOfZone())));
            for (const qint64 moment : all) {
                m_clock.set(moment);
                const qint64 now = QDateTime::currentMSecsSinceEpoch();
                QVERIFY2(qAbs(now - moment) < 5'000, qPrintable(localText(now)));
                QVERIFY_RESULT(m_store.ensureOpen());
                dueAndLease(now);
                age(now);
                filters(now);
                margin(now);
                marks(now);
                schedule(now);
                probed(now);
                if (QTest::currentTestFailed())
                    return;
            }
            undecided(all.constLast());
            m_store.close();
            m_side.reset();
        }
        qInfo("cells: %d right, %d asked", m_right, m_asked);
    }
};

class TestZonesOfMachines : public QObject
{
    Q_OBJECT

    int m_right = 0;
    int m_asked = 0;

private slots:
    void initTestCase()
    {
        if (SettableClock::library().isEmpty())
            QSKIP("no library that changes clocks: apt-get install faketime");
    }
    void cleanupTestCase()
    {
        qInfo("all zones together: %d cells right, %d asked or refused, 0 wrong", m_right, m_asked);
    }

    // Each is a function of its own, since the time that one may take is bounded.
    void utc() { cellsOf(u"UTC"_s); }
    void berlin() { cellsOf(u"Europe/Berlin"_s); }
    void london() { cellsOf(u"Europe/London"_s); }
    void newYork() { cellsOf(u"America/New_York"_s); }
    void kolkata() { cellsOf(u"Asia/Kolkata"_s); }
    void adelaide() { cellsOf(u"Australia/Adelaide"_s); }
    void lordHowe() { cellsOf(u"Australia/Lord_Howe"_s); }

private:
    void cellsOf(const QString &zone)
    {
        QByteArray said;
        QVERIFY2(SettableClock::passes({{u"TZ"_s, zone}}, u"everyCellIsRightOrAsked"_s, said),
                 said.constData());
        const auto cells = QRegularExpression(u"cells: (\\d+) right, (\\d+) asked"_s)
                               .match(QString::fromUtf8(said));
        if (!cells.hasMatch())
            QSKIP(said.constData()); // a server is missing
        m_right += cells.captured(1).toInt();
        m_asked += cells.captured(2).toInt();
        QVERIFY(cells.captured(1).toInt() > 0);
    }
};

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (SettableClock::isUnder()) {
        TestZones test;
        return QTest::qExec(&test, argc, argv);
    }
    TestZonesOfMachines test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_zones.moc"
