// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An operator's writes touch only rows that are as they were seen, and leave their record or
// nothing.
#include "connectors/sql/session/databasesession.h"
#include "tests/connectors/editfixture.h"
#include "tests/support/testprogram.h"

namespace tst_outboxeditor {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestOutboxEditor : public QObject
{
    Q_OBJECT

    Databases m_databases;
    DatabaseUrl m_url;
    std::unique_ptr<SideSession> m_side;
    std::unique_ptr<OutboxEditor> m_editor;

    static bool sqlite() { return dialect() == DatabaseUrl::Dialect::Sqlite; }
    static bool mariadb() { return dialect() == DatabaseUrl::Dialect::MariaDb; }

    QList<RowGuard> seen(const QStringList &ids = {}) const
    {
        return seenRows(m_url, keptShape(), ids);
    }
    QStringList processedTexts(const QStringList &ids) const
    {
        OutboxStore store;
        if (!store.open(settingsFor(m_url, StoreAccess::ReadOnly)) || !store.use(keptShape()))
            return {};
        QStringList texts;
        for (const QString &id : ids) {
            const auto row = store.find({id});
            texts += row && *row ? (*row)->processedText : QString();
        }
        return texts;
    }
    QString count(const QString &where) const
    {
        return m_side->one(u"SELECT count(*) FROM outbox WHERE "_s + where);
    }
    void makeAuditTable()
    {
        m_side->run(OutboxEditor::auditTableSql(m_url.dialect).section(u';', 0, 0));
    }
    static AuditRow recordOf(const QString &id)
    {
        return {u"op-1"_s, u"ana@desk"_s, u"outboxctl"_s, u"purge"_s,
                id,        u"before"_s,   QString(),      u"it's \"quoted\""_s};
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_databases.postgres, {u"log_statement=all"_s});
        OUTBOX_START_SERVER(m_databases.mariadb,
                            {u"--general-log"_s, u"--general-log-file=statements.log"_s});
    }

    void init()
    {
        m_url = m_databases.fresh(dialect());
        m_side = std::make_unique<SideSession>(m_url);
        makeKeptTable(*m_side, m_url, 8);
        m_editor = std::make_unique<OutboxEditor>();
        QVERIFY_RESULT(m_editor->open(actSettings(m_url), keptShape()));
    }

    void cleanup() { m_editor.reset(); }

