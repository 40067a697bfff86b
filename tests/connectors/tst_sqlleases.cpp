// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Leases in columns: who holds a row until when, and taking a dead owner's lease off it.
#include "models/filter/pagerequest.h"
#include "tests/connectors/editfixture.h"
#include "tests/support/testprogram.h"

#include <QTimeZone>

namespace tst_sqlleases {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSqlLeases : public QObject
{
    Q_OBJECT

    Databases m_databases;

    static bool sqlite() { return dialect() == DatabaseUrl::Dialect::Sqlite; }

    /// The moment `seconds` from now, as a column of `type` holds it.
    static QString moment(const QString &type, int seconds)
    {
        if (type == u"bigint")
            return testWords().epoch.arg(seconds);
        if (const QString zone = type.section(u'@', 1); !zone.isEmpty()) {
            const QDateTime at = QDateTime::currentDateTimeUtc().addSecs(seconds);
            return u'\''
                + at.toTimeZone(QTimeZone(zone.toLatin1())).toString(u"yyyy-MM-dd hh:mm:ss"_s)
                + u'\'';
        }
        return testWords().later.arg(seconds);
    }

    /// `type` may name the zone that its times are in: "timestamp@Asia/Kolkata".
    static OutboxShape leaseShape(const QString &type = {})
    {
        OutboxShape shape = keptShape();
        if (const QString zone = type.section(u'@', 1); !zone.isEmpty())
            shape.times[u"locked_until"_s] = u"local:"_s + zone;
        shape.use = OutboxShape::Use::Watch;
        shape.lockedHow = OutboxShape::LockedHow::Until;
        shape.leaseColumn = u"locked_until"_s;
        shape.ownerColumn = u"locked_by"_s;
        return shape;
    }

    /// Rows 1, 3, 5, 7 are open: 1 is free, 3 is leased, 5 and 7 are leased no more.
    DatabaseUrl leaseTable(const QString &type, const QString &rest = {})
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        makeKeptTable(side, url, 8);
        const QString set
            = u"UPDATE outbox SET locked_until = %1, locked_by = '%2' WHERE id IN (%3)"_s;
        side.all({u"ALTER TABLE outbox ADD COLUMN locked_until %1 %2"_s.arg(
                      type.section(u'@', 0, 0), rest),
                  u"ALTER TABLE outbox ADD COLUMN locked_by text"_s,
                  set.arg(moment(type, 600), u"relay-a"_s, u"2, 3"_s),
                  set.arg(moment(type, -720), u"relay-b"_s, u"4, 5, 7"_s)});
        return url;
    }

