// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The application of the demo: writes business rows and outbox rows, both in one transaction.
#include "app/demo/demoshop.h"

#include "app/demo/demodesign.h"
#include "app/demo/demomessages.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "connectors/sql/session/databasesession.h"
#include "models/result.h"
#include "models/shape/outboxshape.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The names of the outbox, which each design has in its own way.
struct OutboxNames
{
    QString table;
    QString payload;
    QString created;
    QString processed; ///< empty: rows are deleted
};

OutboxNames namesOf(DemoDesign design)
{
    if (design == DemoDesign::ProcessedDate)
        return {u"outbox_messages"_s, u"data"_s, u"occurred_on"_s, u"processed_date"_s};
    return {u"outbox"_s, u"payload"_s, u"created_at"_s, {}};
}

QString outboxTable(DemoDesign design, bool sqlite)
{
    const OutboxNames names = namesOf(design);
    const QString processed = names.processed.isEmpty()
        ? QString()
        : QString(u", "_s + names.processed + (sqlite ? u" datetime"_s : u" timestamptz"_s));
    const QString created = sqlite
        ? u"datetime NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))"_s
        : u"timestamptz NOT NULL DEFAULT clock_timestamp()"_s;
    return u"CREATE TABLE IF NOT EXISTS %1 (id %2 PRIMARY KEY, type text NOT NULL,"
           " %3 %4 NOT NULL, %5 %6%7)"_s.arg(names.table, sqlite ? u"text"_s : u"uuid"_s,
                                             names.payload,
                                             design == DemoDesign::ProcessedDate ? u"text"_s
                                                 : sqlite                        ? u"blob"_s
                                                                                 : u"bytea"_s,
                                             names.created, created, processed);
}

QStringList tablesOnPostgres()
{
    return {
        u"CREATE TABLE IF NOT EXISTS mail_deliveries (id uuid PRIMARY KEY, recipient text NOT NULL,"
        " subject text NOT NULL, created_at timestamptz NOT NULL DEFAULT clock_timestamp())"_s,
        u"CREATE TABLE IF NOT EXISTS orders (id uuid PRIMARY KEY, customer text NOT NULL,"
        " cents bigint NOT NULL, created_at timestamptz NOT NULL DEFAULT clock_timestamp())"_s};
}

QStringList tablesOnSqlite()
{
    const QString created
        = u"created_at datetime NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')))"_s;
    return {
        u"PRAGMA journal_mode=WAL"_s, // readers and the one writer do not wait for each other
        u"CREATE TABLE IF NOT EXISTS mail_deliveries (id text PRIMARY KEY, recipient text NOT NULL,"
        " subject text NOT NULL, "_s
            + created,
        u"CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, customer text NOT NULL,"
        " cents integer NOT NULL, "_s
            + created};
}

/// All rows travel as one JSON text: one statement a table, whatever their number.
QStringList insertsOnPostgres(DemoDesign design)
{
    const OutboxNames names = namesOf(design);
    const QString payload
        = design == DemoDesign::ProcessedDate ? u"payload"_s : u"convert_to(payload, 'UTF8')"_s;
    return {u"INSERT INTO mail_deliveries (id, recipient, subject) SELECT id, recipient, subject"
            " FROM jsonb_to_recordset($1::jsonb) AS m(id uuid, recipient text, subject text)"
            " WHERE subject <> ''"_s,
            u"INSERT INTO orders (id, customer, cents) SELECT id, recipient, cents"
            " FROM jsonb_to_recordset($1::jsonb) AS m(id uuid, recipient text, subject text,"
            " cents bigint) WHERE subject = ''"_s,
            u"INSERT INTO %1 (id, type, %2) SELECT id, type, %3"
            " FROM jsonb_to_recordset($1::jsonb) AS m(id uuid, type text, payload text)"_s.arg(
                names.table, names.payload, payload)};
}

QStringList insertsOnSqlite(DemoDesign design)
{
    const OutboxNames names = namesOf(design);
    return {u"INSERT INTO mail_deliveries (id, recipient, subject) SELECT value->>'id',"
            " value->>'recipient', value->>'subject' FROM json_each(?)"
            " WHERE value->>'subject' <> ''"_s,
            u"INSERT INTO orders (id, customer, cents) SELECT value->>'id', value->>'recipient',"
            " value->>'cents' FROM json_each(?) WHERE value->>'subject' = ''"_s,
            u"INSERT INTO %1 (id, type, %2) SELECT value->>'id', value->>'type',"
            " CAST(value->>'payload' AS %3) FROM json_each(?)"_s.arg(
                names.table, names.payload,
                design == DemoDesign::ProcessedDate ? u"text"_s : u"blob"_s)};
}

