// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edit as an operator's verb: every kind of payload, whoever else changes the row, and back byte
// for byte.
#include "app/operations/core/operation.h"
#include "app/operations/core/rowselection.h"
#include "app/operations/core/traces.h"
#include "tests/support/queueserver.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoperator.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QTest>

namespace tst_editverb {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

using Kind = TestOutbox::Kind;
using PayloadForm = OutboxShape::PayloadForm;

/// One row whose payload is of any type, with a queue and a due time.
class EditedTable
{
public:
    EditedTable(Kind kind, PrivatePostgres &postgres, PrivateRedis &redis, PrivateMariadb &mariadb)
        : m_fixture(kind, BenchShape::CompletedAt, &postgres, redis, &mariadb)
    { }

    [[nodiscard]] TestOutbox &fixture() { return m_fixture; }
    [[nodiscard]] TestOperator &person() { return m_person; }
    [[nodiscard]] const OutboxShape &shape() const { return m_shape; }

    [[nodiscard]] bool setUp(const QString &type, PayloadForm form, const QByteArray &payload)
    {
        m_type = type;
        if (!m_fixture.setUp())
            return false;
        const auto taken = m_fixture.takenShape(u"UTC"_s);
        if (!taken)
            return false;
        m_shape = *taken;
        m_shape.payloadForm = form;
        m_shape.queueColumn = u"queue"_s;
        m_shape.dueColumn = u"due_at"_s;
        m_shape.confirmed = u"by the test"_s;
        return makeTable() && insert(payload) && m_person.open(m_fixture, m_shape).has_value();
    }
    [[nodiscard]] bool isPostgres() const { return m_fixture.kind() == Kind::Postgres; }
    [[nodiscard]] bool isMariadb() const { return m_fixture.kind() == Kind::MariaDb; }

    /// The bytes that the database holds, by its own word.
    [[nodiscard]] QByteArray payload()
    {
        const QString hex = !isPostgres() ? u"lower(hex(payload))"_s
            : m_type == u"bytea"          ? u"encode(payload, 'hex')"_s
                                          : u"encode(convert_to(payload::text, 'UTF8'), 'hex')"_s;
        return QByteArray::fromHex(
            m_fixture.scalar(u"select %1 from outbox"_s.arg(hex)).toByteArray());
    }
    [[nodiscard]] QString text(const QString &expression)
    {
        return m_fixture.scalar(u"select %1 from outbox"_s.arg(expression)).toString();
    }
    /// What the column of the payload makes of such a text.
    [[nodiscard]] QByteArray kept(const QByteArray &text)
    {
        return m_type == u"jsonb"
            ? m_fixture.scalar(u"select (%1)::text"_s.arg(literal(text))).toString().toUtf8()
            : text;
    }

    static Selection wanted(const RowEdit &edit)
    {
        Selection selection = TestOperator::rows({u"1"_s});
        selection.edit = edit;
        return selection;
    }
    static Selection payloadTo(const QByteArray &payload)
    {
        RowEdit edit;
        edit.payload = payload;
        return wanted(edit);
    }
    static Selection typeTo(const QString &type)
    {
        RowEdit edit;
        edit.type = type;
        return wanted(edit);
    }
    [[nodiscard]] bool placeTask(TaskState state, const QString &queue = u"default"_s)
    {
        EnqueueRequest request = sampleRequest(m_fixture.taskId(m_shape, u"1"_s));
        request.type = u"mail"_s;
        request.queue.text = queue;
        return outbox::placeTask(m_fixture.plainRedis(), request, state).has_value();
    }

private:
    [[nodiscard]] bool makeTable()
    {
        const QString time = isPostgres() ? u"timestamptz"_s
            : isMariadb()                 ? u"datetime(6)"_s
                                          : u"timestamp"_s;
        return m_fixture.exec(u"drop table outbox"_s)
            && m_fixture.exec(
                u"create table outbox (id integer not null primary key, type varchar(20) not null,"
                " payload %1 not null, queue text, due_at %2, created_at %2 not null,"
                " completed_at %2)"_s.arg(m_type, time));
    }
    [[nodiscard]] bool insert(const QByteArray &payload)
    {
        return m_fixture.exec(
            u"insert into outbox values (1, 'mail', %1, 'default', '2026-01-01 00:00:00',"
            " '2026-01-01 00:00:00', null)"_s.arg(literal(payload)));
    }
    [[nodiscard]] QString literal(const QByteArray &bytes) const
    {
        const QString hex = QString::fromLatin1(bytes.toHex());
        if (isMariadb()) {
            return (m_type == u"longblob" ? u"unhex('%1')"_s
                                          : u"convert(unhex('%1') using utf8mb4)"_s)
                .arg(hex);
        }
        if (!isPostgres())
            return (m_type == u"blob" ? u"x'%1'"_s : u"cast(x'%1' as text)"_s).arg(hex);
        if (m_type == u"bytea")
            return u"decode('%1', 'hex')"_s.arg(hex);
        return u"convert_from(decode('%1', 'hex'), 'UTF8')::%2"_s.arg(hex, m_type);
    }

