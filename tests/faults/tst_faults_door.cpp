// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F26: a PostgreSQL that does not let us in is knocked at once, and again when a person asks.
#include "tests/faults/faultconsole.h"
#include "tests/support/filebytes.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QAbstractButton>
#include <QSignalSpy>
#include <QTest>

namespace tst_faults_door {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFaultsDoor : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<FaultConsole> m_console;
    QByteArray m_rules; ///< as the server came with them
    QString m_user; ///< of the fixture

    [[nodiscard]] bool exec(const QString &sql) { return m_console->fixture().exec(sql); }
    /// The server reads them in its own time.
    [[nodiscard]] bool setRules(const QByteArray &first)
    {
        return writeFile(m_postgres.folder() + u"/data/pg_hba.conf"_s, first + m_rules)
            && exec(u"select pg_reload_conf()"_s);
    }
    [[nodiscard]] bool letsIn(const QString &password)
    {
        PlainPostgres hand;
        const DatabaseUrl url = *DatabaseUrl::fromUrl(m_console->fixture().url());
        return hand
            .open(u"postgresql://clerk:%1@/%2?host=%3"_s.arg(password, url.database,
                                                             m_postgres.socketFolder()))
            .has_value();
    }
    [[nodiscard]] Profile clerk(const QString &password) const
    {
        Profile one = m_console->profile();
        one.name = u"clerk"_s;
        one.databaseUrl.replace(m_user + u'@', u"clerk:%1@"_s.arg(password));
        return one;
    }
    [[nodiscard]] QAbstractButton *tryAgain() const
    {
        return m_console->desktop().window().findChild<QAbstractButton *>(u"outboxSourceAction"_s);
    }
    /// While Redis is looked at some times, nobody knocks at the database.
    [[nodiscard]] bool isLeftAlone()
    {
        const int before = m_console->databaseLine.accepted();
        QSignalSpy looks(&m_console->desktop().system()->queue(), &QueueFeed::taken);
        return FaultConsole::until([&] { return looks.size() >= 4; })
            && m_console->databaseLine.accepted() == before;
    }
    void openDoor()
    {
        m_console
            = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &m_postgres, m_redis);
        const QString problem = m_console->open(false);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        m_user = DatabaseUrl::fromUrl(m_console->fixture().url())->user;
        QVERIFY(exec(u"drop role if exists clerk"_s));
    }
    void isToldOnce(const QString &words)
    {
        const auto isSaid = [&] { return m_console->told(Source::Database).contains(words); };
        QVERIFY2(FaultConsole::until(isSaid), qPrintable(m_console->told(Source::Database)));
        // Where the rows were asked for first, the counts hear of it next.
        QTRY_COMPARE(m_console->health(Source::Database).retryInMs, 0);
        QTRY_VERIFY(m_console->status(Source::Database).contains(u"not retrying"_s));
        QTRY_VERIFY(tryAgain() && tryAgain()->isVisible());
        QCOMPARE(tryAgain()->text(), u"Try again"_s);
        QVERIFY(isLeftAlone());
    }
    /// A person asks until the server has read its rules; then it is asked by itself again.
    void comesBack()
    {
        QSignalSpy taken(&m_console->desktop().system()->database(), &DatabaseFeed::taken);
        QVERIFY(FaultConsole::until([&] {
            if (taken.isEmpty() && tryAgain()->isVisible())
                tryAgain()->click();
            return taken.size() >= 3;
        }));
        QVERIFY(m_console->isLive());
        QVERIFY(!tryAgain()->isVisible());
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
        m_rules = fileBytes(m_postgres.folder() + u"/data/pg_hba.conf"_s);
        QVERIFY(!m_rules.isEmpty());
    }
    void cleanup()
    {
        QVERIFY(setRules({}));
        m_console.reset();
    }

    void turnedAwayAtTheDoor_data()
    {
        QTest::addColumn<QByteArray>("rule");
        QTest::addColumn<QString>("role");
        QTest::addColumn<QString>("words");
        QTest::newRow("a wrong password")
            << QByteArray("scram-sha-256") << u"password 'right'"_s << u"authentication failed"_s;
        QTest::newRow("no entry in pg_hba.conf")
            << QByteArray("reject") << u"password 'wrong'"_s << u"pg_hba.conf"_s;
        QTest::newRow("a role that has expired")
            << QByteArray("scram-sha-256") << u"password 'wrong' valid until '2020-01-01'"_s
            << u"authentication failed"_s;
    }
    void turnedAwayAtTheDoor()
    {
        QFETCH(QByteArray, rule);
        QFETCH(QString, role);
        QFETCH(QString, words);
        calmly([&](double &gapMs) {
            openDoor();
            QVERIFY(exec(u"create role clerk login superuser "_s + role));
            QVERIFY(setRules("local all clerk " + rule + "\n"));
            QTRY_VERIFY(!letsIn(u"wrong"_s));
            m_console->patienceMs = 0;
            const int before = m_console->databaseLine.accepted();
            QVERIFY(!m_console->open(clerk(u"wrong"_s), false).isEmpty());
            isToldOnce(words);
            QCOMPARE(m_console->failures(Source::Database), 1);
            QVERIFY(m_console->databaseLine.accepted() - before
                    <= 2); // libpq asks for TLS, then without
            QVERIFY(setRules("local all clerk trust\n"));
            comesBack();
            gapMs = m_console->meter().longest();
        });
    }

    void turnedAwayWhileWeLook()
    {
        calmly([&](double &gapMs) {
            openDoor();
            QVERIFY(exec(u"create role clerk login superuser password 'right'"_s));
            QVERIFY(setRules("local all clerk scram-sha-256\n"));
            QTRY_VERIFY(!letsIn(u"wrong"_s));
            const QString problem = m_console->open(clerk(u"right"_s), false);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            m_console->forgetFailures();
            QVERIFY(exec(u"alter role clerk valid until '2020-01-01'"_s));
            QVERIFY(exec(u"select pg_terminate_backend(pid) from pg_stat_activity"
                         " where usename = 'clerk'"_s));
            isToldOnce(u"authentication failed"_s);
            QVERIFY(exec(u"alter role clerk valid until 'infinity'"_s));
            comesBack();
            gapMs = m_console->meter().longest();
        });
    }
};

} // namespace tst_faults_door

OUTBOX_TEST(tst_faults_door::TestFaultsDoor)
#include "tst_faults_door.moc"