class DemoWriter : public DemoShop
{
public:
    [[nodiscard]] Result<void> open(const StoreSettings &settings, DemoDesign design);
    /// Writes `count` messages in one transaction; answers how many. Connects again when needed.
    [[nodiscard]] Result<int> write(int count) override;

private:
    [[nodiscard]] Result<void> insert(const QString &messages);
    [[nodiscard]] Result<void> writePoison();

    DemoDesign m_design = DemoDesign::RedisRelay;
    DatabaseSession m_session;
    DemoMessages m_messages;
};

Result<void> DemoWriter::open(const StoreSettings &settings, DemoDesign design)
{
    m_design = design;
    TRY(m_session.open(settings));
    const bool isFile = m_session.database().isFile();
    QStringList tables = isFile ? tablesOnSqlite() : tablesOnPostgres();
    tables += outboxTable(design, isFile);
    for (const QString &table : std::as_const(tables)) {
        TRY(m_session->query({table, {}}, u"making the demo's tables"_s));
    }
    return design == DemoDesign::ProcessedDate ? writePoison() : Result<void>();
}

/// The first row of all has no type, so no queue takes it: a job that stops at its first failure
/// would never get past it.
Result<void> DemoWriter::writePoison()
{
    const OutboxNames names = namesOf(m_design);
    const QString doing = u"writing a row that cannot be published"_s;
    const QString text = u"INSERT INTO %1 (id, type, %2) VALUES"
                         " ('00000000-0000-7000-8000-000000000001', '', '{\"order\":9999}')"
                         " ON CONFLICT DO NOTHING"_s.arg(names.table, names.payload);
    TRY(m_session->query({text, {}}, doing));
    return {};
}

Result<int> DemoWriter::write(int count)
{
    const QString doing = u"writing %1 demo messages"_s.arg(count);
    TRY(m_session.ensureOpen());
    QJsonArray rows;
    for (int i = 0; i < count; ++i) {
        const DemoMessage message = m_messages.next();
        rows += QJsonObject{{u"id"_s, message.id},
                            {u"type"_s, message.type},
                            {u"payload"_s, QString::fromUtf8(message.payload)},
                            {u"recipient"_s, message.recipient},
                            {u"subject"_s, message.subject},
                            {u"cents"_s, message.cents}};
    }
    TRY(m_session->begin(doing));
    const QString text = QString::fromUtf8(QJsonDocument(rows).toJson(QJsonDocument::Compact));
    if (auto inserted = insert(text); !inserted) {
        if (auto undone = m_session->rollback(doing); !undone)
            m_session->close();
        return passOn(inserted);
    }
    TRY(m_session->commit(doing));
    return count;
}

Result<void> DemoWriter::insert(const QString &messages)
{
    const QString doing = u"writing demo messages"_s;
    const QStringList inserts
        = m_session.database().isFile() ? insertsOnSqlite(m_design) : insertsOnPostgres(m_design);
    for (const QString &text : inserts) {
        TRY(m_session->query({text, {messages}}, doing));
    }
    if (m_session.database().isFile())
        return {};
    TRY(m_session->query({u"SELECT pg_notify($1, '')::text"_s, {rowShopChannel()}}, doing));
    return {};
}

} // namespace

OutboxShape rowShopShape(DatabaseUrl::Dialect dialect, DemoDesign design)
{
    const OutboxNames names = namesOf(design);
    const bool sqlite = databaseOf(dialect).isFile();
    OutboxShape shape;
    shape.name = u"demo outbox"_s;
    shape.use = OutboxShape::Use::Relay;
    shape.table = {sqlite ? u"main"_s : u"public"_s, names.table};
    shape.keyColumn = u"id"_s;
    shape.keyForm = sqlite ? OutboxShape::KeyForm::UuidText : OutboxShape::KeyForm::Uuid;
    shape.typeColumn = u"type"_s;
    shape.payloadForm = design == DemoDesign::ProcessedDate ? OutboxShape::PayloadForm::Text
                                                            : OutboxShape::PayloadForm::Bytes;
    shape.payloadColumn = names.payload;
    shape.createdColumn = names.created;
    shape.processedHow = names.processed.isEmpty() ? OutboxShape::ProcessedHow::Deleted
                                                   : OutboxShape::ProcessedHow::Time;
    shape.processedColumn = names.processed;
    shape.lockedHow = sqlite ? OutboxShape::LockedHow::None : OutboxShape::LockedHow::Row;
    shape.order = {u"id"_s};
    shape.orderIs = OutboxShape::OrderIs::Time; // as UuidSource makes them
    shape.setTimeZone(u"UTC"_s);
    shape.confirmed = u"made by the demo"_s;
    return shape;
}

QString rowShopChannel()
{
    return u"outbox"_s;
}

Result<std::unique_ptr<DemoShop>> openRowShop(const StoreSettings &settings, DemoDesign design)
{
    auto shop = std::make_unique<DemoWriter>();
    TRY(shop->open(settings, design));
    return shop;
}

} // namespace outbox