    TestOutbox m_fixture;
    TestOperator m_person;
    OutboxShape m_shape;
    QString m_type;
};

class TestEditVerb : public QObject
{
    Q_OBJECT

    TestPostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    static void addKinds()
    {
        QTest::addColumn<Kind>("kind");
        QTest::newRow("PostgreSQL") << Kind::Postgres;
        QTest::newRow("MariaDB") << Kind::MariaDb;
        QTest::newRow("SQLite") << Kind::Sqlite;
    }
    static QString bytesType(Kind kind)
    {
        return kind == Kind::Postgres ? u"bytea"_s
            : kind == Kind::MariaDb   ? u"longblob"_s
                                      : u"blob"_s;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(QueueStart{m_redis});
    }

    void everyPayloadComesBackByteForByte_data()
    {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("type");
        QTest::addColumn<PayloadForm>("form");
        QTest::newRow("PostgreSQL, bytea") << Kind::Postgres << u"bytea"_s << PayloadForm::Bytes;
        QTest::newRow("PostgreSQL, jsonb") << Kind::Postgres << u"jsonb"_s << PayloadForm::Json;
        QTest::newRow("PostgreSQL, json") << Kind::Postgres << u"json"_s << PayloadForm::Json;
        QTest::newRow("PostgreSQL, text") << Kind::Postgres << u"text"_s << PayloadForm::Text;
        QTest::newRow("MariaDB, longblob") << Kind::MariaDb << u"longblob"_s << PayloadForm::Bytes;
        QTest::newRow("MariaDB, json") << Kind::MariaDb << u"json"_s << PayloadForm::Json;
        QTest::newRow("MariaDB, longtext") << Kind::MariaDb << u"longtext"_s << PayloadForm::Text;
        QTest::newRow("SQLite, blob") << Kind::Sqlite << u"blob"_s << PayloadForm::Bytes;
        QTest::newRow("SQLite, text") << Kind::Sqlite << u"text"_s << PayloadForm::Text;
    }
    void everyPayloadComesBackByteForByte()
    {
        QFETCH(Kind, kind);
        QFETCH(QString, type);
        QFETCH(PayloadForm, form);
        // Numbers that no double holds, a name that is there twice, blanks, four bytes of UTF-8.
        const QByteArray json("{ \"n\":12345678901234567890.10, \"a\":1,\"a\" : 2,"
                              "\"s\":\"\xf0\x9f\x98\x80 '\\\\ \" }");
        const QByteArray broken("\x00\xff\xfe{\"n\":1}\xc3", 11);
        const QByteArray before = form == PayloadForm::Bytes ? broken : json;
        const QByteArray after = form == PayloadForm::Bytes
            ? QByteArray("\xff\x00 9007199254740993", 19)
            : QByteArray("{\"n\": 9007199254740993,\"n\":1e400, \"s\":\"\xf0\x9f\x98\x81\"}");
        EditedTable table(kind, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(type, form, before));
        const QByteArray stored = table.payload();
        QCOMPARE(stored, table.kept(before));
        QVERIFY(table.fixture().exec(OutboxEditor::auditTableSql(table.fixture().dialect())));

        const auto plan = table.person().plan(Verb::Edit, EditedTable::payloadTo(after));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.size(), 1);
        QVERIFY2(plan->items.first().expected == Outcome::Done,
                 qPrintable(plan->items.first().reason));
        QVERIFY2(plan->difference.startsWith(u"--- payload"_s), qPrintable(plan->difference));
        QVERIFY(plan->statements.join(u' ').contains(u"UPDATE"_s));
        QVERIFY(plan->statements.join(u' ').contains(u"outbox_audit"_s));
        QCOMPARE(plan->warnings.join(u' ').contains(u"jsonb"_s), type == u"jsonb");
        QCOMPARE(table.payload(), stored); // a plan changes nothing

