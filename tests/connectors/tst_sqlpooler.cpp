// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A looking session is read-only and has a deadline on the server, also behind a pooler that drops
// the options of the startup: here a relay of bytes that blanks them on their way.
#include "connectors/room.h"
#include "connectors/sql/session/databasesession.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/testprogram.h"

#include <QFile>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>

namespace tst_sqlpooler {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// One client, one server connection, blocking; lives in a room.
class OptionsDropper
{
public:
    ~OptionsDropper()
    {
        for (const int one : {m_listener, m_client, m_server}) {
            if (one >= 0)
                ::close(one);
        }
    }

    bool listen(const QString &path)
    {
        m_listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const auto [address, size] = addressOf(path);
        return ::bind(m_listener, reinterpret_cast<const sockaddr *>(&address), size) == 0
            && ::listen(m_listener, 1) == 0;
    }

    /// Serves one client until either side hangs up; true when options were blanked.
    bool serve(const QString &serverPath)
    {
        m_client = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        m_server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const auto [address, size] = addressOf(serverPath);
        if (m_client < 0
            || ::connect(m_server, reinterpret_cast<const sockaddr *>(&address), size) != 0)
            return false;
        bool blanked = false;
        while (true) {
            std::array<pollfd, 2> ends{{{m_client, POLLIN, 0}, {m_server, POLLIN, 0}}};
            if (::poll(ends.data(), ends.size(), 10'000) <= 0)
                return blanked;
            for (const pollfd &end : ends) {
                if (end.revents == 0)
                    continue;
                QByteArray bytes(65536, Qt::Uninitialized);
                const ssize_t got = ::recv(end.fd, bytes.data(), size_t(bytes.size()), 0);
                if (got <= 0)
                    return blanked;
                bytes.truncate(got);
                if (!blanked && end.fd == m_client)
                    blanked = blankOptions(bytes);
                const int other = end.fd == m_client ? m_server : m_client;
                if (::send(other, bytes.constData(), size_t(got), MSG_NOSIGNAL) != got)
                    return blanked;
            }
        }
    }

private:
    static std::pair<sockaddr_un, socklen_t> addressOf(const QString &path)
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        qstrncpy(address.sun_path, QFile::encodeName(path).constData(), sizeof address.sun_path);
        return {address, socklen_t(sizeof address)};
    }

    /// Spaces in place of the value, so that the length of the packet stays.
    static bool blankOptions(QByteArray &packet)
    {
        const QByteArray name("\0options\0", 9);
        const qsizetype at = packet.indexOf(name);
        if (at < 0)
            return false;
        for (qsizetype i = at + name.size(); i < packet.size() && packet.at(i) != '\0'; ++i)
            packet[i] = ' ';
        return true;
    }

    int m_listener = -1;
    int m_client = -1;
    int m_server = -1;
};

} // namespace

class TestSqlPooler : public QObject
{
    Q_OBJECT

    Databases m_databases;
    QTemporaryDir m_folder;

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_databases.postgres); }

    void aLookIsGuardedWhereThePoolerDropsItsOptions()
    {
        const QString socketName = u"/.s.PGSQL.5432"_s;
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession(url).run(classicTable());
        Room<OptionsDropper> room(u"pooler"_s);
        auto listening = room.run([path = QString(m_folder.path() + socketName)](
                                      OptionsDropper &pooler) { return pooler.listen(path); });
        listening.waitForFinished();
        QVERIFY(listening.result());
        auto served = room.run([path = QString(url.host + socketName)](OptionsDropper &pooler) {
            return pooler.serve(path);
        });

        StoreSettings settings = settingsFor(url, StoreAccess::ReadOnly);
        settings.url.host = m_folder.path();
        settings.statementTimeoutMs = 300;
        DatabaseSession session;
        QVERIFY_RESULT(session.open(settings));
        const auto written = session->query({u"DELETE FROM outbox"_s, {}}, u"testing"_s);
        QVERIFY(!written.has_value());
        QCOMPARE(written.error().code, u"25006"_s);
        const auto slow = session->query({u"SELECT pg_sleep(20)::text"_s, {}}, u"testing"_s);
        QVERIFY(!slow.has_value());
        QCOMPARE(slow.error().code, u"57014"_s); // by the server, not by our side
        session->close();
        served.waitForFinished();
        QVERIFY(served.result()); // the options were there, and did not arrive
    }
};

} // namespace tst_sqlpooler

OUTBOX_TEST(tst_sqlpooler::TestSqlPooler)
#include "tst_sqlpooler.moc"
