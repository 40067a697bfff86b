// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables of each shape in the words of each database.
#include "tests/support/testoutbox.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

bool TestOutbox::createTables()
{
    const bool postgres = m_kind == Kind::Postgres;
    const bool mariadb = m_kind == Kind::MariaDb;
    const QString uuid = postgres || mariadb ? u"uuid"_s : u"text"_s;
    const QString bytes = postgres ? u"bytea"_s : mariadb ? u"longblob"_s : u"blob"_s;
    const QString time = postgres ? u"timestamptz"_s : mariadb ? u"datetime(6)"_s : u"timestamp"_s;
    const QString number = postgres ? u"bigint generated always as identity"_s
        : mariadb                   ? u"bigint auto_increment"_s
                                    : u"integer"_s;
    const QString now = mariadb ? u"utc_timestamp(6)"_s : u"current_timestamp"_s;
    switch (m_shape) {
    case BenchShape::Payload:
        return exec(
            u"create table outbox (id %1 not null primary key, type text, payload %2)"_s.arg(
                mariadb ? u"binary(16)"_s : uuid, bytes));
    case BenchShape::CompletedAt:
        return exec(
            u"create table outbox (id %1 primary key, type text not null, payload %2 not null, "
            u"created_at %3 not null default %4, completed_at %3)"_s.arg(number, bytes, time, now));
    case BenchShape::Due:
        return exec(
            u"create table outbox (id %1 primary key, type text not null, payload %2 not "
            u"null, available_at %3 not null default '%4', processed_at %3, created_at %3 "
            u"not null default %5)"_s.arg(number, bytes, time, u"2026-01-01 00:00:00"_s, now));
    case BenchShape::Leased:
        return exec(
            u"create table outbox (id %1 primary key, type text not null, payload %2 not "
            u"null, locked_by text, locked_until %3, processed_at %3, created_at %3 not null "
            u"default %4)"_s.arg(number, bytes, time, now));
    case BenchShape::Reference:
        return exec(u"create table mail_deliveries (id %1 primary key, recipient text not null, "
                    u"subject text)"_s.arg(postgres ? u"bigint"_s : u"integer"_s))
            && exec(u"create table outbox (id %1 not null primary key, table_id bigint, "
                    u"table_name text)"_s.arg(uuid));
    case BenchShape::ProcessedDate:
        break;
    }
    if (postgres && !exec(u"create schema app"_s))
        return false;
    return exec(u"create table %1\"OutboxMessages\" (\"Id\" %2 not null primary key, "
                u"\"OccurredOn\" %3 not null, \"Type\" varchar(255) not null, "
                u"\"Data\" text not null, \"ProcessedDate\" %3)"_s.arg(
                    postgres ? u"app."_s : QString(), mariadb ? u"char(36)"_s : uuid, time));
}

} // namespace outbox
