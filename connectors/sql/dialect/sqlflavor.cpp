// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/sqlflavor.h"

#include "connectors/sql/dialect/conditions.h"
#include "connectors/sql/driver/sqlnames.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString aliased(const QString &name)
{
    return u"t."_s + quotedName(name);
}

SqlFragment SqlFlavor::bound(const QVariant &value, const QString & /*type*/) const
{
    return SqlFragment::of(value);
}

SqlFragment SqlFlavor::isAnyOf(const CatalogColumn &column, const QStringList &texts) const
{
    return isOneOf(column, texts);
}

SqlFragment SqlFlavor::isAmong(const QString &text, const QStringList &texts) const
{
    if (texts.isEmpty())
        return u"false"_s;
    QList<SqlFragment> places;
    for (const QString &one : texts)
        places += SqlFragment::of(one);
    return text + u" IN ("_s + SqlFragment::joined(places, u", "_s) + u')';
}

QVariant SqlFlavor::valueOf(const QVariant &text, const CatalogColumn & /*column*/) const
{
    return text;
}

SqlFragment SqlFlavor::removal(const CatalogTable &table, const QString &name,
                               const QString &text) const
{
    return u"DELETE FROM "_s + quotedName(table.name) + u" AS t WHERE "_s
        + isOneOf(*table.column(name), {text});
}

QString SqlFlavor::notNull(const QString &condition) const
{
    return condition == conditions::sqlTrue || condition == conditions::sqlFalse
        ? condition
        : QString(u"coalesce("_s + condition + u", false)"_s);
}

QString SqlFlavor::isTrue(const QString &cell) const
{
    return cell + u" IS TRUE"_s;
}

QString SqlFlavor::isFalse(const QString &cell) const
{
    return u"NOT "_s + cell;
}

QString SqlFlavor::isLess(const QStringList &these, const QStringList &those) const
{
    return u'(' + these.join(u", "_s) + u") < ("_s + those.join(u", "_s) + u')';
}

QString SqlFlavor::atMost(qint64 rows, const QString &order, std::optional<qint64> behind) const
{
    QString text = order.isEmpty() ? QString() : QString(u" ORDER BY "_s + order);
    text += u" LIMIT "_s + QString::number(rows);
    if (behind)
        text += u" OFFSET "_s + QString::number(*behind);
    return text;
}

QString SqlFlavor::beginning(const QString &text, int length) const
{
    return u"substr("_s + text + u", 1, "_s + QString::number(length) + u')';
}

QString SqlFlavor::createParked(const QString & /*table*/) const
{
    return {};
}

QString SqlFlavor::createFence(const QString & /*table*/) const
{
    return {};
}

QString SqlFlavor::assigned(const QString &name) const
{
    return quotedName(name);
}

QString SqlFlavor::unlessThere() const
{
    return u" ON CONFLICT DO NOTHING"_s;
}

QString SqlFlavor::listOf(const QList<WrittenColumn> &columns)
{
    QStringList names;
    for (const WrittenColumn &one : columns)
        names += quotedName(one.name);
    return u'(' + names.join(u", "_s) + u')';
}

QString SqlFlavor::orOverwrite(const QStringList &key, const QList<WrittenColumn> &columns,
                               const QString &number)
{
    QStringList names;
    for (const QString &name : key)
        names += quotedName(name);
    QStringList sets;
    for (const WrittenColumn &one : columns) {
        if (!key.contains(one.name))
            sets += quotedName(one.name) + u" = excluded."_s + quotedName(one.name);
    }
    const QString text
        = u" ON CONFLICT ("_s + names.join(u", "_s) + u") DO UPDATE SET "_s + sets.join(u", "_s);
    if (number.isEmpty())
        return text;
    return text + u" WHERE "_s + aliased(number) + u" < excluded."_s + quotedName(number);
}

SqlFragment SqlFlavor::lowered(const SqlFragment &text) const
{
    return u"lower("_s + mindingCase(text) + u')';
}

QString SqlFlavor::joined(const QStringList &texts, const QString &between) const
{
    return u"concat("_s + texts.join(QString(u", "_s + between + u", "_s)) + u')';
}

QString SqlFlavor::numberText(const QString &number) const
{
    return u"CAST(%1 AS %2)"_s.arg(number, database().textType.toUpper());
}

QString SqlFlavor::hexOf(const QString &bytes) const
{
    return u"hex("_s + bytes + u')';
}

QString SqlFlavor::sampleOf(const CatalogColumn & /*column*/) const
{
    return {};
}

QString SqlFlavor::untoldMicroseconds(const CatalogTable &table, const QString &name) const
{
    return microseconds(table, name, u"UTC"_s);
}

bool SqlFlavor::isKeyOf(const QString &id, const Cell &cell, const CatalogColumn & /*column*/) const
{
    switch (cell.kind) {
    case Cell::Kind::Null:
        return false;
    case Cell::Kind::Real: // its digits depend on who writes them
        return cell.bytes.toDouble() == id.toDouble();
    case Cell::Kind::Bytes:
    case Cell::Kind::Text:
    case Cell::Kind::Integer:
        break;
    }
    return id == QString::fromUtf8(cell.bytes);
}

bool SqlFlavor::takes(const Cell & /*cell*/, const CatalogColumn & /*column*/) const
{
    return true;
}

} // namespace outbox
