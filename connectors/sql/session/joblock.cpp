// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/session/joblock.h"

#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/session/sqlsession.h"

#include <QCryptographicHash>
#include <QFile>
#include <QtEndian>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString keepingRunsApart = u"keeping the runs of a job apart"_s;

/// The same for all who work on this table, and for no other use of such locks.
qint64 numberOf(const TableName &table)
{
    const QByteArray digest = QCryptographicHash::hash(
        QString(u"outboxdeck job "_s + table.text()).toUtf8(), QCryptographicHash::Sha256);
    return qFromBigEndian<qint64>(digest.constData());
}

/// MariaDB's names are those of the whole server; the schema is part of the table's.
QString lockOf(QString statement, const TableName &table)
{
    const qint64 number = numberOf(table);
    return statement.replace(u"NUMBER"_s, QString::number(number))
        .replace(u"NAME"_s, u"'outboxdeck:%1'"_s.arg(QString::number(quint64(number), 16)));
}

} // namespace

Result<bool> JobLock::take(SqlSession &session, const DatabaseUrl &url, const TableName &table)
{
    if (m_isHeld)
        return true;
    const SqlDatabase &database = databaseOf(url.dialect);
    if (database.isFile())
        return takeFile(url, table);
    if (session.isPooled()) {
        return fail(
            Error::Kind::Refused, keepingRunsApart, u"a pooler stands before the server"_s, {},
            u"Runs are kept apart by a lock of the session: connect to the server itself"_s);
    }
    const auto answer = TRY(session.query(lockOf(database.takeLock, table), keepingRunsApart));
    m_isHeld = answer.size() == 1 && answer.text(0, 0) == u"1";
    return m_isHeld;
}

Result<bool> JobLock::takeFile(const DatabaseUrl &url, const TableName &table)
{
    const QString path = url.database + u"-outboxdeck-jobs"_s;
    const auto failed = [&path](int error) {
        return fail(Error::Kind::Refused, keepingRunsApart,
                    path + u": "_s + QString::fromLocal8Bit(std::strerror(error)), {},
                    u"The folder of the database must be writable: its journal stands there too"_s);
    };
    if (m_file < 0)
        m_file = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (m_file < 0)
        return failed(errno);
    // Of the open file, not of the process: two relays of one process are kept apart too.
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = static_cast<off_t>(quint64(numberOf(table)) >> 2);
    lock.l_len = 1;
    if (::fcntl(m_file, F_OFD_SETLK, &lock) == 0) {
        m_isHeld = true;
        return true;
    }
    const int error = errno;
    if (error == EAGAIN || error == EACCES)
        return false;
    return failed(error);
}

Result<void> JobLock::release(SqlSession &session, const DatabaseUrl &url, const TableName &table)
{
    if (!m_isHeld)
        return {};
    const SqlDatabase &database = databaseOf(url.dialect);
    if (database.isFile()) {
        forget();
        return {};
    }
    m_isHeld = false;
    const auto answer = TRY(session.query(lockOf(database.releaseLock, table), keepingRunsApart));
    if (answer.size() != 1 || answer.text(0, 0) != u"1") {
        return fail(Error::Kind::Conflict, keepingRunsApart,
                    u"the lock was no longer held by this session"_s, {},
                    u"Another run may have begun beside this one"_s);
    }
    return {};
}

void JobLock::forget()
{
    m_isHeld = false;
    if (m_file >= 0)
        ::close(m_file);
    m_file = -1;
}

} // namespace outbox
