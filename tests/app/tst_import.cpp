// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Import of an export that somebody names: what is there stays, only the file and the system of the
// plan count, and nothing is delivered twice unasked.
#include "app/operations/transfer/exportfile.h"
#include "tests/app/verbcells.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoperator.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QTest>

#include <functional>

namespace tst_import {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestImport : public QObject
{
    Q_OBJECT

    TestPostgres m_postgres;
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
        if (!isDatabasePooled())
            OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void importLeavesWhatIsThere_data()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::newRow("PostgreSQL") << TestOutbox::Kind::Postgres;
        if (!isDatabasePooled())
            QTest::newRow("MariaDB") << TestOutbox::Kind::MariaDb;
    }
    void importLeavesWhatIsThere()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        const QString itsOwnKey
            = kind == TestOutbox::Kind::Postgres ? u"overriding system value"_s : QString();
        QVERIFY(fixture.insertRows(4));
        QVERIFY(fixture.exec(u"update outbox set completed_at = now()"_s));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QStringList ids = fixture.insertedIds();
        const auto purged = person.act(Verb::Purge, TestOperator::rows(ids));
        QVERIFY_RESULT(purged);
        const QString other
            = u"insert into outbox (id, type, payload) %1 values (%2, 'other', 'x')"_s;
        QVERIFY(fixture.exec(other.arg(itsOwnKey, ids.at(0))));
        Selection file;
        file.file = purged->exportFile;
        const auto plan = person.plan(Verb::Import, file);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.at(0).expected, Outcome::NotOffered); // it is another row
        QCOMPARE(plan->counts().value(Outcome::Done), 3);
        // Another key is taken between plan and act.
        QVERIFY(fixture.exec(other.arg(itsOwnKey, ids.at(1))));
        const auto receipt = person.carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.at(1).outcome, Outcome::Changed);
        QCOMPARE(receipt->count(Outcome::Done), 2);
        QCOMPARE(fixture.scalar(u"select count(*) from outbox where type = 'other'"_s).toInt(), 2);
        QVERIFY(!planUndo(person.session(), person.activities().first()));
    }

    void importAsksBeforeItDeliversTwice()
    {
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(2));
        QVERIFY(markProcessed(fixture, BenchShape::CompletedAt, {fixture.insertedIds().last()}));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const auto purged = person.act(Verb::Purge, TestOperator::rows(fixture.insertedIds()));
        QVERIFY_RESULT(purged);
        QCOMPARE(purged->count(Outcome::Done), 2);
        Selection file;
        file.file = purged->exportFile;
        const auto first = person.plan(Verb::Import, file); // our tombstone keeps the id so far
        QVERIFY_RESULT(first);
        QCOMPARE(first->counts().value(Outcome::Done), 2);
        QVERIFY_RESULT(person.carryOut(*first));

        // It is delivered, its retention ends, and somebody clears the table.
        FixtureRelay relay;
        QVERIFY_RESULT(relay.open(fixture));
        QCOMPARE(relay.drain().enqueued, 1);
        QVERIFY(fixture.plainRedis().command({"FLUSHALL"}, u"ending"_s).has_value());
        QVERIFY(fixture.exec(u"delete from outbox"_s));
        const auto again = person.plan(Verb::Import, file);
        QVERIFY_RESULT(again);
        QCOMPARE(again->items.at(0).expected, Outcome::SecondExecution);
        QCOMPARE(again->items.at(1).expected, Outcome::Done); // a processed row is not sent
        Consent consent = fullConsent(*again);
        consent.secondExecution = false;
        consent.typed = textToType(withConsent(*again, consent));
        const auto careful
            = operationFor(Verb::Import)->carryOut(person.session(), *again, consent, {});
        QVERIFY_RESULT(careful);
        QCOMPARE(careful->items.at(0).outcome, Outcome::NotAllowed);
        QCOMPARE(careful->items.at(1).outcome, Outcome::Done);
        QCOMPARE(fixture.unprocessed(), 0);

        // The same table elsewhere is another system.
        TestOutbox other(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(other.setUp());
        TestOperator elsewhere;
        QVERIFY_RESULT(elsewhere.open(other));
        const auto foreign = elsewhere.plan(Verb::Import, file);
        QVERIFY(!foreign);
        QCOMPARE(foreign.error().kind, Error::Kind::Refused);
        QVERIFY(foreign.error().text.contains(person.session().target()));
        QVERIFY(foreign.error().text.contains(elsewhere.session().target()));
    }

    void aFileThatNamesOneMessageAndHoldsAnotherIsRefused()
    {
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(2));
        QVERIFY(markProcessed(fixture, BenchShape::CompletedAt, fixture.insertedIds()));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const auto purged = person.act(Verb::Purge, TestOperator::rows(fixture.insertedIds()));
        QVERIFY_RESULT(purged);
        EnqueueRequest request = sampleRequest(u"a"_s);
        QVERIFY_RESULT(placeTask(fixture.plainRedis(), request, TaskState::Retry));
        const auto deleted = person.act(Verb::Delete, TestOperator::tasks({u"a"_s}));
        QVERIFY_RESULT(deleted);

        Selection rows;
        rows.file = person.stateFolder() + u"/rows.jsonl"_s;
        QVERIFY_RESULT(rewritten(purged->exportFile, rows.file, [](ExportItem &item) {
            std::get<WholeRow>(item).id.text = u"4711"_s;
        }));
        const auto foreign = person.plan(Verb::Import, rows);
        QVERIFY(!foreign);
        QCOMPARE(foreign.error().kind, Error::Kind::Invalid);
        QVERIFY2(foreign.error().text.contains(u"4711"_s), qPrintable(foreign.error().text));

        Selection tasks;
        tasks.file = person.stateFolder() + u"/tasks.jsonl"_s;
        QVERIFY_RESULT(rewritten(deleted->exportFile, tasks.file, [](ExportItem &item) {
            std::get<StoredTask>(item).id.text = u"b"_s;
        }));
        const auto plan = person.plan(Verb::Import, tasks);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.first().expected, Outcome::NotOffered);
        QVERIFY2(plan->items.first().reason.contains(u"task \"a\""_s),
                 qPrintable(plan->items.first().reason));
    }

    void undoTakesOnlyTheFileThatTheRecordNames()
    {
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(4));
        QVERIFY(fixture.exec(u"update outbox set completed_at = created_at"_s));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QStringList ids = fixture.insertedIds();
        const auto first = person.act(Verb::Purge, TestOperator::rows(ids.mid(0, 2)));
        QVERIFY_RESULT(first);
        const auto second = person.act(Verb::Purge, TestOperator::rows(ids.mid(2)));
        QVERIFY_RESULT(second);
        const Activity activity = person.activities().first();
        QCOMPARE(activity.exportFile, second->exportFile);
        const QString kept = second->exportFile + u".kept"_s;
        QVERIFY(QFile::rename(second->exportFile, kept));
        QVERIFY(QFile::copy(first->exportFile, second->exportFile));
        const auto foreign = planUndo(person.session(), activity);
        QVERIFY(!foreign);
        QCOMPARE(foreign.error().kind, Error::Kind::Conflict);
        QVERIFY(!foreign.error().hint.isEmpty());

        QVERIFY(QFile::remove(second->exportFile));
        QVERIFY(QFile::rename(kept, second->exportFile));
        const auto own = planUndo(person.session(), activity);
        QVERIFY_RESULT(own);
        QCOMPARE(own->acting(), 2);
    }

    void importReadsOnlyTheFileThatWasPlannedFor()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                           m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(4));
        QVERIFY(fixture.exec(u"update outbox set completed_at = now()"_s));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QStringList ids = fixture.insertedIds();
        const auto first = person.act(Verb::Purge, TestOperator::rows(ids.mid(0, 2)));
        QVERIFY_RESULT(first);
        const auto second = person.act(Verb::Purge, TestOperator::rows(ids.mid(2)));
        QVERIFY_RESULT(second);
        Selection file;
        file.file = first->exportFile;
        const auto plan = person.plan(Verb::Import, file);
        QVERIFY_RESULT(plan);
        QVERIFY(QFile::remove(first->exportFile));
        QVERIFY(QFile::copy(second->exportFile, first->exportFile));
        QVERIFY(!person.carryOut(*plan));
        QCOMPARE(fixture.scalar(u"select count(*) from outbox"_s).toInt(), 0);

        TestOutbox other(TestOutbox::Kind::Postgres, BenchShape::ProcessedDate, &m_postgres,
                         m_redis);
        QVERIFY(other.setUp());
        TestOperator elsewhere;
        QVERIFY_RESULT(elsewhere.open(other));
        const auto foreign = elsewhere.plan(Verb::Import, file);
        QVERIFY(!foreign);
        QCOMPARE(foreign.error().kind, Error::Kind::Refused);
    }
};

} // namespace tst_import

OUTBOX_TEST(tst_import::TestImport)
#include "tst_import.moc"
