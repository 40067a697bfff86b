// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Operators beside relays and beside each other, with the rights of their roles: one does it, the
// other is told, nobody waits for long.
#include "connectors/room.h"
#include "tests/connectors/editfixture.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>

namespace tst_editorrivals {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestEditorRivals : public QObject
{
    Q_OBJECT

    Databases m_databases;
    DatabaseUrl m_url;
    std::unique_ptr<SideSession> m_side;

    QList<RowGuard> seen(const QStringList &ids = {}) const
    {
        return seenRows(m_url, keptShape(), ids);
    }
    QString count(const QString &where) const
    {
        return m_side->one(u"SELECT count(*) FROM outbox WHERE "_s + where);
    }
    DatabaseUrl urlOf(const QString &role) const
    {
        DatabaseUrl url = m_url;
        url.user = role;
        return url;
    }
    static StoreSettings hasty(const DatabaseUrl &url)
    {
        StoreSettings settings = actSettings(url);
        settings.lockTimeoutMs = 100;
        return settings;
    }

    void makeRoles()
    {
        for (const QString &role : {u"view"_s, u"replay"_s, u"purge"_s, u"carrier"_s}) {
            m_side->run(u"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '%1')"
                        " THEN CREATE ROLE \"%1\" LOGIN; END IF; END $$"_s.arg(role));
            m_side->run(u"GRANT SELECT ON outbox TO \"%1\""_s.arg(role));
            m_side->run(u"ALTER ROLE \"%1\" SET default_transaction_read_only = on"_s.arg(role));
        }
        m_side->run(OutboxEditor::auditTableSql(m_url.dialect).section(u';', 0, 0));
        m_side->all({u"GRANT UPDATE (completed_at, attempts) ON outbox TO replay, carrier"_s,
                     u"GRANT DELETE ON outbox TO purge, carrier"_s,
                     u"GRANT INSERT ON outbox_audit TO replay, purge"_s});
    }

    /// Does `act` in a transaction of its own; true when it came to its end.
    template <typename Act> static bool done(OutboxEditor &editor, Act act)
    {
        return editor.begin().has_value() && act() && editor.commit().has_value();
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_databases.postgres); }

    void init()
    {
        m_url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        m_side = std::make_unique<SideSession>(m_url);
        makeKeptTable(*m_side, m_url, 100);
    }

    void cleanup() { m_side.reset(); }

    void aRowHeldByAnotherIsLeftOutWithoutWaiting()
    {
        const auto rows = seen();
        SideSession relay(m_url);
        relay.all({u"BEGIN"_s, u"SELECT * FROM outbox WHERE id <= 40 FOR UPDATE"_s});
        OutboxEditor first;
        OutboxEditor second;
        StoreSettings settings = actSettings(m_url);
        settings.lockTimeoutMs = 60'000; // whoever waits, waits too long for this test
        settings.statementTimeoutMs = 3'000;
        for (OutboxEditor *editor : {&first, &second}) {
            QVERIFY_RESULT(editor->open(settings, keptShape()));
            QVERIFY_RESULT(editor->begin());
        }
        const auto held = first.hold(rows);
        QVERIFY_RESULT(held);
        QCOMPARE(held->size(), 60);
        const auto nothing = second.hold(rows);
        QVERIFY_RESULT(nothing);
        QVERIFY(nothing->isEmpty());
        QVERIFY_RESULT(first.rollback());
        const auto again = second.hold(rows);
        QVERIFY_RESULT(again);
        QCOMPARE(again->size(), 60);
    }

