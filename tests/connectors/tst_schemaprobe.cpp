// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which tables are taken for an outbox, as what, and which are left alone.
#include "connectors/sql/dialect/catalogtexts.h"
#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/names/statuswords.h"
#include "connectors/sql/probe/schemaprobe.h"
#include "tests/connectors/catalogtext.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

namespace tst_schemaprobe {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSchemaProbe : public QObject
{
    Q_OBJECT

private slots:
    void namesBecomeWords_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("words");
        QTest::newRow("snake") << u"next_attempt_time"_s << u"next attempt time"_s;
        QTest::newRow("camel") << u"nextAttemptTime"_s << u"next attempt time"_s;
        QTest::newRow("shouting") << u"EVENT_TYPE"_s << u"event type"_s;
        QTest::newRow("acronym") << u"HTTPStatus2"_s << u"http status"_s;
        QTest::newRow("run together") << u"aggregatetype"_s << u"aggregate type"_s;
        QTest::newRow("unknown stays") << u"zweitausend"_s << u"zweitausend"_s;
    }

    void namesBecomeWords()
    {
        QFETCH(QString, name);
        QFETCH(QString, words);
        QCOMPARE(wordsOf(name).join(u' '), words);
    }

    void commentsNameValues_data()
    {
        QTest::addColumn<QString>("comment");
        QTest::addColumn<QString>("meanings");
        const QString three = u"0 pending, 1 sent, 2 failed"_s;
        QTest::newRow("colons") << u"0: pending, 1: sent, 2: failed"_s << three;
        QTest::newRow("equal signs") << u"status: 0=pending;1=sent;2=failed"_s << three;
        QTest::newRow("dashes") << u"0-pending 1-sent 2-failed"_s << three;
        QTest::newRow("arrows") << u"(0 -> pending / 1 -> sent / 2 -> failed)"_s << three;
        QTest::newRow("brackets") << u"one of pending(0), sent(1), failed (2)"_s
                                  << u"0 one of pending, 1 sent, 2 failed"_s;
        QTest::newRow("names first") << u"pending=0, sent=1, failed=2"_s << three;
        QTest::newRow("words between") << u"0: not sent, 1: sent"_s << u"0 not sent, 1 sent"_s;
        QTest::newRow("blanks") << u"0 pending 1 sent"_s << u"0 pending, 1 sent"_s;
        QTest::newRow("letters") << u"N: new, S: sent, E=error"_s << u"E error, N new, S sent"_s;
        QTest::newRow("no letters") << u"A row is new or sent"_s << QString();
        QTest::newRow("one is no list") << u"since version 2"_s << QString();
        QTest::newRow("prose") << u"Counts up, see RFC 822."_s << QString();
        QTest::newRow("none") << QString() << QString();
    }

    void commentsNameValues()
    {
        QFETCH(const QString, comment);
        QFETCH(const QString, meanings);
        const QMap<QString, QString> found = meaningsIn(comment);
        QStringList named;
        for (auto one = found.cbegin(); one != found.cend(); ++one)
            named += one.key() + u' ' + one.value();
        QCOMPARE(named.join(u", "_s), meanings);
    }

    void classicShapesMayBeRelayed_data()
    {
        QTest::addColumn<CatalogTable>("given");
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("payload");
        QTest::addColumn<QString>("processed");
        QTest::addColumn<QStringList>("order");
        QTest::addColumn<QString>("taskId");

        QTest::newRow("delete after send")
            << table(u"outbox"_s, u"id uuid key, type text, payload bytea"_s) << u"classic"_s
            << u"payload"_s << QString() << QStringList{u"id"_s} << u"{id}"_s;
        QTest::newRow("completed_at")
            << table(u"outbox"_s,
                     u"id bigint key, type text, payload jsonb, created_at timestamptz "
                     "default, completed_at timestamptz null"_s)
            << u"classic"_s << u"payload"_s << u"completed_at"_s << QStringList{u"id"_s}
            << u"{source}:{id}:{born}"_s;
        QTest::newRow("reference")
            << table(u"outbox"_s, u"id uuid key, table_id uuid, table_name text"_s)
            << u"classic by reference"_s << QString() << QString() << QStringList{u"id"_s}
            << u"{id}"_s;
        QTest::newRow("ProcessedDate")
            << table(u"OutboxMessages"_s,
                     u"Id uuid key, OccurredOn timestamp, Type text, Data text, "
                     "ProcessedDate timestamp null"_s)
            << u"processed-date"_s << u"Data"_s << u"ProcessedDate"_s
            << QStringList{u"OccurredOn"_s, u"Id"_s} << u"{id}"_s;
    }

