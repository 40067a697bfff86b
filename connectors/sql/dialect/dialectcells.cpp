// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is read of a row, alike for all databases: the cells of a page and of a claim.
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/rowstates.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QList<SqlFragment> Dialect::shownCells(qint64 payloadLimit) const
{
    const CatalogColumn *payload = m_table.column(m_shape.payloadColumn);
    const QString error = states().error(u"t."_s);
    return {keyText(),
            m_shape.typeIn.isEmpty() ? textOf(m_shape.typeColumn) : states().type(u"t."_s),
            payload ? flavor().payloadStart(*payload, payloadLimit) : SqlFragment(textOf({})),
            payload ? flavor().answer(flavor().payloadSize(*payload)) : textOf({}),
            flavor().answer(timeUs(m_shape.createdColumn, Reading::Earlier)),
            flavor().answer(timeUs(m_shape.processedWhenColumn(), Reading::Earlier)),
            textOf(m_shape.attemptsColumn),
            error.isEmpty() ? textOf({}) : error,
            textOf(m_shape.queueTextColumn()),
            textOf(m_shape.referenceTableColumn),
            textOf(m_shape.referenceIdColumn)};
}

QStringList Dialect::leaseCells() const
{
    const RowStates states = this->states();
    const QString isOver = m_shape.lockedHow == OutboxShape::LockedHow::Until
        ? flavor().leaseIsOver(m_shape, m_table)
        : states.lockIsOver(u"t."_s);
    const QString owner = states.owner(u"t."_s);
    return {
        u"CASE WHEN %1 THEN 'live' WHEN %2 THEN 'over' END"_s.arg(states.locked(u"t."_s), isOver),
        owner.isEmpty() ? textOf({}) : owner};
}

QString Dialect::processedText() const
{
    return writtenUs(m_shape.processedWhenColumn());
}

SqlFragment Dialect::select(qint64 payloadLimit, const QList<SortColumn> &order,
                            const QString &version, const QString &lockKind) const
{
    const QString nothing = textOf({});
    const QStringList lease = leaseCells();
    QList<SqlFragment> cells = shownCells(payloadLimit);
    cells += QList<SqlFragment>{flavor().answer(flavor().nowUs()),
                                lockKind.isEmpty() ? nothing : lockKind,
                                nothing,
                                nothing,
                                nothing,
                                version.isEmpty() ? nothing : version,
                                lease.constFirst(),
                                lease.constLast(),
                                flavor().answer(timeUs(m_shape.leaseColumn, Reading::Later)),
                                flavor().answer(processedText()),
                                states().state(u"t."_s, false),
                                flavor().answer(writtenUs(m_shape.createdColumn))};
    for (const SortColumn &one : order)
        cells += flavor().exactTextOf(m_table, one.name);
    return u"SELECT "_s + SqlFragment::joined(cells, u", "_s) + u" FROM "_s + tableName()
        + u" AS t"_s;
}

QList<SqlFragment> Dialect::cellsOfClaim(const SqlFragment &payload,
                                         const SqlFragment &tooMany) const
{
    QList<SqlFragment> cells{textOf(m_shape.keyColumn),
                             textOf(m_shape.typeColumn),
                             payload,
                             textOf(m_shape.queueTextColumn()),
                             textOf(m_shape.referenceTableColumn),
                             textOf(m_shape.referenceIdColumn),
                             tooMany,
                             flavor().answer(writtenUs(bornColumn())),
                             flavor().answer(timeUs(comparedBirth(), Reading::Later))};
    for (const QString &name : placeColumns())
        cells += flavor().exactTextOf(m_table, name);
    return cells;
}

SqlFragment Dialect::openRows(const QString &owner, const QStringList &parked, qint64 most) const
{
    return u"SELECT "_s + timeUs(m_shape.createdColumn, Reading::Earlier) + u" AS c, "_s + owner
        + u" AS w, "_s + stateBeside(isParked(parked), states().state(u"t."_s, true))
        + u" AS s FROM "_s + tableName() + u" AS t WHERE "_s + states().open(u"t."_s) + u" LIMIT "_s
        + flavor().bound(most + 1, u"bigint"_s);
}

SqlText Dialect::find(const QString &key, qint64 payloadLimit) const
{
    return select(payloadLimit, pageOrder(true), flavor().version(m_table)) + u" WHERE "_s
        + states().scope(u"t."_s) + u" AND "_s + hasKey(key) + flavor().atMost(1);
}

} // namespace outbox
