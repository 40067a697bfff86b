// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/documents/tokentable.h"

#include "connectors/sql/driver/sqlnames.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Failure notOpen(const QString &doing)
{
    return fail(Error::Kind::Unreachable, doing, u"the database is not connected"_s);
}

} // namespace

Result<void> TokenTable::open(const StoreSettings &settings, const DoneTable &table)
{
    return m_table.open(settings, table);
}

Result<QSet<QString>> TokenTable::have(const QStringList &tokens)
{
    return m_table.have(tokens, u"asking for %1 tokens"_s.arg(tokens.size()));
}

/// All of them in one statement, so that a crash leaves none or all, each with its attempt.
Result<void> TokenTable::create(const QList<Token> &tokens)
{
    const QString doing = u"creating %1 tokens"_s.arg(tokens.size());
    if (tokens.isEmpty())
        return {};
    if (!m_table.isOpen())
        return notOpen(doing);
    const DoneTable &names = m_table.names();
    QStringList columns{quotedName(names.idColumn)};
    for (const QString &name : {names.attemptColumn, names.incomingColumn, names.timeColumn}) {
        if (!name.isEmpty())
            columns += quotedName(name);
    }
    QList<SqlFragment> rows;
    for (const Token &token : tokens) {
        if (!m_table.isId(token.id))
            return fail(Error::Kind::Invalid, doing, u"a token can be no id of the table"_s);
        QList<SqlFragment> values{m_table.bound(token.id, names.idColumn)};
        if (!names.attemptColumn.isEmpty())
            values += m_table.bound(token.attempt, names.attemptColumn);
        if (!names.incomingColumn.isEmpty())
            values += m_table.bound(token.incoming, names.incomingColumn);
        if (!names.timeColumn.isEmpty())
            values += m_table.now();
        rows += u'(' + SqlFragment::joined(values, u", "_s) + u')';
    }
    TRY(m_table.write(u"INSERT INTO "_s + m_table.tableName() + u" ("_s + columns.join(u", "_s)
                          + u") VALUES "_s + SqlFragment::joined(rows, u", "_s),
                      doing));
    return {};
}

Result<bool> TokenTable::consume(const QString &token)
{
    if (!m_table.isId(token))
        return false;
    const auto done = TRY(
        m_table.write(m_table.flavor().removal(m_table.table(), m_table.names().idColumn, token),
                      u"consuming the token "_s + token));
    return done.affected > 0;
}

Result<QList<Token>> TokenTable::page(QString &cursor, int limit)
{
    const QString doing = u"listing the tokens"_s;
    if (!m_table.isOpen())
        return notOpen(doing);
    const DoneTable &names = m_table.names();
    if (!cursor.isEmpty() && !m_table.isId(cursor))
        return fail(Error::Kind::Invalid, doing, u"the cursor is no token of this table"_s);
    const CatalogTable &table = m_table.table();
    const SqlFlavor &flavor = m_table.flavor();
    const QString id = aliased(names.idColumn);
    const SqlFragment behind = cursor.isEmpty()
        ? SqlFragment()
        : u" WHERE "_s + id + u" > "_s + m_table.bound(cursor, names.idColumn);
    const auto rows = TRY(m_table.query(
        SqlFragment::filled(u"SELECT %1, %2, %3, %4 FROM %5 AS t%6%7"_s,
                            {flavor.textOf(table, names.idColumn),
                             flavor.textOf(table, names.attemptColumn),
                             flavor.textOf(table, names.incomingColumn),
                             flavor.answer(flavor.microseconds(table, names.timeColumn, u"UTC"_s)),
                             m_table.tableName(), behind, flavor.atMost(limit + 1, id)}),
        doing));
    QList<Token> tokens;
    const qsizetype most = std::min<qsizetype>(rows.size(), limit);
    for (qsizetype row = 0; row < most; ++row) {
        Token token{rows.text(row, 0), rows.text(row, 1), rows.text(row, 2), {}};
        if (const auto us = rows.integer(row, 3))
            token.made = QDateTime::fromMSecsSinceEpoch(*us / 1000, Qt::UTC);
        tokens += token;
    }
    cursor = rows.size() > most ? tokens.constLast().id : QString();
    return tokens;
}

} // namespace outbox