    void classicShapesMayBeRelayed()
    {
        QFETCH(CatalogTable, given);
        const auto found = probeCatalog(catalogOf({given}));
        QCOMPARE(found.size(), 1);
        const OutboxShape &shape = found.constFirst().shape;
        QTEST(shape.family, "family");
        QTEST(shape.payloadColumn, "payload");
        QTEST(shape.processedColumn, "processed");
        QTEST(shape.order, "order");
        QTEST(shape.taskId, "taskId");
        QCOMPARE(shape.use, OutboxShape::Use::Relay);
        QVERIFY(found.constFirst().confidence >= 0.9);
        QVERIFY(found.constFirst().reasons.contains(u"processed"_s));
    }

    void statesAreReadOffTheColumns_data()
    {
        QTest::addColumn<QString>("columns");
        QTest::addColumn<QString>("member");
        QTest::addColumn<QString>("json"); // of that member of the shape
        QTest::newRow("status") << u"status text default"_s << u"processed"_s
                                << u"{'column':'status','how':'status'}"_s;
        QTest::newRow("status that may be empty")
            << u"status text null, sent_at timestamptz null"_s << u"processed"_s
            << u"{'column':'sent_at','how':'time'}"_s;
        QTest::newRow("flag") << u"dispatched boolean"_s << u"processed"_s
                              << u"{'column':'dispatched','how':'flag'}"_s;
        QTest::newRow("flag and its time")
            << u"dispatched boolean, dispatched_at timestamptz null"_s << u"processed"_s
            << u"{'column':'dispatched','how':'flag','time':'dispatched_at'}"_s;
        QTest::newRow("lock time") << u"locked_at timestamptz null"_s << u"locked"_s
                                   << u"{'how':'owner','time':'locked_at'}"_s;
        QTest::newRow("owner") << u"locked_by text null, locked_at timestamptz null"_s
                               << u"locked"_s
                               << u"{'how':'owner','owner':'locked_by','time':'locked_at'}"_s;
        QTest::newRow("owner that is never empty")
            << u"owner_id integer"_s << u"locked"_s
            << u"{'free':['0'],'how':'owner','owner':'owner_id'}"_s;
        QTest::newRow("due") << u"scheduled_at timestamptz"_s << u"due"_s << u"'scheduled_at'"_s;
        QTest::newRow("an end is not due")
            << u"deliver_by timestamptz null"_s << u"due"_s << QString();
        QTest::newRow("failed time") << u"abandoned_at timestamptz null"_s << u"failed"_s
                                     << u"{'column':'abandoned_at','how':'time'}"_s;
        QTest::newRow("failed flag")
            << u"blocked boolean"_s << u"failed"_s << u"{'column':'blocked','how':'flag'}"_s;
        QTest::newRow("failed by tries") << u"attempts integer, max_attempts integer"_s
                                         << u"failed"_s << u"{'how':'attempts'}"_s;
        QTest::newRow("two keys") << u"part bigint key"_s << u"key"_s
                                  << u"[{'column':'id','form':'text'},"
                                     "{'column':'part','form':'integer'}]"_s;
    }

    void statesAreReadOffTheColumns()
    {
        QFETCH(QString, columns);
        QFETCH(QString, member);
        QFETCH(QString, json);
        const auto found = probeCatalog(catalogOf({table(
            u"outbox"_s,
            u"id uuid key, type text, payload jsonb, created_at timestamptz, "_s + columns)}));
        QCOMPARE(found.size(), 1);
        const ProbeFinding &one = found.constFirst();
        const QByteArray text = QByteArray("[" + json.toUtf8() + "]").replace('\'', '"');
        const QJsonArray wanted = QJsonDocument::fromJson(text).array();
        QCOMPARE(one.shape.toJson().value(member), wanted.at(0));
        QCOMPARE(one.shape.use, OutboxShape::Use::Watch);
        QVERIFY(member == u"due" || !one.reasons.value(member).isEmpty());
    }

