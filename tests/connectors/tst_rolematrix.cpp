// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page about roles says of PostgreSQL is so, cell by cell; what is refused names the right
// that is missing, and the GRANT in the error gives it.
#include "connectors/sql/outbox/fencetable.h"
#include "connectors/sql/outbox/parkedtable.h"
#include "connectors/sql/session/databasesession.h"
#include "connectors/sql/session/neededrights.h"
#include "tests/connectors/editfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/rolespage.h"
#include "tests/support/testprogram.h"

#include <functional>

namespace tst_rolematrix {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestRoleMatrix : public QObject
{
    Q_OBJECT

    using Act = std::function<Result<void>(const DatabaseUrl &)>;

    Databases m_databases;
    DatabaseUrl m_url;
    std::unique_ptr<SideSession> m_owner;
    RolesPage m_page;
    const QMap<QString, Act> m_acts = acts();

    static Result<void> ended(const auto &result)
    {
        return result ? Result<void>() : Result<void>(passOn(result));
    }

    static Result<void> statements(const DatabaseUrl &url, const QStringList &all)
    {
        const StoreSettings settings = actSettings(url);
        DatabaseSession session;
        auto done = session.open(settings);
        for (const QString &sql : all) {
            if (done)
                done = ended(session->query({sql, {}}, u"trying"_s));
        }
        return done;
    }
    static Act statement(const QString &sql)
    {
        return [sql](const DatabaseUrl &url) { return statements(url, {sql}); };
    }

    static Result<void> edit(const DatabaseUrl &url,
                             const std::function<Result<void>(OutboxEditor &)> &act)
    {
        OutboxEditor editor;
        auto done = editor.open(actSettings(url), keptShape());
        if (done)
            done = editor.begin();
        if (done)
            done = act(editor);
        return done ? editor.commit() : done;
    }

    static Result<void> relay(const DatabaseUrl &url, const OutboxShape &shape,
                              const std::function<Result<void>(OutboxStore &)> &act,
                              StoreAccess access = StoreAccess::Relay)
    {
        OutboxStore store;
        auto done = store.open(settingsFor(url, access));
        if (done)
            done = store.use(shape);
        return done ? act(store) : done;
    }
    static Act claiming(const OutboxShape &shape)
    {
        return [shape](const DatabaseUrl &url) {
            return relay(url, shape, [](OutboxStore &store) -> Result<void> {
                const auto rows = store.claim(2, {});
                if (!rows)
                    return passOn(rows);
                return rows->size() == 2
                    ? commitTaken(store)
                    : fail(Error::Kind::Conflict, u"claiming"_s, u"not two rows"_s);
            });
        };
    }

    static Result<void> look(OutboxStore &store)
    {
        if (const auto seen = store.snapshot(); !seen)
            return passOn(seen);
        if (const auto page = store.page({}); !page)
            return passOn(page);
        return ended(store.find({u"1"_s}));
    }
    static Result<void> hold(OutboxStore &store)
    {
        ClaimRequest request;
        request.held = true;
        if (const auto sent = store.sendClaim(request); !sent)
            return passOn(sent);
        if (const auto taken = store.takeClaim(); !taken)
            return passOn(taken);
        return store.rollback();
    }