    void whoIsWaitedForInVainIsNamed()
    {
        const auto rows = seen({u"2"_s, u"4"_s});
        const QString pid = m_side->one(u"SELECT pg_backend_pid()"_s);
        m_side->all({u"BEGIN"_s, u"UPDATE outbox SET attempts = 1 WHERE id = 4"_s});
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(hasty(m_url), keptShape()));
        QVERIFY_RESULT(editor.begin());
        const auto removed = editor.remove(rows);
        QCOMPARE(removed.error().kind, Error::Kind::Timeout);
        QCOMPARE(removed.error().code, u"55P03"_s);
        QVERIFY2(removed.error().text.contains(u"row 4"_s)
                     && removed.error().text.contains(u"side (process %1)"_s.arg(pid)),
                 qPrintable(removed.error().text));
        QCOMPARE(editor.commit().error().kind, Error::Kind::Conflict);
        m_side->run(u"ROLLBACK"_s);
        QCOMPARE(count(u"id IN (2, 4)"_s), u"2"_s);
        QVERIFY_RESULT(editor.begin());
        QCOMPARE(editor.remove(rows)->size(), 2);
        QVERIFY_RESULT(editor.commit());
    }

    void aRowThatChangedWhileWeWaitedIsLeftAlone()
    {
        const auto rows = seen({u"2"_s, u"4"_s});
        m_side->all({u"BEGIN"_s, u"UPDATE outbox SET attempts = 1 WHERE id = 4"_s});
        const DatabaseUrl url = m_url;
        Room<OutboxEditor> room(u"test"_s);
        auto removed = room.run([url, rows](OutboxEditor &editor) -> Result<QList<MessageId>> {
            StoreSettings settings = actSettings(url);
            settings.lockTimeoutMs = 30'000;
            settings.statementTimeoutMs = 30'000;
            if (auto opened = editor.open(settings, keptShape()); !opened)
                return passOn(opened);
            if (auto begun = editor.begin(); !begun)
                return passOn(begun);
            auto keys = editor.remove(rows);
            if (auto committed = editor.commit(); !committed)
                return passOn(committed);
            return keys;
        });
        SideSession watcher(m_url);
        QTRY_COMPARE(watcher.one(u"SELECT count(*) FROM pg_stat_activity WHERE"
                                 " application_name = 'act' AND wait_event_type = 'Lock'"_s),
                     u"1"_s);
        m_side->run(u"COMMIT"_s);
        removed.waitForFinished();
        QVERIFY_RESULT(removed.result());
        QCOMPARE(idsOf(*removed.result()), QStringList{u"2"_s});
        QCOMPARE(count(u"id = 4"_s), u"1"_s);
    }

    void twoOperatorsReopenEachRowOnce()
    {
        m_side->all(
            {u"CREATE TABLE reopened (id integer)"_s,
             u"CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS"
             " $$ BEGIN INSERT INTO reopened VALUES (NEW.id); RETURN NULL; END $$"_s,
             u"CREATE TRIGGER note AFTER UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION note()"_s,
             u"UPDATE outbox SET completed_at = now()"_s, u"TRUNCATE reopened"_s});
        const auto rows = seen();
        const DatabaseUrl url = m_url;
        const auto operate = [url, rows](bool backwards) {
            return [url, rows, backwards](OutboxEditor &editor) -> Result<int> {
                if (auto opened = editor.open(actSettings(url), keptShape()); !opened)
                    return passOn(opened);
                int sum = 0;
                constexpr qsizetype chunk = 5;
                for (qsizetype i = 0; i < rows.size(); i += chunk) {
                    const auto part = rows.mid(backwards ? rows.size() - chunk - i : i, chunk);
                    if (auto begun = editor.begin(); !begun)
                        return passOn(begun);
                    const auto held = editor.hold(part);
                    if (!held)
                        return passOn(held);
                    QList<RowGuard> mine;
                    for (const RowGuard &row : part) {
                        if (held->contains(row.id))
                            mine += row;
                    }
                    const auto written = editor.reopen(mine);
                    if (!written)
                        return passOn(written);
                    if (auto committed = editor.commit(); !committed)
                        return passOn(committed);
                    if (written->size() != held->size())
                        return fail(Error::Kind::Conflict, u"reopening"_s, u"held in vain"_s);
                    sum += static_cast<int>(written->size());
                }
                return sum;
            };
        };
        Room<OutboxEditor> first(u"first"_s);
        Room<OutboxEditor> second(u"second"_s);
        auto one = first.run(operate(false));
        auto other = second.run(operate(true));
        one.waitForFinished();
        other.waitForFinished();
        QVERIFY_RESULT(one.result());
        QVERIFY_RESULT(other.result());
        QCOMPARE(*one.result() + *other.result(), 100);
        QCOMPARE(m_side->one(u"SELECT count(*) || ' ' || count(DISTINCT id) FROM reopened"_s),
                 u"100 100"_s);
    }

    void aRoleThatMayNotLockDeletesWhatLooksFree()
    {
        makeRoles();
        const auto rows = seen({u"1"_s, u"2"_s, u"3"_s});
        SideSession relay(m_url);
        relay.all({u"BEGIN"_s, u"SELECT * FROM outbox WHERE id = 3 FOR UPDATE"_s});
        m_side->run(u"UPDATE outbox SET attempts = 1 WHERE id = 2"_s);
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(hasty(urlOf(u"purge"_s)), keptShape()));
        QVERIFY_RESULT(editor.begin());
        const auto held = editor.hold(rows);
        QVERIFY_RESULT(held);
        QCOMPARE(idsOf(*held), QStringList{u"1"_s});
        QCOMPARE(editor.remove(rows).error().kind, Error::Kind::Timeout);
        QVERIFY_RESULT(editor.begin());
        const auto removed = editor.remove({rows.at(0), rows.at(1)});
        QVERIFY_RESULT(removed);
        QCOMPARE(idsOf(*removed), QStringList{u"1"_s});
        QVERIFY_RESULT(editor.commit());
        relay.run(u"ROLLBACK"_s);
        QCOMPARE(count(u"id <= 3"_s), u"2"_s);
    }

    void rolesMayDoWhatTheyWereGranted_data()
    {
        QTest::addColumn<RowRights>("rights");
        QTest::addColumn<bool>("claims");
        //                                       lock   reopen remove insert release edit audit
        QTest::newRow("view") << RowRights{false, false, false, false, false, false, false}
                              << false;
        QTest::newRow("replay") << RowRights{true, true, false, false, false, false, true} << false;
        QTest::newRow("purge") << RowRights{false, false, true, false, false, false, true} << false;
        QTest::newRow("carrier") << RowRights{true, true, true, false, false, false, false} << true;
    }

    void rolesMayDoWhatTheyWereGranted()
    {
        QFETCH(RowRights, rights);
        makeRoles();
        const QString role = QString::fromLatin1(QTest::currentDataTag());
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(hasty(urlOf(role)), keptShape()));
        const auto told = editor.rights();
        QVERIFY_RESULT(told);
        QCOMPARE(told->lock, rights.lock);
        QCOMPARE(told->reopen, rights.reopen);
        QCOMPARE(told->remove, rights.remove);
        QCOMPARE(told->insert, rights.insert);
        QCOMPARE(told->release, rights.release);
        QCOMPARE(told->edit, rights.edit);
        QCOMPARE(told->audit, rights.audit);

        const auto rows = seen({u"2"_s, u"4"_s, u"6"_s});
        const AuditRow line{u"op"_s, role, u"test"_s, u"replay"_s, u"2"_s, {}, {}, {}};
        const WholeRow whole{{u"900"_s}, {}, {u"id"_s}, {{Cell::Kind::Text, "900"}}};
        const auto recorded = [&] { return editor.record({line}).has_value(); };
        QCOMPARE(done(editor, [&] { return editor.reopen({rows.at(0)})->size() == 1; }),
                 rights.reopen);
        QCOMPARE(done(editor, [&] { return editor.remove({rows.at(1)})->size() == 1; }),
                 rights.remove);
        QCOMPARE(done(editor, [&] { return editor.insert({whole}).has_value(); }), rights.insert);
        QCOMPARE(done(editor, recorded), rights.audit);

        SideSession plain(urlOf(role));
        plain.run(u"SET default_transaction_read_only = off"_s);
        const QString claim = u"DELETE FROM outbox WHERE id = ANY(ARRAY("
                              "SELECT id FROM outbox WHERE id = 6 FOR UPDATE SKIP LOCKED))"_s;
        QTEST(!plain.fails(claim), "claims");
        for (const QString &forbidden :
             {u"UPDATE outbox SET payload = 'forged'"_s, u"TRUNCATE outbox"_s,
              u"SELECT * FROM outbox_audit"_s, u"UPDATE outbox_audit SET note = 'forged'"_s,
              u"DELETE FROM outbox_audit"_s, u"TRUNCATE outbox_audit"_s})
            QVERIFY2(plain.fails(forbidden), qPrintable(forbidden));
    }

    void whoMayNotWriteIsRefusedAndNothingIsLeftOpen()
    {
        makeRoles();
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(hasty(urlOf(u"view"_s)), keptShape()));
        QVERIFY_RESULT(editor.begin());
        QCOMPARE(editor.reopen(seen()).error().kind, Error::Kind::Refused);
        QCOMPARE(
            m_side->one(u"SELECT state FROM pg_stat_activity WHERE application_name = 'act'"_s),
            u"idle"_s);
    }

    void partitionsAreActedOnLikeTables()
    {
        m_side->all(
            {u"DROP TABLE outbox"_s,
             u"CREATE TABLE outbox (id integer PRIMARY KEY, type text, payload text, created_at "
             u"timestamptz,"
             " completed_at timestamptz, attempts integer) PARTITION BY HASH (id)"_s,
             u"CREATE TABLE outbox_0 PARTITION OF outbox FOR VALUES WITH (MODULUS 2, REMAINDER 0)"_s,
             u"CREATE TABLE outbox_1 PARTITION OF outbox FOR VALUES WITH (MODULUS 2, REMAINDER 1)"_s,
             numbered(10, u"n, 'mail', 'x', now(), now(), 0"_s, u"outbox"_s)});
        const auto rows = seen();
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(hasty(m_url), keptShape()));
        const auto whole = editor.whole({{u"1"_s}, {u"2"_s}});
        QVERIFY_RESULT(whole);
        QVERIFY_RESULT(editor.begin());
        QCOMPARE(editor.hold(rows)->size(), 10);
        const auto reopened = editor.reopen(rows);
        QVERIFY_RESULT(reopened);
        QCOMPARE(editor.remove(*reopened)->size(), 10);
        const auto inserted = editor.insert(*whole);
        QVERIFY_RESULT(inserted);
        QVERIFY_RESULT(editor.commit());
        QCOMPARE(count(u"completed_at IS NOT NULL"_s), u"2"_s);
    }
};

} // namespace tst_editorrivals

OUTBOX_TEST(tst_editorrivals::TestEditorRivals)
#include "tst_editorrivals.moc"
