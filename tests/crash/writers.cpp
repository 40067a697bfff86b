// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/writers.h"

#include <QDebug>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

Writers::Writers(const TestOutbox &fixture, BenchShape shape, int count)
    : m_url(DatabaseUrl::fromUrl(fixture.url()).value()), m_shape(shape)
{
    for (int i = 0; i < count; ++i)
        m_writers += Writer{u"writer_"_s + QUuid::createUuid().toString(QUuid::Id128), {}};
}

Writers::~Writers()
{
    for (const Writer &writer : std::as_const(m_writers))
        QSqlDatabase::removeDatabase(writer.connection);
}

bool Writers::open()
{
    for (const Writer &writer : std::as_const(m_writers)) {
        QSqlDatabase db = QSqlDatabase::addDatabase(u"QPSQL"_s, writer.connection);
        db.setHostName(m_url.host);
        db.setUserName(m_url.user);
        db.setDatabaseName(m_url.database);
        if (!db.open())
            return false;
    }
    return true;
}

QString Writers::statement(int rows)
{
    switch (m_shape) {
    case BenchShape::Payload:
        return u"insert into outbox (id, type, payload) select gen_random_uuid(), 'email:deliver', "
               u"decode('00ff00', 'hex') from generate_series(1, %1) returning id"_s.arg(rows);
    case BenchShape::CompletedAt:
    case BenchShape::Due:
    case BenchShape::Leased:
        return u"insert into outbox (type, payload) select 'email:deliver', decode('00ff00', "
               u"'hex') "
               u"from generate_series(1, %1) returning id"_s.arg(rows);
    case BenchShape::Reference: {
        const qint64 first = m_nextReference;
        m_nextReference += rows;
        return u"with mails as (insert into mail_deliveries (id, recipient) select n, "
               u"'reader@example.org' from generate_series(%1, %2) as n returning id) insert into "
               u"outbox (id, table_id, table_name) select gen_random_uuid(), id, 'mail_deliveries' "
               u"from mails returning id"_s.arg(first)
                   .arg(first + rows - 1);
    }
    case BenchShape::ProcessedDate:
        break;
    }
    return u"insert into app.\"OutboxMessages\" (\"Id\", \"OccurredOn\", \"Type\", \"Data\") "
           u"select "
           u"gen_random_uuid(), clock_timestamp(), 'Mail', '{}' from generate_series(1, %1) "
           u"returning \"Id\""_s.arg(rows);
}

bool Writers::insert(int writer, int rows)
{
    Writer &self = m_writers[writer];
    QSqlDatabase db = QSqlDatabase::database(self.connection);
    if (self.open.isEmpty() && !db.transaction())
        return false;
    QSqlQuery query(db);
    if (!query.exec(statement(rows))) {
        qWarning() << query.lastError();
        return false;
    }
    while (query.next())
        self.open += query.value(0).toString();
    return true;
}

bool Writers::commit(int writer)
{
    Writer &self = m_writers[writer];
    if (self.open.isEmpty())
        return true;
    m_committed += std::exchange(self.open, {});
    return QSqlDatabase::database(self.connection).commit();
}

bool Writers::rollback(int writer)
{
    Writer &self = m_writers[writer];
    if (self.open.isEmpty())
        return true;
    m_rolledBack += std::exchange(self.open, {}).size();
    return QSqlDatabase::database(self.connection).rollback();
}

bool Writers::reopen()
{
    bool isOpen = true;
    for (Writer &writer : m_writers) {
        m_rolledBack += std::exchange(writer.open, {}).size();
        QSqlDatabase db = QSqlDatabase::database(writer.connection, false);
        db.close();
        isOpen = db.open() && isOpen;
    }
    return isOpen;
}

} // namespace outbox::crash
