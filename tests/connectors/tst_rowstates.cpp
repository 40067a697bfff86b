// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Marks other than a time: how rows are claimed, marked, opened again and marked back, and that
// nothing but names and values comes through a shape.
#include "connectors/sql/edit/outboxeditor.h"
#include "tests/connectors/editfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/testprogram.h"

namespace tst_rowstates {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Rows 1 to 4 with `mark` columns, written by `values` of n; 2 and 4 are processed.
struct Marked
{
    OutboxShape shape;
    QString columns;
    QString values;
};

Marked byFlag(const QString &type, const QString &yes, const QString &no, bool withTime)
{
    Marked one;
    one.shape = classicShape();
    one.shape.setTimeZone(u"Asia/Kolkata"_s);
    one.shape.processedHow = OutboxShape::ProcessedHow::Flag;
    one.shape.processedColumn = u"sent"_s;
    one.columns = u", sent %1 NOT NULL"_s.arg(type);
    one.values = u", CASE WHEN n % 2 = 0 THEN %1 ELSE %2 END"_s.arg(yes, no);
    if (withTime) {
        one.shape.processedTimeColumn = u"sent_at"_s;
        one.columns += u", sent_at timestamp"_s;
        one.values += u", CASE WHEN n % 2 = 0 THEN @moment END"_s;
    }
    return one;
}

Marked byStatus(const QString &type, const QString &sent, const QString &fresh, bool withTime)
{
    Marked one = byFlag(type, u'\'' + QString(sent).replace(u'\'', u"''"_s) + u'\'',
                        u'\'' + QString(fresh).replace(u'\'', u"''"_s) + u'\'', withTime);
    if (type == u"integer") {
        one.values.replace(u'\'' + sent + u'\'', sent);
        one.values.replace(u'\'' + fresh + u'\'', fresh);
    }
    one.shape.processedHow = OutboxShape::ProcessedHow::Status;
    one.shape.processedValues = QStringList{sent};
    one.shape.pendingColumn = u"sent"_s;
    one.shape.pendingValues = QStringList{fresh};
    return one;
}

} // namespace

class TestRowStates : public QObject
{
    Q_OBJECT

    Databases m_databases;

    static bool sqlite() { return dialect() == DatabaseUrl::Dialect::Sqlite; }

    DatabaseUrl tableOf(const Marked &marked, int rows)
    {
        const DatabaseUrl url = m_databases.fresh(sqlite() ? DatabaseUrl::Dialect::Sqlite
                                                           : DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(marked.columns));
        QString values = u"n, 'mail', 'payload ' || n"_s + marked.values;
        values.replace(u"@moment"_s,
                       sqlite() ? u"'2026-01-02 03:04:05.678'"_s
                                : u"timestamp '2026-01-02 03:04:05.678'"_s);
        side.run(numbered(rows, values, u"outbox"_s));
        return url;
    }

    static void addMarks()
    {
        QTest::addColumn<int>("kind");
        int kind = 0;
        for (const char *name : {"flag", "flag and time", "flag as number", "status",
                                 "status and time", "status as number", "odd words"})
            QTest::newRow(name) << kind++;
    }

    static Marked marked()
    {
        QFETCH(int, kind);
        switch (kind) {
        case 0:
            return byFlag(u"boolean"_s, u"true"_s, u"false"_s, false);
        case 1:
            return byFlag(u"boolean"_s, u"true"_s, u"false"_s, true);
        case 2:
            return byFlag(u"smallint"_s, u"1"_s, u"0"_s, false);
        case 3:
            return byStatus(u"text"_s, u"SENT"_s, u"NEW"_s, false);
        case 4:
            return byStatus(u"text"_s, u"SENT"_s, u"NEW"_s, true);
        case 5:
            return byStatus(u"integer"_s, u"2"_s, u"0"_s, false);
        default:
            return byStatus(u"text"_s, u"it's; DROP TABLE outbox --"_s, u"a\\b \"c\" ? $1 %1"_s,
                            false);
        }
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_SERVER(m_databases.postgres, {u"timezone=Asia/Kolkata"_s}); }