    QMap<QString, Act> acts()
    {
        const auto seen = [this](const QString &id) { return seenRows(m_url, keptShape(), {id}); };
        const auto kept = [](const auto &act, StoreAccess access = StoreAccess::Relay) {
            return Act([act, access](const DatabaseUrl &url) {
                OutboxShape shape = keptShape();
                shape.errorColumn = u"last_error"_s;
                return relay(url, shape, act, access);
            });
        };
        return {
            {u"look: counts, pages, one row"_s, kept(look, StoreAccess::ReadOnly)},
            {u"switch read-only off, then mark a row"_s,
             [](const DatabaseUrl &url) {
                 return statements(url,
                                   {u"SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE"_s,
                                    u"UPDATE outbox SET completed_at = now() WHERE id = 1"_s});
             }},
            {u"replay a processed row"_s,
             [seen](const DatabaseUrl &url) {
                 return edit(url, [seen](OutboxEditor &editor) -> Result<void> {
                     const auto rows = seen(u"2"_s);
                     if (const auto held = editor.hold(rows); !held)
                         return passOn(held);
                     return ended(editor.reopen(rows));
                 });
             }},
            {u"edit a payload"_s, statement(u"UPDATE outbox SET payload = 'x' WHERE id = 1"_s)},
            {u"purge a row"_s,
             [seen](const DatabaseUrl &url) {
                 return edit(url, [seen](OutboxEditor &editor) -> Result<void> {
                     const auto rows = seen(u"2"_s);
                     if (const auto held = editor.hold(rows); !held)
                         return passOn(held);
                     return ended(editor.remove(rows));
                 });
             }},
            {u"claim rows and delete them"_s, claiming(classicShape())},
            {u"claim rows and mark them"_s, claiming(keptShape())},
            {u"hold rows: FOR UPDATE SKIP LOCKED"_s, kept(hold)},
            {u"note a failed try"_s,
             kept([](OutboxStore &store) { return store.noteFailure({u"1"_s}, u"why"_s); })},
            {u"put a purged row back"_s,
             [this](const DatabaseUrl &url) {
                 OutboxEditor owner;
                 if (auto open = owner.open(actSettings(m_url), keptShape()); !open)
                     return open;
                 auto rows = owner.whole({{u"2"_s}});
                 if (!rows)
                     return ended(rows);
                 m_owner->run(u"DELETE FROM outbox WHERE id = 2"_s);
                 return edit(url,
                             [rows](OutboxEditor &editor) { return ended(editor.insert(*rows)); });
             }},
            {u"write to the audit table"_s,
             [](const DatabaseUrl &url) {
                 return edit(url, [](OutboxEditor &editor) {
                     return editor.record({{u"op-1"_s,
                                            u"ana"_s,
                                            u"outboxctl"_s,
                                            u"purge"_s,
                                            u"2"_s,
                                            {},
                                            {},
                                            u"note"_s}});
                 });
             }},
            {u"change the audit table"_s, statement(u"UPDATE outbox_audit SET note = 'x'"_s)},
            {u"delete from the audit table"_s, statement(u"DELETE FROM outbox_audit"_s)},
            {u"read the audit table"_s, statement(u"SELECT note FROM outbox_audit"_s)},
            {u"truncate the table"_s, statement(u"TRUNCATE outbox"_s)},
            {u"read the parked rows"_s,
             [](const DatabaseUrl &url) {
                 ParkedTable table;
                 if (auto open = table.open(settingsFor(url, StoreAccess::ReadOnly), keptShape());
                     !open)
                     return open;
                 return ended(table.rows(10));
             }},
            {u"park a row"_s,
             [](const DatabaseUrl &url) {
                 return edit(url, [](OutboxEditor &editor) -> Result<void> {
                     if (auto put = editor.park({{{u"1"_s}, u"why"_s, 1, {}, {}}}); !put)
                         return put;
                     return editor.unpark({{u"1"_s}});
                 });
             }},
            {u"hear a NOTIFY"_s,
             kept([](OutboxStore &store) { return store.listen(u"outbox"_s); },
                  StoreAccess::ReadOnly)},
            {u"wait until all is on disk"_s,
             kept([](OutboxStore &store) { return store.makeDurable(); })},
        };
    }

    /// The tables as they were, and every role with what the page gives it.
    void reset()
    {
        m_owner->all({u"TRUNCATE outbox, outbox_audit, outbox_parked, outbox_fence"_s});
        m_owner->run(u"INSERT INTO outbox SELECT n, 'mail', 'x', now(), CASE WHEN n % 2 = 0 THEN"
                     " now() END, 0 FROM generate_series(1, 8) n"_s);
        for (const QString &role : std::as_const(m_page.roles)) {
            m_owner->all(
                {u"REVOKE ALL ON outbox, outbox_audit, outbox_parked, outbox_fence FROM "_s + role,
                 u"ALTER ROLE %1 RESET ALL"_s.arg(role)});
        }
        m_owner->all(m_page.statements);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_databases.postgres);
        m_page = RolesPage::read(QStringLiteral(ROLES_PAGE), u"PostgreSQL"_s,
                                 {u"GRANT "_s, u"ALTER ROLE "_s});
        QCOMPARE(m_page.roles.size(), 4);
        m_url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        m_owner = std::make_unique<SideSession>(m_url);
        makeKeptTable(*m_owner, m_url, 8);
        m_owner->all({u"ALTER TABLE outbox ADD COLUMN last_error text"_s,
                      OutboxEditor::auditTableSql(m_url.dialect).section(u';', 0, 0),
                      ParkedTableAccess::sql(m_url.dialect).section(u';', 0, 0),
                      FenceTableAccess::sql(m_url.dialect).section(u';', 0, 0)});
        for (const QString &role : std::as_const(m_page.roles))
            m_owner->run(u"CREATE ROLE %1 LOGIN"_s.arg(role));
    }
    void cleanupTestCase() { m_owner.reset(); }

    void thePageNamesEveryAct() { m_page.expectActs(m_acts.keys()); }

