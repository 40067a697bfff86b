// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/session/serversearch.h"

#include "connectors/sql/driver/sqlerror.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString DatabaseServer::shown() const
{
    QString text = host.isEmpty() ? address : host;
    if (!host.isEmpty() && !address.isEmpty() && host != address)
        text += u" (%1)"_s.arg(address);
    if (text.isEmpty())
        text = u"the usual server"_s;
    return port.isEmpty() || host.startsWith(u'/') ? text : text + u':' + port;
}

ServerSearch::ServerSearch(const StoreSettings &settings, ServerMemory &memory,
                           QList<DatabaseServer> servers, QString doing)
    : m_settings(settings), m_memory(memory), m_doing(std::move(doing)),
      m_servers(std::move(servers)), m_deadline(settings.connectTimeoutMs),
      m_errors(m_servers.size())
{
    for (qsizetype i = 0; i < m_servers.size(); ++i)
        m_left += i;
    // Whoever was not late is before all who were; the one that was late last is the last.
    std::stable_sort(m_left.begin(), m_left.end(), [this](qsizetype one, qsizetype other) {
        return m_memory.hung.indexOf(m_servers.at(one).shown())
            < m_memory.hung.indexOf(m_servers.at(other).shown());
    });
}

bool ServerSearch::next()
{
    const auto index = nextIndex();
    if (index)
        m_now = *index;
    return index.has_value();
}

std::optional<qsizetype> ServerSearch::nextIndex()
{
    const bool isFirst = m_now < 0;
    if (m_left.isEmpty() && !m_isLast) {
        m_isLast = true;
        if (m_second)
            m_left += *m_second;
        else if (!m_isTurnedDown && hasOthers())
            m_left = std::exchange(m_late, {});
    }
    if (m_left.isEmpty() || (m_deadline.hasExpired() && !isFirst && !(m_isLast && m_second)))
        return std::nullopt;
    return m_left.takeFirst();
}

int ServerSearch::patienceMs() const
{
    const int left = static_cast<int>(m_deadline.remainingTime());
    if (m_isLast && m_second)
        return std::max(left, serverPatienceMs);
    if (m_isLast)
        return left / static_cast<int>(m_left.size() + 1);
    return hasOthers() ? std::min(left, serverPatienceMs) : left;
}

int ServerSearch::meetingMs(int usualMs) const
{
    const bool isBrief = hasOthers() || m_settings.connectTimeoutMs <= serverPatienceMs;
    return isBrief ? std::min(usualMs, std::max(patienceMs(), serverPatienceMs)) : usualMs;
}

bool ServerSearch::takes(bool isWanted)
{
    if (isWanted || m_isLast || (m_left.isEmpty() && !m_second)) {
        m_memory.hung.removeAll(name());
        return true;
    }
    if (!m_second)
        m_second = m_now;
    return false;
}

void ServerSearch::failed(const Error &error)
{
    Error &noted = m_errors[m_now] = error;
    if (error.kind != Error::Kind::Timeout || !hasOthers())
        return;
    noted.text = name() + u": "_s + error.text; // which of them, the text does not say
    late();
}

void ServerSearch::unmet(const Error &error, bool isLate)
{
    failed(error);
    if (isLate)
        late();
    if (error.kind != Error::Kind::Refused)
        return;
    // Another address of a server that refuses would refuse as well, and count the tries.
    const DatabaseServer refusing = server();
    m_left.removeIf([this, &refusing](qsizetype other) {
        return m_servers.at(other).host == refusing.host
            && m_servers.at(other).port == refusing.port;
    });
}

void ServerSearch::late()
{
    m_late += m_now;
    if (!hasOthers())
        return;
    m_memory.hung.removeAll(name());
    m_memory.hung += name();
}

void ServerSearch::turnDown(const QString &why, const QString &hint)
{
    m_isTurnedDown = true;
    failed({Error::Kind::Unreachable, m_doing, why, noPrimaryCode, hint});
}

Error ServerSearch::error(const QString &noneFits) const
{
    QList<Error> told;
    for (const Error &one : m_errors) {
        if (!one.text.isEmpty() || !one.doing.isEmpty())
            told += one;
    }
    if (told.isEmpty())
        return {Error::Kind::Unreachable, m_doing, u"no server could be asked"_s, {}, {}};
    const bool areHosts = m_settings.url.hasSeveralHosts();
    // Another host may come back; another address of one host that refuses may not even be used.
    const auto wanted = areHosts ? Error::Kind::Unreachable : Error::Kind::Refused;
    auto found = std::find_if(told.cbegin(), told.cend(),
                              [](const Error &one) { return one.code == noPrimaryCode; });
    if (found == told.cend()) {
        found = std::find_if(told.cbegin(), told.cend(),
                             [wanted](const Error &one) { return one.kind == wanted; });
    }
    Error whole = found == told.cend() ? told.constFirst() : *found;
    if (areHosts) {
        QStringList texts;
        for (const Error &one : std::as_const(told))
            texts += one.text;
        texts.removeDuplicates();
        whole.text = texts.join(u"; "_s);
    }
    if (m_isTurnedDown)
        whole.text = noneFits + u": "_s + whole.text;
    return whole;
}

Result<void> ServerSearch::remember(const QString &system)
{
    const bool isOther
        = !m_memory.system.isEmpty() && !system.isEmpty() && system != m_memory.system;
    if (isOther && m_settings.access == StoreAccess::Relay) {
        return fail(
            Error::Kind::Refused, m_doing,
            u"%1 is another database than the one before: its cluster is %2, and was %3"_s.arg(
                name(), system, m_memory.system),
            otherSystemCode, u"Where the database was moved on purpose, start the relay again"_s);
    }
    if (!system.isEmpty())
        m_memory.system = system;
    return {};
}

} // namespace outbox
