// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which tables are taken for an outbox, as what, and which are left alone.
#include "connectors/sql/schemaprobe.h"
#include "connectors/sql/schemawords.h"

#include <QTest>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

TypeClass classOf(const QString &type)
{
    static const QHash<QString, TypeClass> classes{
        {u"uuid"_s, TypeClass::Uuid},       {u"bigint"_s, TypeClass::Integer},
        {u"integer"_s, TypeClass::Integer}, {u"bytea"_s, TypeClass::Bytes},
        {u"jsonb"_s, TypeClass::Json},      {u"timestamptz"_s, TypeClass::Time},
        {u"timestamp"_s, TypeClass::Time},  {u"boolean"_s, TypeClass::Flag}};
    return classes.value(type, TypeClass::Text);
}

/// "id uuid key, type text, sent_at timestamptz null": columns are NOT NULL unless said.
CatalogTable table(const QString &name, const QString &columns)
{
    CatalogTable table;
    table.name = {u"public"_s, name};
    for (const QString &text : columns.split(u", "_s)) {
        const QStringList words = text.split(u' ');
        CatalogColumn column;
        column.name = words.at(0);
        column.type = words.at(1);
        column.typeClass = classOf(column.type);
        column.nullable = words.contains(u"null"_s);
        column.hasDefault = words.contains(u"default"_s);
        if (words.contains(u"key"_s))
            table.primaryKey += column.name;
        table.columns += column;
    }
    return table;
}

Catalog catalogOf(const QList<CatalogTable> &tables)
{
    return {u"public"_s, tables};
}

} // namespace

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
            << u"outbox:{id}"_s;
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

    void whatCannotBeMappedIsAskedAndWatched_data()
    {
        QTest::addColumn<CatalogTable>("given");
        const QString base = u"id uuid key, type text, payload jsonb, created_at timestamptz"_s;
        QTest::newRow("status") << table(u"outbox"_s, base + u", status text default"_s);
        QTest::newRow("flag") << table(u"outbox"_s, base + u", dispatched boolean"_s);
        QTest::newRow("lock time") << table(u"outbox"_s, base + u", locked_at timestamptz null"_s);
        QTest::newRow("owner") << table(u"outbox"_s, base + u", locked_by text null"_s);
        QTest::newRow("due") << table(u"outbox"_s, base + u", scheduled_at timestamptz"_s);
        QTest::newRow("failed") << table(u"outbox"_s, base + u", abandoned_at timestamptz null"_s);
        QTest::newRow("two keys") << table(u"outbox"_s, base + u", part bigint key"_s);
        QTest::newRow("unknown column") << table(u"outbox"_s, base + u", segment text"_s);
        QTest::newRow("log") << table(u"outbox"_s,
                                      u"id uuid key, aggregatetype text, aggregateid "
                                      "text, type text, payload jsonb"_s);
    }

    void whatCannotBeMappedIsAskedAndWatched()
    {
        QFETCH(CatalogTable, given);
        const auto found = probeCatalog(catalogOf({given}));
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.constFirst().shape.use, OutboxShape::Use::Watch);
        QVERIFY(!found.constFirst().questions.isEmpty());
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
        QVERIFY(found.constFirst().questions.join(u' ').contains(u"positions"_s));
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

QTEST_APPLESS_MAIN(TestSchemaProbe)
#include "tst_schemaprobe.moc"
