// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/fencetable.h"

#include "connectors/sql/catalog/sqlcatalog.h"
#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/outbox/sidetable.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostQueueLetters = 400;
constexpr qsizetype mostLifeLetters = 50;
constexpr qint64 mostFenceLines = 10'000;
/// By one statement: SQLite takes no condition of more than 1,000 levels, nor, in older versions,
/// more than 999 values.
constexpr qsizetype mostTakenLines = 200;

const QStringList &fenceColumns()
{
    static const QStringList names{u"outbox"_s, u"relay"_s, u"queue"_s, u"life"_s, u"n"_s, u"at"_s};
    return names;
}

const QStringList &fenceKey()
{
    static const QStringList names{u"outbox"_s, u"relay"_s, u"queue"_s};
    return names;
}

/// It fits into the table everywhere, and comes out as it was: another queue or life would pass for
/// a loss.
bool isStorable(const QueueLife &reached)
{
    const auto isPlain = [](char sign) { return sign > ' ' && sign <= '~'; };
    return reached.queue.text.size() <= mostQueueLetters
        && !reached.queue.text.contains(QChar::Null) && reached.life.size() <= mostLifeLetters
        && std::all_of(reached.life.cbegin(), reached.life.cend(), isPlain);
}

} // namespace

QString fenceTableName()
{
    return u"outbox_fence"_s;
}

Result<void> FenceTableAccess::find(SqlSession &session, DatabaseUrl::Dialect dialect,
                                    const Catalog &catalog, const TableName &outbox)
{
    *this = {};
    m_dialect = dialect;
    m_outbox = outbox.text();
    m_table = {outbox.schema, fenceTableName()};
    const CatalogTable *table = catalog.find(m_table);
    if (!table)
        return {};
    m_obstacle = whyNotOurs(*table, fenceColumns(), fenceKey());
    if (m_obstacle.isEmpty() && !table->transactional)
        m_obstacle = u"its engine cannot roll back"_s;
    if (!m_obstacle.isEmpty())
        return {};
    const auto rights = TRY(catalogOf(dialect).rightsOn(session, m_table, fenceColumns()));
    m_obstacle = whyNotAllowed(rights);
    m_isUsed = m_obstacle.isEmpty();
    return {};
}

void FenceTableAccess::giveUp(const QString &why)
{
    constexpr int restMs = 60'000;
    m_isUsed = false;
    m_isGivenUp = true;
    m_rest.setRemainingTime(restMs);
    m_obstacle = why;
}

Result<QList<RelayLife>> FenceTableAccess::lives(SqlSession &session) const
{
    QList<RelayLife> lives;
    if (!m_isUsed)
        return lives;
    const SqlFlavor &flavor = flavorOf(m_dialect);
    const SqlText sql = u"SELECT t.relay, t.queue, t.life, %1 FROM %2 AS t WHERE t.outbox = "_s.arg(
                            flavor.answer(u"t.n"_s), quotedName(m_table))
        + flavor.bound(m_outbox, u"text"_s) + u" ORDER BY t.n DESC LIMIT "_s
        + flavor.bound(mostFenceLines, u"bigint"_s);
    const auto found = TRY(session.query(sql, u"reading "_s + m_table.text()));
    lives.reserve(found.size());
    for (qsizetype row = 0; row < found.size(); ++row) {
        lives += RelayLife{
            found.bytes(row, 0),
            {{found.text(row, 1)}, found.bytes(row, 2), found.integer(row, 3).value_or(0)}};
    }
    return lives;
}

SqlText FenceTableAccess::put(const QList<RelayLife> &lives) const
{
    const SqlFlavor &flavor = flavorOf(m_dialect);
    QVariantList relays;
    QVariantList queues;
    QVariantList words;
    QVariantList numbers;
    for (const auto &[relay, reached] : lives) {
        if (!isStorable(reached))
            continue;
        relays += QString::fromLatin1(relay);
        queues += reached.queue.text;
        words += QString::fromLatin1(reached.life);
        numbers += reached.committed;
    }
    if (numbers.isEmpty())
        return {};
    return flavor.overwrite(m_table, fenceKey(),
                            {{u"outbox"_s, {}, {}, flavor.bound(m_outbox, u"text"_s)},
                             {u"relay"_s, u"text"_s, relays},
                             {u"queue"_s, u"text"_s, queues},
                             {u"life"_s, u"text"_s, words},
                             {u"at"_s, {}, {}, flavor.nowAsTime()},
                             {u"n"_s, u"bigint"_s, numbers}},
                            u"n"_s);
}

SqlText FenceTableAccess::isExactly(const RelayLife &line) const
{
    const SqlFlavor &flavor = flavorOf(m_dialect);
    const auto &[relay, reached] = line;
    return u"(relay = "_s + flavor.bound(QString::fromLatin1(relay), u"text"_s) + u" AND queue = "_s
        + flavor.bound(reached.queue.text, u"text"_s) + u" AND life = "_s
        + flavor.bound(QString::fromLatin1(reached.life), u"text"_s) + u" AND n = "_s
        + flavor.bound(reached.committed, u"bigint"_s) + u')';
}

Result<void> FenceTableAccess::remove(SqlSession &session, const QList<RelayLife> &lives) const
{
    if (!m_isUsed)
        return {};
    const SqlFlavor &flavor = flavorOf(m_dialect);
    for (qsizetype from = 0; from < lives.size(); from += mostTakenLines) {
        QList<SqlText> these;
        for (const RelayLife &one : lives.mid(from, mostTakenLines))
            these += isExactly(one);
        const SqlText sql = flavor.database().beforeWrite + u"DELETE FROM "_s + quotedName(m_table)
            + u" WHERE outbox = "_s + flavor.bound(m_outbox, u"text"_s) + u" AND ("_s
            + SqlText::joined(these, u" OR "_s) + u')';
        TRY(session.query(sql, u"taking lines of relays from "_s + m_table.text()));
    }
    return {};
}

QString FenceTableAccess::sql(DatabaseUrl::Dialect dialect)
{
    const SqlDatabase &database = databaseOf(dialect);
    if (QString own = flavorOf(dialect).createFence(fenceTableName()); !own.isEmpty())
        return own;
    const QHash<QString, QString> types{{u"n"_s, u"bigint"_s}, {u"at"_s, database.timeType}};
    QString text = createSideTable(fenceTableName(), fenceColumns(), types, fenceKey());
    if (!database.isFile()) {
        text += u"-- for each role that relays:\n-- GRANT SELECT, INSERT, UPDATE, DELETE ON "_s
            + fenceTableName() + u" TO deck_relay;\n"_s;
    }
    return text;
}

} // namespace outbox