    void aRelayMarksWhatItTook_data() { addMarks(); }
    void aRelayMarksWhatItTook()
    {
        const Marked one = marked();
        const DatabaseUrl url = tableOf(one, 4);
        OutboxStore relay;
        QVERIFY_RESULT(openOutbox(relay, settingsFor(url, StoreAccess::Relay), one.shape));
        const auto before = relay.snapshot();
        QVERIFY_RESULT(before);
        QCOMPARE(before->pending, 2);
        QCOMPARE(before->processed, 2);
        const auto claim = relay.claim(10, {});
        QVERIFY_RESULT(claim);
        QCOMPARE(idsOf(*claim), QStringList({u"1"_s, u"3"_s}));
        QVERIFY_RESULT(commitTaken(relay));
        const auto after = relay.snapshot();
        QVERIFY_RESULT(after);
        QCOMPARE(after->pending, 0);
        QCOMPARE(after->processed, 4);
        QCOMPARE(relay.anyLeft({}), Result<bool>(false));
        const auto row = relay.find({u"1"_s});
        QVERIFY_RESULT(row);
        QCOMPARE((*row)->processed.has_value(), !one.shape.processedTimeColumn.isEmpty());
    }

    void anOperatorOpensRowsAndMarksThemBack_data() { addMarks(); }
    void anOperatorOpensRowsAndMarksThemBack()
    {
        const Marked one = marked();
        const DatabaseUrl url = tableOf(one, 4);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), one.shape));
        const auto was = store.find({u"2"_s});
        QVERIFY_RESULT(was);
        QCOMPARE((*was)->state, MessageState::Processed);

        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(url), one.shape));
        QVERIFY(editor.rights()->reopen);
        QVERIFY(!editor.statementsOf(Verb::Replay).isEmpty());
        QVERIFY_RESULT(editor.begin());
        const auto opened = editor.reopen(seenRows(url, one.shape, {u"1"_s, u"2"_s}));
        QVERIFY_RESULT(opened);
        QCOMPARE(idsOf(*opened), QStringList{u"2"_s}); // the other one is open already
        QVERIFY_RESULT(editor.commit());
        QCOMPARE((*store.find({u"2"_s}))->state, MessageState::Pending);

        QVERIFY_RESULT(editor.begin());
        const auto marked = editor.markProcessed(*opened, {(*was)->processedText});
        QVERIFY_RESULT(marked);
        QCOMPARE(idsOf(*marked), QStringList{u"2"_s});
        QVERIFY_RESULT(editor.commit());
        const auto now = store.find({u"2"_s});
        QVERIFY_RESULT(now);
        QCOMPARE((*now)->state, MessageState::Processed);
        QCOMPARE((*now)->processedText, (*was)->processedText);
    }

    void whoeverTakesALeaseWaitsForOurClaim()
    {
        if (sqlite())
            QSKIP("SQLite has one writer for the whole file");
        Marked one;
        one.shape = classicShape();
        one.shape.setTimeZone(u"Asia/Kolkata"_s);
        one.shape.lockedHow = OutboxShape::LockedHow::Until;
        one.shape.leaseColumn = u"locked_until"_s;
        one.columns = u", locked_until timestamp"_s;
        one.values = u", CASE WHEN n = 2 THEN localtimestamp + interval '1 hour' END"_s;
        const DatabaseUrl url = tableOf(one, 3);
        OutboxStore relay;
        QVERIFY_RESULT(openOutbox(relay, settingsFor(url, StoreAccess::Relay), one.shape));
        const auto claim = relay.claim(10, {});
        QVERIFY_RESULT(claim);
        QCOMPARE(idsOf(*claim), QStringList({u"1"_s, u"3"_s})); // 2 is leased by another
        SideSession rival(url);
        rival.run(u"SET lock_timeout = '200ms'"_s);
        const QString lease
            = u"UPDATE outbox SET locked_until = localtimestamp + interval '1 hour' WHERE"
              " locked_until IS NULL RETURNING id"_s;
        QVERIFY(rival.fails(lease));
        QVERIFY_RESULT(commitTaken(relay));
        QCOMPARE(rival.run(lease), QStringList());
    }

    void aSeldomStatusFarFromTheEndsIsKnown()
    {
        const DatabaseUrl url = m_databases.fresh(sqlite() ? DatabaseUrl::Dialect::Sqlite
                                                           : DatabaseUrl::Dialect::PostgreSql);
        const QString time = sqlite() ? u"'2020-01-02 03:04:05.' || (100 + n % 900)"_s
                                      : u"timestamp '2020-01-02 03:04:05' + n * interval '1 s'"_s;
        SideSession side(url);
        side.all(
            {classicTable(u", created_at timestamp NOT NULL,"
                          " status varchar(20) NOT NULL DEFAULT 'pending'"_s),
             numbered(2400,
                      u"n, 'OrderCreated', '{\"n\": ' || n || '}', %1, CASE n WHEN 1900 THEN"
                      " 'failed' ELSE CASE WHEN n <= 2300 THEN 'sent' ELSE 'pending' END END"_s.arg(
                          time),
                      u"outbox"_s)});
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly)));
        const auto found = store.probe(TableName{{}, u"outbox"_s});
        QVERIFY_RESULT(found);
        const OutboxShape &shape = found->constFirst().shape;
        QCOMPARE(shape.processedHow, OutboxShape::ProcessedHow::Status);
        QCOMPARE(shape.processedValues, QStringList{u"sent"_s});
        QCOMPARE(shape.failedValues, QStringList{u"failed"_s});
    }

    void aValueThatTheColumnCannotHoldIsRefused()
    {
        Marked one = byStatus(u"integer"_s, u"2"_s, u"0"_s, false);
        const DatabaseUrl url = tableOf(one, 2);
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly)));
        one.shape.processedValues = QStringList{u"sent"_s};
        QCOMPARE(store.use(one.shape).error().kind, Error::Kind::Invalid);
        if (sqlite())
            return;
        SideSession(url).all({u"CREATE TYPE progress AS ENUM ('new', 'sent')"_s,
                              u"ALTER TABLE outbox ALTER sent TYPE progress USING 'new'"_s});
        one.shape.pendingValues = QStringList{u"neu"_s};
        const auto refused = store.use(one.shape);
        QCOMPARE(refused.error().kind, Error::Kind::Invalid);
        QVERIFY(refused.error().hint.contains(u"new"_s));
        one.shape.pendingValues = QStringList{u"new"_s};
        QVERIFY_RESULT(store.use(one.shape));
        QCOMPARE(store.snapshot()->pending, 2);
    }

    void aNeighbourThatIsNotThereIsRefused()
    {
        Marked one = byFlag(u"boolean"_s, u"true"_s, u"false"_s, false);
        const DatabaseUrl url = tableOf(one, 2);
        SideSession(url).run(u"CREATE TABLE claims (job_id integer PRIMARY KEY, worker text)"_s);
        one.shape.lockedHow = OutboxShape::LockedHow::Member;
        one.shape.lockedIn.on[u"job_id"_s] = u"id"_s;
        one.shape.lockedIn.table.table = u"claim"_s;
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly)));
        QVERIFY(store.use(one.shape).error().hint.contains(u"claims"_s));
        one.shape.lockedIn.table.table = u"claims"_s;
        one.shape.lockedIn.ownerColumn = u"wroker"_s;
        QVERIFY(store.use(one.shape).error().hint.contains(u"worker"_s));
        one.shape.lockedIn.ownerColumn = u"worker"_s;
        QVERIFY_RESULT(store.use(one.shape));
        SideSession(url).run(u"INSERT INTO claims VALUES (1, 'w1')"_s);
        const auto seen = store.snapshot();
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->locked, 1);
        QCOMPARE(seen->holders, QList<LockHolder>({{0, u"w1"_s, std::nullopt, false, 1}}));
    }
};

} // namespace tst_rowstates

OUTBOX_TEST(tst_rowstates::TestRowStates)
#include "tst_rowstates.moc"
