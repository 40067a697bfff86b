// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Groups of rows that failed or are stuck, from real databases: each counts what a GROUP BY counts,
// and is a filter that finds its members and no others.
#include "app/system/jobs/failurefeed.h"
#include "models/filter/pagerequest.h"
#include "models/groups/failuregroups.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/patience.h"
#include "tests/support/randomfilters.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>

namespace tst_failedrows {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rowCount = 900;

/// What is written, and what its cause must be: the tests' own word for it.
const QList<std::pair<QString, QString>> errors{
    {u"timeout after %1 ms"_s, u"timeout after * ms"_s},
    {u"timeout after all ms"_s, u"timeout after all ms"_s}, // fits the pattern of the one above
    {u"dial tcp 10.0.3.%1:5432: refused"_s, u"dial tcp *: refused"_s},
    {u"mailbox \"ana%1\" is 100% full?"_s, u"mailbox \"*\" is *% full?"_s},
    {u"mailbox \"ana%1\" is 100% full!"_s, u"mailbox \"*\" is *% full!"_s},
    {QString(), QString()}};

} // namespace

class TestFailedRows : public QObject
{
    Q_OBJECT

    Databases m_databases;
    QTemporaryDir m_folder;

    static OutboxShape shape()
    {
        OutboxShape shape = classicShape();
        shape.use = OutboxShape::Use::Watch;
        shape.createdColumn = u"created_at"_s;
        shape.processedHow = OutboxShape::ProcessedHow::Time;
        shape.processedColumn = u"completed_at"_s;
        shape.failedHow = OutboxShape::FailedHow::Time;
        shape.failedColumn = u"failed_at"_s;
        shape.errorColumn = u"last_error"_s;
        shape.queueColumn = u"route"_s;
        return shape;
    }

    /// Half hours since they were written, so that no row passes a limit while the test runs.
    static QString ago(int hours) { return testWords().minutesAgo.arg(hours * 60 + 30); }

