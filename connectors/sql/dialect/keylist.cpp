// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/keylist.h"

#include "connectors/sql/driver/databaseurl.h"

#include <QStringList>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

bool isControlOfKey(QChar c)
{
    return c < u' ' || (c >= QChar(0x7f) && c <= QChar(0x9f));
}

/// The text of a PostgreSQL literal that begins with E.
QString escapedKey(const QString &key)
{
    QString inner;
    for (const QChar c : key) {
        if (c == u'\'' || c == u'\\')
            inner += c;
        if (isControlOfKey(c))
            inner += u"\\u%1"_s.arg(int(c.unicode()), 4, 16, QChar(u'0'));
        else
            inner += c;
    }
    return inner;
}

/// The text of a literal of SQLite, which has no escapes: control characters stand between pieces.
/// A cast of bytes would read them in the encoding of the database, which may be UTF-16.
QString keyInPieces(const QString &key)
{
    QString inner;
    for (const QChar c : key) {
        if (c == u'\'')
            inner += c;
        if (isControlOfKey(c))
            inner += u"' || char(%1) || '"_s.arg(int(c.unicode()));
        else
            inner += c;
    }
    return inner;
}

QString keyTextLiteral(const QString &key, DatabaseUrl::Dialect dialect)
{
    // Whether a backslash means itself is a setting of the session in two of the three.
    const bool isPlain
        = !key.contains(u'\\') && std::none_of(key.begin(), key.end(), isControlOfKey);
    if (isPlain)
        return u'\'' + QString(key).replace(u'\'', u"''"_s) + u'\'';
    switch (dialect) {
    case DatabaseUrl::Dialect::PostgreSql:
        return u"E'"_s + escapedKey(key) + u'\'';
    case DatabaseUrl::Dialect::MariaDb:
        return u"_utf8mb4 X'"_s + QString::fromLatin1(key.toUtf8().toHex()) + u'\'';
    case DatabaseUrl::Dialect::Sqlite:
        break;
    }
    return u'\'' + keyInPieces(key) + u'\'';
}

/// Empty: the key does not have this form.
QString keyLiteral(const QString &key, OutboxShape::KeyForm form, DatabaseUrl::Dialect dialect)
{
    const auto digit = [](QChar c) { return c >= u'0' && c <= u'9'; };
    const auto hexDigit = [](QChar c) {
        return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
    };
    switch (form) {
    case OutboxShape::KeyForm::Integer: {
        const QStringView digits = QStringView(key).mid(key.startsWith(u'-') ? 1 : 0);
        const bool isNumber = !digits.isEmpty() && std::all_of(digits.begin(), digits.end(), digit);
        return isNumber ? key : QString();
    }
    case OutboxShape::KeyForm::UuidBytes: {
        const QString hex = QString(key).remove(u'-');
        if (hex.size() != 32 || !std::all_of(hex.begin(), hex.end(), hexDigit))
            return {};
        return dialect == DatabaseUrl::Dialect::PostgreSql ? u"decode('%1', 'hex')"_s.arg(hex)
                                                           : u"X'%1'"_s.arg(hex);
    }
    case OutboxShape::KeyForm::Uuid:
    case OutboxShape::KeyForm::UuidText:
    case OutboxShape::KeyForm::Text:
        break;
    }
    return keyTextLiteral(key, dialect);
}

} // namespace

QString sqlKeyList(const QList<MessageId> &keys, const OutboxShape &shape,
                   const QString &databaseUrl)
{
    const auto url = DatabaseUrl::fromUrl(databaseUrl);
    if (keys.isEmpty() || !url || shape.keyColumn.isEmpty() || !shape.keyParts.isEmpty())
        return {};
    QStringList literals;
    for (const MessageId &key : keys) {
        const QString literal = keyLiteral(key.text, shape.keyForm, url->dialect);
        if (literal.isEmpty())
            return {};
        literals += literal;
    }
    return u"IN (%1)"_s.arg(literals.join(u", "_s));
}

} // namespace outbox
