// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/catalog/rowflow.h"

#include "connectors/sql/catalog/sqlcatalog.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/localtime.h"
#include "models/phrases.h"
#include "models/shape/keytime.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

// The longest delay is looked for among the newest rows: a few at the first look, which may be the
// only one, many by one that goes on, and a few again for what was marked since.
constexpr int firstRows = 100;
constexpr int newestMarked = 500;
constexpr int manyMarked = 20'000;
constexpr qint64 manyAfterMs = 10'000;
constexpr qint64 markedAgainAfterMs = 60'000;

constexpr qint64 windowMs = 10'000;
constexpr qint64 mostCounted = 20'000;
constexpr qint64 mostAheadMs = 60'000; ///< a newest row from the future would hide all others
constexpr qint64 countedAgainAfterMs = 30'000;
constexpr qint64 oneDayMs = 86'400'000;

const QString arrivalsNote = u"in_per_s"_s;
const QString countingArrivals = u"counting the rows that came"_s;

/// A row from the future would hide all that come after it.
bool isAhead(const SqlRows &newest, const QDateTime &now)
{
    std::optional<qint64> ms = timeInKey(newest.text(0, 0));
    if (const auto us = newest.integer(0, 1))
        ms = *us / 1000;
    return ms && *ms > now.toMSecsSinceEpoch() + mostAheadMs;
}

} // namespace

void RowFlow::fillLastMark(OutboxSnapshot &snapshot, SqlSession &session, const Dialect &dialect,
                           DatabaseUrl::Dialect kind, IndexAdviser &indexes)
{
    const bool isFirst = !m_markAsked.isValid();
    if (!isFirst && !m_markAsked.hasExpired(m_isMany ? markedAgainAfterMs : manyAfterMs))
        return;
    m_markAsked.start();
    const int most = isFirst            ? firstRows
        : std::exchange(m_isMany, true) ? newestMarked
                                        : manyMarked;
    const SqlText sql = dialect.lastMarked(most);
    const QString mark = dialect.shape().processedWhenColumn();
    if (sql.text.isEmpty() || (!snapshot.exact && !indexes.hasIndex(session, dialect, kind, mark)))
        return;
    const auto rows = session.query(sql, u"reading when a row last left the outbox"_s);
    if (!rows || rows->size() == 0)
        return;
    const qint64 now = snapshot.at.toMSecsSinceEpoch() * 1000;
    if (const auto last = rows->integer(0, 0))
        snapshot.lastLeftSeconds = std::max(0.0, static_cast<double>(now - *last) / usPerSecond);
    const QString undecided = dialect.shape().zoneOf(mark).isEmpty() ? mark : QString();
    if (!undecided.isEmpty()) {
        snapshot.notes[u"worst_delay_s"_s]
            = u"not known: the time zone of \"%1\" (--time-zone)"_s.arg(undecided);
        return;
    }
    if (const auto longest = rows->integer(0, 1); longest && *longest >= 0)
        snapshot.worstDelaySeconds = static_cast<double>(*longest) / usPerSecond;
}

QString RowFlow::columnOf(const OutboxSnapshot &snapshot, SqlSession &session,
                          const Dialect &dialect, DatabaseUrl::Dialect kind, IndexAdviser &indexes)
{
    const auto isServed = [&](const QString &name) {
        return snapshot.exact || indexes.hasIndex(session, dialect, kind, name);
    };
    const OutboxShape &shape = dialect.shape();
    const CatalogColumn *key = dialect.table().column(shape.keyColumn);
    if (key && key->identity && isServed(key->name))
        return key->name;
    const CatalogColumn *first = dialect.table().column(shape.order.value(0));
    if (first && shape.orderIs == OutboxShape::OrderIs::Sequence && !first->nullable
        && isServed(first->name))
        return first->name;
    // A NULL has no place, and local times have no order in the night when clocks are set back.
    const CatalogColumn *created = dialect.table().column(shape.createdColumn);
    if (created && !created->nullable && shape.zoneOf(created->name) == u"UTC"
        && isServed(created->name))
        return created->name;
    const bool isUuid = shape.keyForm == OutboxShape::KeyForm::Uuid
        || shape.keyForm == OutboxShape::KeyForm::UuidText;
    if (!key || !isUuid || !databaseOf(kind).ordersUuids || !isServed(key->name))
        return {};
    const auto newest = session.query(dialect.newestBy(key->name), countingArrivals);
    if (!newest || newest->size() == 0)
        return {};
    const auto time = timeInKey(newest->text(0, 0));
    const qint64 now = snapshot.at.toMSecsSinceEpoch();
    return time && std::abs(*time - now) < oneDayMs ? key->name : QString();
}