    void whatIsNotKnownIsAsked()
    {
        const QString base = u"id uuid key, type text, payload jsonb"_s;
        const auto segmented = probeCatalog(
            catalogOf({table(u"outbox"_s, base + u", created_at timestamptz, segment text"_s)}));
        QCOMPARE(segmented.size(), 1);
        QVERIFY(segmented.constFirst().questions.join(u' ').contains(u"segment"_s));
        const auto log = probeCatalog(
            catalogOf({table(u"outbox"_s, base + u", aggregatetype text, aggregateid text"_s)}));
        QCOMPARE(log.size(), 1);
        QCOMPARE(log.constFirst().shape.processedHow, OutboxShape::ProcessedHow::Log);
        QVERIFY(!log.constFirst().questions.isEmpty());
        const auto keyless
            = probeCatalog(catalogOf({table(u"outbox"_s, u"type text, payload jsonb"_s)}));
        QCOMPARE(keyless.size(), 1);
        QVERIFY(keyless.constFirst().questions.join(u' ').contains(u"no key"_s));
    }

    void namesOfAFamilyAreFoundInAnySpelling()
    {
        const QString columns
            = u"Id bigint key, Version text, Name text, Content text null, Retries integer, "
              "Added timestamp, ExpiresAt timestamp null, StatusName text"_s;
        const auto spelled = [&](const QString &given) {
            return probeCatalog(catalogOf({table(u"published"_s, given)}));
        };
        const auto found = spelled(columns);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.constFirst().shape.family, u"cap"_s);
        QCOMPARE(found.constFirst().shape.dueColumn, u"ExpiresAt"_s);
        const auto folded = spelled(QString(columns)
                                        .replace(u"Id "_s, u"id "_s)
                                        .replace(u"StatusName"_s, u"statusname"_s)
                                        .replace(u"ExpiresAt"_s, u"EXPIRESAT"_s));
        QCOMPARE(folded.size(), 1);
        QCOMPARE(folded.constFirst().shape.processedColumn, u"statusname"_s);
        QCOMPARE(folded.constFirst().shape.dueColumn, u"EXPIRESAT"_s);
        QVERIFY(folded.constFirst().confidence > 0.9);
    }

    void valuesAreReadByTheirWords_data()
    {
        QTest::addColumn<QString>("value");
        QTest::addColumn<MessageState>("state");
        QTest::newRow("sent") << u"SENT"_s << MessageState::Processed;
        QTest::newRow("not sent") << u"NotSent"_s << MessageState::Pending;
        QTest::newRow("to be sent") << u"TO_BE_SENT"_s << MessageState::Pending;
        QTest::newRow("in progress") << u"IN_PROGRESS"_s << MessageState::Locked;
        QTest::newRow("failed") << u"PublishedFailed"_s << MessageState::Failed;
        QTest::newRow("dead letter") << u"dead-letter"_s << MessageState::Failed;
        QTest::newRow("a number") << u"2"_s << MessageState::Unknown;
        QTest::newRow("nobody's word") << u"purple"_s << MessageState::Unknown;
    }

    void valuesAreReadByTheirWords()
    {
        QFETCH(QString, value);
        QTEST(stateOfValue(value), "state");
    }

    /// What rows say of a value takes the place of what its word said: it is counted once.
    void aValueHasOneState()
    {
        ProbeFinding finding;
        finding.shape.processedHow = OutboxShape::ProcessedHow::Status;
        finding.shape.processedColumn = u"status"_s;
        CatalogColumn status;
        status.name = u"status"_s;
        status.defaultText = u"new"_s;
        const QStringList values{u"new"_s, u"dispatched"_s, u"delivered"_s, u"locked"_s};
        mapStatus(values, status, finding);
        QCOMPARE(finding.shape.processedValues, QStringList({u"dispatched"_s, u"delivered"_s}));
        QCOMPARE(finding.shape.lockedValues, QStringList{u"locked"_s});
        status.meanings = {{u"dispatched"_s, u"processing"_s}, {u"locked"_s, u"failed"_s}};
        mapStatus(values, status, finding);
        QCOMPARE(finding.shape.processedValues, QStringList{u"delivered"_s});
        QCOMPARE(finding.shape.lockedValues, QStringList{u"dispatched"_s});
        QCOMPARE(finding.shape.failedValues, QStringList{u"locked"_s});
        QCOMPARE(finding.shape.pendingValues, QStringList{u"new"_s});
    }

    void leasesAreMappedAndWatched_data()
    {
        QTest::addColumn<QString>("columns");
        QTest::addColumn<QString>("owner");
        QTest::newRow("end alone") << u"locked_until timestamptz null"_s << QString();
        QTest::newRow("default") << u"locked_until timestamptz default"_s << QString();
        QTest::newRow("owner first")
            << u"locked_by text null, locked_until timestamptz null"_s << u"locked_by"_s;
        QTest::newRow("numbers") << u"locked_until bigint null, lease_owner uuid null"_s
                                 << u"lease_owner"_s;
    }

    void leasesAreMappedAndWatched()
    {
        QFETCH(QString, columns);
        const auto found = probeCatalog(catalogOf({table(
            u"outbox"_s,
            u"id uuid key, type text, payload jsonb, created_at timestamptz, "_s + columns)}));
        QCOMPARE(found.size(), 1);
        const ProbeFinding &one = found.constFirst();
        QCOMPARE(one.shape.lockedHow, OutboxShape::LockedHow::Until);
        QCOMPARE(one.shape.leaseColumn, u"locked_until"_s);
        QTEST(one.shape.ownerColumn, "owner");
        QCOMPARE(one.shape.use, OutboxShape::Use::Watch);
        QVERIFY(one.reasons.value(u"locked"_s).join(u' ').contains(u"locked_until"_s));
        QVERIFY2(one.questions.isEmpty(), qPrintable(one.questions.join(u' ')));
    }

    void positionsOfConsumersAreSeen()
    {
        const auto found = probeCatalog(catalogOf(
            {table(u"outbox_messages"_s,
                   u"message_id bigint key, kind text, content jsonb, occurred_on timestamptz"_s),
             table(u"outbox_message_consumptions"_s,
                   u"consumer_name text key, last_consumed_message_id bigint"_s)}));
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.constFirst().shape.use, OutboxShape::Use::Watch);
        QCOMPARE(found.constFirst().shape.processedHow, OutboxShape::ProcessedHow::Offset);
        QCOMPARE(found.constFirst().shape.positions.columns,
                 QStringList{u"last_consumed_message_id"_s});
        QVERIFY(
            found.constFirst().reasons.value(u"processed"_s).join(u' ').contains(u"positions"_s));
    }

    void ordinaryTablesAreLeftAlone()
    {
        const Catalog shop = catalogOf(
            {table(u"users"_s, u"id bigint key, name text, email text, created_at timestamptz"_s),
             table(u"orders"_s,
                   u"id bigint key, status text, total bigint, created_at timestamptz"_s),
             table(
                 u"posts"_s,
                 u"id bigint key, title text, body text, published_at timestamptz null, created_at timestamptz"_s),
             table(u"comments"_s,
                   u"id bigint key, post_id bigint, body text, created_at timestamptz"_s),
             table(
                 u"messages"_s,
                 u"id bigint key, room_id bigint, author_id bigint, body text, created_at timestamptz"_s),
             table(u"inbox"_s,
                   u"id uuid key, type text, payload jsonb, processed_at timestamptz null"_s),
             table(u"audit_history"_s,
                   u"id bigint key, action text, data jsonb, created_at timestamptz"_s)});
        const auto found = probeCatalog(shop);
        QStringList names;
        for (const ProbeFinding &one : found)
            names += one.shape.table.table;
        QCOMPARE(names, QStringList());
    }

    void theTableThatWasNamedIsJudgedWhateverItsPoints()
    {
        const Catalog catalog
            = catalogOf({table(u"mails"_s, u"id uuid key, type text, body text"_s)});
        QVERIFY(probeCatalog(catalog).isEmpty());
        const auto found = probeCatalog(catalog, TableName{{}, u"mails"_s});
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.constFirst().shape.payloadColumn, u"body"_s);
        QCOMPARE(found.constFirst().shape.use, OutboxShape::Use::Watch);
    }
};

} // namespace tst_schemaprobe

OUTBOX_TEST(tst_schemaprobe::TestSchemaProbe)
#include "tst_schemaprobe.moc"
