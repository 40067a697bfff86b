// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/dialect.h"

#include "connectors/sql/dialect/conditions.h"
#include "connectors/sql/dialect/rowstates.h"
#include "connectors/sql/driver/sqlnames.h"

#include <QUuid>

#include <limits>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Dialect::Dialect(OutboxShape shape, CatalogTable table)
    : m_shape(std::move(shape)), m_table(std::move(table))
{ }

const CatalogColumn &Dialect::column(const QString &name) const
{
    const CatalogColumn *found = m_table.column(name);
    Q_ASSERT(found); // checked by OutboxStore::use
    return *found;
}

QString Dialect::tableName() const
{
    return quotedName(m_table.name);
}

TableName Dialect::neighbour(const TableName &name) const
{
    const auto found = m_table.neighbours.constFind(name.text());
    return found == m_table.neighbours.constEnd() ? name : found->name;
}

QList<SortColumn> Dialect::claimOrder() const
{
    QList<SortColumn> order;
    QStringList missing = m_shape.keyColumns();
    for (const QString &entry : m_shape.order) {
        const bool descending = entry.startsWith(u'-');
        order += {descending ? entry.mid(1) : entry, descending};
        missing.removeAll(order.constLast().name);
    }
    const bool descending = !order.isEmpty() && order.constLast().descending;
    for (const QString &name : std::as_const(missing))
        order += {name, descending};
    return order;
}

QList<SortColumn> Dialect::placeOrder() const
{
    QList<SortColumn> order = claimOrder();
    for (const SortColumn &one : order) {
        const bool mayBeNull = one.name != m_shape.keyColumn && column(one.name).nullable;
        if (mayBeNull || one.descending != order.constFirst().descending)
            return {};
    }
    return order;
}

QStringList Dialect::placeColumns() const
{
    QStringList names;
    for (const SortColumn &one : placeOrder()) {
        if (one.name != m_shape.keyColumn)
            names += one.name;
    }
    return names;
}

bool Dialect::isPlace(const QStringList &after) const
{
    return !after.isEmpty() && after.size() == placeOrder().size();
}

bool Dialect::keyComesFirst() const
{
    return claimOrder().constFirst().name == m_shape.keyColumn;
}

QList<SortColumn> Dialect::pageOrder(bool newestFirst) const
{
    QList<SortColumn> order = claimOrder();
    // A NULL is neither before nor after a cursor: rows would be lost between pages.
    const QStringList key = m_shape.keyColumns();
    order.removeIf([this, &key](const SortColumn &one) {
        return !key.contains(one.name) && column(one.name).nullable;
    });
    if (newestFirst) {
        for (SortColumn &one : order)
            one.descending = !one.descending;
    }
    return order;
}

bool Dialect::pagesGoByTime() const
{
    const QList<SortColumn> order = pageOrder(false);
    return m_shape.orderIs != OutboxShape::OrderIs::None && !order.isEmpty()
        && !order.constFirst().descending && order.constFirst().name == m_shape.order.value(0);
}

QStringList Dialect::keyPartsOf(const QString &text) const
{
    const QStringList names = m_shape.keyColumns();
    QStringList parts = m_shape.keyParts.isEmpty() ? QStringList{text} : text.split(u':');
    if (parts.size() != names.size())
        return {};
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (!m_shape.keyParts.isEmpty())
            parts[i].replace(u"%3A"_s, u":"_s).replace(u"%25"_s, u"%"_s);
        if (!fitsType(parts.at(i), column(names.at(i))))
            return {};
    }
    return parts;
}

bool Dialect::isKeyText(const QString &text) const
{
    return !keyPartsOf(text).isEmpty();
}

MessageId Dialect::idOf(const MessageId &typed) const
{
    const bool isOne = m_shape.keyParts.isEmpty() && isKeyText(typed.text);
    return isOne ? MessageId{asWritten(typed.text, column(m_shape.keyColumn))} : typed;
}

QStringList Dialect::keyTexts(const QList<MessageId> &ids) const
{
    QStringList texts;
    for (const MessageId &id : ids) {
        if (isKeyText(id.text))
            texts += id.text;
    }
    return texts;
}

SqlFragment Dialect::stateBeside(const SqlFragment &isParked, const QString &state)
{
    return isParked.isEmpty()
        ? SqlFragment(state)
        : u"CASE WHEN "_s + isParked + u" THEN 'parked' ELSE "_s + state + u" END"_s;
}

