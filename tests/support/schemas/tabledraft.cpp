// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/schemas/tabledraft.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString quoted(const QString &name)
{
    return u'"' + name + u'"';
}

QString listOf(const QStringList &labels)
{
    QStringList texts;
    for (const QString &label : labels)
        texts += SqlForm::text(label);
    return texts.join(u", "_s);
}

bool isNumber(ColumnKind kind)
{
    return kind == ColumnKind::Integer || kind == ColumnKind::Small || kind == ColumnKind::Big;
}

} // namespace

QString SqlForm::type(ColumnKind kind, int length) const
{
    const auto in = [this](const QString &postgres, const QString &sqlite, const QString &mariadb) {
        return isPostgres() ? postgres : isMariadb() ? mariadb : sqlite;
    };
    switch (kind) {
    case ColumnKind::Uuid:
        return in(u"uuid"_s, u"char(36)"_s, u"char(36)"_s);
    case ColumnKind::Counted:
        return in(u"bigserial"_s, u"INTEGER"_s, u"bigint AUTO_INCREMENT"_s);
    case ColumnKind::Integer:
        return in(u"integer"_s, u"INTEGER"_s, u"int"_s);
    case ColumnKind::Small:
        return in(u"smallint"_s, u"INTEGER"_s, u"tinyint"_s);
    case ColumnKind::Big:
        return in(u"bigint"_s, u"BIGINT"_s, u"bigint"_s);
    case ColumnKind::Letter:
        return u"char(1)"_s;
    case ColumnKind::Short:
        return u"varchar(%1)"_s.arg(length);
    case ColumnKind::Long:
        return in(u"text"_s, u"TEXT"_s, u"longtext"_s);
    case ColumnKind::Json:
        return in(u"jsonb"_s, u"TEXT"_s, u"json"_s);
    case ColumnKind::Bytes:
        return in(u"bytea"_s, u"BLOB"_s, u"longblob"_s);
    case ColumnKind::Flag:
        return in(u"boolean"_s, u"BOOLEAN"_s, u"tinyint(1)"_s);
    case ColumnKind::Money:
        return u"numeric(12, 2)"_s;
    case ColumnKind::Time:
        break;
    }
    switch (times) {
    case TimeForm::WithZone:
        return in(u"timestamptz"_s, u"TEXT"_s, u"datetime(6)"_s);
    case TimeForm::Plain:
        return in(u"timestamp"_s, u"DATETIME"_s, u"datetime"_s);
    case TimeForm::Seconds:
    case TimeForm::Milliseconds:
        break;
    }
    return in(u"bigint"_s, u"INTEGER"_s, u"bigint"_s);
}

QString SqlForm::time(const QDateTime &at) const
{
    switch (times) {
    case TimeForm::Seconds:
        return QString::number(at.toSecsSinceEpoch());
    case TimeForm::Milliseconds:
        return QString::number(at.toMSecsSinceEpoch());
    case TimeForm::WithZone:
        if (isPostgres())
            return text(at.toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s) + u"+00"_s);
        if (isMariadb())
            return text(at.toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s));
        return text(at.toString(u"yyyy-MM-ddTHH:mm:ss.zzz"_s) + u"Z"_s);
    case TimeForm::Plain:
        break;
    }
    return text(at.toString(u"yyyy-MM-dd HH:mm:ss"_s));
}

QString SqlForm::clock() const
{
    if (times == TimeForm::Seconds || times == TimeForm::Milliseconds)
        return {};
    return isMariadb() && times == TimeForm::WithZone ? u"CURRENT_TIMESTAMP(6)"_s
                                                      : u"CURRENT_TIMESTAMP"_s;
}

QString SqlForm::flag(bool is) const
{
    return isPostgres() ? (is ? u"true"_s : u"false"_s) : (is ? u"1"_s : u"0"_s);
}

QString SqlForm::bytes(const QString &value) const
{
    const QString hex = QString::fromLatin1(value.toUtf8().toHex());
    return isPostgres() ? u"'\\x"_s + hex + u'\'' : u"X'"_s + hex + u'\'';
}

QString SqlForm::text(QString value)
{
    return u'\'' + value.replace(u'\'', u"''"_s) + u'\'';
}

bool TableDraft::add(const ColumnDraft &column)
{
    for (const ColumnDraft &one : columns) {
        if (one.name.compare(column.name, Qt::CaseInsensitive) == 0)
            return false;
    }
    columns += column;
    return true;
}

const ColumnDraft *TableDraft::ofRole(const QString &role) const
{
    for (const ColumnDraft &one : columns) {
        if (one.role == role)
            return &one;
    }
    return nullptr;
}

QStringList TableDraft::statements(const SqlForm &form) const
{
    QStringList before;
    QStringList lines;
    QStringList behind;
    QStringList names;
    bool hasInlineKey = false;
    for (const ColumnDraft &column : columns) {
        names += quoted(column.name);
        QString type = form.type(column.kind, column.length);
        if (!column.labels.isEmpty() && column.isEnum) {
            if (form.isMariadb())
                type = u"enum(%1)"_s.arg(listOf(column.labels));
            else if (form.isPostgres()) {
                type = quoted(name.toLower() + u'_' + column.name.toLower());
                before += u"CREATE TYPE %1 AS ENUM (%2)"_s.arg(type, listOf(column.labels));
            }
        }
        QString line = quoted(column.name) + u' ' + type;
        if (column.kind == ColumnKind::Counted && !form.isPostgres() && !form.isMariadb()) {
            line += u" PRIMARY KEY AUTOINCREMENT"_s;
            hasInlineKey = true;
        }
        if (!column.nullable)
            line += u" NOT NULL"_s;
        else if (form.isMariadb())
            line += u" NULL"_s;
        if (!column.defaultSql.isEmpty())
            line += u" DEFAULT "_s + column.defaultSql;
        if (column.isUnique)
            line += u" UNIQUE"_s;
        const bool isTyped = column.isEnum && (form.isMariadb() || form.isPostgres());
        if (!column.labels.isEmpty() && !isTyped) {
            line += u" CHECK (%1 IN (%2))"_s.arg(quoted(column.name),
                                                 isNumber(column.kind) ? column.labels.join(u", "_s)
                                                                       : listOf(column.labels));
        }
        if (!column.comment.isEmpty() && form.isMariadb())
            line += u" COMMENT "_s + SqlForm::text(column.comment);
        if (!column.comment.isEmpty() && form.isPostgres()) {
            behind += u"COMMENT ON COLUMN %1.%2 IS %3"_s.arg(quoted(name), quoted(column.name),
                                                             SqlForm::text(column.comment));
        }
        lines += line;
    }
    if (!key.isEmpty() && !hasInlineKey) {
        QStringList parts;
        for (const QString &one : key)
            parts += quoted(one);
        lines += u"PRIMARY KEY (%1)"_s.arg(parts.join(u", "_s));
    }
    QStringList all
        = before + QStringList{u"CREATE TABLE %1 (%2)"_s.arg(quoted(name), lines.join(u", "_s))};
    if (!rows.isEmpty()) {
        QStringList texts;
        for (const QStringList &row : rows)
            texts += u'(' + row.join(u", "_s) + u')';
        all += u"INSERT INTO %1 (%2) VALUES %3"_s.arg(quoted(name), names.join(u", "_s),
                                                      texts.join(u", "_s));
    }
    return all + behind;
}

} // namespace outbox