        const auto done = table.person().carryOut(*plan);
        QVERIFY_RESULT(done);
        QVERIFY2(done->items.first().outcome == Outcome::Done,
                 qPrintable(done->items.first().reason));
        QVERIFY(done->undoable && QFile::exists(done->exportFile));
        QCOMPARE(table.payload(), table.kept(after));
        QCOMPARE(table.text(u"type"_s), u"mail"_s);
        QCOMPARE(table.fixture()
                     .scalar(u"select count(*) from outbox_audit where verb = 'edit'"_s)
                     .toInt(),
                 1);
        const auto again = table.person().plan(Verb::Edit, EditedTable::payloadTo(after));
        QVERIFY_RESULT(again);
        QCOMPARE(again->items.first().expected, Outcome::NothingToDo);

        const auto undo = planUndo(table.person().session(), table.person().activities().first());
        QVERIFY_RESULT(undo);
        QCOMPARE(undo->verb, Verb::Edit);
        QCOMPARE(undo->undoOf, plan->operation);
        const auto undone = table.person().carryOut(*undo);
        QVERIFY_RESULT(undone);
        QVERIFY2(undone->items.first().outcome == Outcome::Done,
                 qPrintable(undone->items.first().reason));
        QCOMPARE(table.payload(), stored);
        if (kind == Kind::Sqlite)
            QCOMPARE(table.text(u"typeof(payload)"_s), type);
    }

    void allPartsAreWrittenAtOnce_data() { addKinds(); }
    void allPartsAreWrittenAtOnce()
    {
        QFETCH(Kind, kind);
        EditedTable table(kind, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(bytesType(kind), PayloadForm::Bytes, "old"));
        RowEdit edit;
        edit.payload = QByteArray();
        edit.type = u"mail:new"_s;
        edit.queue = u"low"_s;
        edit.due = QDateTime({2030, 2, 3}, {4, 5, 6, 789}, Qt::UTC);
        const auto plan = table.person().plan(Verb::Edit, EditedTable::wanted(edit));
        QVERIFY_RESULT(plan);
        for (const QString &part : {u"type"_s, u"queue"_s, u"due"_s, u"payload"_s})
            QVERIFY2(plan->difference.contains(u"+++ "_s + part), qPrintable(plan->difference));
        const auto done = table.person().carryOut(*plan);
        QVERIFY_RESULT(done);
        QCOMPARE(done->items.first().outcome, Outcome::Done);
        QCOMPARE(table.payload(), QByteArray());
        QCOMPARE(table.text(u"type"_s), u"mail:new"_s);
        QCOMPARE(table.text(u"queue"_s), u"low"_s);
        const QString ms = kind == Kind::Postgres ? u"(extract(epoch from due_at) * 1000)::bigint"_s
            : kind == Kind::MariaDb ? u"timestampdiff(microsecond, '1970-01-01', due_at) div 1000"_s
                                    : u"cast(round((julianday(due_at) - 2440587.5) * 86400000)"
                                      " as integer)"_s;
        QCOMPARE(table.text(ms).toLongLong(), edit.due->toMSecsSinceEpoch());
        QVERIFY_RESULT(table.person().carryOut(
            planUndo(table.person().session(), table.person().activities().first()).value()));
        QCOMPARE(table.payload(), "old");
        QCOMPARE(table.text(u"queue"_s), u"default"_s);
        QCOMPARE(table.text(u"substr(cast(due_at as char(40)), 1, 19)"_s),
                 u"2026-01-01 00:00:00"_s);
    }