void RowFlow::fillArrivals(OutboxSnapshot &snapshot, SqlSession &session, const Dialect &dialect,
                           DatabaseUrl::Dialect kind, IndexAdviser &indexes)
{
    if (snapshot.guess)
        return;
    QString why;
    if (dialect.shape().goWhenSent()) {
        why = byServer(snapshot, session, dialect, kind);
    } else {
        // An empty table tells nothing of its keys yet, and an index may be made meanwhile.
        if (m_column.isEmpty()
            && (!m_columnAsked.isValid() || m_columnAsked.hasExpired(countedAgainAfterMs))) {
            m_columnAsked.start();
            m_column = columnOf(snapshot, session, dialect, kind, indexes);
        }
        why = m_column.isEmpty() ? u"no index tells the newest rows"_s
                                 : byRows(snapshot, session, dialect);
    }
    if (!why.isEmpty())
        snapshot.notes[arrivalsNote] = why;
}

QString RowFlow::byRows(OutboxSnapshot &snapshot, SqlSession &session, const Dialect &dialect)
{
    const auto newest = session.query(dialect.newestBy(m_column), countingArrivals);
    if (!newest)
        return newest.error().text;
    const bool isEmpty = newest->size() == 0;
    const QString place = isEmpty ? QString() : newest->text(0, 0);
    if (!isEmpty && isAhead(*newest, snapshot.at)) {
        m_marks.clear();
        return u"the newest row is dated in the future"_s;
    }
    if (!m_marks.isEmpty() && m_marks.constLast().first > snapshot.at)
        m_marks.clear(); // a clock was set back
    while (m_marks.size() > 1 && m_marks.at(1).first.msecsTo(snapshot.at) >= windowMs)
        m_marks.removeFirst();
    if (m_marks.isEmpty() || m_marks.constLast().first < snapshot.at)
        m_marks += std::pair(snapshot.at, place);
    if (m_marks.size() < 2)
        return {};
    const auto [since, placeThen] = m_marks.constFirst();
    RowSpan span{{{m_column, false}}, {}, {}};
    if (!placeThen.isEmpty())
        span.after += placeThen;
    const auto rows = session.query(dialect.countIn(span, mostCounted), countingArrivals);
    if (!rows || rows->size() == 0)
        return rows ? QString() : rows.error().text;
    const qint64 came = rows->integer(0, 0).value_or(0);
    const double seconds = static_cast<double>(since.msecsTo(snapshot.at)) / 1000;
    if (came > mostCounted) {
        m_marks.remove(0, m_marks.size() / 2); // the next looks count a shorter time
        return u"more than %1 rows came in %2"_s.arg(mostCounted).arg(spanText(seconds));
    }
    snapshot.inPerSecond = static_cast<double>(came) / seconds;
    return {};
}

QString RowFlow::byServer(OutboxSnapshot &snapshot, SqlSession &session, const Dialect &dialect,
                          DatabaseUrl::Dialect kind)
{
    QString gone = u"rows are gone when they are sent: the table does not tell how many came"_s;
    const SqlText counted = catalogOf(kind).insertedRows(dialect.table().name);
    if (counted.isEmpty() || !dialect.shape().where.isEmpty())
        return gone; // the server counts the rows of others in the same table, too
    const auto rows = session.query(counted, countingArrivals);
    if (!rows)
        return rows.error().text;
    if (rows->size() == 0)
        return gone;
    snapshot.inPerSecond
        = m_inserted.add(snapshot.at, static_cast<double>(rows->integer(0, 0).value_or(0)));
    return {};
}

} // namespace outbox
