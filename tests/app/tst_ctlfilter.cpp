// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// --filter of the command line: rows, tasks and operations mean the same by it, and what cannot be
// understood is told in one line with its place.
#include "app/system/jobs/failurefeed.h"
#include "models/groups/failuregroups.h"
#include "tests/support/ctlworld.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QSet>
#include <QTest>

namespace tst_ctlfilter {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestCtlFilter : public QObject, protected CtlWorld
{
    Q_OBJECT

    [[nodiscard]] QStringList idsOf(const QStringList &arguments) const
    {
        const CtlRun run = ctl(arguments, {u"--json"_s, u"--time-zone"_s, u"UTC"_s});
        QStringList ids;
        for (const QJsonObject &object : run.objects()) {
            if (object.contains("id"_L1))
                ids += object.value("id"_L1).toString();
        }
        ids.sort();
        return ids;
    }

private slots:
    void initTestCase_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("PostgreSQL") << int(TestOutbox::Kind::Postgres);
        QTest::newRow("SQLite") << int(TestOutbox::Kind::Sqlite);
    }
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void init()
    {
        QFETCH_GLOBAL(int, kind);
        QVERIFY(setUpWorld(TestOutbox::Kind(kind)));
    }
    void cleanup() { tearDownWorld(); }

    void rowsAreListed_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QStringList>("ids");
        const auto row = [](const QString &filter, const QStringList &ids) {
            QTest::newRow(qPrintable(filter)) << filter << ids;
        };
        row(u"state:pending"_s, {u"5"_s, u"6"_s});
        row(u"-state:pending"_s, {u"1"_s, u"2"_s, u"3"_s, u"4"_s});
        row(u"state:pending or id:3"_s, {u"3"_s, u"5"_s, u"6"_s});
        row(u"processed:2026-01-02T03:04:05Z (id=1 or id=2)"_s, {u"1"_s, u"2"_s});
        row(u"processed:none size>0"_s, {u"5"_s, u"6"_s});
        row(u"col.id>4"_s, {u"5"_s, u"6"_s});
        row(u"task:none"_s, {u"1"_s, u"2"_s, u"5"_s, u"6"_s});
        row(u"task:archived or task:done"_s, {u"3"_s, u"4"_s});
        row(u"dedup:held -task:dead"_s, {u"3"_s});
        row(u"cause:none col.id>4"_s, {u"5"_s, u"6"_s});
        row(u"type:nothing"_s, {});
    }
    void rowsAreListed()
    {
        QFETCH(QString, filter);
        QFETCH(QStringList, ids);
        QCOMPARE(idsOf({u"list"_s, u"--filter"_s, filter}), ids);
    }

    void payloadsAreSearched()
    {
        const QString payload = QString::fromUtf8(m_fixture->expectedPayload(u"5"_s));
        const CtlRun run
            = ctl({u"list"_s, u"--filter"_s,
                   u"payload~\""_s + payload.mid(1, 12).replace(u'"', u"\\\""_s) + u'"'});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.err.contains("searched all 6 rows"), run.err.constData());
        QCOMPARE(ctl({u"list"_s, u"--filter"_s, u"payload~\"no such text\""_s}).exitCode, 3);
    }

    void theFarEndOfALargeTableIsSearchedToo()
    {
        const QString payload = QString::fromUtf8(m_fixture->expectedPayload(u"5"_s));
        QVERIFY(m_fixture->insertRows(21'000, 40));
        const QStringList asking{u"list"_s, u"--filter"_s,
                                 u"payload~\""_s + payload.mid(1, 60).replace(u'"', u"\\\""_s)
                                     + u'"'};
        const CtlRun run = ctl(asking, {u"--json"_s});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.err.contains("searched all 21"), run.err.constData());
        QVERIFY(idsOf(asking).contains(u"5"_s)); // one of the oldest
        const CtlRun none = ctl({u"list"_s, u"--filter"_s, u"payload~\"no such text\""_s});
        QCOMPARE(none.exitCode, 3);
        QVERIFY2(none.err.contains("searched all 21"), none.err.constData());
        // Page by page, each goes on behind the one before.
        QStringList ids;
        QString after;
        do {
            const CtlRun page = ctl({u"list"_s, u"--filter"_s, u"payload~e or size>0"_s,
                                     u"--limit"_s, u"9000"_s, u"--after"_s, after},
                                    {u"--json"_s});
            QVERIFY2(page.exitCode == 0, page.err.constData());
            for (const QJsonObject &object : page.objects()) {
                if (object.contains("id"_L1))
                    ids += object.value("id"_L1).toString();
            }
            after = page.objects().constLast().value("cursor"_L1).toString();
        } while (!after.isEmpty());
        QCOMPARE(ids.size(), count(u"true"_s));
        QCOMPARE(QSet<QString>(ids.begin(), ids.end()).size(), ids.size());
    }

    void tasksAreListed_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QStringList>("ids");
        const auto row = [](const QString &filter, const QStringList &ids) {
            QTest::newRow(qPrintable(filter)) << filter << ids;
        };
        row(u"state:dead"_s, {u"outbox:4"_s, u"t-archived"_s});
        row(u"-state:archived id:t-"_s,
            {u"t-active"_s, u"t-completed"_s, u"t-pending"_s, u"t-retry"_s});
        row(u"state:retry,dead id:*r*"_s, {u"t-archived"_s, u"t-retry"_s});
        row(u"state:completed expires:any"_s, {u"outbox:3"_s, u"t-completed"_s});
        row(u"retried>=0 size>0"_s, {u"t-pending"_s});
    }
    void tasksAreListed()
    {
        QFETCH(QString, filter);
        QFETCH(QStringList, ids);
        QCOMPARE(idsOf({u"tasks"_s, u"--filter"_s, filter}), ids);
    }

    void tasksOfSeveralStatesComePageByPage()
    {
        const QString filter = u"state:active,pending,retry,dead,completed id:t-"_s;
        const QStringList all = idsOf({u"tasks"_s, u"--filter"_s, filter});
        QCOMPARE(all.size(), 5);
        QStringList ids;
        QString after;
        do {
            const CtlRun page = ctl(
                {u"tasks"_s, u"--filter"_s, filter, u"--limit"_s, u"2"_s, u"--after"_s, after},
                {u"--json"_s});
            for (const QJsonObject &object : page.objects()) {
                if (object.contains("id"_L1))
                    ids += object.value("id"_L1).toString();
            }
            QVERIFY2(ids.size() <= 5, page.out.constData());
            after = page.objects().constLast().value("cursor"_L1).toString();
        } while (!after.isEmpty());
        ids.sort();
        QCOMPARE(ids, all);
        QCOMPARE(ctl({u"tasks"_s, u"--filter"_s, filter, u"--after"_s, u"scheduled 1"_s}).exitCode,
                 2); // of another walk
    }

    void operationsTakeIt()
    {
        const auto planned = [this](const QStringList &arguments) {
            const CtlRun run = ctl(arguments, {u"--json"_s});
            return part(run, u"plan"_s).value("items"_L1).toArray().size();
        };
        QCOMPARE(planned({u"purge"_s, u"--filter"_s, u"state:processed -task:any"_s}), 2);
        QCOMPARE(planned({u"purge"_s, u"--filter"_s, u"id=1 or (id=2 size<100k)"_s}), 2);
        QCOMPARE(planned({u"archive"_s, u"--filter"_s, u"(state:retry or state:pending) id:t-"_s}),
                 2);
    }

    void aGroupOfFailuresIsTheTargetOfAnOperation()
    {
        const QStringList errors{u"timeout after 30 ms"_s, u"timeout after 31 ms"_s,
                                 u"timeout after all ms"_s, u"what \"x\"?"_s};
        for (qsizetype n = 0; n < errors.size(); ++n) {
            EnqueueRequest request = sampleRequest(u"failed-%1"_s.arg(n));
            asynq::TaskMessage message = messageOf(request);
            message.error = errors.at(n);
            QVERIFY_RESULT(
                placeMessage(m_fixture->plainRedis(), request, TaskState::Archived, message));
        }
        AsynqInspector inspector;
        const auto endpoint = RedisEndpoint::fromUrl(m_redis.url());
        QVERIFY_RESULT(endpoint);
        QVERIFY_RESULT(inspector.open(*endpoint, u"looker"_s));
        const auto sample = readTasksOf(inspector, {u"default"_s},
                                        {FailureSource::Tasks, u"state:archived"_s, {}},
                                        QDateTime::currentDateTimeUtc());
        QVERIFY_RESULT(sample);
        const QList<FailureGroup> groups = groupsOf(*sample, GroupBy::Error);
        QCOMPARE(groups.size(), 4); // two dead ones of the world say nothing
        QCOMPARE(groups.first().count, 2);
        for (const FailureGroup &group : groups) {
            const CtlRun run = ctl({u"run"_s, u"--filter"_s, group.filter}, {u"--json"_s});
            const auto items = part(run, u"plan"_s).value("items"_L1).toArray();
            QVERIFY2(items.size() == group.count, run.err.constData());
            for (const auto &item : items)
                QVERIFY(group.ids.contains(item.toObject().value("id"_L1).toString())
                        || !item.toObject().contains("id"_L1));
        }
    }

    void whatIsWrongIsToldInOneLineWithItsPlace_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const QStringList &arguments, const char *says) {
            QTest::newRow(qPrintable(arguments.join(u' '))) << arguments << QByteArray(says);
        };
        for (const QString &command : {u"list"_s, u"purge"_s}) {
            row({command, u"--filter"_s, u"state:pending agee>5m"_s},
                "`agee`: unknown field (at character 15). Did you mean `age`?");
            row({command, u"--filter"_s, u"(state:pending"_s}, "(at character 1)");
            row({command, u"--filter"_s, u"state:pending col.tpye:x"_s},
                "(at character 15). Did you mean `col.type`?");
        }
        row({u"tasks"_s, u"--filter"_s, u"state:processed"_s}, "(at character 7)");
        row({u"delete"_s, u"--filter"_s, u"created:today"_s}, "a field of rows (at character 1)");
        row({u"export"_s, u"--filter"_s, u"type:\"a"_s}, "(at character 6)");
    }
    void whatIsWrongIsToldInOneLineWithItsPlace()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const CtlRun run = ctl(arguments);
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains(says), run.err.constData());
        QCOMPARE(run.err.trimmed().count('\n'), 0);
        QVERIFY(run.out.isEmpty());
    }
};

} // namespace tst_ctlfilter

OUTBOX_TEST(tst_ctlfilter::TestCtlFilter)
#include "tst_ctlfilter.moc"
