// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kill -9 at every step of a bulk purge and of a bulk replay: nothing was changed that is not on
// record, a look says of each message what is true, and it can be finished and undone.
#include "connectors/asynq/wire/keys.h"
#include "connectors/sql/edit/outboxeditor.h"
#include "tests/app/verbcells.h"
#include "tests/support/filebytes.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoperator.h"
#include "tests/support/testprogram.h"

#include <QProcess>
#include <QSet>
#include <QTest>

#include <cstdio>

namespace tst_actcrash {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestActCrash : public QObject
{
    Q_OBJECT

    static constexpr auto shape = BenchShape::CompletedAt;
    static constexpr int rows = 9;
    static constexpr int chunk = 3;

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;
    QStringList m_ids;
    QHash<QString, QString> m_tasks; ///< of the rows
    QString m_content; ///< of all rows, before

    /// All cells of all rows; not the version, which changes with every write.
    QString content()
    {
        return m_fixture
            ->scalar(m_fixture->kind() == TestOutbox::Kind::MariaDb
                         ? u"select group_concat(concat_ws('|', id, type, hex(payload), created_at,"
                           " completed_at) order by id) from outbox"_s
                         : u"select string_agg(t::text, E'\\n' order by id) from outbox t"_s)
            .toString();
    }

    QByteArray taskKey(const QString &id)
    {
        return asynq::QueueKeys({u"default"_s}).task(m_tasks.value(id).toUtf8());
    }
    /// While the rows are there.
    Result<void> nameTasks()
    {
        const auto mapped = m_fixture->takenShape();
        if (!mapped)
            return passOn(mapped);
        for (const QString &id : std::as_const(m_ids))
            m_tasks.insert(id, m_fixture->taskId(*mapped, id));
        return {};
    }

    qint64 tombstones()
    {
        qint64 found = 0;
        for (const QString &id : std::as_const(m_ids)) {
            const auto there
                = m_fixture->plainRedis().command({"EXISTS", taskKey(id)}, u"looking"_s);
            found += there ? there->integer : 0;
        }
        return found;
    }

    void freshRows(int pending)
    {
        QVERIFY(m_fixture->exec(u"delete from outbox"_s));
        QVERIFY(m_fixture->exec(u"delete from outbox_audit"_s));
        QVERIFY(m_fixture->plainRedis().command({"FLUSHALL"}, u"emptying"_s).has_value());
        QVERIFY(m_fixture->insertRows(rows));
        m_ids = m_fixture->insertedIds().mid(m_fixture->insertedIds().size() - rows);
        QVERIFY(
            m_fixture->exec(u"update outbox set completed_at = timestamp '2026-03-01 10:00:00.125' "
                            "where id in (%1)"_s.arg(m_ids.mid(pending).join(u','))));
        QVERIFY_RESULT(nameTasks());
        m_content = content();
    }