    static void addTypes()
    {
        QTest::addColumn<QString>("type");
        QTest::newRow("time") << testWords().timeType;
        QTest::newRow("time without zone") << u"timestamp"_s;
        QTest::newRow("time of Kolkata") << u"timestamp@Asia/Kolkata"_s;
        QTest::newRow("time of New York") << u"timestamp@America/New_York"_s;
        QTest::newRow("time of Lord Howe") << u"timestamp@Australia/Lord_Howe"_s;
        QTest::newRow("seconds") << u"bigint"_s;
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases, {u"timezone=UTC"_s}); }

    void rowsAreInTheStateOfTheirLease_data() { addTypes(); }
    void rowsAreInTheStateOfTheirLease()
    {
        QFETCH(QString, type);
        const DatabaseUrl url = leaseTable(type);
        OutboxStore store;
        QVERIFY_RESULT(
            openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), leaseShape(type)));
        PageRequest request;
        request.newestFirst = false;
        const auto page = store.page(request);
        QVERIFY_RESULT(page);
        const Message free = page->rows.at(0);
        QCOMPARE(free.state, MessageState::Pending);
        QVERIFY(!free.lockedBy && !free.leaseUntil && free.note.isEmpty());
        const Message done = page->rows.at(1);
        QCOMPARE(done.state, MessageState::Processed);
        QVERIFY(!done.lockedBy && !done.leaseUntil);
        const Message held = page->rows.at(2);
        QCOMPARE(held.state, MessageState::Locked);
        QCOMPARE(held.lockedBy, LockHolder({0, u"relay-a"_s, std::nullopt, false, 0}));
        QVERIFY(*held.leaseUntil > QDateTime::currentDateTimeUtc());
        const Message dead = page->rows.at(4);
        QCOMPARE(dead.state, MessageState::Pending);
        QCOMPARE(dead.lockedBy->application, u"relay-b"_s);
        QCOMPARE(dead.note, u"lease expired 12 min ago"_s);

        OutboxShape keyless = leaseShape(type);
        keyless.ownerColumn.clear();
        QVERIFY_RESULT(store.use(keyless));
        const auto unknown = store.find({u"3"_s});
        QVERIFY_RESULT(unknown);
        QCOMPARE((*unknown)->state, MessageState::Locked);
        QVERIFY((*unknown)->note.contains(u"by whom"_s));
        QVERIFY_RESULT(store.use(leaseShape(type)));

        const auto idsOfState = [&](MessageState state) {
            request.states = {state};
            const auto found = store.page(request);
            QStringList ids;
            for (const Message &row : found->rows)
                ids += row.id.text;
            return ids.join(u',');
        };
        QCOMPARE(idsOfState(MessageState::Locked), u"3"_s);
        QCOMPARE(idsOfState(MessageState::Pending), u"1,5,7"_s);
        QCOMPARE(idsOfState(MessageState::Processed), u"2,4,6,8"_s);
    }

    void countsFollowTheLeases()
    {
        const DatabaseUrl url = leaseTable(u"timestamp"_s);
        SideSession side(url);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), leaseShape()));
        const auto seen = store.snapshot();
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->pending, 3);
        QCOMPARE(seen->locked, 1);
        QCOMPARE(seen->processed, 4);
        QVERIFY(seen->lockVisible);
        QCOMPARE(seen->holders, QList<LockHolder>({{0, u"relay-a"_s, std::nullopt, false, 1}}));
        QVERIFY(!seen->notes.contains(u"locked"_s));

        side.all(
            {u"DELETE FROM outbox"_s,
             numbered(
                 300,
                 u"n, 'mail', 'x', %1, NULL, 0, %2, CASE WHEN n <= 60 THEN 'busy' ELSE 'worker ' || n END"_s
                     .arg(moment(u"timestamp"_s, 0), moment(u"timestamp"_s, 60)),
                 u"outbox"_s)});
        const auto crowd = store.snapshot();
        QVERIFY_RESULT(crowd);
        QCOMPARE(crowd->locked, 300);
        QCOMPARE(crowd->pending, 0);
        QCOMPARE(crowd->holders.size(), 51); // the seldom ones are counted together
        qint64 sum = 0;
        for (const LockHolder &holder : crowd->holders)
            sum += holder.rows;
        QCOMPARE(sum, 300);
        side.run(u"DELETE FROM outbox"_s);
        QCOMPARE(store.snapshot()->pending, 0);
        QCOMPARE(store.snapshot()->locked, 0);
    }

    void aLeaseThatMustNotBeEmptyMayNeverHaveBeenTaken()
    {
        const DatabaseUrl url
            = leaseTable(u"timestamp"_s, u"NOT NULL DEFAULT '1970-01-01 00:00:00'"_s);
        const auto rows = seenRows(url, leaseShape());
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), leaseShape()));
        const auto free = store.find({u"1"_s});
        QVERIFY_RESULT(free);
        QVERIFY((*free)->note.isEmpty() && !(*free)->lockedBy);
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(url), leaseShape()));
        QVERIFY_RESULT(editor.begin());
        const auto released = editor.release(rows);
        QVERIFY_RESULT(released);
        QVERIFY(!idsOf(*released).contains(u"1"_s));
        QVERIFY_RESULT(editor.commit());
        const auto now = store.find({u"5"_s});
        QVERIFY_RESULT(now);
        QVERIFY((*now)->note.isEmpty() && !(*now)->lockedBy);
    }

    void onlyADeadLeaseIsReleased_data() { addTypes(); }
    void onlyADeadLeaseIsReleased()
    {
        QFETCH(QString, type);
        const DatabaseUrl url = leaseTable(type);
        SideSession side(url);
        const auto rows = seenRows(url, leaseShape(type), {u"1"_s, u"3"_s, u"5"_s, u"7"_s});
        side.run(u"UPDATE outbox SET locked_until = %1, locked_by = 'relay-c' WHERE id = 7"_s.arg(
            moment(type, -1))); // another owner since it was looked at
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(url), leaseShape(type)));
        QVERIFY(editor.rights()->release);
        QVERIFY(editor.statementsOf(Verb::Release).join(u' ').contains(u"locked_until"_s));
        QVERIFY_RESULT(editor.begin());
        const auto released = editor.release(rows);
        QVERIFY_RESULT(released);
        QCOMPARE(idsOf(*released), QStringList{u"5"_s});
        QVERIFY_RESULT(editor.commit());
        QCOMPARE(side.run(u"SELECT id FROM outbox WHERE locked_until IS NULL AND locked_by IS NULL"
                          " ORDER BY id"_s),
                 QStringList({u"1"_s, u"5"_s, u"6"_s, u"8"_s}));
        QCOMPARE(seenRows(url, leaseShape(type), {u"5"_s}), *released);
    }

    void aColumnThatIsNoTimeIsRefused()
    {
        if (sqlite())
            QSKIP("a column of SQLite holds any kind of time");
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        makeKeptTable(side, url, 1);
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly)));
        OutboxShape shape = leaseShape();
        shape.leaseColumn = u"payload"_s;
        shape.ownerColumn.clear();
        QCOMPARE(store.use(shape).error().kind, Error::Kind::Unsupported);
        shape.leaseColumn = u"created"_s;
        QCOMPARE(store.use(shape).error().kind, Error::Kind::Invalid);
    }
};

} // namespace tst_sqlleases

OUTBOX_TEST(tst_sqlleases::TestSqlLeases)
#include "tst_sqlleases.moc"
