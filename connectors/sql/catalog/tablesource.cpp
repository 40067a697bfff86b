// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/catalog/tablesource.h"

#include "connectors/sql/catalog/sqlcatalog.h"
#include "connectors/sql/driver/sqldatabases.h"

#include <QCryptographicHash>
#include <QFileInfo>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString lettersOf(const QByteArray &names)
{
    constexpr int letters = 8;
    constexpr int bitsEach = 5;
    static constexpr QLatin1StringView alphabet("abcdefghijklmnopqrstuvwxyz234567");
    const QByteArray digest = QCryptographicHash::hash(names, QCryptographicHash::Sha256);
    quint64 bits = 0;
    for (int byte = 0; byte < bitsEach; ++byte)
        bits = bits << 8 | static_cast<quint8>(digest.at(byte));
    QString text;
    for (int letter = letters - 1; letter >= 0; --letter)
        text += alphabet.at(static_cast<qsizetype>(bits >> (letter * bitsEach) & 31));
    return text;
}

} // namespace

Result<QString> tableSource(SqlSession &session, const DatabaseUrl &url, const TableName &table)
{
    const auto named = [&table](const QStringList &parts) {
        const QStringList names = parts + QStringList{table.schema, table.table};
        return lettersOf(names.join(QChar(u'\0')).toUtf8());
    };
    if (databaseOf(url.dialect).isFile()) {
        const QString path = QFileInfo(url.database).canonicalFilePath();
        return named({path.isEmpty() ? url.database : path});
    }
    const auto rows
        = session.query(catalogOf(url.dialect).ownNames(), u"asking the database for its name"_s);
    if (!rows) {
        Error error = rows.error();
        error.hint = u"Name the source of the messages yourself: --source NAME"_s;
        return tl::unexpected(error);
    }
    if (rows->size() == 0)
        return fail(Error::Kind::Protocol, u"asking the database for its name"_s,
                    u"the answer is empty"_s);
    return named({rows->text(0, 0), rows->text(0, 1)});
}

} // namespace outbox