    DatabaseUrl filled(int rows = rowCount)
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id integer PRIMARY KEY, type text NOT NULL, payload text"
                 " NOT NULL, created_at timestamptz NOT NULL, completed_at timestamptz,"
                 " failed_at timestamptz, last_error text, route text, truth text NOT NULL)"_s);
        RandomFilters random("filled");
        QStringList values;
        for (int n = 1; n <= rows; ++n) {
            auto [error, truth] = random.oneOf(errors);
            if (error.contains(u"%1"))
                error = error.arg(n);
            const bool hasFailed = random.below(3) > 0;
            const bool isDone = !hasFailed && random.below(2) == 0;
            const QString type = random.oneOf(QStringList{u"email:send"_s, u"sms*"_s, u"sms?x"_s});
            values += u"(%1, '%2', '{}', %3, %4, %5, %6, %7, '%8')"_s.arg(
                QString::number(n), type, ago(random.below(60)), isDone ? ago(0) : u"NULL"_s,
                hasFailed ? ago(0) : u"NULL"_s,
                truth.isEmpty() ? u"NULL"_s : QString(u'\'' + error + u'\''),
                random.oneOf(QStringList{u"'critical'"_s, u"'low'"_s, u"NULL"_s}), truth);
            if (values.size() == 100 || n == rows) {
                side.run(u"INSERT INTO outbox VALUES "_s + values.join(u", "_s));
                values.clear();
            }
        }
        return url;
    }

    Profile profileOf(const DatabaseUrl &url) const
    {
        Profile profile;
        profile.databaseUrl = m_databases.addressOf(url);
        profile.shape = shape();
        return profile;
    }

    std::optional<FailureSample> lookAt(const DatabaseUrl &url, const FailureQuestion &question,
                                        const OutboxSnapshot &counts = {})
    {
        RowFailures feed(profileOf(url), {}, m_folder.path());
        feed.setCounts(counts);
        feed.setShape(shape());
        Traffic traffic;
        connect(&feed, &FailureFeed::looked, this,
                [&](double, const Traffic &one) { traffic = one; });
        std::optional<FailureSample> sample;
        connect(&feed, &FailureFeed::taken, this,
                [&](const FailureSample &taken) { sample = taken; });
        feed.show(question);
        (void)QTest::qWaitFor([&] { return sample.has_value(); }, 30'000);
        if (sample && (traffic.statements < sample->reads || traffic.bytes == 0))
            QTest::qFail("a look that says nothing of its cost", __FILE__, __LINE__);
        return sample;
    }

    static FailureQuestion failedRows(std::optional<qint64> within = {})
    {
        return {FailureSource::Rows, scopesOf(FailureSource::Rows).first().filter, within};
    }

    static QString whereOf(const FailureGroup &group)
    {
        const auto is = [](const QString &column, const QString &value) -> QString {
            return column + u" = '"_s + value + u'\'';
        };
        switch (group.by) {
        case GroupBy::Cause:
            return is(u"type"_s, group.type) + u" AND "_s + is(u"truth"_s, group.cause);
        case GroupBy::Error:
            return is(u"truth"_s, group.cause);
        case GroupBy::Type:
            return is(u"type"_s, group.type);
        case GroupBy::Queue:
            return is(u"coalesce(route, '')"_s, group.queue);
        case GroupBy::Hour:
            break;
        }
        return is(testWords().createdHour, group.hour->toString(Qt::ISODate));
    }

    static QString columnsOf(GroupBy by)
    {
        switch (by) {
        case GroupBy::Cause:
            return u"type, truth"_s;
        case GroupBy::Error:
            return u"truth"_s;
        case GroupBy::Type:
            return u"type"_s;
        case GroupBy::Queue:
            return u"coalesce(route, '')"_s;
        case GroupBy::Hour:
            break;
        }
        return testWords().createdHour;
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void groupsCountWhatAGroupByCounts_data()
    {
        QTest::addColumn<int>("hours");
        QTest::newRow("ever") << 0;
        QTest::newRow("a day") << 24;
        QTest::newRow("an hour") << 1;
    }

    void groupsCountWhatAGroupByCounts()
    {
        QFETCH(int, hours);
        const DatabaseUrl url = filled();
        SideSession side(url);
        const auto within = hours ? std::optional<qint64>(hours * 3600) : std::nullopt;
        const auto sample = lookAt(url, failedRows(within));
        QVERIFY(sample);
        QVERIFY(sample->isWhole);
        // Ages are whole hours and a half: the limit of whole hours is between two of them.
        const QString inTime = u"completed_at IS NULL AND failed_at IS NOT NULL"_s
            + (hours ? QString(u" AND created_at > "_s + ago(hours)) : QString());
        const int total = side.one(u"SELECT count(*) FROM outbox WHERE "_s + inTime).toInt();
        QCOMPARE(sample->items.size(), total);
        QVERIFY(total > 5);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), shape()));
        int groupCount = 0;
        for (const GroupBy by : allGroupings()) {
            qint64 others = -1;
            const QList<FailureGroup> groups = groupsOf(*sample, by, &others);
            const QStringList counts = side.run(u"SELECT count(*) FROM outbox WHERE "_s + inTime
                                                + u" GROUP BY "_s + columnsOf(by));
            QCOMPARE(groups.size(), counts.size());
            QCOMPARE(others, 0);
            groupCount += int(groups.size());
            for (const FailureGroup &group : groups) {
                const QString where
                    = u" FROM outbox WHERE "_s + inTime + u" AND "_s + whereOf(group);
                QCOMPARE(group.count, side.one(u"SELECT count(*)"_s + where).toInt());
                PageRequest request;
                request.filter = filterOf(group.filter);
                request.at = QDateTime::currentDateTimeUtc();
                request.limit = 10'000;
                const auto page = store.page(request);
                QVERIFY_RESULT(page);
                QVERIFY(page->next.isEmpty());
                QStringList found;
                for (const Message &row : page->rows)
                    found += row.id.text;
                found.sort();
                QStringList members = side.run(u"SELECT id"_s + where);
                members.sort();
                QVERIFY2(found == members, qPrintable(group.filter));
            }
        }
        qInfo("%d rows in %d groups of five kinds; %d pages, %.1f ms, the longest %.1f ms", total,
              groupCount, sample->reads, sample->tookMs, sample->longestMs);
    }

    void whatWaitsTooLongIsStuck()
    {
        const DatabaseUrl url = filled(120);
        SideSession side(url);
        const auto sample
            = lookAt(url, {FailureSource::Rows, scopesOf(FailureSource::Rows).at(1).filter, {}});
        QVERIFY(sample);
        QCOMPARE(sample->items.size(),
                 side.one(u"SELECT count(*) FROM outbox WHERE completed_at IS NULL AND failed_at IS"
                          " NULL"_s)
                     .toInt());
    }

    void aSampleIsBoundedAndTellsItsSize()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id integer PRIMARY KEY, type text NOT NULL, payload text"
                 " NOT NULL, created_at timestamptz NOT NULL, completed_at timestamptz,"
                 " failed_at timestamptz, last_error text, route text)"_s);
        side.run(numbered(5'000,
                          u"n, 'mail', '{}', "_s + ago(1) + u", NULL, "_s + ago(1)
                              + u", 'no route ' || n, NULL"_s,
                          u"outbox"_s));
        OutboxSnapshot counts;
        counts.failed = 5'000;
        counts.exact = false;
        const auto sample = lookAt(url, failedRows(), counts);
        QVERIFY(sample);
        QCOMPARE(sample->items.size(), mostFailedItems);
        QVERIFY(!sample->isWhole);
        // On a busy machine the filter runs out of its time, and the newest rows are searched.
        QCOMPARE(sizeWords(*sample),
                 sample->searched > 0 ? u"2,000 among the newest 2,000 rows"_s
                                      : u"the newest 2,000 of ~5,000"_s);
        QCOMPARE(groupsOf(*sample, GroupBy::Cause).size(), 1);
        QCOMPARE(groupsOf(*sample, GroupBy::Cause).first().count, mostFailedItems);
        qInfo("%d pages, %.1f ms, the longest %.1f ms", sample->reads, sample->tookMs,
              sample->longestMs);
    }

    /// OUTBOX_GROUPS_ROWS asks for another size.
    void aLargeTableIsReadInShortSteps()
    {
        bool isSet = false;
        const int asked = qEnvironmentVariableIntValue("OUTBOX_GROUPS_ROWS", &isSet);
        const int rows = isSet ? asked : 30'000;
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id integer PRIMARY KEY, type text NOT NULL, payload text"
                 " NOT NULL, created_at timestamptz NOT NULL, completed_at timestamptz,"
                 " failed_at timestamptz, last_error text, route text)"_s);
        // One of a thousand has failed, and no index knows them.
        side.run(numbered(rows,
                          u"n, 'mail', '{}', "_s + ago(1) + u", CASE WHEN n % 1000 > 0 THEN "_s
                              + ago(0) + u" END, CASE WHEN n % 1000 = 0 THEN "_s + ago(0)
                              + u" END, 'no route ' || n, NULL"_s,
                          u"outbox"_s));
        side.run(u"CREATE INDEX by_time ON outbox (created_at, id)"_s);
        if (dialect() == DatabaseUrl::Dialect::PostgreSql)
            side.run(u"VACUUM ANALYZE outbox"_s);
        for (const auto within : {std::optional<qint64>(24 * 3600), std::optional<qint64>()}) {
            const auto sample = lookAt(url, failedRows(within));
            QVERIFY(sample);
            if (sample->searched > 0) // it took longer than one statement may
                QCOMPARE(sample->items.size(), sample->searched / 1000);
            else
                QCOMPARE(sample->items.size(), qMin(rows / 1000, mostFailedItems));
            qInfo(
                "%d rows, %s: %lld items of %lld searched, %d pages, %.1f ms, the longest %.1f ms",
                rows, within ? "a day" : "ever", static_cast<long long>(sample->items.size()),
                static_cast<long long>(sample->searched), sample->reads, sample->tookMs,
                sample->longestMs);
        }
    }

    void withoutAnIndexTheNewestRowsAreSearched()
    {
        const DatabaseUrl url = filled();
        FailedRows rows;
        QVERIFY_RESULT(rows.source.open(settingsFor(url, StoreAccess::ReadOnly), m_folder.path()));
        QVERIFY_RESULT(rows.source.store().use(shape()));
        const QDateTime now = QDateTime::currentDateTimeUtc();
        const auto direct = readRowsOf(rows, failedRows(24 * 3600), now);
        QVERIFY_RESULT(direct);
        rows.searched = failedRows().scope;
        const auto searched = readRowsOf(rows, failedRows(24 * 3600), now);
        QVERIFY_RESULT(searched);
        QCOMPARE(searched->searched, rowCount);
        QCOMPARE(searched->items, direct->items);
        QVERIFY(!direct->items.isEmpty());
    }

    void aFailureSaysWhyAndTheNextLookGoesOn()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        RowFailures feed(profileOf(url), {}, m_folder.path());
        QSignalSpy failures(&feed, &FailureFeed::failed);
        QSignalSpy samples(&feed, &FailureFeed::taken);
        feed.show(failedRows());
        QTRY_COMPARE(failures.count(), 1); // the shape is not known
        feed.setShape(shape());
        QTRY_VERIFY_WITH_TIMEOUT(failures.count() > 1, 10'000); // there is no such table
        QVERIFY(!failures.constLast().constFirst().value<Error>().text.isEmpty());
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id integer PRIMARY KEY, type text NOT NULL, payload text"
                 " NOT NULL, created_at timestamptz NOT NULL, completed_at timestamptz,"
                 " failed_at timestamptz, last_error text, route text)"_s);
        QTRY_VERIFY_WITH_TIMEOUT(samples.count() > 0, 20'000);
        feed.hide();
        const auto seen = samples.count();
        feed.refreshNow(); // nobody looks
        QCOMPARE(samples.count(), seen);
        // Its sessions are gone; a pooler keeps its own.
        if (dialect() == DatabaseUrl::Dialect::PostgreSql && !isDatabasePooled())
            QTRY_COMPARE(side.one(u"SELECT count(*) FROM pg_stat_activity WHERE datname = "
                                  "current_database() AND application_name <> 'side'"_s),
                         u"0"_s);
    }
};

} // namespace tst_failedrows

OUTBOX_TEST(tst_failedrows::TestFailedRows)
#include "tst_failedrows.moc"
