// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/parking/fileparking.h"

#include "app/settings/privatefile.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "models/utctext.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int parkingVersion = 1;
constexpr qint64 largestParking = 64LL * 1024 * 1024; ///< far above 10,000 rows with their reasons
constexpr auto lockPatience = std::chrono::seconds(5);

/// The database without users, passwords and options: whoever relays, the file is the same.
QString nameOf(const DatabaseUrl &database)
{
    const SqlDatabase &kind = databaseOf(database.dialect);
    const QString scheme = kind.schemes.constFirst() + u"://"_s;
    if (kind.isFile()) {
        const QString canonical = QFileInfo(database.database).canonicalFilePath();
        return scheme + (canonical.isEmpty() ? database.database : canonical);
    }
    // Several hosts have a list of ports.
    const QString port = database.options.value(u"port"_s, QString::number(database.actualPort()));
    return scheme + u"%1:%2/%3"_s.arg(database.hostOrSocket(), port, database.database);
}

Failure damaged(const QString &file, const QString &why)
{
    return fail(Error::Kind::Invalid, u"reading the parked rows in "_s + file, why, {},
                u"Put the file right, or move it away: the rows in it are claimed again then"_s);
}

QJsonObject jsonOf(const ParkedRow &row)
{
    return {{u"id"_s, row.id.text},
            {u"reason"_s, row.reason},
            {u"attempts"_s, row.attempts},
            {u"at"_s, utcText(row.at)},
            {u"by"_s, row.by}};
}

std::optional<ParkedRow> rowOf(const QJsonValue &value)
{
    const QJsonObject json = value.toObject();
    ParkedRow row;
    row.id.text = json.value("id"_L1).toString();
    row.reason = json.value("reason"_L1).toString();
    row.attempts = json.value("attempts"_L1).toInt();
    row.at = QDateTime::fromString(json.value("at"_L1).toString(), Qt::ISODateWithMs);
    row.by = json.value("by"_L1).toString();
    const bool isWhole = json.value("id"_L1).isString() && json.value("reason"_L1).isString();
    return isWhole ? std::optional(row) : std::nullopt;
}

void remove(QList<ParkedRow> &rows, const MessageId &id)
{
    rows.removeIf([&id](const ParkedRow &row) { return row.id == id; });
}

} // namespace

FileParking::FileParking(const QString &folder, const DatabaseUrl &database, const QString &outbox,
                         QString by)
    : m_outbox(nameOf(database) + u' ' + outbox), m_by(std::move(by))
{
    const QByteArray digest
        = QCryptographicHash::hash(m_outbox.toUtf8(), QCryptographicHash::Sha256).toHex();
    m_file = folder + u'/' + QString::fromLatin1(digest.left(32)) + u".json"_s;
}

Result<QList<ParkedRow>> FileParking::read() const
{
    if (!QFileInfo::exists(m_file))
        return QList<ParkedRow>();
    const auto file = TRY(PrivateFile::open(m_file, PrivateFile::Mode::Read));
    const auto bytes = TRY(file.readAt(0, largestParking + 1));
    if (bytes.size() > largestParking)
        return damaged(m_file, u"it is larger than 64 MiB"_s);
    QJsonParseError fault;
    const QJsonObject json = QJsonDocument::fromJson(bytes, &fault).object();
    if (fault.error != QJsonParseError::NoError) {
        return damaged(m_file,
                       u"%1 at byte %2"_s.arg(fault.errorString(), QString::number(fault.offset)));
    }
    if (json.value("version"_L1).toInt() != parkingVersion || !json.value("rows"_L1).isArray())
        return damaged(m_file, u"it is no file of parked rows that this version knows"_s);
    if (const QString other = json.value("outbox"_L1).toString(); other != m_outbox)
        return damaged(m_file, u"it is for another outbox: "_s + other);
    QList<ParkedRow> rows;
    const QJsonArray lines = json.value("rows"_L1).toArray();
    for (const auto &line : lines) {
        const auto row = rowOf(line);
        if (!row)
            return damaged(m_file, u"row %1 has no id or no reason"_s.arg(rows.size() + 1));
        rows += *row;
    }
    return rows;
}

Result<void> FileParking::write(const QList<ParkedRow> &rows) const
{
    QJsonArray lines;
    for (const ParkedRow &row : rows)
        lines += jsonOf(row);
    const QJsonObject json{
        {u"version"_s, parkingVersion}, {u"outbox"_s, m_outbox}, {u"rows"_s, lines}};
    auto file = TRY(PrivateFile::open(m_file + u".new"_s, PrivateFile::Mode::Replace));
    TRY(file.write(QJsonDocument(json).toJson()));
    TRY(file.sync());
    return file.renameTo(m_file);
}

template <typename Change> Result<void> FileParking::change(const Change &change) const
{
    TRY(ensurePrivateFolder(QFileInfo(m_file).absolutePath()));
    // Never removed: a lock on the file itself would be one on a file that has no name any more.
    auto lock = TRY(PrivateFile::open(m_file + u".lock"_s, PrivateFile::Mode::Append));
    TRY(lock.lock(PrivateFile::Share::Alone, lockPatience));
    auto rows = TRY(read());
    const QList<ParkedRow> before = rows;
    change(rows);
    return rows == before ? Result<void>() : write(rows);
}

Result<QList<ParkedRow>> FileParking::rows()
{
    auto all = read(); // needs no lock: the file is replaced whole
    if (all && all->size() > mostParkedRows + 1)
        all->resize(mostParkedRows + 1);
    return all;
}

Result<void> FileParking::put(const QList<ParkedRow> &rows)
{
    if (rows.isEmpty())
        return {};
    return change([&](QList<ParkedRow> &all) {
        for (ParkedRow row : rows) {
            remove(all, row.id);
            row.by = m_by;
            all += row;
        }
    });
}

Result<void> FileParking::release(const QList<MessageId> &ids)
{
    if (ids.isEmpty() || !QFileInfo::exists(m_file))
        return {};
    const QSet<MessageId> gone(ids.begin(), ids.end());
    return change([&gone](QList<ParkedRow> &all) {
        all.removeIf([&gone](const ParkedRow &row) { return gone.contains(row.id); });
    });
}

} // namespace outbox
