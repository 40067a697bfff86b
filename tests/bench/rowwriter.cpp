// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/rowwriter.h"

#include "connectors/answer.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int writesPerSecond = 20;

} // namespace

RowWriter::RowWriter(const QString &url, int changesPerSecond, qint64 firstNew)
    : m_room(u"writer"_s), m_url(url), m_batch(changesPerSecond / writesPerSecond), m_next(firstNew)
{
    m_timer.setInterval(1000 / writesPerSecond);
    connect(&m_timer, &QTimer::timeout, this, &RowWriter::write);
    if (changesPerSecond > 0)
        m_timer.start();
    m_since.start();
}

void RowWriter::write()
{
    if (m_busy)
        return;
    m_busy = true;
    const QByteArray half = QByteArray::number(m_batch / 2);
    const QByteArray sql = "WITH old AS (SELECT id FROM outbox WHERE completed_at IS NULL "
                           "ORDER BY created_at, id"
                           " LIMIT "
        + half
        + "), done AS (UPDATE outbox o SET completed_at = now() FROM old WHERE o.id = old.id)"
          " INSERT INTO outbox SELECT overlay(overlay(lpad(to_hex(n), 32, '0') placing '7' from"
          " 13) placing 'a' from 17)::uuid, 'mail:kind' || n % 20, jsonb_build_object('user',"
          " jsonb_build_object('id', n), 'text', repeat('x', 160)), clock_timestamp(), NULL"
          " FROM generate_series("
        + QByteArray::number(m_next) + ", " + QByteArray::number(m_next + m_batch / 2 - 1) + ") n";
    m_next += m_batch / 2;
    answerTo(this, m_room.run([url = m_url, sql](PlainPostgres &hand) {
        auto ran = hand.run(sql);
        if (!ran && hand.open(url))
            ran = hand.run(sql);
        return ran.has_value();
    }),
             [this](bool done) {
                 m_busy = false;
                 if (done)
                     m_changed += m_batch;
             });
}

} // namespace outbox