    /// Runs the operator until its `killAt`-th step; the name of that step, empty when it ended.
    QByteArray runChild(Verb verb, const QString &folder, int killAt)
    {
        const QString ids = folder + u"/ids"_s;
        if (!writeFile(ids, m_ids.join(u'\n').toUtf8()))
            return "no file";
        QProcess child;
        child.setStandardInputFile(QProcess::nullDevice()); // nobody keeps it waiting
        child.start(QStringLiteral(OPERATORCHILD),
                    {m_fixture->url(), m_fixture->table(), m_fixture->redisUrl(), folder,
                     word(verb), ids, QString::number(chunk), QString::number(killAt)});
        if (!child.waitForFinished(20'000))
            return "it hangs";
        const QByteArray out = child.readAllStandardOutput();
        if (child.exitStatus() == QProcess::NormalExit)
            return child.exitCode() == 0 ? QByteArray() : child.readAllStandardError();
        return out.mid(out.indexOf("killed at ") + 10).trimmed();
    }

    /// Ids of the rows that are no longer as they were.
    QSet<QString> changed(const QHash<QString, QString> &before)
    {
        const auto now = rowDigests(*m_fixture, m_fixture->kind(), shape);
        QSet<QString> ids;
        for (auto row = before.cbegin(); row != before.cend(); ++row) {
            if (now.value(row.key()) != row.value())
                ids += row.key();
        }
        return ids;
    }

    void takeBack(TestOperator &person, const QString &operation)
    {
        const QList<Activity> all = person.activities();
        const auto found = std::find_if(all.begin(), all.end(), [&](const Activity &one) {
            return one.operation == operation;
        });
        QVERIFY(found != all.end());
        if (!found->undoable)
            return; // it was killed before it did anything
        const auto plan = planUndo(person.session(), *found);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->undoOf, operation);
        if (plan->acting() == 0)
            return;
        const auto receipt = person.carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QVERIFY2(!receipt->error, receipt->error ? qPrintable(oneLine(*receipt->error)) : "");
    }

    void survivesAKillAtEveryStep(Verb verb, int pending)
    {
        int steps = 0;
        int inDoubt = 0;
        QByteArrayList names;
        for (int killAt = 1;; ++killAt) {
            freshRows(pending);
            const auto before = rowDigests(*m_fixture, m_fixture->kind(), shape);
            QTemporaryDir folder;
            const QByteArray step = runChild(verb, folder.path(), killAt);
            if (step.isEmpty())
                break; // it got through: there are no more steps
            QVERIFY2(!step.contains(' '), step.constData());
            const QByteArray where = QByteArray::number(killAt) + ' ' + step;
            names += step;
            ++steps;

            // What was changed is on record: in the file, and in the database beside the change.
            const QSet<QString> done = changed(before);
            TestOperator person(folder.path());
            QVERIFY_RESULT(person.open(*m_fixture));
            const auto entries = person.session().audit().read();
            QVERIFY_RESULT(entries);
            QSet<QString> intended;
            for (const AuditEntry &entry : *entries) {
                for (const AuditedItem &item : entry.items)
                    intended += item.row;
            }
            QVERIFY2((done - intended).isEmpty(), where.constData());
            QVERIFY2(tombstones() == 0 || !intended.isEmpty(), where.constData());
            QCOMPARE(m_fixture->scalar(u"select count(*) from outbox_audit"_s).toInt(),
                     done.size());
            QVERIFY_RESULT(person.session().audit().verify());

            // What is in doubt is told, and a look says what is true.
            QString operation;
            if (!entries->isEmpty()) {
                Activity activity = person.activities().first();
                operation = activity.operation;
                inDoubt += activity.doubtful.isEmpty() ? 0 : 1;
                const bool open = step == "intended" || step == "held" || step == "observed"
                    || step == "tombstoned" || step == "written" || step == "recorded"
                    || step == "committed" || step == "acted";
                QVERIFY2(open == (activity.state == Activity::State::InDoubt), where.constData());
                QCOMPARE(activity.doubtful.size(), open ? chunk : 0);
                const auto checked = checkDoubt(person.session(), activity);
                QVERIFY_RESULT(checked);
                QVERIFY(checked->doubtful.isEmpty());
                for (const AuditedItem &item : checked->items) {
                    const QString expected
                        = word(done.contains(item.row) ? Outcome::Done : Outcome::Cancelled);
                    QVERIFY2(item.after.section(u' ', 0, 0) == expected,
                             qPrintable(QString::fromLatin1(where) + u": "_s + item.after));
                }
            }

            // It can be finished …
            const auto rest = person.plan(verb, TestOperator::rows(m_ids));
            QVERIFY_RESULT(rest);
            QCOMPARE(rest->acting(), rows - done.size());
            QString finished;
            if (rest->acting() > 0) {
                const auto receipt = person.carryOut(*rest);
                QVERIFY_RESULT(receipt);
                QCOMPARE(receipt->count(Outcome::Done), rows - done.size());
                finished = receipt->operation;
            }
            QCOMPARE(changed(before).size(), rows);

            // … and undone: every byte, and every id may be enqueued again; those of a replay
            // once it is replayed, since a packet of the first one may be late.
            if (!finished.isEmpty())
                takeBack(person, finished);
            if (!operation.isEmpty())
                takeBack(person, operation);
            QVERIFY2(content() == m_content, where.constData());
            QVERIFY2(tombstones() == (verb == Verb::Replay ? rows : 0), where.constData());
        }
        std::printf("%s: killed at %d steps, %d of them left a chunk in doubt: %s\n",
                    qPrintable(word(verb)), steps, inDoubt, names.join(' ').constData());
        QVERIFY(steps > 3 * 6);
        QVERIFY(inDoubt > 3 * 4);
    }

private slots:
    void initTestCase_data()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::newRow("PostgreSQL") << TestOutbox::Kind::Postgres;
        QTest::newRow("MariaDB") << TestOutbox::Kind::MariaDb;
    }
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }
    void init()
    {
        QFETCH_GLOBAL(TestOutbox::Kind, kind);
        m_fixture = std::make_unique<TestOutbox>(kind, shape, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->exec(OutboxEditor::auditTableSql(m_fixture->dialect())));
    }
    void cleanup() { m_fixture.reset(); }

    void aBulkReplay() { survivesAKillAtEveryStep(Verb::Replay, 0); }
    /// Pending rows among them: those leave a tombstone.
    void aBulkPurge() { survivesAKillAtEveryStep(Verb::Purge, 4); }
};

} // namespace tst_actcrash

OUTBOX_TEST(tst_actcrash::TestActCrash)
#include "tst_actcrash.moc"
