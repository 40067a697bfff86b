// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Import of an export that somebody names: what is there stays, only the file and the system of the
// plan count, and nothing is delivered twice unasked.
#include "app/operations/exportfile.h"
#include "tests/app/verbcells.h"
#include "tests/support/operatordesk.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QFile>
#include <QTest>

#include <functional>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestImport : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    /// A copy of an export with a checksum of its own.
    [[nodiscard]] static Result<void> rewritten(const QString &from, const QString &to,
                                                const std::function<void(ExportItem &)> &change)
    {
        auto reader = ExportReader::open(from);
        if (!reader)
            return passOn(reader);
        auto writer = ExportWriter::create(to, reader->head());
        if (!writer)
            return passOn(writer);
        while (true) {
            auto item = reader->next();
            if (!item)
                return passOn(item);
            if (!*item)
                return writer->finish();
            change(**item);
            if (auto added = std::visit([&](const auto &one) { return writer->add(one); }, **item);
                !added)
                return added;
        }
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void importLeavesWhatIsThere_data()
    {
        QTest::addColumn<OutboxBench::Kind>("kind");
        QTest::newRow("PostgreSQL") << OutboxBench::Kind::Postgres;
        QTest::newRow("MariaDB") << OutboxBench::Kind::MariaDb;
    }
    void importLeavesWhatIsThere()
    {
        QFETCH(OutboxBench::Kind, kind);
        OutboxBench bench(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(bench.setUp());
        const QString itsOwnKey
            = kind == OutboxBench::Kind::Postgres ? u"overriding system value"_s : QString();
        QVERIFY(bench.insertRows(4));
        QVERIFY(bench.exec(u"update outbox set completed_at = now()"_s));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QStringList ids = bench.insertedIds();
        const auto purged = desk.act(Verb::Purge, OperatorDesk::rows(ids));
        QVERIFY_RESULT(purged);
        const QString other
            = u"insert into outbox (id, type, payload) %1 values (%2, 'other', 'x')"_s;
        QVERIFY(bench.exec(other.arg(itsOwnKey, ids.at(0))));
        Selection file;
        file.file = purged->exportFile;
        const auto plan = desk.plan(Verb::Import, file);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.at(0).expected, Outcome::NotOffered); // it is another row
        QCOMPARE(plan->counts().value(Outcome::Done), 3);
        // Another key is taken between plan and act.
        QVERIFY(bench.exec(other.arg(itsOwnKey, ids.at(1))));
        const auto receipt = desk.carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.at(1).outcome, Outcome::Changed);
        QCOMPARE(receipt->count(Outcome::Done), 2);
        QCOMPARE(bench.scalar(u"select count(*) from outbox where type = 'other'"_s).toInt(), 2);
        QVERIFY(!planUndo(desk.bench(), desk.activities().first()));
    }

    void importAsksBeforeItDeliversTwice()
    {
        OutboxBench bench(OutboxBench::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(2));
        QVERIFY(markProcessed(bench, BenchShape::CompletedAt, {bench.insertedIds().last()}));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const auto purged = desk.act(Verb::Purge, OperatorDesk::rows(bench.insertedIds()));
        QVERIFY_RESULT(purged);
        QCOMPARE(purged->count(Outcome::Done), 2);
        Selection file;
        file.file = purged->exportFile;
        const auto first = desk.plan(Verb::Import, file); // our tombstone keeps the id so far
        QVERIFY_RESULT(first);
        QCOMPARE(first->counts().value(Outcome::Done), 2);
        QVERIFY_RESULT(desk.carryOut(*first));

        // It is delivered, its retention ends, and somebody clears the table.
        BenchRelay relay;
        QVERIFY_RESULT(relay.open(bench));
        QCOMPARE(relay.drain().enqueued, 1);
        QVERIFY(bench.plainRedis().command({"FLUSHALL"}, u"ending"_s).has_value());
        QVERIFY(bench.exec(u"delete from outbox"_s));
        const auto again = desk.plan(Verb::Import, file);
        QVERIFY_RESULT(again);
        QCOMPARE(again->items.at(0).expected, Outcome::SecondExecution);
        QCOMPARE(again->items.at(1).expected, Outcome::Done); // a processed row is not sent
        Consent consent = fullConsent(*again);
        consent.secondExecution = false;
        consent.typed = textToType(withConsent(*again, consent));
        const auto careful
            = operationFor(Verb::Import)->carryOut(desk.bench(), *again, consent, {});
        QVERIFY_RESULT(careful);
        QCOMPARE(careful->items.at(0).outcome, Outcome::NotAllowed);
        QCOMPARE(careful->items.at(1).outcome, Outcome::Done);
        QCOMPARE(bench.unprocessed(), 0);

        // The same table elsewhere is another system.
        OutboxBench other(OutboxBench::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(other.setUp());
        OperatorDesk elsewhere;
        QVERIFY_RESULT(elsewhere.open(other));
        const auto foreign = elsewhere.plan(Verb::Import, file);
        QVERIFY(!foreign);
        QCOMPARE(foreign.error().kind, Error::Kind::Refused);
        QVERIFY(foreign.error().text.contains(desk.bench().target()));
        QVERIFY(foreign.error().text.contains(elsewhere.bench().target()));
    }

    void aFileThatNamesOneMessageAndHoldsAnotherIsRefused()
    {
        OutboxBench bench(OutboxBench::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(2));
        QVERIFY(markProcessed(bench, BenchShape::CompletedAt, bench.insertedIds()));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const auto purged = desk.act(Verb::Purge, OperatorDesk::rows(bench.insertedIds()));
        QVERIFY_RESULT(purged);
        EnqueueRequest request = sampleRequest(u"a"_s);
        QVERIFY_RESULT(placeTask(bench.plainRedis(), request, TaskState::Retry));
        const auto deleted = desk.act(Verb::Delete, OperatorDesk::tasks({u"a"_s}));
        QVERIFY_RESULT(deleted);

        Selection rows;
        rows.file = desk.stateFolder() + u"/rows.jsonl"_s;
        QVERIFY_RESULT(rewritten(purged->exportFile, rows.file, [](ExportItem &item) {
            std::get<WholeRow>(item).id.text = u"4711"_s;
        }));
        const auto foreign = desk.plan(Verb::Import, rows);
        QVERIFY(!foreign);
        QCOMPARE(foreign.error().kind, Error::Kind::Invalid);
        QVERIFY2(foreign.error().text.contains(u"4711"_s), qPrintable(foreign.error().text));

        Selection tasks;
        tasks.file = desk.stateFolder() + u"/tasks.jsonl"_s;
        QVERIFY_RESULT(rewritten(deleted->exportFile, tasks.file, [](ExportItem &item) {
            std::get<StoredTask>(item).id.text = u"b"_s;
        }));
        const auto plan = desk.plan(Verb::Import, tasks);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.first().expected, Outcome::NotOffered);
        QVERIFY2(plan->items.first().reason.contains(u"task \"a\""_s),
                 qPrintable(plan->items.first().reason));
    }

    void undoTakesOnlyTheFileThatTheRecordNames()
    {
        OutboxBench bench(OutboxBench::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(4));
        QVERIFY(bench.exec(u"update outbox set completed_at = created_at"_s));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QStringList ids = bench.insertedIds();
        const auto first = desk.act(Verb::Purge, OperatorDesk::rows(ids.mid(0, 2)));
        QVERIFY_RESULT(first);
        const auto second = desk.act(Verb::Purge, OperatorDesk::rows(ids.mid(2)));
        QVERIFY_RESULT(second);
        const Activity activity = desk.activities().first();
        QCOMPARE(activity.exportFile, second->exportFile);
        const QString kept = second->exportFile + u".kept"_s;
        QVERIFY(QFile::rename(second->exportFile, kept));
        QVERIFY(QFile::copy(first->exportFile, second->exportFile));
        const auto foreign = planUndo(desk.bench(), activity);
        QVERIFY(!foreign);
        QCOMPARE(foreign.error().kind, Error::Kind::Conflict);
        QVERIFY(!foreign.error().hint.isEmpty());

        QVERIFY(QFile::remove(second->exportFile));
        QVERIFY(QFile::rename(kept, second->exportFile));
        const auto own = planUndo(desk.bench(), activity);
        QVERIFY_RESULT(own);
        QCOMPARE(own->acting(), 2);
    }

    void importReadsOnlyTheFileThatWasPlannedFor()
    {
        OutboxBench bench(OutboxBench::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                          m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(4));
        QVERIFY(bench.exec(u"update outbox set completed_at = now()"_s));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QStringList ids = bench.insertedIds();
        const auto first = desk.act(Verb::Purge, OperatorDesk::rows(ids.mid(0, 2)));
        QVERIFY_RESULT(first);
        const auto second = desk.act(Verb::Purge, OperatorDesk::rows(ids.mid(2)));
        QVERIFY_RESULT(second);
        Selection file;
        file.file = first->exportFile;
        const auto plan = desk.plan(Verb::Import, file);
        QVERIFY_RESULT(plan);
        QVERIFY(QFile::remove(first->exportFile));
        QVERIFY(QFile::copy(second->exportFile, first->exportFile));
        QVERIFY(!desk.carryOut(*plan));
        QCOMPARE(bench.scalar(u"select count(*) from outbox"_s).toInt(), 0);

        OutboxBench other(OutboxBench::Kind::Postgres, BenchShape::ProcessedDate, &m_postgres,
                          m_redis);
        QVERIFY(other.setUp());
        OperatorDesk elsewhere;
        QVERIFY_RESULT(elsewhere.open(other));
        const auto foreign = elsewhere.plan(Verb::Import, file);
        QVERIFY(!foreign);
        QCOMPARE(foreign.error().kind, Error::Kind::Refused);
    }
};

QTEST_GUILESS_MAIN(TestImport)
#include "tst_import.moc"