SqlFragment Dialect::where(QList<SqlFragment> conditions)
{
    conditions.removeAll(SqlFragment(conditions::sqlTrue));
    return conditions.isEmpty() ? SqlFragment()
                                : u" WHERE "_s + SqlFragment::joined(conditions, u" AND "_s);
}

SqlFragment Dialect::stateOfAny(const RowStates &states, const SqlFragment &isParked)
{
    const QString done = states.processed(u"t."_s);
    const QString ours = states.scope(u"t."_s);
    QString text;
    if (ours != u"true")
        text += u" WHEN NOT ("_s + ours + u") THEN NULL"_s;
    if (done != u"false")
        text += u" WHEN "_s + done + u" THEN 'processed'"_s;
    const SqlFragment open = stateBeside(isParked, states.state(u"t."_s, true));
    return text.isEmpty() ? open : u"CASE"_s + text + u" ELSE "_s + open + u" END"_s;
}

QList<SortColumn> Dialect::countOrder() const
{
    if (m_table.hasRowId)
        return {{u"rowid"_s}};
    QStringList names = m_table.primaryKey;
    if (names.isEmpty() && m_table.uniqueColumns.contains(m_shape.keyColumn))
        names += m_shape.keyColumn;
    QList<SortColumn> order;
    for (const QString &name : std::as_const(names)) {
        if (column(name).typeClass == TypeClass::Bytes)
            return {}; // has no text to go on from
        order += SortColumn{name};
    }
    return order;
}

QString Dialect::orderBy(const QList<SortColumn> &order, const QString &prefix)
{
    QStringList parts;
    for (const SortColumn &one : order)
        parts += prefix + quotedName(one.name) + (one.descending ? u" DESC"_s : QString());
    return parts.join(u", "_s);
}

namespace {

/// Not a text: in whatever way somebody writes it, it is the same.
bool isUuidItself(const CatalogColumn &column)
{
    return column.typeClass == TypeClass::Uuid && column.uuidForm != OutboxShape::KeyForm::UuidText;
}

} // namespace

bool fitsType(const QString &text, const CatalogColumn &column)
{
    if (text.contains(QChar::Null))
        return false;
    if (isUuidItself(column))
        return !QUuid::fromString(text).isNull() || text == QUuid().toString(QUuid::WithoutBraces);
    if (column.typeClass == TypeClass::Integer) {
        bool ok = false;
        const qint64 value = text.toLongLong(&ok);
        if (column.type.endsWith("unsigned"_L1)) {
            text.toULongLong(&ok);
            return ok;
        }
        if (column.type == u"integer")
            return ok && value == static_cast<qint32>(value);
        if (column.type == u"smallint")
            return ok && value == static_cast<qint16>(value);
        return ok;
    }
    return true;
}

bool fitsExactly(const QString &text, const CatalogColumn &column)
{
    if (!fitsType(text, column))
        return false;
    const bool isNegative = text.startsWith(u'-');
    return column.typeClass != TypeClass::Integer
        || (text == u"0"_s
            || (text.at(isNegative ? 1 : 0) >= u'1' && text.at(isNegative ? 1 : 0) <= u'9'));
}

QString asWritten(const QString &text, const CatalogColumn &column)
{
    if (isUuidItself(column))
        return QUuid::fromString(text).toString(QUuid::WithoutBraces);
    if (column.typeClass == TypeClass::Integer)
        return text.startsWith(u'-') ? QString::number(text.toLongLong())
                                     : QString::number(text.toULongLong());
    return text;
}

QList<std::pair<qint64, qint64>> integerRanges(const QString &digits)
{
    QList<std::pair<qint64, qint64>> ranges;
    bool ok = false;
    qint64 low = digits.toLongLong(&ok);
    if (!ok || low < 0 || QString::number(low) != digits)
        return ranges;
    qint64 high = low;
    ranges += {low, high};
    constexpr qint64 most = std::numeric_limits<qint64>::max();
    while (low > 0 && low <= most / 10) {
        low *= 10;
        high = high <= (most - 9) / 10 ? high * 10 + 9 : most;
        ranges += {low, high};
    }
    return ranges;
}

std::optional<std::pair<QString, QString>> uuidRange(const QString &prefix)
{
    QString digits = prefix.toLower();
    digits.remove(u'-');
    if (digits.isEmpty() || digits.size() > 32)
        return std::nullopt;
    for (const QChar digit : std::as_const(digits)) {
        if (!(digit >= u'0' && digit <= u'9') && !(digit >= u'a' && digit <= u'f'))
            return std::nullopt;
    }
    return std::pair(digits.leftJustified(32, u'0'), digits.leftJustified(32, u'f'));
}

} // namespace outbox
