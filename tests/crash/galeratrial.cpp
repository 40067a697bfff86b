// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/galeratrial.h"

#include "connectors/sql/driver/mariadbclient.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QHash>

#include <chrono>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int writersNode = 2; ///< no relay begins there
constexpr int strikesBetweenLooks = 10;
constexpr int mostTriesToFill = 50;

} // namespace

QString tableOf(const GaleraReport &report)
{
    QList<QStringList> counts;
    counts += QStringList{u"rows"_s, u"undone"_s, u"lost"_s, u"doubled"_s, u"unknown"_s};
    counts += QStringList{QString::number(report.written), QString::number(report.conflicts),
                          QString::number(report.lost), QString::number(report.doubled),
                          QString::number(report.unknown)};
    QString text = columnsText(counts);
    text += u"relays ended %1 times by themselves"_s.arg(report.otherEnds);
    return text + lastWordsText(report.otherEnds, report.lastWords) + u'\n';
}

Result<GaleraReport> GaleraTrial::run(const std::function<void(qint64)> &tell)
{
    TRY(open());
    const QDeadlineTimer deadline(std::chrono::minutes(m_order.mostMinutes));
    while (m_report.conflicts < m_order.conflicts) {
        if (deadline.hasExpired()) {
            return fail(Error::Kind::Timeout, u"waiting for conflicts"_s,
                        u"%1 came"_s.arg(m_report.conflicts));
        }
        TRY(fill());
        for (int i = 0; i < strikesBetweenLooks; ++i)
            strike();
        TRY(tend());
        m_report.conflicts = TRY(conflicts());
        tell(m_report.conflicts);
    }
    TRY(drain());
    m_report.conflicts = TRY(conflicts());
    for (std::optional<TrialRelays> *relays : {&m_first, &m_second}) {
        m_report.otherEnds += (*relays)->otherEnds() + (*relays)->endsWithLoss();
        m_report.lastWords += (*relays)->lastWords();
        TRY((*relays)->stop());
    }
    TRY(judge());
    return m_report;
}

Result<void> GaleraTrial::open()
{
    qputenv("XDG_STATE_HOME", QFile::encodeName(m_state.path()));
    TRY(m_redis.start());
    TRY(m_world.start());
    TRY(m_world.makeOutbox(writersNode));
    TRY(m_world.run(writersNode, {u"CREATE TABLE shop.written (id bigint PRIMARY KEY)"_s}));
    const auto queue = TRY(RedisEndpoint::fromUrl(m_redis.url()));
    TRY(m_worker.open(queue));
    TRY(fill());
    const auto arguments = [this](const QList<int> &order) {
        return QStringList{u"--database"_s, m_world.url(order), u"--table"_s,
                           u"outbox"_s,     u"--redis"_s,       m_redis.url(),
                           u"--poll"_s,     u"5ms"_s,           u"--retention"_s,
                           u"24h"_s,        u"--batch"_s,       QString::number(m_order.batch)};
    };
    m_first.emplace(1, arguments({0, 1, 2}));
    m_second.emplace(1, arguments({1, 0, 2}));
    TRY(m_first->start());
    return m_second->start();
}

Result<void> GaleraTrial::fill()
{
    if (m_fills > 0) {
        const qint64 waiting = TRY(left());
        if (waiting > m_order.rowsAtOnce / 2)
            return {};
    }
    const QString mark = u"fill %1"_s.arg(++m_fills);
    const QStringList statements{
        u"START TRANSACTION"_s,
        u"INSERT INTO shop.outbox (type, payload, metadata) SELECT 'mail',"
        " CONCAT('p', seq), '%1' FROM shop.seq_1_to_%2"_s.arg(mark)
            .arg(m_order.rowsAtOnce),
        u"INSERT INTO shop.written SELECT id FROM shop.outbox WHERE metadata = '%1'"_s.arg(mark),
        u"COMMIT"_s};
    // It reads rows that relays delete on other nodes, so it may be undone as a whole, too.
    for (int tries = 1;; ++tries) {
        const auto filled = m_world.run(writersNode, statements);
        const bool isUndone = !filled && filled.error().code == rolledBackCode;
        if (!isUndone || tries == mostTriesToFill)
            return filled;
    }
}

void GaleraTrial::strike()
{
    // A relay may be first: then this one is undone, and writes nothing.
    static_cast<void>(m_world.run(
        writersNode, {u"UPDATE shop.outbox SET metadata = UUID() ORDER BY id LIMIT 100"_s}));
}

Result<void> GaleraTrial::tend()
{
    TRY(m_worker.consume());
    TRY(m_first->tend());
    return m_second->tend();
}

Result<qint64> GaleraTrial::left()
{
    const auto told = TRY(m_world.askInStep(writersNode, u"SELECT COUNT(*) FROM shop.outbox"_s));
    return told.value(0).toLongLong();
}

Result<qint64> GaleraTrial::conflicts()
{
    qint64 sum = 0;
    for (int node = 0; node < GaleraWorld::nodes; ++node) {
        const auto told = TRY(m_world.ask(
            node,
            u"SELECT SUM(VARIABLE_VALUE) FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME"
            " IN ('WSREP_LOCAL_BF_ABORTS', 'WSREP_LOCAL_CERT_FAILURES')"_s));
        sum += qRound64(told.value(0).toDouble());
    }
    return sum;
}

Result<void> GaleraTrial::drain()
{
    Result<void> asked;
    TRY(m_first->await(u"an empty outbox"_s, [this, &asked] {
        const auto waiting = left();
        asked = waiting ? tend() : Result<void>(passOn(waiting));
        return !asked || *waiting == 0;
    }));
    TRY(asked);
    TRY(m_worker.consume());
    return {};
}

Result<void> GaleraTrial::judge()
{
    const auto keys = TRY(m_world.askInStep(writersNode, u"SELECT id FROM shop.written"_s));
    m_report.written = keys.size();
    QHash<QString, int> runs; // of rows: under whatever id a task ran
    for (auto run = m_worker.runs().cbegin(); run != m_worker.runs().cend(); ++run)
        runs[run.key().section(u':', 1, 1)] += run.value(); // {source}:{id}:{born}
    for (const QString &key : keys) {
        const int count = runs.take(key);
        m_report.lost += count == 0 ? 1 : 0;
        m_report.doubled += count > 1 ? count - 1 : 0;
    }
    m_report.unknown = runs.size();
    return {};
}

} // namespace outbox::crash
