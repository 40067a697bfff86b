// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/session/neededrights.h"

#include "connectors/sql/driver/sqlnames.h"

#include <QSet>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString askingRights = u"asking which right is missing"_s;

struct SqlToken
{
    enum class Kind { End, Word, Quoted, Sign };
    Kind kind = Kind::End;
    QString text; ///< of a quoted name without its quotes

    [[nodiscard]] bool is(QLatin1StringView word) const
    {
        return kind != Kind::Quoted && text.compare(word, Qt::CaseInsensitive) == 0;
    }
    [[nodiscard]] bool isName() const { return kind == Kind::Word || kind == Kind::Quoted; }
};

/// Names, words and signs; texts and numbers are of no interest.
QList<SqlToken> tokensOf(const QString &sql)
{
    QList<SqlToken> tokens;
    for (qsizetype i = 0; i < sql.size();) {
        const QChar sign = sql.at(i);
        if (sign == u'"' || sign == u'\'') {
            QString inner;
            for (++i; i < sql.size(); ++i) {
                if (sql.at(i) == sign) {
                    if (i + 1 >= sql.size() || sql.at(i + 1) != sign)
                        break;
                    ++i;
                }
                inner += sql.at(i);
            }
            ++i;
            tokens += sign == u'"' ? SqlToken{SqlToken::Kind::Quoted, inner}
                                   : SqlToken{SqlToken::Kind::Sign};
        } else if (sign.isLetter() || sign == u'_') {
            const qsizetype begin = i;
            while (i < sql.size()
                   && (sql.at(i).isLetterOrNumber() || sql.at(i) == u'_' || sql.at(i) == u'$'))
                ++i;
            tokens += SqlToken{SqlToken::Kind::Word, sql.mid(begin, i - begin)};
        } else {
            if (!sign.isSpace())
                tokens += SqlToken{SqlToken::Kind::Sign, sign};
            ++i;
        }
    }
    return tokens;
}

class StatementReader
{
public:
    explicit StatementReader(const QString &sql) : m_tokens(tokensOf(sql)) { }

