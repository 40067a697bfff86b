// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kill -9 at every step of a bulk purge, of a bulk replay, and of an edit of a row and of a task:
// nothing was changed that is not on record, a look says of each message what is true, and it can
// be finished and undone.
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "connectors/sql/edit/outboxeditor.h"
#include "tests/app/verbcells.h"
#include "tests/support/filebytes.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoperator.h"
#include "tests/support/testprogram.h"

#include <QFileInfo>
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
    QByteArray runChild(Verb verb, const QStringList &meant, const QString &folder, int killAt)
    {
        const QString ids = folder + u"/ids"_s;
        if (!writeFile(ids, meant.join(u'\n').toUtf8()))
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
            const QByteArray step = runChild(verb, m_ids, folder.path(), killAt);
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

    /// What `runChild` has in the place of type and payload.
    static QString wantedBy(const QTemporaryDir &folder)
    {
        return QFileInfo(folder.path()).fileName();
    }

    /// The row holds all that was wanted of it.
    bool isRowNew(const QString &id, const QString &wanted)
    {
        const QString bytes = m_fixture->kind() == TestOutbox::Kind::MariaDb
            ? u"'%1'"_s
            : u"convert_to('%1', 'UTF8')"_s;
        return m_fixture
                   ->scalar(
                       u"select count(*) from outbox where id = %1 and type = '%2' and payload "
                       "= %3"_s.arg(id, wanted, bytes.arg(wanted)))
                   .toInt()
            == 1;
    }

    QByteArray taskText(const QByteArray &id)
    {
        return redisByTask(m_fixture->plainRedis(), {id}).value(id);
    }

    /// The task holds all that was wanted of it, and waits for a worker.
    bool isTaskNew(const QByteArray &id, const QString &wanted)
    {
        const asynq::QueueKeys keys({u"default"_s});
        RedisConnection &redis = m_fixture->plainRedis();
        const auto fields = redis.command({"HMGET", keys.task(id), "msg", "state"}, u"looking"_s);
        const auto place = redis.command({"LPOS", keys.pending(), id}, u"looking"_s);
        if (!fields || !place || place->isNil() || fields->elements.at(1).bytes != "pending")
            return false;
        const auto message = asynq::decode(fields->elements.at(0).bytes);
        return message && message->type == wanted && message->payload == wanted.toUtf8();
    }

    static bool leavesDoubt(const QByteArray &step)
    {
        return step == "intended" || step == "held" || step == "observed" || step == "written"
            || step == "recorded" || step == "committed" || step == "acted";
    }

    /// The record of a killed edit of one thing: it is there where that was changed, what is in
    /// doubt is told, and a look says what is true.
    void checkRecord(TestOperator &person, const QByteArray &step, bool isNew, QString &operation)
    {
        QVERIFY_RESULT(person.session().audit().verify());
        const QList<Activity> all = person.activities();
        QVERIFY2(!isNew || !all.isEmpty(), step.constData());
        if (all.isEmpty())
            return;
        operation = all.first().operation;
        QVERIFY2(leavesDoubt(step) == (all.first().state == Activity::State::InDoubt),
                 step.constData());
        const auto checked = checkDoubt(person.session(), all.first());
        QVERIFY_RESULT(checked);
        QVERIFY(checked->doubtful.isEmpty());
        for (const AuditedItem &item : checked->items) {
            const QString expected = word(isNew ? Outcome::Done : Outcome::Cancelled);
            QVERIFY2(item.after.section(u' ', 0, 0) == expected,
                     qPrintable(QString::fromLatin1(step) + u": "_s + item.after));
        }
    }

    /// Repeating it does the rest; what was done is taken back.
    void repeatAndTakeBack(TestOperator &person, Verb verb, Selection selection,
                           const QString &wanted, bool isNew, QString operation)
    {
        selection.edit = RowEdit();
        selection.edit->type = wanted;
        selection.edit->payload = wanted.toUtf8();
        const auto again = person.plan(verb, selection);
        QVERIFY_RESULT(again);
        QCOMPARE(again->acting(), isNew ? 0 : 1);
        if (!isNew) {
            const auto receipt = person.carryOut(*again);
            QVERIFY_RESULT(receipt);
            QCOMPARE(receipt->count(Outcome::Done), 1);
            operation = receipt->operation;
        }
        takeBack(person, operation);
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

    void anEditOfARow()
    {
        QByteArrayList names;
        int edited = 0;
        for (int killAt = 1;; ++killAt) {
            freshRows(4);
            const QString id = m_ids.first();
            const auto before = rowDigests(*m_fixture, m_fixture->kind(), shape);
            QTemporaryDir folder;
            const QByteArray step = runChild(Verb::Edit, {id}, folder.path(), killAt);
            if (step.isEmpty())
                break;
            QVERIFY2(!step.contains(' '), step.constData());
            names += step;

            // Old or new, as a whole, and no other row.
            const QString wanted = wantedBy(folder);
            const bool isNew = isRowNew(id, wanted);
            edited += isNew ? 1 : 0;
            QVERIFY2(changed(before) == (isNew ? QSet<QString>{id} : QSet<QString>()),
                     step.constData());
            QCOMPARE(m_fixture->scalar(u"select count(*) from outbox_audit"_s).toInt(),
                     isNew ? 1 : 0);

            TestOperator person(folder.path());
            QVERIFY_RESULT(person.open(*m_fixture));
            QString operation;
            checkRecord(person, step, isNew, operation);
            repeatAndTakeBack(person, Verb::Edit, TestOperator::rows({id}), wanted, isNew,
                              operation);
            QVERIFY2(content() == m_content, step.constData());
        }
        std::printf("edit: killed at %lld steps, %d of them behind the change: %s\n",
                    static_cast<long long>(names.size()), edited, names.join(' ').constData());
        QVERIFY(names.contains("written") && names.contains("committed"));
        QVERIFY(edited > 0 && edited < names.size());
    }

    void anEditOfATask()
    {
        if (m_fixture->kind() != TestOutbox::Kind::Postgres)
            return; // the database has no part in it
        QByteArrayList names;
        int edited = 0;
        for (int killAt = 1;; ++killAt) {
            freshRows(4);
            const QByteArray id = "dead";
            QVERIFY_RESULT(
                placeTask(m_fixture->plainRedis(), sampleRequest(u"dead"_s), TaskState::Archived));
            const QByteArray before = taskText(id);
            QTemporaryDir folder;
            const QByteArray step = runChild(Verb::EditTask, {u"dead"_s}, folder.path(), killAt);
            if (step.isEmpty())
                break;
            QVERIFY2(!step.contains(' '), step.constData());
            names += step;

            const QString wanted = wantedBy(folder);
            const bool isNew = isTaskNew(id, wanted);
            edited += isNew ? 1 : 0;
            QVERIFY2(isNew || taskText(id) == before, step.constData());

            TestOperator person(folder.path());
            QVERIFY_RESULT(person.open(*m_fixture));
            QString operation;
            checkRecord(person, step, isNew, operation);
            // The edited task is pending: another edit of it is not offered.
            repeatAndTakeBack(person, Verb::EditTask, TestOperator::tasks({u"dead"_s}), wanted,
                              isNew, operation);
            QVERIFY2(taskText(id) == before, step.constData());
            QVERIFY2(content() == m_content, step.constData());
        }
        std::printf("edit-task: killed at %lld steps, %d of them behind the change: %s\n",
                    static_cast<long long>(names.size()), edited, names.join(' ').constData());
        QVERIFY(names.contains("intended") && names.contains("written"));
        QVERIFY(edited > 0 && edited < names.size());
    }
};

} // namespace tst_actcrash

OUTBOX_TEST(tst_actcrash::TestActCrash)
#include "tst_actcrash.moc"
