// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demowriter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

bool isSqlite(const StoreSettings &settings)
{
    return settings.url.dialect == DatabaseUrl::Dialect::Sqlite;
}

QStringList tablesOnPostgres()
{
    return {
        u"CREATE TABLE IF NOT EXISTS mail_deliveries (id uuid PRIMARY KEY, recipient text NOT NULL,"
        " subject text NOT NULL, created_at timestamptz NOT NULL DEFAULT clock_timestamp())"_s,
        u"CREATE TABLE IF NOT EXISTS orders (id uuid PRIMARY KEY, customer text NOT NULL,"
        " cents bigint NOT NULL, created_at timestamptz NOT NULL DEFAULT clock_timestamp())"_s,
        u"CREATE TABLE IF NOT EXISTS outbox (id uuid PRIMARY KEY, type text NOT NULL,"
        " payload bytea NOT NULL, created_at timestamptz NOT NULL DEFAULT clock_timestamp())"_s};
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
            + created,
        u"CREATE TABLE IF NOT EXISTS outbox (id text PRIMARY KEY, type text NOT NULL,"
        " payload blob NOT NULL, "_s
            + created};
}

/// All rows travel as one JSON text: one statement a table, whatever their number.
QStringList insertsOnPostgres()
{
    return {u"INSERT INTO mail_deliveries (id, recipient, subject) SELECT id, recipient, subject"
            " FROM jsonb_to_recordset($1::jsonb) AS m(id uuid, recipient text, subject text)"
            " WHERE subject <> ''"_s,
            u"INSERT INTO orders (id, customer, cents) SELECT id, recipient, cents"
            " FROM jsonb_to_recordset($1::jsonb) AS m(id uuid, recipient text, subject text,"
            " cents bigint) WHERE subject = ''"_s,
            u"INSERT INTO outbox (id, type, payload) SELECT id, type, convert_to(payload, 'UTF8')"
            " FROM jsonb_to_recordset($1::jsonb) AS m(id uuid, type text, payload text)"_s};
}

QStringList insertsOnSqlite()
{
    return {u"INSERT INTO mail_deliveries (id, recipient, subject) SELECT value->>'id',"
            " value->>'recipient', value->>'subject' FROM json_each(?)"
            " WHERE value->>'subject' <> ''"_s,
            u"INSERT INTO orders (id, customer, cents) SELECT value->>'id', value->>'recipient',"
            " value->>'cents' FROM json_each(?) WHERE value->>'subject' = ''"_s,
            u"INSERT INTO outbox (id, type, payload) SELECT value->>'id', value->>'type',"
            " CAST(value->>'payload' AS blob) FROM json_each(?)"_s};
}

} // namespace

OutboxShape DemoWriter::shape(DatabaseUrl::Dialect dialect)
{
    const bool sqlite = dialect == DatabaseUrl::Dialect::Sqlite;
    OutboxShape shape;
    shape.name = u"demo outbox"_s;
    shape.use = OutboxShape::Use::Relay;
    shape.table = {sqlite ? u"main"_s : u"public"_s, u"outbox"_s};
    shape.keyColumn = u"id"_s;
    shape.keyForm = sqlite ? OutboxShape::KeyForm::UuidText : OutboxShape::KeyForm::Uuid;
    shape.typeColumn = u"type"_s;
    shape.payloadForm = OutboxShape::PayloadForm::Bytes;
    shape.payloadColumn = u"payload"_s;
    shape.createdColumn = u"created_at"_s;
    shape.processedHow = OutboxShape::ProcessedHow::Deleted;
    shape.lockedHow = sqlite ? OutboxShape::LockedHow::None : OutboxShape::LockedHow::Row;
    shape.order = {u"id"_s};
    shape.confirmed = u"made by the demo"_s;
    return shape;
}

QString DemoWriter::notifyChannel()
{
    return u"outbox"_s;
}

Result<void> DemoWriter::open(const StoreSettings &settings)
{
    m_settings = settings;
    if (auto connected = connectAgain(); !connected)
        return connected;
    for (const QString &table : isSqlite(settings) ? tablesOnSqlite() : tablesOnPostgres()) {
        if (auto made = m_session->query({table, {}}, u"making the demo's tables"_s); !made)
            return passOn(made);
    }
    return {};
}

Result<int> DemoWriter::write(int count)
{
    const QString doing = u"writing %1 demo messages"_s.arg(count);
    if (!m_session->isUp()) {
        if (auto connected = connectAgain(); !connected)
            return passOn(connected);
    }
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
    if (auto begun = m_session->begin(doing); !begun)
        return passOn(begun);
    const QString text = QString::fromUtf8(QJsonDocument(rows).toJson(QJsonDocument::Compact));
    if (auto inserted = insert(text); !inserted) {
        if (auto undone = m_session->rollback(doing); !undone)
            m_session->close();
        return passOn(inserted);
    }
    if (auto committed = m_session->commit(doing); !committed)
        return passOn(committed);
    return count;
}

Result<void> DemoWriter::insert(const QString &messages)
{
    const QString doing = u"writing demo messages"_s;
    for (const QString &text : isSqlite(m_settings) ? insertsOnSqlite() : insertsOnPostgres()) {
        if (auto inserted = m_session->query({text, {messages}}, doing); !inserted)
            return passOn(inserted);
    }
    if (isSqlite(m_settings))
        return {};
    auto told = m_session->query({u"SELECT pg_notify($1, '')::text"_s, {notifyChannel()}}, doing);
    if (!told)
        return passOn(told);
    return {};
}

Result<void> DemoWriter::connectAgain()
{
    m_session = makeSession(m_settings, m_breaker);
    return m_session->open(m_settings);
}

} // namespace outbox