    [[nodiscard]] QList<NeededRight> read()
    {
        for (m_at = 0; m_at < m_tokens.size();) {
            const bool isWith = at(0).is("WITH"_L1) || at(0).is("RECURSIVE"_L1)
                || (at(0).is(")"_L1) && at(1).is(","_L1));
            if (isWith)
                noteQuery(at(0).is(")"_L1) ? 2 : 1);
            if (at(0).is("DELETE"_L1) && at(1).is("FROM"_L1))
                write(2, u"DELETE"_s, true);
            else if (at(0).is("INSERT"_L1) && at(1).is("INTO"_L1))
                write(2, u"INSERT"_s, false);
            else if (at(0).is("TRUNCATE"_L1))
                write(at(1).is("TABLE"_L1) ? 2 : 1, u"TRUNCATE"_s, false);
            else if (at(0).is("FOR"_L1) && isLock(1))
                lock();
            else if (at(0).is("RETURNING"_L1)
                     || (at(0).is("UPDATE"_L1)
                         && at(1).is("SET"_L1))) // ON CONFLICT … DO UPDATE SET
                set(m_written, 1);
            else if (at(0).is("UPDATE"_L1))
                write(1, u"UPDATE"_s, true);
            else if ((at(0).is("FROM"_L1) && !isOfFunction()) || at(0).is("JOIN"_L1))
                readFrom(1);
            else
                ++m_at;
        }
        return m_rights;
    }

private:
    [[nodiscard]] const SqlToken &at(qsizetype ahead) const
    {
        static const SqlToken end;
        const qsizetype place = m_at + ahead;
        return place >= 0 && place < m_tokens.size() ? m_tokens.at(place) : end;
    }
    [[nodiscard]] bool isLock(qsizetype ahead) const
    {
        return at(ahead).is("UPDATE"_L1) || at(ahead).is("SHARE"_L1) || at(ahead).is("NO"_L1)
            || at(ahead).is("KEY"_L1);
    }
    /// `name AS (` and `name AS MATERIALIZED (`: a query of this statement, no table.
    void noteQuery(qsizetype ahead)
    {
        if (at(ahead).isName() && at(ahead + 1).is("AS"_L1))
            m_queries += at(ahead).text;
    }
    /// Takes the name of a table and its alias; an empty one where something else stands there.
    TableName table(qsizetype ahead, bool mayBeFunction)
    {
        m_at += ahead;
        if (at(0).is("ONLY"_L1))
            ++m_at;
        TableName name;
        if (!at(0).isName() || (mayBeFunction && at(1).is("("_L1)) || at(0).is("LATERAL"_L1))
            return name;
        name.table = at(0).text;
        ++m_at;
        if (at(0).is("."_L1) && at(1).isName()) {
            name.schema = name.table;
            name.table = at(1).text;
            m_at += 2;
            if (mayBeFunction && at(0).is("("_L1))
                return {};
        }
        if (m_queries.contains(name.table) || name.table.startsWith("pg_"_L1)
            || name.schema == u"information_schema") {
            return {};
        }
        if (at(0).is("AS"_L1))
            ++m_at;
        if (at(0).isName())
            m_aliases.insert(at(0).text, name);
        m_last = name;
        return name;
    }
    void readFrom(qsizetype ahead)
    {
        if (const TableName name = table(ahead, true); !name.table.isEmpty())
            add(name, u"SELECT"_s);
    }
    void write(qsizetype ahead, const QString &right, bool readsToo)
    {
        const TableName name = table(ahead, false);
        if (name.table.isEmpty())
            return;
        m_written = name;
        if (right == u"UPDATE")
            set(name, 0);
        else
            add(name, right);
        if (readsToo)
            add(name, u"SELECT"_s);
    }
    /// What is behind SET is updated, what is behind RETURNING is read.
    void set(const TableName &name, qsizetype ahead)
    {
        const bool reads = at(0).is("RETURNING"_L1);
        m_at += ahead;
        if (name.table.isEmpty())
            return;
        if (reads)
            add(name, u"SELECT"_s);
        else
            m_rights += NeededRight{name, u"UPDATE"_s, columnsSet(), false};
    }
    /// `extract(epoch FROM x)`, `IS DISTINCT FROM x`.
    [[nodiscard]] bool isOfFunction() const
    {
        return at(-1).is("DISTINCT"_L1) || at(-2).is("("_L1);
    }
    /// `SET "a" = …, "b" = … WHERE`: the names before a "=" that stand in no brackets.
    QStringList columnsSet() const
    {
        QStringList columns;
        int depth = 0;
        bool isNext = false;
        for (qsizetype i = m_at; i < m_tokens.size(); ++i) {
            const SqlToken &token = m_tokens.at(i);
            depth += token.is("("_L1) ? 1 : token.is(")"_L1) ? -1 : 0;
            if (depth < 0)
                break;
            const bool ends
                = token.is("WHERE"_L1) || token.is("FROM"_L1) || token.is("RETURNING"_L1);
            if (depth == 0 && ends)
                break;
            if (isNext && token.isName())
                columns += token.text;
            isNext = depth == 0 && (token.is("SET"_L1) || token.is(","_L1));
        }
        return columns;
    }
    /// `FOR UPDATE`, with `OF alias` or of the table read last.
    void lock()
    {
        TableName name = m_last;
        QString alias;
        while (isLock(1) || at(1).is("KEY"_L1))
            ++m_at;
        if (at(1).is("OF"_L1) && at(2).isName()) {
            alias = at(2).text;
            name = m_aliases.value(alias, m_last);
            m_at += 2;
        }
        ++m_at;
        if (name.table.isEmpty())
            return;
        const QString column = someColumn(alias);
        NeededRight right{name, u"UPDATE"_s, {}, true};
        if (!column.isEmpty())
            right.columns += column;
        m_rights += right;
    }
    /// The first one that is named of the alias; giving this one is enough to lock rows.
    QString someColumn(const QString &alias) const
    {
        for (qsizetype i = 0; i + 2 < m_tokens.size() && !alias.isEmpty(); ++i) {
            if (m_tokens.at(i).isName() && m_tokens.at(i).text == alias
                && m_tokens.at(i + 1).is("."_L1)
                && m_tokens.at(i + 2).kind == SqlToken::Kind::Quoted)
                return m_tokens.at(i + 2).text;
        }
        return {};
    }
    void add(const TableName &name, const QString &right)
    {
        for (const NeededRight &known : std::as_const(m_rights)) {
            if (known.table == name && known.right == right)
                return;
        }
        m_rights += NeededRight{name, right, {}, false};
    }

