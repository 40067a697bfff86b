// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/retryingwriter.h"

#include <algorithm>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 mostRowsAnInsert = 1000; ///< after a pause there is much to catch up with

} // namespace

QString RetryingWriter::keyOf(qint64 number)
{
    return u"00000000-0000-7000-8000-"_s + u"%1"_s.arg(number, 12, 16, QChar(u'0'));
}

QByteArray RetryingWriter::keySql(const QByteArray &number)
{
    return "('00000000-0000-7000-8000-' || lpad(to_hex(" + number + "), 12, '0'))::uuid";
}

void RetryingWriter::giveUp()
{
    m_session.close();
    m_isOpen = false;
    if (m_isUnderWay)
        ++m_retries;
    m_isUnderWay = false;
}

void RetryingWriter::turnTo(const PrivatePostgres &server)
{
    giveUp();
    m_server = &server;
    if (!m_clock.isValid())
        m_clock.start();
}

void RetryingWriter::goOn()
{
    if (m_isUnderWay) {
        if (m_session.isBusy())
            return;
        if (!m_session.take())
            return giveUp();
        m_isUnderWay = false;
        m_acknowledged = m_sent;
    }
    if (m_sent == m_acknowledged) {
        const qint64 due = m_clock.elapsed() * m_rowsASecond / 1000 - m_acknowledged;
        if (m_isFinishing || due <= 0)
            return;
        m_sent += std::min(due, mostRowsAnInsert);
    }
    // One that stands still takes a connection, and would never answer.
    if (!m_isOpen && (!m_server || !m_session.open(m_server->url() + u"&connect_timeout=2"_s)))
        return;
    m_isOpen = true;
    const QByteArray sql = "with fresh as (insert into written (id) select " + keySql("n")
        + " from generate_series(" + QByteArray::number(m_acknowledged + 1) + "::bigint, "
        + QByteArray::number(m_sent)
        + "::bigint) n on conflict do nothing returning id) insert into outbox (id, type, payload)"
          " select id, 'mail:deliver', '\\x00ff00' from fresh";
    m_isUnderWay = true;
    if (!m_session.send(sql))
        giveUp();
}

} // namespace outbox::crash