    void aVersionChangesWithEachWrite()
    {
        m_side->run(u"ALTER TABLE outbox ADD COLUMN extra text"_s); // the shape knows nothing of it
        const auto before = seen();
        QCOMPARE(seen(), before);
        m_side->all({u"UPDATE outbox SET completed_at = NULL WHERE id = 2"_s,
                     u"UPDATE outbox SET attempts = attempts + 1 WHERE id = 3"_s,
                     u"UPDATE outbox SET payload = payload || '!' WHERE id = 4"_s,
                     u"UPDATE outbox SET payload = 'PAYLOAD 5' WHERE id = 5"_s,
                     u"UPDATE outbox SET extra = 'unmapped' WHERE id = 6"_s});
        const auto after = seen();
        for (qsizetype i = 0; i < 8; ++i)
            QCOMPARE(after.at(i) == before.at(i), i < 1 || i > 5);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(m_url, StoreAccess::ReadOnly), keptShape()));
        const auto found = store.find({u"2"_s});
        QVERIFY_RESULT(found);
        QCOMPARE((*found)->version, after.at(1).version);
    }

    void anEditOfEqualLengthIsNotWrittenOver()
    {
        const auto rows = seen({u"2"_s, u"4"_s, u"6"_s});
        m_side->all({u"UPDATE outbox SET payload = 'PAYLOAD 2' WHERE id = 2"_s,
                     u"UPDATE outbox SET type = 'liam' WHERE id = 4"_s});
        QVERIFY_RESULT(m_editor->begin());
        const auto held = m_editor->hold(rows);
        QVERIFY_RESULT(held);
        QCOMPARE(idsOf(*held), QStringList{u"6"_s});
        const auto reopened = m_editor->reopen(rows);
        QVERIFY_RESULT(reopened);
        QCOMPARE(idsOf(*reopened), QStringList{u"6"_s});
        const auto removed = m_editor->remove(rows);
        QVERIFY_RESULT(removed);
        QVERIFY(removed->isEmpty()); // our own write changed the last one too
        const auto last = m_editor->remove(*reopened);
        QVERIFY_RESULT(last);
        QCOMPARE(idsOf(*last), QStringList{u"6"_s});
        QVERIFY_RESULT(m_editor->commit());
        QCOMPARE(count(u"id IN (2, 4) AND completed_at IS NOT NULL"_s), u"2"_s);
    }

    void theVersionAfterAWriteKnowsWhatTriggersDid()
    {
        if (!sqlite() && !mariadb())
            QSKIP("PostgreSQL tells of the transaction that wrote, whatever it wrote");
        m_side->run(
            sqlite() ? u"CREATE TRIGGER count_writes AFTER UPDATE OF completed_at ON outbox BEGIN"
                       " UPDATE outbox SET attempts = attempts + 1 WHERE id = NEW.id; END"_s
                     : u"CREATE TRIGGER count_writes BEFORE UPDATE ON outbox FOR EACH ROW"
                       " SET NEW.attempts = NEW.attempts + 1"_s);
        QVERIFY_RESULT(m_editor->begin());
        const auto reopened = m_editor->reopen(seen({u"2"_s}));
        QVERIFY_RESULT(reopened);
        QVERIFY_RESULT(m_editor->commit());
        QCOMPARE(count(u"id = 2 AND attempts = 1"_s), u"1"_s);
        QCOMPARE(seen({u"2"_s}), *reopened);
    }

    void theVersionOfAWideRow()
    {
        if (!sqlite())
            QSKIP("only SQLite needs to read the row for it");
        QStringList statements{u"BEGIN"_s};
        for (int i = 0; i < 1'200; ++i)
            statements += u"ALTER TABLE outbox ADD COLUMN wide_%1 text"_s.arg(i);
        m_side->all(statements + QStringList{u"COMMIT"_s});
        QVERIFY_RESULT(m_editor->open(actSettings(m_url), keptShape()));
        const auto before = seen({u"2"_s, u"4"_s});
        m_side->run(u"UPDATE outbox SET wide_1199 = 'x' WHERE id = 4"_s);
        QVERIFY_RESULT(m_editor->begin());
        const auto removed = m_editor->remove(before);
        QVERIFY_RESULT(removed);
        QCOMPARE(idsOf(*removed), QStringList{u"2"_s});
        QVERIFY_RESULT(m_editor->rollback());
    }

    void pagesOfChosenRows()
    {
        QCOMPARE(idsOf(seen({u"3"_s, u"99"_s, u"no key"_s, u"7"_s})),
                 QStringList({u"3"_s, u"7"_s}));
        QCOMPARE(idsOf(seen({u"no key"_s})), QStringList());
    }

    void onlyRowsAsSeenAreReopened()
    {
        const auto rows = seen();
        m_side->all({u"UPDATE outbox SET attempts = 1 WHERE id = 4"_s,
                     u"DELETE FROM outbox WHERE id = 6"_s});
        QVERIFY_RESULT(m_editor->begin());
        const auto held = m_editor->hold(rows);
        QVERIFY_RESULT(held);
        QCOMPARE(idsOf(*held), QStringList({u"1"_s, u"2"_s, u"3"_s, u"5"_s, u"7"_s, u"8"_s}));
        const auto reopened = m_editor->reopen(rows);
        QVERIFY_RESULT(reopened);
        QCOMPARE(idsOf(*reopened), QStringList({u"2"_s, u"8"_s})); // the odd ones were open
        QVERIFY_RESULT(m_editor->commit());
        QCOMPARE(count(u"completed_at IS NOT NULL"_s), u"1"_s);
        QCOMPARE(seen({u"2"_s, u"8"_s}), *reopened);

        QVERIFY_RESULT(m_editor->begin());
        const auto again = m_editor->reopen(rows);
        QVERIFY_RESULT(again);
        QVERIFY(again->isEmpty());
        QVERIFY_RESULT(m_editor->rollback());
    }

    void whatWasReopenedIsMarkedAgain()
    {
        // As other writers leave it: finer than a millisecond, and in a way of their own.
        const QString finer = sqlite() ? u"'2026-01-02T03:04:05.678912+00:00'"_s
            : mariadb()                ? u"'2026-01-02 03:04:05.678912'"_s
                                       : u"timestamptz '2026-01-02 03:04:05.678912Z'"_s;
        m_side->run(u"UPDATE outbox SET completed_at = %1 WHERE id = 2"_s.arg(finer));
        const QString text = u"SELECT CAST(completed_at AS text) FROM outbox WHERE id = 2"_s;
        const QString before = m_side->one(text);
        const QStringList times = processedTexts({u"2"_s, u"4"_s});
        const auto rows = seen({u"2"_s, u"4"_s});
        QVERIFY_RESULT(m_editor->begin());
        const auto reopened = m_editor->reopen(rows);
        QVERIFY_RESULT(reopened);
        QVERIFY_RESULT(m_editor->commit());
        m_side->run(u"UPDATE outbox SET attempts = 9 WHERE id = 4"_s);

        QVERIFY_RESULT(m_editor->begin());
        const auto marked = m_editor->markProcessed(*reopened, {times.at(0), times.at(1)});
        QVERIFY_RESULT(marked);
        QCOMPARE(idsOf(*marked), QStringList{u"2"_s});
        QVERIFY_RESULT(m_editor->commit());
        QCOMPARE(m_side->one(text), before);
        QCOMPARE(seen({u"2"_s}), *marked);
        QCOMPARE(count(u"id = 4 AND completed_at IS NULL"_s), u"1"_s);

        QVERIFY_RESULT(m_editor->begin());
        QCOMPARE(m_editor->markProcessed(*marked, {}).error().kind, Error::Kind::Unsupported);
        QCOMPARE(m_editor->commit().error().kind, Error::Kind::Conflict);
    }

    void whatWasRemovedComesBackAsItWas()
    {
        const QString digest = sqlite()
            ? u"SELECT group_concat(id || quote(type) || quote(payload) || quote(completed_at)) FROM outbox"_s
            : mariadb()
            ? u"SELECT group_concat(concat_ws('|', id, type, payload, created_at, completed_at,"
              " attempts) ORDER BY id) FROM outbox"_s
            : u"SELECT string_agg(o::text, ',' ORDER BY id) FROM outbox o"_s;
        const QString before = m_side->one(digest);
        const auto rows = seen();
        const auto whole = m_editor->whole({{u"4"_s}, {u"nobody"_s}, {u"2"_s}, {u"99"_s}});
        QVERIFY_RESULT(whole);
        QCOMPARE(whole->size(), 2);
        QCOMPARE(whole->at(0).id.text, u"4"_s); // in the order asked for
        QCOMPARE(whole->at(0).version, rows.at(3).version);

        m_side->run(u"UPDATE outbox SET attempts = 0 WHERE id = 8"_s); // a write, if an idle one
        QVERIFY_RESULT(m_editor->begin());
        const auto removed = m_editor->remove({rows.at(1), rows.at(3), {{u"1"_s}, u"x"_s}});
        QVERIFY_RESULT(removed);
        QCOMPARE(idsOf(*removed), QStringList({u"2"_s, u"4"_s}));
        QVERIFY_RESULT(m_editor->commit());
        QCOMPARE(count(u"true"_s), u"6"_s);

        QVERIFY_RESULT(m_editor->begin());
        QVERIFY_RESULT(m_editor->insert({whole->at(0)}));
        const auto inserted = m_editor->insert(*whole); // a key that is there is left as it is
        QVERIFY_RESULT(inserted);
        QCOMPARE(idsOf(*inserted), QStringList{u"2"_s});
        QVERIFY_RESULT(m_editor->commit());
        QCOMPARE(m_side->one(digest).split(u',').size(), before.split(u',').size());
        QStringList left = m_side->one(digest).split(u',');
        QStringList right = before.split(u',');
        left.sort();
        right.sort();
        QCOMPARE(left, right);
    }

    void changeAndRecordStandOrFallTogether()
    {
        QCOMPARE(m_editor->rights()->audit, false);
        makeAuditTable();
        const auto rights = m_editor->rights();
        QVERIFY_RESULT(rights);
        QVERIFY(rights->lock && rights->reopen && rights->remove && rights->insert);
        QVERIFY(rights->audit && !rights->release);
        const auto rows = seen();
        const QString records = u"SELECT count(*) FROM outbox_audit"_s;

        for (const bool kept : {false, true}) {
            QVERIFY_RESULT(m_editor->begin());
            QVERIFY_RESULT(m_editor->remove({rows.at(0)}));
            QVERIFY_RESULT(m_editor->record({recordOf(u"1"_s), recordOf(u"2"_s)}));
            if (kept)
                QVERIFY_RESULT(m_editor->commit());
            else
                QVERIFY_RESULT(m_editor->rollback());
            QCOMPARE(m_side->one(records), kept ? u"2"_s : u"0"_s);
            QCOMPARE(count(u"id = 1"_s), kept ? u"0"_s : u"1"_s);
        }
        QCOMPARE(m_side->one(u"SELECT \"before\" || \"note\" || message_id FROM outbox_audit"
                             " WHERE \"at\" IS NOT NULL ORDER BY message_id"_s),
                 u"beforeit's \"quoted\"1"_s);

        m_side->run(u"DROP TABLE outbox_audit"_s);
        QVERIFY_RESULT(m_editor->begin());
        QVERIFY_RESULT(m_editor->remove({rows.at(1)}));
        QVERIFY(!m_editor->record({recordOf(u"2"_s)}).has_value());
        QCOMPARE(m_editor->commit().error().kind, Error::Kind::Conflict); // nothing is open
        QCOMPARE(count(u"id = 2"_s), u"1"_s);
    }

    void nothingIsWrittenOutsideATransaction()
    {
        const auto rows = seen();
        QCOMPARE(m_editor->hold(rows).error().kind, Error::Kind::Conflict);
        QCOMPARE(m_editor->remove(rows).error().kind, Error::Kind::Conflict);
        QCOMPARE(m_editor->reopen(rows).error().kind, Error::Kind::Conflict);
        QCOMPARE(count(u"true"_s), u"8"_s);
    }

    void whatAShapeCannotSayIsNotDone()
    {
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(m_url), classicShape()));
        QVERIFY(!editor.rights()->reopen);
        QVERIFY_RESULT(editor.begin());
        QCOMPARE(editor.reopen(seen()).error().kind, Error::Kind::Unsupported);
        QCOMPARE(editor.release(seen()).error().kind, Error::Kind::Unsupported);
        QCOMPARE(editor.commit().error().kind, Error::Kind::Conflict);
        QVERIFY(editor.statementsOf(Verb::Replay).isEmpty());
        QVERIFY(editor.statementsOf(Verb::Release).isEmpty());
        OutboxEditor closed;
        QVERIFY(!closed.reopen(seen()).has_value());
        QCOMPARE(closed.begin().error().kind, Error::Kind::Unreachable);
    }

    void onlyARelayClaimsAndOnlyAnOperatorWrites()
    {
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(m_url, StoreAccess::Act), keptShape()));
        QCOMPARE(store.claim(1, {}).error().kind, Error::Kind::Refused);
        StoreSettings look = settingsFor(m_url, StoreAccess::ReadOnly);
        DatabaseSession session;
        QVERIFY_RESULT(session.open(look));
        QCOMPARE(session->query({u"DELETE FROM outbox"_s, {}}, u"testing"_s).error().kind,
                 Error::Kind::Refused);
        QCOMPARE(count(u"true"_s), u"8"_s);
    }

    void thePlanShowsTheStatementsThatRun()
    {
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(m_url, StoreAccess::ReadOnly), keptShape()));
        for (const Verb verb : {Verb::Replay, Verb::Unreplay, Verb::Purge, Verb::Import}) {
            QVERIFY(store.statementsOf(verb).size() >= 3);
            QCOMPARE(m_editor->statementsOf(verb), store.statementsOf(verb));
        }
        QVERIFY(store.statementsOf(Verb::Run).isEmpty());
        if (sqlite())
            return; // it has no log
        const auto logNow = [this] {
            QFile file(m_databases.mariadb.folder() + u"/data/statements.log"_s);
            if (mariadb() && file.open(QIODevice::ReadOnly))
                return file.readAll();
            return m_databases.postgres.log();
        };
        const qsizetype logged = logNow().size();
        const auto rows = seen({u"2"_s});
        QVERIFY_RESULT(m_editor->begin());
        QVERIFY_RESULT(m_editor->hold(rows));
        QVERIFY_RESULT(m_editor->reopen(rows));
        QVERIFY_RESULT(m_editor->commit());
        const QString log = QString::fromUtf8(logNow().mid(logged));
        for (const QString &statement : store.statementsOf(Verb::Replay))
            QVERIFY2(log.contains(statement), qPrintable(statement));
    }

    void aBusyFileEndsInATimeoutThatNamesTheWriter()
    {
        if (!sqlite())
            QSKIP("the others lock rows");
        m_side->all({u"BEGIN IMMEDIATE"_s});
        const auto begun = m_editor->begin();
        QCOMPARE(begun.error().kind, Error::Kind::Timeout);
        QVERIFY2(begun.error().hint.contains(u"being written by"_s),
                 qPrintable(begun.error().hint));
        m_side->run(u"COMMIT"_s);
        QVERIFY_RESULT(m_editor->begin());
    }

    void theStatusOfAMessageIsReadAndSetByItsOldValue()
    {
        m_side->all({u"CREATE TABLE mails (id integer, \"stat\"\"us\" varchar(10))"_s,
                     u"INSERT INTO mails VALUES (1, 'sent'), (2, 'processing'), (3, NULL),"
                     " (5, 'a'), (5, 'a')"_s});
        const StatusTable mails{{QString(), u"mails"_s}, u"id"_s, u"stat\"us"_s, u"sent"_s};
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(m_url, StoreAccess::ReadOnly), keptShape()));
        const QList<MessageId> ids{{u"1"_s}, {u"2"_s}, {u"3"_s}, {u"4"_s}, {u"x"_s}};
        const auto found = store.statusOf(mails, ids);
        QVERIFY_RESULT(found);
        QCOMPARE(found->size(), 3);
        QCOMPARE(found->value({u"2"_s}), u"processing"_s);
        QVERIFY(found->contains({u"3"_s}) && found->value({u"3"_s}).isNull());

        const auto set = [&](const QString &id, const QString &old, const QString &status) {
            return m_editor->setStatus(mails, {id}, old, status);
        };
        QVERIFY_RESULT(m_editor->begin());
        QCOMPARE(set(u"2"_s, u"processing"_s, u"sent"_s), Result<bool>(true));
        QCOMPARE(set(u"2"_s, u"processing"_s, u"failed"_s), Result<bool>(false));
        QCOMPARE(set(u"3"_s, QString(), u"sent"_s), Result<bool>(true));
        QCOMPARE(set(u"4"_s, QString(), u"sent"_s), Result<bool>(false));
        QVERIFY_RESULT(m_editor->commit());
        QCOMPARE(m_side->one(u"SELECT count(*) FROM mails WHERE \"stat\"\"us\" = 'sent'"_s),
                 u"3"_s);
        QVERIFY_RESULT(m_editor->begin());
        QCOMPARE(set(u"5"_s, u"a"_s, u"b"_s).error().kind, Error::Kind::Conflict); // two rows
        QCOMPARE(m_side->one(u"SELECT count(*) FROM mails WHERE \"stat\"\"us\" = 'b'"_s), u"0"_s);

        StatusTable wrong = mails;
        wrong.statusColumn = u"state"_s;
        QCOMPARE(store.statusOf(wrong, ids).error().kind, Error::Kind::Invalid);
        wrong.table.table = u"mails; DROP TABLE mails"_s;
        QCOMPARE(store.statusOf(wrong, ids).error().kind, Error::Kind::Invalid);
        QVERIFY_RESULT(m_editor->begin());
        QCOMPARE(m_editor->setStatus(wrong, {u"1"_s}, u"sent"_s, u"x"_s).error().kind,
                 Error::Kind::Invalid);
    }
};

} // namespace tst_outboxeditor

OUTBOX_TEST(tst_outboxeditor::TestOutboxEditor)
#include "tst_outboxeditor.moc"