    QList<SqlToken> m_tokens;
    qsizetype m_at = 0;
    QSet<QString> m_queries;
    QHash<QString, TableName> m_aliases;
    TableName m_last;
    TableName m_written;
    QList<NeededRight> m_rights;
};

struct Grants
{
    QStringList tables; ///< in their order
    QHash<QString, QStringList> rights; ///< "DELETE", "UPDATE (a, b)"
};

QString hintFrom(const Grants &grants, const QString &role)
{
    QStringList lacking;
    QStringList statements;
    for (const QString &table : grants.tables) {
        const QString rights = grants.rights.value(table).join(u", "_s);
        lacking += rights + u" on "_s + table;
        statements += u"GRANT "_s + rights + u" ON "_s + table + u" TO "_s + role;
    }
    if (statements.isEmpty())
        return {};
    return u"The role %1 needs %2; an owner gives it: %3"_s.arg(role, lacking.join(u" and "_s),
                                                                statements.join(u"; "_s));
}

void note(Grants &grants, const QString &table, const QString &right, const QStringList &columns)
{
    if (!grants.tables.contains(table))
        grants.tables += table;
    const QString whole
        = columns.isEmpty() ? right : right + u" ("_s + columns.join(u", "_s) + u')';
    if (!grants.rights[table].contains(whole))
        grants.rights[table] += whole;
}

/// First cell of the one line; null where nobody answers.
QByteArray askedRights(SqlSession &session, const QString &expression, const QVariantList &values)
{
    const auto answer = session.query({u"SELECT "_s + expression, values}, askingRights);
    return answer && answer->size() == 1 ? answer->bytes(0, 0) : QByteArray();
}

bool lacks(SqlSession &session, const NeededRight &need, const QString &table,
           const QString &column)
{
    if (!column.isEmpty() && !need.anyColumn) {
        return askedRights(session, u"has_column_privilege($1::text, $2::text, $3::text)::text"_s,
                           {table, column, need.right})
            == "false";
    }
    const QString function
        = need.anyColumn ? u"has_any_column_privilege"_s : u"has_table_privilege"_s;
    return askedRights(session, function + u"($1::text, $2::text)::text"_s, {table, need.right})
        == "false";
}

} // namespace

QList<NeededRight> neededRights(const QString &sql)
{
    return StatementReader(sql).read();
}

QString grantHint(const QList<NeededRight> &rights, const QString &role,
                  DatabaseUrl::Dialect dialect)
{
    Grants grants;
    for (const NeededRight &need : rights) {
        QStringList columns;
        for (const QString &column : need.columns)
            columns += quotedName(column, dialect);
        note(grants, quotedName(need.table, dialect), need.right, columns);
    }
    return hintFrom(grants, role.isEmpty() ? u"CURRENT_USER"_s : quotedName(role, dialect));
}

QString missingRightsHint(SqlSession &session, const QString &sql)
{
    const QString role
        = QString::fromUtf8(askedRights(session, u"quote_ident(current_user)::text"_s, {}));
    if (role.isEmpty())
        return {};
    Grants grants;
    for (const NeededRight &need : neededRights(sql)) {
        const QString schema = need.table.schema;
        if (!schema.isEmpty()
            && askedRights(session, u"has_schema_privilege($1::text, 'USAGE')::text"_s, {schema})
                == "false") {
            return u"The role %1 needs USAGE on the schema %2; an owner gives it: GRANT USAGE ON"
                   " SCHEMA %2 TO %1"_s.arg(role, quotedName(schema));
        }
        const QString table = quotedName(need.table);
        QStringList columns;
        for (const QString &column : need.columns) {
            if (lacks(session, need, table, column)) {
                columns += QString::fromUtf8(
                    askedRights(session, u"quote_ident($1::text)::text"_s, {column}));
            }
        }
        const bool isWhole = need.columns.isEmpty() && lacks(session, need, table, {});
        if (columns.isEmpty() && !isWhole)
            continue;
        const QByteArray shown = askedRights(session, u"$1::regclass::text"_s, {table});
        note(grants, shown.isEmpty() ? table : QString::fromUtf8(shown), need.right, columns);
    }
    return hintFrom(grants, role);
}

} // namespace outbox