    void whatIsNotAskedForStays_data() { addKinds(); }
    void whatIsNotAskedForStays()
    {
        QFETCH(Kind, kind);
        const QByteArray bytes("\x00\xff\xfe{\"n\":1}\xc3", 11);
        EditedTable table(kind, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(bytesType(kind), PayloadForm::Bytes, bytes));
        const QString due = table.text(u"due_at"_s);
        const auto done = table.person().act(Verb::Edit, EditedTable::typeTo(u"mail:new"_s));
        QVERIFY_RESULT(done);
        QVERIFY2(done->items.first().outcome == Outcome::Done,
                 qPrintable(done->items.first().reason));
        QCOMPARE(table.text(u"type"_s), u"mail:new"_s);
        QCOMPARE(table.payload(), bytes);
        QCOMPARE(table.text(u"queue"_s), u"default"_s);
        QCOMPARE(table.text(u"due_at"_s), due);
    }

    void whoeverElseChangesTheRowWins_data()
    {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("other");
        QTest::addColumn<Outcome>("outcome");
        const QList<std::pair<const char *, Kind>> kinds{
            {"PostgreSQL", Kind::Postgres}, {"MariaDB", Kind::MariaDb}, {"SQLite", Kind::Sqlite}};
        const QList<std::pair<QString, Outcome>> others{
            {u"update outbox set type = 'other'"_s, Outcome::Changed},
            {u"update outbox set queue = null"_s, Outcome::Changed},
            {u"update outbox set completed_at = '2026-02-02 00:00:00'"_s, Outcome::Changed},
            {u"delete from outbox"_s, Outcome::Gone}};
        for (const auto &[name, kind] : kinds) {
            for (const auto &[other, outcome] : others)
                QTest::addRow("%s, %s", name, qPrintable(other)) << kind << other << outcome;
        }
    }
    void whoeverElseChangesTheRowWins()
    {
        QFETCH(Kind, kind);
        QFETCH(QString, other);
        QFETCH(Outcome, outcome);
        EditedTable table(kind, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(bytesType(kind), PayloadForm::Bytes, "old"));
        const auto plan = table.person().plan(Verb::Edit, EditedTable::payloadTo("new"));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.first().expected, Outcome::Done);
        QVERIFY(table.fixture().exec(other));
        const auto late = table.person().carryOut(*plan);
        QVERIFY_RESULT(late);
        QCOMPARE(late->items.first().outcome, outcome);
        QVERIFY(!late->undoable);
        QVERIFY(outcome == Outcome::Gone || table.payload() == "old");
    }

    void anUndoBehindAnotherChangeIsRefused_data() { addKinds(); }
    void anUndoBehindAnotherChangeIsRefused()
    {
        QFETCH(Kind, kind);
        EditedTable table(kind, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(bytesType(kind), PayloadForm::Bytes, "old"));
        QVERIFY_RESULT(table.person().act(Verb::Edit, EditedTable::payloadTo("new")));
        QVERIFY(table.fixture().exec(u"update outbox set type = 'other'"_s));
        const auto undo = planUndo(table.person().session(), table.person().activities().first());
        QVERIFY_RESULT(undo);
        QCOMPARE(undo->items.first().expected, Outcome::NotOffered);
        QVERIFY(undo->items.first().reason.contains(u"changed since"_s));
    }

    void whatTheEditorShowedMustStillStand_data() { addKinds(); }
    void whatTheEditorShowedMustStillStand()
    {
        QFETCH(Kind, kind);
        EditedTable table(kind, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(bytesType(kind), PayloadForm::Bytes, "old"));
        const auto store = table.person().session().rows();
        QVERIFY_RESULT(store);
        const auto shown = (*store)->contentOf({u"1"_s});
        QVERIFY_RESULT(shown);
        QVERIFY(shown->has_value());
        Selection selection = EditedTable::payloadTo("new");
        selection.edit->seen = **shown;
        const auto first = table.person().plan(Verb::Edit, selection);
        QVERIFY_RESULT(first);
        QCOMPARE(first->items.first().expected, Outcome::Done);
        QVERIFY(table.fixture().exec(u"update outbox set queue = 'low'"_s));
        const auto second = table.person().plan(Verb::Edit, selection);
        QVERIFY_RESULT(second);
        QCOMPARE(second->items.first().expected, Outcome::NotOffered);
        QVERIFY2(second->items.first().reason.contains(u"queue"_s),
                 qPrintable(second->items.first().reason));
    }

    void theStateAndTheTaskDecide_data()
    {
        QTest::addColumn<TaskState>("task");
        QTest::addColumn<Outcome>("outcome");
        QTest::addColumn<QString>("reason");
        const QString old = u"old content"_s;
        QTest::newRow("none") << TaskState::None << Outcome::Done << QString();
        QTest::newRow("pending") << TaskState::Pending << Outcome::InFlight << old;
        QTest::newRow("active") << TaskState::Active << Outcome::InFlight << old;
        QTest::newRow("scheduled") << TaskState::Scheduled << Outcome::InFlight << old;
        QTest::newRow("retry") << TaskState::Retry << Outcome::InFlight << old;
        QTest::newRow("dead") << TaskState::Archived << Outcome::Dead << old;
        QTest::newRow("done") << TaskState::Completed << Outcome::Done
                              << u"refused as a duplicate until about"_s;
    }
    void theStateAndTheTaskDecide()
    {
        QFETCH(TaskState, task);
        QFETCH(Outcome, outcome);
        QFETCH(QString, reason);
        EditedTable table(Kind::Sqlite, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(u"blob"_s, PayloadForm::Bytes, "old"));
        const auto free = table.person().plan(Verb::Edit, EditedTable::payloadTo("new"));
        QVERIFY_RESULT(free);
        if (task != TaskState::None)
            QVERIFY(table.placeTask(task));
        const auto plan = table.person().plan(Verb::Edit, EditedTable::payloadTo("new"));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.first().expected, outcome);
        QVERIFY2(plan->items.first().reason.contains(reason),
                 qPrintable(plan->items.first().reason));
        const auto receipt = table.person().carryOut(*free); // the task came behind the plan
        QVERIFY_RESULT(receipt);
        const bool isEdited = task == TaskState::None; // nobody was told of any other
        QCOMPARE(receipt->items.first().outcome, isEdited ? Outcome::Done : Outcome::Changed);
        QCOMPARE(table.payload(), QByteArray(isEdited ? "new" : "old"));
        if (task != TaskState::Completed)
            return;
        const auto told = table.person().carryOut(*plan);
        QVERIFY_RESULT(told);
        QCOMPARE(told->items.first().outcome, Outcome::Done);
    }

    void theNewQueueDecidesToo()
    {
        EditedTable table(Kind::Sqlite, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(u"blob"_s, PayloadForm::Bytes, "old"));
        QVERIFY(table.placeTask(TaskState::Pending, u"low"_s));
        RowEdit edit;
        edit.queue = u"low"_s;
        const auto there = table.person().plan(Verb::Edit, EditedTable::wanted(edit));
        QVERIFY_RESULT(there);
        QCOMPARE(there->items.first().expected, Outcome::InFlight);
        QVERIFY(there->items.first().reason.contains(u"low"_s));
        edit.queue = u"high"_s;
        const auto elsewhere = table.person().plan(Verb::Edit, EditedTable::wanted(edit));
        QVERIFY_RESULT(elsewhere);
        QCOMPARE(elsewhere->items.first().expected, Outcome::Done);
        QVERIFY(table.placeTask(TaskState::Completed, u"high"_s)); // behind the plan
        const auto late = table.person().carryOut(*elsewhere);
        QVERIFY_RESULT(late);
        QCOMPARE(late->items.first().outcome, Outcome::Changed);
        QCOMPARE(table.text(u"queue"_s), u"default"_s);
        const auto again = table.person().plan(Verb::Edit, EditedTable::wanted(edit));
        QVERIFY_RESULT(again);
        QCOMPARE(again->items.first().expected, Outcome::RefusedUntil);
        QVERIFY(table.placeTask(TaskState::Completed)); // sent to the old queue: twice, then
        edit.queue = u"third"_s;
        const auto twice = table.person().plan(Verb::Edit, EditedTable::wanted(edit));
        QVERIFY_RESULT(twice);
        QCOMPARE(twice->items.first().expected, Outcome::NotOffered);
        QVERIFY(twice->items.first().reason.contains(u"second time"_s));
    }

    void deliveredHeldAndParkedRows()
    {
        EditedTable table(Kind::Postgres, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(u"bytea"_s, PayloadForm::Bytes, "old"));
        TestOutbox &fixture = table.fixture();
        const Selection selection = EditedTable::payloadTo("new");
        const auto free = table.person().plan(Verb::Edit, selection);
        QVERIFY_RESULT(free);
        QVERIFY(fixture.exec(u"begin"_s) && fixture.exec(u"select 1 from outbox for update"_s));
        const auto held = table.person().plan(Verb::Edit, selection);
        QVERIFY_RESULT(held);
        QCOMPARE(held->items.first().expected, Outcome::Claimed);
        const auto late = table.person().carryOut(*free);
        QVERIFY_RESULT(late);
        QCOMPARE(late->items.first().outcome, Outcome::Claimed);
        QVERIFY(fixture.exec(u"rollback"_s));

        QVERIFY_RESULT(table.person().act(Verb::Park, TestOperator::rows({u"1"_s})));
        const auto parked = table.person().plan(Verb::Edit, selection);
        QVERIFY_RESULT(parked);
        QCOMPARE(parked->items.first().expected, Outcome::Done);
        QVERIFY(parked->items.first().reason.contains(u"unpark"_s));
        const auto edited = table.person().carryOut(*parked);
        QVERIFY_RESULT(edited);
        QCOMPARE(edited->items.first().outcome, Outcome::Done);
        QCOMPARE(table.payload(), "new");
        const auto aside = parkedRowsOf(table.person().session());
        QVERIFY_RESULT(aside);
        QVERIFY(aside->contains({u"1"_s}));

        QVERIFY(fixture.exec(u"update outbox set completed_at = now()"_s));
        const auto delivered = table.person().plan(Verb::Edit, selection);
        QVERIFY_RESULT(delivered);
        QCOMPARE(delivered->items.first().expected, Outcome::NotOffered);
        QVERIFY(fixture.exec(u"delete from outbox"_s));
        const auto gone = table.person().plan(Verb::Edit, selection);
        QVERIFY_RESULT(gone);
        QCOMPARE(gone->items.first().expected, Outcome::Gone);
    }

    void whatAColumnDoesNotTakeIsToldBefore()
    {
        EditedTable table(Kind::Postgres, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(u"jsonb"_s, PayloadForm::Json, "{}"));
        const QList<std::pair<Selection, QString>> cases{
            {EditedTable::payloadTo("{\n \"a\" 1}"), u"line 2, column 6"_s},
            {EditedTable::payloadTo("\"\xff\""), u"UTF-8"_s},
            {EditedTable::payloadTo("\"\\u0000\""), u"payload: "_s}, // the server's own word
            {EditedTable::typeTo(QString(21, u'x')), u"21 characters"_s},
            {EditedTable::typeTo(QString(QChar(0))), u"no such bytes"_s}};
        for (const auto &[selection, why] : cases) {
            const auto plan = table.person().plan(Verb::Edit, selection);
            QVERIFY(!plan);
            QCOMPARE(plan.error().kind, Error::Kind::Invalid);
            QVERIFY2(plan.error().text.contains(why), qPrintable(oneLine(plan.error())));
        }
        const auto noType = table.person().plan(Verb::Edit, EditedTable::typeTo(u" "_s));
        QVERIFY_RESULT(noType);
        QVERIFY(noType->warnings.join(u' ').contains(u"without a type"_s));
        QVERIFY(!table.person().plan(Verb::Edit, TestOperator::rows({u"1"_s})));
        Selection two = EditedTable::typeTo(u"x"_s);
        two.rows += MessageId{u"2"_s};
        QVERIFY(!table.person().plan(Verb::Edit, two));
    }

    void aTextThatAColumnMakesANumberOfIsRefused()
    {
        EditedTable table(Kind::Sqlite, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(u"json"_s, PayloadForm::Json, "{}")); // SQLite calls that numeric
        for (const char *number : {"12345678901234567890.10", " -1e3 ", "1.0"}) {
            const auto plan = table.person().plan(Verb::Edit, EditedTable::payloadTo(number));
            QVERIFY(!plan);
            QVERIFY2(plan.error().text.contains(u"as a number"_s), qPrintable(plan.error().text));
        }
        QVERIFY_RESULT(table.person().act(Verb::Edit, EditedTable::payloadTo("[1.0]")));
        QCOMPARE(table.payload(), "[1.0]");
    }

    void anEditWithoutAnAnswerIsFoundByWhatStandsThere_data() { addKinds(); }
    void anEditWithoutAnAnswerIsFoundByWhatStandsThere()
    {
        QFETCH(Kind, kind);
        EditedTable table(kind, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(bytesType(kind), PayloadForm::Bytes, "old"));
        const auto found = [&table](const Trace &before) {
            const auto now = readRowsOf(table.person().session(), {MessageId{u"1"_s}});
            const auto edit = operationFor(Verb::Edit);
            const auto judgement
                = edit->foundRow(table.person().session(), before, now.value().first());
            return judgement.value();
        };
        const auto plan = table.person().plan(Verb::Edit, EditedTable::payloadTo("new"));
        QVERIFY_RESULT(plan);
        const Trace before = Trace::fromText(Trace::of(plan->items.first()).text());
        QVERIFY(!before.intended.isEmpty());
        QCOMPARE(found(before).outcome, Outcome::Cancelled);
        const auto done = table.person().carryOut(*plan);
        QVERIFY_RESULT(done);
        QCOMPARE(found(before).outcome, Outcome::Done);
        QCOMPARE(found(before).after, done->items.first().after);
        QVERIFY(table.fixture().exec(u"update outbox set type = 'other'"_s));
        QCOMPARE(found(before).outcome, Outcome::Changed);
    }

    void anExportThatIsNotTheOneOnRecordIsNotUndoneFrom()
    {
        EditedTable table(Kind::Sqlite, m_postgres, m_redis, m_mariadb);
        QVERIFY(table.setUp(u"blob"_s, PayloadForm::Bytes, "old"));
        const auto done = table.person().act(Verb::Edit, EditedTable::payloadTo("new"));
        QVERIFY_RESULT(done);
        const auto other = table.person().act(Verb::Edit, EditedTable::payloadTo("newer"));
        QVERIFY_RESULT(other);
        QVERIFY(QFile::remove(other->exportFile));
        QVERIFY(QFile::copy(done->exportFile, other->exportFile));
        const auto undo = planUndo(table.person().session(), table.person().activities().first());
        QVERIFY(!undo);
        QCOMPARE(undo.error().kind, Error::Kind::Conflict);
        QCOMPARE(table.payload(), "newer");
    }
};

} // namespace tst_editverb

OUTBOX_TEST(tst_editverb::TestEditVerb)
#include "tst_editverb.moc"