    void everyCellIsAsDocumented_data() { m_page.addCells(); }
    void everyCellIsAsDocumented()
    {
        QFETCH(QString, act);
        QFETCH(QString, role);
        QFETCH(bool, allowed);
        DatabaseUrl url = m_url;
        url.user = role;
        const Act &run = m_acts[act];
        reset();
        auto done = run(url);
        if (allowed) {
            QVERIFY_RESULT(done);
            return;
        }
        QVERIFY(!done);
        QCOMPARE(done.error().kind, Error::Kind::Refused);
        if (done.error().code == u"25006") { // the rail stands before the wall
            QVERIFY2(done.error().hint.contains(u"default_transaction_read_only"_s),
                     qPrintable(oneLine(done.error())));
            reset();
            m_owner->run(u"ALTER ROLE %1 RESET default_transaction_read_only"_s.arg(role));
            done = run(url);
            QVERIFY(!done);
        }
        QStringList grants; // one error names all that a statement needs; an act may have several
        while (!done) {
            const QString said = oneLine(done.error());
            QVERIFY2(done.error().code == u"42501" && grants.size() < 3, qPrintable(said));
            const QString hint = done.error().hint;
            const QString mark = u"; an owner gives it: "_s;
            QVERIFY2(hint.contains(role) && hint.contains(mark), qPrintable(said));
            for (const QString &grant : hint.section(mark, 1).split(u"; "_s)) {
                QVERIFY2(grant.startsWith(u"GRANT "_s) && !grants.contains(grant),
                         qPrintable(said));
                grants += grant;
            }
            reset();
            m_owner->run(u"ALTER ROLE %1 RESET default_transaction_read_only"_s.arg(role));
            m_owner->all(grants);
            done = run(url);
        }
    }

    void whatAPlanAsksForIsGivenByItsGrant()
    {
        reset();
        DatabaseUrl url = m_url;
        url.user = u"deck_purge"_s;
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(url), keptShape()));
        const auto before = editor.rights();
        QVERIFY_RESULT(before);
        QVERIFY(before->remove && !before->reopen && !before->insert && !before->lock);
        for (const RowRight right : {RowRight::Reopen, RowRight::Insert, RowRight::Lock})
            m_owner->run(editor.grantFor(right).section(u"an owner gives it: "_s, 1));
        const auto now = editor.rights();
        QVERIFY_RESULT(now);
        QVERIFY(now->reopen && now->insert && now->lock);
    }

    void mariadbsWordsBecomeAGrant()
    {
        OUTBOX_START_SERVER(m_databases.mariadb);
        DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::MariaDb);
        SideSession owner(url);
        makeKeptTable(owner, url, 8);
        owner.all({u"CREATE USER ana@localhost"_s,
                   u"GRANT SELECT ON %1.outbox TO ana@localhost"_s.arg(url.database)});
        url.user = u"ana"_s;
        const QStringList refused{u"DELETE FROM outbox WHERE id = 1"_s,
                                  u"UPDATE outbox SET completed_at = NULL WHERE id = 2"_s,
                                  u"INSERT INTO outbox SELECT id + 100, type, payload, created_at,"
                                  " NULL, 0 FROM outbox"_s};
        for (const QString &sql : refused) {
            const auto done = statements(url, {sql});
            QVERIFY(!done);
            const QString grant = done.error().hint.section(u"gives the right: "_s, 1);
            QVERIFY2(grant.startsWith(u"GRANT "_s), qPrintable(oneLine(done.error())));
            owner.run(grant);
            QVERIFY_RESULT(statements(url, {sql}));
        }
    }

    void aSchemaThatIsClosedIsNamed()
    {
        reset();
        m_owner->all({u"CREATE SCHEMA \"Shop\""_s, u"CREATE TABLE \"Shop\".outbox (id integer)"_s});
        DatabaseUrl url = m_url;
        url.user = u"deck_view"_s;
        const auto done = statements(url, {u"SELECT id::text FROM \"Shop\".outbox"_s});
        m_owner->run(u"DROP SCHEMA \"Shop\" CASCADE"_s);
        QVERIFY2(done.error().hint.endsWith(u"GRANT USAGE ON SCHEMA \"Shop\" TO deck_view"_s),
                 qPrintable(oneLine(done.error())));
    }

    void hostileNamesStayNames()
    {
        // Neither the words inside a name nor a quote make it another one.
        const TableName odd{{}, u"a\" FROM \"b; drop table outbox--"_s};
        const auto rights = neededRights(u"DELETE FROM \"a\"\" FROM \"\"b; drop table outbox--\" AS"
                                         " t WHERE note = 'it''s FROM \"c\"' RETURNING t.id"_s);
        QCOMPARE(rights.size(), 2);
        QCOMPARE(rights.at(0).table, odd);
        QCOMPARE(rights.at(0).right, u"DELETE"_s);
        QCOMPARE(rights.at(1).right, u"SELECT"_s);
    }
};

} // namespace tst_rolematrix

OUTBOX_TEST(tst_rolematrix::TestRoleMatrix)
#include "tst_rolematrix.moc"
